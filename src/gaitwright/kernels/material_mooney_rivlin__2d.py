"""Printed by gaitwright.derive from gaitwright.physics.materials.mooney_rivlin. Do not edit."""

from math import expm1, log1p

KIND = "material"
N_PAR, LINEAR = 3, False


def energy(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        j = h11*h22 + h11 - h12*h21 + h22
        k1 = ((h11) * (h11)) + 2.0*h11 + ((h12) * (h12)) + ((h21) * (h21)) + ((h22) * (h22)) + 2.0*h22
        c0 = expm1((-2.0 / 3.0) * log1p(j))
        c1 = expm1((-4.0 / 3.0) * log1p(j))
        c2 = j + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        w = (0.5)*bulk_modulus*((j) * (j)) + c01_*(3.0*c1 + c3*c4*(j*(j + 2.0) + k1)) + c10_*(3.0*c0 + ((c4) * (c4))*k1)
        out[1 * e + 0] = w


def stress(count, par, given, out):
    for e in range(count):
        h11 = given[4 * e + 0]
        h12 = given[4 * e + 1]
        h21 = given[4 * e + 2]
        h22 = given[4 * e + 3]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
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
        c5 = ((c1) * (c1))*c2
        w_j = bulk_modulus*j + c01_*(c1*c2*(2.0*j + 2.0) - 4.0 / 3.0*c5*(j*(j + 2.0) + k1) - 4.0*c5) + c10_*(-2.0 / 3.0*c4*k1 - 2.0*c4)
        w_k1 = c01_*c1*c2 + c10_*c3
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
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
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
        c4 = 2.0*c1
        c5 = (2.0 / 3.0)*c1
        c6 = ((c1) * (c1))
        c7 = c2*c6
        c8 = 2.0*j + 2.0
        c9 = j*(j + 2.0) + k1
        c10 = (4.0 / 3.0)*c7
        c11 = c10_*c3
        c12 = c3*c6
        c13 = ((c1) * (c1) * (c1))*c2
        w_j = bulk_modulus*j + c01_*(c1*c2*c8 - c10*c9 - 4.0*c7) + c10_*(-c3*c4 - c3*c5*k1)
        w_k1 = c01_*c1*c2 + c11
        w_j_j = bulk_modulus + c01_*((28.0 / 9.0)*c13*c9 + (28.0 / 3.0)*c13 + c2*c4 - 8.0 / 3.0*c7*c8) + c10_*((10.0 / 9.0)*c12*k1 + (10.0 / 3.0)*c12)
        w_j_k1 = -c01_*c10 - c11*c5
        c14 = 2.0*w_k1
        c15 = 2.0*w_j_k1
        c16 = j_0*w_j_j
        c17 = j_1*w_j_j
        out[10 * e + 0] = c14 + c15*j_0*k1_0 + ((j_0) * (j_0))*w_j_j
        out[10 * e + 1] = c16*j_1 + w_j_k1*(j_0*k1_1 + j_1*k1_0)
        out[10 * e + 2] = c16*j_2 + w_j_k1*(j_0*k1_2 + j_2*k1_0)
        out[10 * e + 3] = c16*j_3 + w_j + w_j_k1*(j_0*k1_3 + j_3*k1_0)
        out[10 * e + 4] = c14 + c15*j_1*k1_1 + ((j_1) * (j_1))*w_j_j
        out[10 * e + 5] = c17*j_2 - w_j + w_j_k1*(j_1*k1_2 + j_2*k1_1)
        out[10 * e + 6] = c17*j_3 + w_j_k1*(j_1*k1_3 + j_3*k1_1)
        out[10 * e + 7] = c14 + c15*j_2*k1_2 + ((j_2) * (j_2))*w_j_j
        out[10 * e + 8] = j_2*j_3*w_j_j + w_j_k1*(j_2*k1_3 + j_3*k1_2)
        out[10 * e + 9] = c14 + c15*j_3*k1_3 + ((j_3) * (j_3))*w_j_j


def mean_energy(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        j = h11*h22 + h11 - h12*h21 + h22
        k1 = ((h11) * (h11)) + 2.0*h11 + ((h12) * (h12)) + ((h21) * (h21)) + ((h22) * (h22)) + 2.0*h22
        c0 = expm1((-2.0 / 3.0) * log1p(t))
        c1 = expm1((-4.0 / 3.0) * log1p(t))
        c2 = j + 1.0
        c3 = (1.0 / (c2))
        c4 = t + 1.0
        c5 = (1.0 / (c4))
        c6 = (c5) ** 0.3333333333333333
        c7 = c3*c4*(k1 + 2.0)
        w = (0.5)*bulk_modulus*((t) * (t)) + c01_*(3.0*c1 + c5*c6*(((c4) * (c4)) + c7 - 3.0)) + c10_*(3.0*c0 + ((c6) * (c6))*(c7 - 2.0))
        out[1 * e + 0] = w


def mean_stress(count, par, given, out):
    for e in range(count):
        h11 = given[5 * e + 0]
        h12 = given[5 * e + 1]
        h21 = given[5 * e + 2]
        h22 = given[5 * e + 3]
        t = given[5 * e + 4]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
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
        c9 = c2*c8
        c10 = ((c3) * (c3))*c4
        c11 = c01_*c4
        c12 = ((c1) * (c1))*c7
        c13 = c10_*c2*c5
        w_t = bulk_modulus*t + c01_*(-4.0 / 3.0*c10*(((c2) * (c2)) + c9 - 3.0) - 4.0*c10 + c3*c4*(2.0*t + c8 + 2.0)) + c10_*(c1*c5*c7 - 2.0 / 3.0*c6*(c9 - 2.0) - 2.0*c6)
        w_j = -c11*c12 - c12*c13
        w_k1 = c1*c11 + c1*c13
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
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
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
        c9 = c2*c8
        c10 = c9 - 2.0
        c11 = ((c3) * (c3))
        c12 = c11*c4
        c13 = 2.0*t + c8 + 2.0
        c14 = ((c2) * (c2)) + c9 - 3.0
        c15 = ((c1) * (c1))
        c16 = c01_*c4
        c17 = c15*c16
        c18 = c10_*c5
        c19 = c15*c18
        c20 = c19*c2
        c21 = c11*c5
        c22 = c3*c4
        c23 = ((c3) * (c3) * (c3))*c4
        c24 = (1.0 / 3.0)*c7
        c25 = c01_*c22
        c26 = 2.0*((c1) * (c1) * (c1))*c7
        w_j = -c17*c7 - c20*c7
        w_k1 = c1*c16 + c1*c18*c2
        w_t_t = bulk_modulus + c01_*(-8.0 / 3.0*c12*c13 + (28.0 / 9.0)*c14*c23 + 2.0*c22 + (28.0 / 3.0)*c23) + c10_*((10.0 / 9.0)*c10*c21 + (10.0 / 3.0)*c21 - 4.0 / 3.0*c6*c8)
        w_t_j = c15*c24*c25 - c19*c24
        w_t_k1 = (1.0 / 3.0)*c10_*c1*c5 - 1.0 / 3.0*c1*c25
        w_j_j = c16*c26 + c18*c2*c26
        w_j_k1 = -c17 - c20
        c27 = 2.0*w_k1
        c28 = 2.0*w_j_k1
        c29 = j_0*w_j_j
        c30 = j_1*w_j_j
        out[15 * e + 0] = c27 + c28*j_0*k1_0 + ((j_0) * (j_0))*w_j_j
        out[15 * e + 1] = c29*j_1 + w_j_k1*(j_0*k1_1 + j_1*k1_0)
        out[15 * e + 2] = c29*j_2 + w_j_k1*(j_0*k1_2 + j_2*k1_0)
        out[15 * e + 3] = c29*j_3 + w_j + w_j_k1*(j_0*k1_3 + j_3*k1_0)
        out[15 * e + 4] = j_0*w_t_j + k1_0*w_t_k1
        out[15 * e + 5] = c27 + c28*j_1*k1_1 + ((j_1) * (j_1))*w_j_j
        out[15 * e + 6] = c30*j_2 - w_j + w_j_k1*(j_1*k1_2 + j_2*k1_1)
        out[15 * e + 7] = c30*j_3 + w_j_k1*(j_1*k1_3 + j_3*k1_1)
        out[15 * e + 8] = j_1*w_t_j + k1_1*w_t_k1
        out[15 * e + 9] = c27 + c28*j_2*k1_2 + ((j_2) * (j_2))*w_j_j
        out[15 * e + 10] = j_2*j_3*w_j_j + w_j_k1*(j_2*k1_3 + j_3*k1_2)
        out[15 * e + 11] = j_2*w_t_j + k1_2*w_t_k1
        out[15 * e + 12] = c27 + c28*j_3*k1_3 + ((j_3) * (j_3))*w_j_j
        out[15 * e + 13] = j_3*w_t_j + k1_3*w_t_k1
        out[15 * e + 14] = w_t_t
