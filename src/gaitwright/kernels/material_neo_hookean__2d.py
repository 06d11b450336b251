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
        out[e] = (0.5)*lame*((c0) * (c0)) - shear_modulus*c0 + (0.5)*shear_modulus*(c2*(k1 + 2.0)*(t + 1.0) - 2.0)

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
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = k1 + 2.0
        c6 = (0.5)*shear_modulus*c2
        out[3 * e + 0] = -0.5*shear_modulus*((c2) * (c2))*c3*c5
        out[3 * e + 1] = c3*c6
        out[3 * e + 2] = lame*c0*c4 - shear_modulus*c4 + c5*c6

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
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = k1 + 2.0
        c6 = c3*c5
        c7 = (0.5)*shear_modulus
        c8 = ((c2) * (c2))*c7
        c9 = c2*c7
        c10 = ((c4) * (c4))
        c11 = lame*c10
        out[12 * e + 0] = -c6*c8
        out[12 * e + 1] = c3*c9
        out[12 * e + 2] = lame*c0*c4 - shear_modulus*c4 + c5*c9
        out[12 * e + 3] = shear_modulus*((c2) * (c2) * (c2))*c6
        out[12 * e + 4] = -c3*c8
        out[12 * e + 5] = -c5*c8
        out[12 * e + 8] = c9
        out[12 * e + 11] = shear_modulus*c10 - c0*c11 + c11
