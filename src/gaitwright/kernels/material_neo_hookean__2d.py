"""Printed by gaitwright.derive from gaitwright.physics.materials.neo_hookean. Do not edit."""

from math import log1p

KIND = "material"
N_PAR, LINEAR = 2, False


def energy(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        j = h11*h22 + h11 - h12*h21 + h22
        k1 = ((h11) * (h11)) + 2.0*h11 + ((h12) * (h12)) + ((h21) * (h21)) + ((h22) * (h22)) + 2.0*h22
        c0 = log1p(j)
        w = (0.5)*lame*((c0) * (c0)) - shear_modulus*c0 + (0.5)*shear_modulus*k1
        out[1 * e + 0] = w


def stress(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        j = h11*h22 + h11 - h12*h21 + h22
        j_0 = h22 + 1.0
        j_1 = -h21
        j_2 = -h12
        j_3 = h11 + 1.0
        k1_0 = 2.0*h11 + 2.0
        k1_1 = 2.0*h12
        k1_2 = 2.0*h21
        k1_3 = 2.0*h22 + 2.0
        c0 = log1p(j)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        w_j = lame*c0*c2 - shear_modulus*c2
        w_k1 = (0.5)*shear_modulus
        out[4 * e + 0] = j_0*w_j + k1_0*w_k1
        out[4 * e + 1] = j_1*w_j + k1_1*w_k1
        out[4 * e + 2] = j_2*w_j + k1_2*w_k1
        out[4 * e + 3] = j_3*w_j + k1_3*w_k1


def tangent(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        j = h11*h22 + h11 - h12*h21 + h22
        j_0 = h22 + 1.0
        j_1 = -h21
        j_2 = -h12
        j_3 = h11 + 1.0
        c0 = log1p(j)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = ((c2) * (c2))
        c4 = lame*c3
        w_j = lame*c0*c2 - shear_modulus*c2
        w_k1 = (0.5)*shear_modulus
        w_j_j = shear_modulus*c3 - c0*c4 + c4
        c5 = 2.0*w_k1
        c6 = j_0*w_j_j
        c7 = j_1*w_j_j
        out[10 * e + 0] = c5 + ((j_0) * (j_0))*w_j_j
        out[10 * e + 1] = c6*j_1
        out[10 * e + 2] = c6*j_2
        out[10 * e + 3] = c6*j_3 + w_j
        out[10 * e + 4] = c5 + ((j_1) * (j_1))*w_j_j
        out[10 * e + 5] = c7*j_2 - w_j
        out[10 * e + 6] = c7*j_3
        out[10 * e + 7] = c5 + ((j_2) * (j_2))*w_j_j
        out[10 * e + 8] = j_2*j_3*w_j_j
        out[10 * e + 9] = c5 + ((j_3) * (j_3))*w_j_j


def mean_energy(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        j = h11*h22 + h11 - h12*h21 + h22
        k1 = ((h11) * (h11)) + 2.0*h11 + ((h12) * (h12)) + ((h21) * (h21)) + ((h22) * (h22)) + 2.0*h22
        c0 = log1p(t)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        w = (0.5)*lame*((c0) * (c0)) - shear_modulus*c0 + (0.5)*shear_modulus*(c2*(t + 1.0)*(k1 + 2.0) - 2.0)
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
        j = h11*h22 + h11 - h12*h21 + h22
        k1 = ((h11) * (h11)) + 2.0*h11 + ((h12) * (h12)) + ((h21) * (h21)) + ((h22) * (h22)) + 2.0*h22
        j_0 = h22 + 1.0
        j_1 = -h21
        j_2 = -h12
        j_3 = h11 + 1.0
        k1_0 = 2.0*h11 + 2.0
        k1_1 = 2.0*h12
        k1_2 = 2.0*h21
        k1_3 = 2.0*h22 + 2.0
        c0 = log1p(t)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = k1 + 2.0
        c6 = (0.5)*shear_modulus*c2
        w_t = lame*c0*c4 - shear_modulus*c4 + c5*c6
        w_j = -0.5*shear_modulus*((c2) * (c2))*c3*c5
        w_k1 = c3*c6
        out[5 * e + 0] = j_0*w_j + k1_0*w_k1
        out[5 * e + 1] = j_1*w_j + k1_1*w_k1
        out[5 * e + 2] = j_2*w_j + k1_2*w_k1
        out[5 * e + 3] = j_3*w_j + k1_3*w_k1
        out[5 * e + 4] = w_t


def mean_tangent(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        j = h11*h22 + h11 - h12*h21 + h22
        k1 = ((h11) * (h11)) + 2.0*h11 + ((h12) * (h12)) + ((h21) * (h21)) + ((h22) * (h22)) + 2.0*h22
        j_0 = h22 + 1.0
        j_1 = -h21
        j_2 = -h12
        j_3 = h11 + 1.0
        k1_0 = 2.0*h11 + 2.0
        k1_1 = 2.0*h12
        k1_2 = 2.0*h21
        k1_3 = 2.0*h22 + 2.0
        c0 = log1p(t)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = k1 + 2.0
        c6 = (0.5)*shear_modulus
        c7 = c2*c6
        c8 = ((c2) * (c2))*c6
        c9 = c5*c8
        c10 = ((c4) * (c4))
        c11 = lame*c10
        w_j = -c3*c9
        w_k1 = c3*c7
        w_t_t = shear_modulus*c10 - c0*c11 + c11
        w_t_j = -c9
        w_t_k1 = c7
        w_j_j = shear_modulus*((c2) * (c2) * (c2))*c3*c5
        w_j_k1 = -c3*c8
        c12 = 2.0*w_k1
        c13 = 2.0*w_j_k1
        c14 = j_0*w_j_j
        c15 = j_1*w_j_j
        out[15 * e + 0] = c12 + c13*j_0*k1_0 + ((j_0) * (j_0))*w_j_j
        out[15 * e + 1] = c14*j_1 + w_j_k1*(j_0*k1_1 + j_1*k1_0)
        out[15 * e + 2] = c14*j_2 + w_j_k1*(j_0*k1_2 + j_2*k1_0)
        out[15 * e + 3] = c14*j_3 + w_j + w_j_k1*(j_0*k1_3 + j_3*k1_0)
        out[15 * e + 4] = j_0*w_t_j + k1_0*w_t_k1
        out[15 * e + 5] = c12 + c13*j_1*k1_1 + ((j_1) * (j_1))*w_j_j
        out[15 * e + 6] = c15*j_2 - w_j + w_j_k1*(j_1*k1_2 + j_2*k1_1)
        out[15 * e + 7] = c15*j_3 + w_j_k1*(j_1*k1_3 + j_3*k1_1)
        out[15 * e + 8] = j_1*w_t_j + k1_1*w_t_k1
        out[15 * e + 9] = c12 + c13*j_2*k1_2 + ((j_2) * (j_2))*w_j_j
        out[15 * e + 10] = j_2*j_3*w_j_j + w_j_k1*(j_2*k1_3 + j_3*k1_2)
        out[15 * e + 11] = j_2*w_t_j + k1_2*w_t_k1
        out[15 * e + 12] = c12 + c13*j_3*k1_3 + ((j_3) * (j_3))*w_j_j
        out[15 * e + 13] = j_3*w_t_j + k1_3*w_t_k1
        out[15 * e + 14] = w_t_t
