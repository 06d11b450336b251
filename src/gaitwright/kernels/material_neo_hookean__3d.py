"""Printed by gaitwright.derive from gaitwright.physics.materials.neo_hookean. Do not edit."""

from math import log1p

KIND = "material"
N_PAR, LINEAR = 2, False
INVARIANTS, BENT = ("j", "k1",), 1
MEAN_INVARIANTS, MEAN_BENT = ("j", "k1", "t",), 2

def energy(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = log1p(j)
        out[e] = (0.5)*k1*shear_modulus + (0.5)*lame*((c0) * (c0)) - shear_modulus*c0

def stress(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = log1p(j)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        out[2 * e + 0] = lame*c0*c2 - shear_modulus*c2
        out[2 * e + 1] = (0.5)*shear_modulus

def tangent(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = log1p(j)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = ((c2) * (c2))
        c4 = lame*c3
        out[6 * e + 0] = lame*c0*c2 - shear_modulus*c2
        out[6 * e + 1] = (0.5)*shear_modulus
        out[6 * e + 2] = shear_modulus*c3 - c0*c4 + c4

def mean_energy(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = log1p(t)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = (c2) ** 0.3333333333333333
        c4 = t + 1.0
        c5 = (1.0 / (c4))
        c6 = (c5) ** 0.3333333333333333
        out[e] = (0.5)*lame*((c0) * (c0)) - shear_modulus*c0 + (0.5)*shear_modulus*(((c3) * (c3))*c4*c6*(k1 + 3.0) - 3.0)

def mean_stress(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = log1p(t)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = (c2) ** 0.3333333333333333
        c4 = t + 1.0
        c5 = (1.0 / (c4))
        c6 = (c5) ** 0.3333333333333333
        c7 = shear_modulus*((c3) * (c3))*c6
        c8 = c4*c7
        c9 = (1.0 / 3.0)*k1 + 1.0
        out[3 * e + 0] = -c2*c8*c9
        out[3 * e + 1] = (0.5)*c8
        out[3 * e + 2] = lame*c0*c5 - shear_modulus*c5 + c7*c9

def mean_tangent(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = log1p(t)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = (c2) ** 0.3333333333333333
        c4 = t + 1.0
        c5 = (1.0 / (c4))
        c6 = (c5) ** 0.3333333333333333
        c7 = k1 + 3.0
        c8 = ((c3) * (c3))*c6
        c9 = shear_modulus*c8
        c10 = (1.0 / 3.0)*c9
        c11 = c10*c7
        c12 = c2*c4
        c13 = c4*c9
        c14 = shear_modulus*c5
        c15 = ((c5) * (c5))
        out[12 * e + 0] = -c11*c12
        out[12 * e + 1] = (0.5)*c13
        out[12 * e + 2] = lame*c0*c5 + c11 - c14
        out[12 * e + 3] = (5.0 / 9.0)*c13*((c2) * (c2))*c7
        out[12 * e + 4] = -c10*c12
        out[12 * e + 5] = -2.0 / 9.0*c2*c7*c9
        out[12 * e + 8] = c10
        out[12 * e + 11] = -lame*c0*c15 + lame*c15 + shear_modulus*c15 - 1.0 / 9.0*c14*c7*c8
