"""Printed by gaitwright.derive from gaitwright.physics.materials.linear_elastic. Do not edit."""

KIND = "material"
N_PAR, LINEAR = 2, True


def energy(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        w = (0.5)*lame*((h11 + h22) * (h11 + h22)) + shear_modulus*(((h11) * (h11)) + ((h22) * (h22)) + 2.0*(((0.5)*h12 + (0.5)*h21) * ((0.5)*h12 + (0.5)*h21)))
        out[1 * e + 0] = w


def stress(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = 2.0*h11
        c1 = 2.0*h22
        c2 = (0.5)*lame*(c0 + c1)
        c3 = shear_modulus*(h12 + h21)
        w_h11 = shear_modulus*c0 + c2
        w_h12 = c3
        w_h21 = c3
        w_h22 = shear_modulus*c1 + c2
        out[4 * e + 0] = w_h11
        out[4 * e + 1] = w_h12
        out[4 * e + 2] = w_h21
        out[4 * e + 3] = w_h22


def tangent(count, par, given, out):
    for e in range(count):
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c4 = lame + 2.0*shear_modulus
        w_h11_h11 = c4
        w_h11_h22 = lame
        w_h12_h12 = shear_modulus
        w_h12_h21 = shear_modulus
        w_h21_h21 = shear_modulus
        w_h22_h22 = c4
        out[10 * e + 0] = w_h11_h11
        out[10 * e + 1] = 0.0
        out[10 * e + 2] = 0.0
        out[10 * e + 3] = w_h11_h22
        out[10 * e + 4] = w_h12_h12
        out[10 * e + 5] = w_h12_h21
        out[10 * e + 6] = 0.0
        out[10 * e + 7] = w_h21_h21
        out[10 * e + 8] = 0.0
        out[10 * e + 9] = w_h22_h22


def mean_energy(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = (0.5)*h11
        c1 = (0.5)*h22
        c2 = (0.5)*t
        w = (0.5)*lame*((t) * (t)) + shear_modulus*(2.0*(((0.5)*h12 + (0.5)*h21) * ((0.5)*h12 + (0.5)*h21)) + ((-c0 + c1 + c2) * (-c0 + c1 + c2)) + ((c0 - c1 + c2) * (c0 - c1 + c2)))
        out[1 * e + 0] = w


def mean_stress(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = h11 - h22
        c1 = shear_modulus*(h12 + h21)
        w_h11 = shear_modulus*c0
        w_h12 = c1
        w_h21 = c1
        w_h22 = -shear_modulus*c0
        w_t = lame*t + shear_modulus*t
        out[5 * e + 0] = w_h11
        out[5 * e + 1] = w_h12
        out[5 * e + 2] = w_h21
        out[5 * e + 3] = w_h22
        out[5 * e + 4] = w_t


def mean_tangent(count, par, given, out):
    for e in range(count):
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        w_h11_h11 = shear_modulus
        w_h11_h22 = -shear_modulus
        w_h12_h12 = shear_modulus
        w_h12_h21 = shear_modulus
        w_h21_h21 = shear_modulus
        w_h22_h22 = shear_modulus
        w_t_t = lame + shear_modulus
        out[15 * e + 0] = w_h11_h11
        out[15 * e + 1] = 0.0
        out[15 * e + 2] = 0.0
        out[15 * e + 3] = w_h11_h22
        out[15 * e + 4] = 0.0
        out[15 * e + 5] = w_h12_h12
        out[15 * e + 6] = w_h12_h21
        out[15 * e + 7] = 0.0
        out[15 * e + 8] = 0.0
        out[15 * e + 9] = w_h21_h21
        out[15 * e + 10] = 0.0
        out[15 * e + 11] = 0.0
        out[15 * e + 12] = w_h22_h22
        out[15 * e + 13] = 0.0
        out[15 * e + 14] = w_t_t
