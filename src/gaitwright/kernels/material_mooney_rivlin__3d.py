"""Printed by gaitwright.derive from gaitwright.physics.materials.mooney_rivlin. Do not edit."""

from math import expm1, log1p

KIND = "material"
N_PAR, LINEAR = 3, False
INVARIANTS, BENT = ("j", "k1", "ee",), 3
MEAN_INVARIANTS, MEAN_BENT = ("j", "k1", "ee", "t",), 3

def energy(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        ee = given[3 * e + 2]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = expm1((-2.0 / 3.0) * log1p(j))
        c1 = expm1((-4.0 / 3.0) * log1p(j))
        c2 = j + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        out[e] = (0.5)*bulk_modulus*((j) * (j)) + c01_*(3.0*c1 + c3*c4*(-2.0*ee + (0.5)*((k1) * (k1)) + 2.0*k1)) + c10_*(k1*((c4) * (c4)) + 3.0*c0)

def stress(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        ee = given[3 * e + 2]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = ((c2) * (c2))
        c4 = c1*c3
        c5 = ((c1) * (c1))*c2
        c6 = c01_*c1*c2
        out[3 * e + 0] = bulk_modulus*j + c01_*(-4.0 / 3.0*c5*(-2.0*ee + (0.5)*((k1) * (k1)) + 2.0*k1) - 4.0*c5) + c10_*(-2.0 / 3.0*k1*c4 - 2.0*c4)
        out[3 * e + 1] = c10_*c3 + c6*(k1 + 2.0)
        out[3 * e + 2] = -2.0*c6

def tangent(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        ee = given[3 * e + 2]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = ((c2) * (c2))
        c4 = c1*c3
        c5 = ((c1) * (c1))
        c6 = c2*c5
        c7 = -2.0*ee + (0.5)*((k1) * (k1)) + 2.0*k1
        c8 = (4.0 / 3.0)*c6
        c9 = c10_*c3
        c10 = k1 + 2.0
        c11 = c01_*c1*c2
        c12 = c3*c5
        c13 = ((c1) * (c1) * (c1))*c2
        out[12 * e + 0] = bulk_modulus*j + c01_*(-4.0*c6 - c7*c8) + c10_*(-2.0 / 3.0*k1*c4 - 2.0*c4)
        out[12 * e + 1] = c10*c11 + c9
        out[12 * e + 2] = -2.0*c11
        out[12 * e + 3] = bulk_modulus + c01_*((28.0 / 9.0)*c13*c7 + (28.0 / 3.0)*c13) + c10_*((10.0 / 9.0)*k1*c12 + (10.0 / 3.0)*c12)
        out[12 * e + 4] = -c01_*c10*c8 - 2.0 / 3.0*c1*c9
        out[12 * e + 5] = (8.0 / 3.0)*c01_*c6
        out[12 * e + 7] = c11

def mean_energy(count, par, given, out):
    for e in range(count):
        j = given[4 * e + 0]
        k1 = given[4 * e + 1]
        ee = given[4 * e + 2]
        t = given[4 * e + 3]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = expm1((-2.0 / 3.0) * log1p(t))
        c1 = expm1((-4.0 / 3.0) * log1p(t))
        c2 = j + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        c5 = t + 1.0
        c6 = (1.0 / (c5))
        c7 = (c6) ** 0.3333333333333333
        c8 = ((c7) * (c7))
        out[e] = (0.5)*bulk_modulus*((t) * (t)) + c01_*(3.0*c1 + c6*c7*(c3*c4*((c5) * (c5))*c8*(-2.0*ee + (0.5)*((k1) * (k1)) + 2.0*k1 + 3.0) - 3.0)) + c10_*(3.0*c0 + c8*(((c4) * (c4))*c5*c7*(k1 + 3.0) - 3.0))

def mean_stress(count, par, given, out):
    for e in range(count):
        j = given[4 * e + 0]
        k1 = given[4 * e + 1]
        ee = given[4 * e + 2]
        t = given[4 * e + 3]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = (c4) ** 0.3333333333333333
        c6 = k1 + 3.0
        c7 = ((c2) * (c2))
        c8 = c10_*c7
        c9 = c01_*c2
        c10 = -2.0*ee + (0.5)*((k1) * (k1)) + 2.0*k1 + 3.0
        c11 = c1*c9
        c12 = ((c5) * (c5))
        c13 = c12*c4
        c14 = ((c4) * (c4))*c5
        out[4 * e + 0] = -4.0 / 3.0*((c1) * (c1))*c10*c9 - 2.0 / 3.0*c1*c6*c8
        out[4 * e + 1] = c11*(k1 + 2.0) + c8
        out[4 * e + 2] = -2.0*c11
        out[4 * e + 3] = bulk_modulus*t + c01_*((4.0 / 3.0)*c1*c10*c2*c4 - 4.0 / 3.0*c14*(c1*c10*c12*c2*((c3) * (c3)) - 3.0) - 4.0*c14) + c10_*(-2.0 / 3.0*c13*(c3*c5*c6*c7 - 3.0) - 2.0*c13 + (2.0 / 3.0)*c4*c6*c7)

def mean_tangent(count, par, given, out):
    for e in range(count):
        j = given[4 * e + 0]
        k1 = given[4 * e + 1]
        ee = given[4 * e + 2]
        t = given[4 * e + 3]
        c10_ = par[3 * e + 0]
        c01_ = par[3 * e + 1]
        bulk_modulus = par[3 * e + 2]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = (c4) ** 0.3333333333333333
        c6 = k1 + 3.0
        c7 = ((c2) * (c2))
        c8 = c10_*c7
        c9 = (2.0 / 3.0)*c1*c8
        c10 = ((c1) * (c1))
        c11 = c01_*c2
        c12 = c10*c11
        c13 = -2.0*ee + (0.5)*((k1) * (k1)) + 2.0*k1 + 3.0
        c14 = k1 + 2.0
        c15 = c1*c11
        c16 = ((c5) * (c5))
        c17 = c16*c4
        c18 = c6*c7
        c19 = c18*c3*c5 - 3.0
        c20 = ((c4) * (c4))
        c21 = c20*c5
        c22 = c1*c13*c2
        c23 = c16*c22*((c3) * (c3)) - 3.0
        c24 = c16*c20
        c25 = ((c4) * (c4) * (c4))*c5
        out[20 * e + 0] = -4.0 / 3.0*c12*c13 - c6*c9
        out[20 * e + 1] = c14*c15 + c8
        out[20 * e + 2] = -2.0*c15
        out[20 * e + 3] = bulk_modulus*t + c01_*((4.0 / 3.0)*c1*c13*c2*c4 - 4.0 / 3.0*c21*c23 - 4.0*c21) + c10_*(-2.0 / 3.0*c17*c19 - 2.0*c17 + (2.0 / 3.0)*c4*c6*c7)
        out[20 * e + 4] = (28.0 / 9.0)*((c1) * (c1) * (c1))*c11*c13 + (10.0 / 9.0)*c10*c6*c8
        out[20 * e + 5] = -4.0 / 3.0*c12*c14 - c9
        out[20 * e + 6] = (8.0 / 3.0)*c12
        out[20 * e + 9] = c15
        out[20 * e + 19] = bulk_modulus + c01_*(-28.0 / 9.0*c20*c22 + (28.0 / 9.0)*c23*c25 + (28.0 / 3.0)*c25) + c10_*(-10.0 / 9.0*c18*c20 + (10.0 / 9.0)*c19*c24 + (10.0 / 3.0)*c24)
