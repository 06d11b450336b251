"""Printed by gaitwright.derive from gaitwright.physics.materials.linear_elastic. Do not edit."""

KIND = "material"
N_PAR, LINEAR = 2, True
INVARIANTS, BENT = ("e11", "e12", "e22",), 0
MEAN_INVARIANTS, MEAN_BENT = ("e11", "e12", "e22", "t",), 0

def energy(count, par, given, out):
    for e in range(count):
        e11 = given[3 * e + 0]
        e12 = given[3 * e + 1]
        e22 = given[3 * e + 2]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        out[e] = (0.5)*lame*((e11 + e22) * (e11 + e22)) + shear_modulus*(((e11) * (e11)) + 2.0*((e12) * (e12)) + ((e22) * (e22)))

def stress(count, par, given, out):
    for e in range(count):
        e11 = given[3 * e + 0]
        e12 = given[3 * e + 1]
        e22 = given[3 * e + 2]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = 2.0*e11
        c1 = 2.0*e22
        c2 = (0.5)*lame*(c0 + c1)
        out[3 * e + 0] = shear_modulus*c0 + c2
        out[3 * e + 1] = 4.0*e12*shear_modulus
        out[3 * e + 2] = shear_modulus*c1 + c2

def tangent(count, par, given, out):
    for e in range(count):
        e11 = given[3 * e + 0]
        e12 = given[3 * e + 1]
        e22 = given[3 * e + 2]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = 2.0*e11
        c1 = 2.0*e22
        c2 = (0.5)*lame*(c0 + c1)
        c3 = 4.0*shear_modulus
        c4 = lame + 2.0*shear_modulus
        out[12 * e + 0] = shear_modulus*c0 + c2
        out[12 * e + 1] = e12*c3
        out[12 * e + 2] = shear_modulus*c1 + c2
        out[12 * e + 3] = out[12 * e + 11] = c4
        out[12 * e + 5] = lame
        out[12 * e + 7] = c3

def mean_energy(count, par, given, out):
    for e in range(count):
        e11 = given[4 * e + 0]
        e12 = given[4 * e + 1]
        e22 = given[4 * e + 2]
        t = given[4 * e + 3]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = (0.5)*e11
        c1 = (0.5)*e22
        c2 = (0.5)*t
        out[e] = (0.5)*lame*((t) * (t)) + shear_modulus*(2.0*((e12) * (e12)) + ((-c0 + c1 + c2) * (-c0 + c1 + c2)) + ((c0 - c1 + c2) * (c0 - c1 + c2)))

def mean_stress(count, par, given, out):
    for e in range(count):
        e11 = given[4 * e + 0]
        e12 = given[4 * e + 1]
        e22 = given[4 * e + 2]
        t = given[4 * e + 3]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = e11 - e22
        out[4 * e + 0] = shear_modulus*c0
        out[4 * e + 1] = 4.0*e12*shear_modulus
        out[4 * e + 2] = -shear_modulus*c0
        out[4 * e + 3] = lame*t + shear_modulus*t

def mean_tangent(count, par, given, out):
    for e in range(count):
        e11 = given[4 * e + 0]
        e12 = given[4 * e + 1]
        e22 = given[4 * e + 2]
        t = given[4 * e + 3]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = e11 - e22
        c1 = 4.0*shear_modulus
        out[20 * e + 0] = shear_modulus*c0
        out[20 * e + 1] = e12*c1
        out[20 * e + 2] = -shear_modulus*c0
        out[20 * e + 3] = lame*t + shear_modulus*t
        out[20 * e + 4] = out[20 * e + 14] = shear_modulus
        out[20 * e + 6] = -shear_modulus
        out[20 * e + 9] = c1
        out[20 * e + 19] = lame + shear_modulus
