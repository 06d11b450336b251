"""Printed by gaitwright.derive from gaitwright.physics.materials.neo_hookean_split. Do not edit."""

from math import expm1, log1p

KIND = "material"
N_PAR, LINEAR = 2, False
INVARIANTS, BENT = ("j", "k1",), 2
MEAN_INVARIANTS, MEAN_BENT = ("j", "k1", "t",), 2

def energy(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = expm1((-2.0 / 3.0) * log1p(j))
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = (c2) ** 0.3333333333333333
        out[e] = (0.5)*bulk_modulus*((j) * (j)) + (0.5)*shear_modulus*(k1*((c3) * (c3)) + 3.0*c0)

def stress(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = ((c2) * (c2))
        c4 = c1*c3
        c5 = (0.5)*shear_modulus
        out[2 * e + 0] = bulk_modulus*j + c5*(-2.0 / 3.0*k1*c4 - 2.0*c4)
        out[2 * e + 1] = c3*c5

def tangent(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = ((c2) * (c2))
        c4 = c1*c3
        c5 = (0.5)*shear_modulus
        c6 = ((c1) * (c1))*c3
        out[6 * e + 0] = bulk_modulus*j + c5*(-2.0 / 3.0*k1*c4 - 2.0*c4)
        out[6 * e + 1] = c3*c5
        out[6 * e + 2] = bulk_modulus + c5*((10.0 / 9.0)*k1*c6 + (10.0 / 3.0)*c6)
        out[6 * e + 3] = -1.0 / 3.0*shear_modulus*c4

def mean_energy(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = expm1((-2.0 / 3.0) * log1p(t))
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = (c4) ** 0.3333333333333333
        out[e] = (0.5)*bulk_modulus*((t) * (t)) + (0.5)*shear_modulus*(3.0*c0 + ((c5) * (c5))*(c2*c3*(k1 + 2.0) - 2.0))

def mean_stress(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = t + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        c5 = k1 + 2.0
        c6 = ((c4) * (c4))
        c7 = (0.5)*shear_modulus
        c8 = c2*c6*c7
        c9 = c3*c6
        out[3 * e + 0] = -((c1) * (c1))*c5*c8
        out[3 * e + 1] = c1*c8
        out[3 * e + 2] = bulk_modulus*t + c7*(c1*c5*c6 - 2.0 / 3.0*c9*(c1*c2*c5 - 2.0) - 2.0*c9)

def mean_tangent(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = t + 1.0
        c3 = (1.0 / (c2))
        c4 = (c3) ** 0.3333333333333333
        c5 = ((c4) * (c4))
        c6 = k1 + 2.0
        c7 = c5*c6
        c8 = ((c1) * (c1))
        c9 = (0.5)*shear_modulus
        c10 = c2*c9
        c11 = c10*c8
        c12 = c1*c5
        c13 = c3*c5
        c14 = c1*c6
        c15 = c14*c2 - 2.0
        c16 = (1.0 / 6.0)*shear_modulus
        c17 = ((c3) * (c3))*c5
        out[12 * e + 0] = -c11*c7
        out[12 * e + 1] = c10*c12
        out[12 * e + 2] = bulk_modulus*t + c9*(c1*c5*c6 - 2.0 / 3.0*c13*c15 - 2.0*c13)
        out[12 * e + 3] = shear_modulus*((c1) * (c1) * (c1))*c2*c7
        out[12 * e + 4] = -c11*c5
        out[12 * e + 5] = -c16*c7*c8
        out[12 * e + 8] = c12*c16
        out[12 * e + 11] = bulk_modulus + c9*(-4.0 / 3.0*c13*c14 + (10.0 / 9.0)*c15*c17 + (10.0 / 3.0)*c17)
