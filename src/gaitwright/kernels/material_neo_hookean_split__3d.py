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
        c3 = (c2) ** 0.3333333333333333
        c4 = t + 1.0
        c5 = (1.0 / (c4))
        c6 = (c5) ** 0.3333333333333333
        out[e] = (0.5)*bulk_modulus*((t) * (t)) + (0.5)*shear_modulus*(3.0*c0 + ((c6) * (c6))*(((c3) * (c3))*c4*c6*(k1 + 3.0) - 3.0))

def mean_stress(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = (c4) ** 0.3333333333333333
        c6 = ((c2) * (c2))
        c7 = k1 + 3.0
        c8 = c6*c7
        c9 = (0.5)*shear_modulus
        c10 = c4*((c5) * (c5))
        out[3 * e + 0] = -1.0 / 3.0*shear_modulus*c1*c8
        out[3 * e + 1] = c6*c9
        out[3 * e + 2] = bulk_modulus*t + c9*(-2.0 / 3.0*c10*(c3*c5*c8 - 3.0) - 2.0*c10 + (2.0 / 3.0)*c4*c6*c7)

def mean_tangent(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        bulk_modulus = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = (c1) ** 0.3333333333333333
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = (c4) ** 0.3333333333333333
        c6 = ((c2) * (c2))
        c7 = k1 + 3.0
        c8 = c6*c7
        c9 = (1.0 / 3.0)*shear_modulus*c1
        c10 = (0.5)*shear_modulus
        c11 = ((c5) * (c5))
        c12 = c11*c4
        c13 = c3*c5*c8 - 3.0
        c14 = ((c4) * (c4))
        c15 = c11*c14
        out[12 * e + 0] = -c8*c9
        out[12 * e + 1] = c10*c6
        out[12 * e + 2] = bulk_modulus*t + c10*(-2.0 / 3.0*c12*c13 - 2.0*c12 + (2.0 / 3.0)*c4*c6*c7)
        out[12 * e + 3] = (5.0 / 9.0)*shear_modulus*((c1) * (c1))*c8
        out[12 * e + 4] = -c6*c9
        out[12 * e + 11] = bulk_modulus + c10*((10.0 / 9.0)*c13*c15 - 10.0 / 9.0*c14*c8 + (10.0 / 3.0)*c15)
