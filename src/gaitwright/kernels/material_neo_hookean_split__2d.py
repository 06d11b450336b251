"""Printed by gaitwright.derive from gaitwright.physics.materials.neo_hookean_split. Do not edit."""

from math import expm1, log1p

KIND = "material"
N_PAR, LINEAR = 2, False


def energy(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        j = h11*h22 + h11 - h12*h21 + h22
        k1 = ((h11) * (h11)) + 2.0*h11 + ((h12) * (h12)) + ((h21) * (h21)) + ((h22) * (h22)) + 2.0*h22
        c0 = expm1((-2.0 / 3.0) * log1p(j))
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = (c2) ** 0.3333333333333333
        w = (0.5)*bulk_modulus*((j) * (j)) + (0.5)*shear_modulus*(3.0*c0 + ((c3) * (c3))*k1)
        out[1 * e + 0] = w


def stress(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        bulk_modulus = par[2 * e + 0]
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
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = ((c2) * (c2))
        c4 = c1*c3
        c5 = (0.5)*shear_modulus
        w_j = bulk_modulus*j + c5*(-2.0 / 3.0*c4*k1 - 2.0*c4)
        w_k1 = c3*c5
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
        bulk_modulus = par[2 * e + 0]
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
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = ((c2) * (c2))
        c4 = c1*c3
        c5 = (0.5)*shear_modulus
        c6 = ((c1) * (c1))*c3
        w_j = bulk_modulus*j + c5*(-2.0 / 3.0*c4*k1 - 2.0*c4)
        w_k1 = c3*c5
        w_j_j = bulk_modulus + c5*((10.0 / 9.0)*c6*k1 + (10.0 / 3.0)*c6)
        w_j_k1 = -1.0 / 3.0*shear_modulus*c4
        c7 = 2.0*w_k1
        c8 = 2.0*w_j_k1
        c9 = j_0*w_j_j
        c10 = j_1*w_j_j
        out[10 * e + 0] = c7 + c8*j_0*k1_0 + ((j_0) * (j_0))*w_j_j
        out[10 * e + 1] = c9*j_1 + w_j_k1*(j_0*k1_1 + j_1*k1_0)
        out[10 * e + 2] = c9*j_2 + w_j_k1*(j_0*k1_2 + j_2*k1_0)
        out[10 * e + 3] = c9*j_3 + w_j + w_j_k1*(j_0*k1_3 + j_3*k1_0)
        out[10 * e + 4] = c7 + c8*j_1*k1_1 + ((j_1) * (j_1))*w_j_j
        out[10 * e + 5] = c10*j_2 - w_j + w_j_k1*(j_1*k1_2 + j_2*k1_1)
        out[10 * e + 6] = c10*j_3 + w_j_k1*(j_1*k1_3 + j_3*k1_1)
        out[10 * e + 7] = c7 + c8*j_2*k1_2 + ((j_2) * (j_2))*w_j_j
        out[10 * e + 8] = j_2*j_3*w_j_j + w_j_k1*(j_2*k1_3 + j_3*k1_2)
        out[10 * e + 9] = c7 + c8*j_3*k1_3 + ((j_3) * (j_3))*w_j_j


def mean_energy(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        j = h11*h22 + h11 - h12*h21 + h22
        k1 = ((h11) * (h11)) + 2.0*h11 + ((h12) * (h12)) + ((h21) * (h21)) + ((h22) * (h22)) + 2.0*h22
        c0 = expm1((-2.0 / 3.0) * log1p(t))
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = (c4) ** 0.3333333333333333
        w = (0.5)*bulk_modulus*((t) * (t)) + (0.5)*shear_modulus*(3.0*c0 + ((c5) * (c5))*(c2*c3*(k1 + 2.0) - 2.0))
        out[1 * e + 0] = w


def mean_stress(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        bulk_modulus = par[2 * e + 0]
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
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = t + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        c5 = ((c4) * (c4))
        c6 = c3*c5
        c7 = k1 + 2.0
        c8 = (0.5)*shear_modulus
        c9 = c2*c5*c8
        w_t = bulk_modulus*t + c8*(c1*c5*c7 - 2.0 / 3.0*c6*(c1*c2*c7 - 2.0) - 2.0*c6)
        w_j = -((c1) * (c1))*c7*c9
        w_k1 = c1*c9
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
        bulk_modulus = par[2 * e + 0]
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
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = t + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        c5 = ((c4) * (c4))
        c6 = c3*c5
        c7 = k1 + 2.0
        c8 = c1*c7
        c9 = c2*c8 - 2.0
        c10 = (0.5)*shear_modulus
        c11 = c10*c2
        c12 = ((c1) * (c1))
        c13 = c5*c7
        c14 = c12*c13
        c15 = c1*c5
        c16 = ((c3) * (c3))*c5
        c17 = (1.0 / 6.0)*shear_modulus
        w_j = -c11*c14
        w_k1 = c11*c15
        w_t_t = bulk_modulus + c10*((10.0 / 9.0)*c16*c9 + (10.0 / 3.0)*c16 - 4.0 / 3.0*c6*c8)
        w_t_j = -c14*c17
        w_t_k1 = c15*c17
        w_j_j = shear_modulus*((c1) * (c1) * (c1))*c13*c2
        w_j_k1 = -c11*c12*c5
        c18 = 2.0*w_k1
        c19 = 2.0*w_j_k1
        c20 = j_0*w_j_j
        c21 = j_1*w_j_j
        out[15 * e + 0] = c18 + c19*j_0*k1_0 + ((j_0) * (j_0))*w_j_j
        out[15 * e + 1] = c20*j_1 + w_j_k1*(j_0*k1_1 + j_1*k1_0)
        out[15 * e + 2] = c20*j_2 + w_j_k1*(j_0*k1_2 + j_2*k1_0)
        out[15 * e + 3] = c20*j_3 + w_j + w_j_k1*(j_0*k1_3 + j_3*k1_0)
        out[15 * e + 4] = j_0*w_t_j + k1_0*w_t_k1
        out[15 * e + 5] = c18 + c19*j_1*k1_1 + ((j_1) * (j_1))*w_j_j
        out[15 * e + 6] = c21*j_2 - w_j + w_j_k1*(j_1*k1_2 + j_2*k1_1)
        out[15 * e + 7] = c21*j_3 + w_j_k1*(j_1*k1_3 + j_3*k1_1)
        out[15 * e + 8] = j_1*w_t_j + k1_1*w_t_k1
        out[15 * e + 9] = c18 + c19*j_2*k1_2 + ((j_2) * (j_2))*w_j_j
        out[15 * e + 10] = j_2*j_3*w_j_j + w_j_k1*(j_2*k1_3 + j_3*k1_2)
        out[15 * e + 11] = j_2*w_t_j + k1_2*w_t_k1
        out[15 * e + 12] = c18 + c19*j_3*k1_3 + ((j_3) * (j_3))*w_j_j
        out[15 * e + 13] = j_3*w_t_j + k1_3*w_t_k1
        out[15 * e + 14] = w_t_t
