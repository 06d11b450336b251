"""Printed by gaitwright.derive from gaitwright.physics.materials.mooney_rivlin. Do not edit."""

from math import expm1, log1p

KIND = "material"
N_PAR, LINEAR = 3, False
INVARIANTS, BENT = ("j", "k1",), 2
MEAN_INVARIANTS, MEAN_BENT = ("j", "k1", "t",), 2

def energy(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = expm1((-2.0 / 3.0) * log1p(j))
        c1 = expm1((-4.0 / 3.0) * log1p(j))
        c2 = j + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        out[e] = (0.5)*bulk_modulus*((j) * (j)) + c01_*(3.0*c1 + c3*c4*(j*(j + 2.0) + k1)) + c10_*(k1*((c4) * (c4)) + 3.0*c0)

def stress(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = ((c2) * (c2))
        c4 = c1*c3
        c5 = ((c1) * (c1))*c2
        out[2 * e + 0] = bulk_modulus*j + c01_*(c1*c2*(2.0*j + 2.0) - 4.0 / 3.0*c5*(j*(j + 2.0) + k1) - 4.0*c5) + c10_*(-2.0 / 3.0*k1*c4 - 2.0*c4)
        out[2 * e + 1] = c01_*c1*c2 + c10_*c3

def tangent(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
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
        out[6 * e + 0] = bulk_modulus*j + c01_*(c1*c2*c8 - c10*c9 - 4.0*c7) + c10_*(-k1*c3*c5 - c3*c4)
        out[6 * e + 1] = c01_*c1*c2 + c11
        out[6 * e + 2] = bulk_modulus + c01_*((28.0 / 9.0)*c13*c9 + (28.0 / 3.0)*c13 + c2*c4 - 8.0 / 3.0*c7*c8) + c10_*((10.0 / 9.0)*k1*c12 + (10.0 / 3.0)*c12)
        out[6 * e + 3] = -c01_*c10 - c11*c5

def mean_energy(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = expm1((-2.0 / 3.0) * log1p(t))
        c1 = expm1((-4.0 / 3.0) * log1p(t))
        c2 = j + 1.0
        c3 = (1.0 / (c2))
        c4 = t + 1.0
        c5 = (1.0 / (c4))
        c6 = (c5) ** 0.3333333333333333
        c7 = c3*c4*(k1 + 2.0)
        out[e] = (0.5)*bulk_modulus*((t) * (t)) + c01_*(3.0*c1 + c5*c6*(((c4) * (c4)) + c7 - 3.0)) + c10_*(3.0*c0 + ((c6) * (c6))*(c7 - 2.0))

def mean_stress(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = t + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        c5 = c01_*c4
        c6 = k1 + 2.0
        c7 = ((c1) * (c1))*c6
        c8 = ((c4) * (c4))
        c9 = c10_*c2*c8
        c10 = c3*c8
        c11 = c1*c6
        c12 = c11*c2
        c13 = ((c3) * (c3))*c4
        out[3 * e + 0] = -c5*c7 - c7*c9
        out[3 * e + 1] = c1*c5 + c1*c9
        out[3 * e + 2] = bulk_modulus*t + c01_*(-4.0 / 3.0*c13*(c12 + ((c2) * (c2)) - 3.0) - 4.0*c13 + c3*c4*(2.0*t + c11 + 2.0)) + c10_*(c1*c6*c8 - 2.0 / 3.0*c10*(c12 - 2.0) - 2.0*c10)

def mean_tangent(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = t + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        c5 = k1 + 2.0
        c6 = ((c1) * (c1))
        c7 = c01_*c4
        c8 = c6*c7
        c9 = c5*c8
        c10 = ((c4) * (c4))
        c11 = c10_*c10
        c12 = c11*c2
        c13 = c12*c6
        c14 = c1*c7
        c15 = c10*c3
        c16 = c1*c5
        c17 = c16*c2
        c18 = c17 - 2.0
        c19 = ((c3) * (c3))
        c20 = c19*c4
        c21 = 2.0*t + c16 + 2.0
        c22 = c17 + ((c2) * (c2)) - 3.0
        c23 = 2.0*((c1) * (c1) * (c1))*c5
        c24 = (1.0 / 3.0)*c3
        c25 = c10*c19
        c26 = ((c3) * (c3) * (c3))*c4
        out[12 * e + 0] = -c13*c5 - c9
        out[12 * e + 1] = c1*c12 + c14
        out[12 * e + 2] = bulk_modulus*t + c01_*(-4.0 / 3.0*c20*c22 - 4.0*c20 + c21*c3*c4) + c10_*(c1*c10*c5 - 2.0 / 3.0*c15*c18 - 2.0*c15)
        out[12 * e + 3] = c12*c23 + c23*c7
        out[12 * e + 4] = -c13 - c8
        out[12 * e + 5] = -1.0 / 3.0*c11*c5*c6 + c24*c9
        out[12 * e + 8] = (1.0 / 3.0)*c10_*c1*c10 - c14*c24
        out[12 * e + 11] = bulk_modulus + c01_*(-8.0 / 3.0*c20*c21 + (28.0 / 9.0)*c22*c26 + (28.0 / 3.0)*c26 + 2.0*c3*c4) + c10_*(-4.0 / 3.0*c15*c16 + (10.0 / 9.0)*c18*c25 + (10.0 / 3.0)*c25)
