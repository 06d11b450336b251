"""Printed by gaitwright.derive from gaitwright.physics.materials.fung. Do not edit."""

from math import exp, expm1, log1p

KIND = "material"
N_PAR, LINEAR = 3, False
INVARIANTS, BENT = ("j", "k1",), 2
MEAN_INVARIANTS, MEAN_BENT = ("j", "k1", "t",), 2

def energy(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        lame = par[3 * e + 0]
        shear_modulus = par[3 * e + 1]
        stiffening = par[3 * e + 2]
        c0 = expm1((stiffening*(k1 - 2.0*log1p(j))) * 1.0)
        c1 = log1p(j)
        c2 = stiffening
        c3 = (1.0 / (c2))
        out[e] = (0.5)*lame*((c1) * (c1)) + (0.5)*shear_modulus*c0*c3

def stress(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        lame = par[3 * e + 0]
        shear_modulus = par[3 * e + 1]
        stiffening = par[3 * e + 2]
        c0 = log1p(j)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = shear_modulus*exp(stiffening*(k1 - 2.0*c0))
        out[2 * e + 0] = lame*c0*c2 - c2*c3
        out[2 * e + 1] = (0.5)*c3

def tangent(count, par, given, out):
    for e in range(count):
        j = given[2 * e + 0]
        k1 = given[2 * e + 1]
        lame = par[3 * e + 0]
        shear_modulus = par[3 * e + 1]
        stiffening = par[3 * e + 2]
        c0 = log1p(j)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = shear_modulus*exp(stiffening*(k1 - 2.0*c0))
        c4 = c2*c3
        c5 = (0.5)*c3
        c6 = ((c2) * (c2))
        c7 = lame*c6
        c8 = c3*c6
        out[6 * e + 0] = lame*c0*c2 - c4
        out[6 * e + 1] = c5
        out[6 * e + 2] = 2.0*stiffening*c8 - c0*c7 + c7 + c8
        out[6 * e + 3] = -stiffening*c4
        out[6 * e + 5] = stiffening*c5

def mean_energy(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        lame = par[3 * e + 0]
        shear_modulus = par[3 * e + 1]
        stiffening = par[3 * e + 2]
        c0 = expm1(((stiffening*((j + 1.0) ** 0.6666666666666666*(-2.0*log1p(t) - 3.0) + (k1 + 3.0)*(t + 1.0) ** 0.6666666666666666)) / ((j + 1.0) ** 0.6666666666666666)) * 1.0)
        c1 = log1p(t)
        c2 = stiffening
        c3 = (1.0 / (c2))
        out[e] = (0.5)*lame*((c1) * (c1)) + (0.5)*shear_modulus*c0*c3

def mean_stress(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        lame = par[3 * e + 0]
        shear_modulus = par[3 * e + 1]
        stiffening = par[3 * e + 2]
        c0 = log1p(t)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = (c2) ** 0.3333333333333333
        c4 = t + 1.0
        c5 = (1.0 / (c4))
        c6 = (c5) ** 0.3333333333333333
        c7 = ((c3) * (c3))
        c8 = k1 + 3.0
        c9 = c6*c7*c8
        c10 = shear_modulus*exp(stiffening*(-2.0*c0 + c4*c6*c7*c8 - 3.0))
        c11 = (0.5)*c10
        out[3 * e + 0] = -1.0 / 3.0*c10*c2*c4*c9
        out[3 * e + 1] = c11*c4*c6*c7
        out[3 * e + 2] = lame*c0*c5 + c11*(-2.0*c5 + (2.0 / 3.0)*c9)

def mean_tangent(count, par, given, out):
    for e in range(count):
        j = given[3 * e + 0]
        k1 = given[3 * e + 1]
        t = given[3 * e + 2]
        lame = par[3 * e + 0]
        shear_modulus = par[3 * e + 1]
        stiffening = par[3 * e + 2]
        c0 = log1p(t)
        c1 = j + 1.0
        c2 = (1.0 / (c1))
        c3 = (c2) ** 0.3333333333333333
        c4 = t + 1.0
        c5 = (1.0 / (c4))
        c6 = (c5) ** 0.3333333333333333
        c7 = k1 + 3.0
        c8 = ((c3) * (c3))
        c9 = c6*c8
        c10 = c7*c9
        c11 = c10*c4
        c12 = shear_modulus*exp(stiffening*(-2.0*c0 + c4*c6*c7*c8 - 3.0))
        c13 = (1.0 / 3.0)*c12
        c14 = c11*c13*c2
        c15 = (0.5)*c12
        c16 = c4*c9
        c17 = (2.0 / 3.0)*c10 - 2.0*c5
        c18 = c15*c17
        c19 = ((c2) * (c2))
        c20 = c3*((c4) * (c4))*((c6) * (c6))
        c21 = stiffening*c20
        c22 = c13*c9
        c23 = (2.0 / 9.0)*c10
        c24 = stiffening*c15
        c25 = ((c5) * (c5))
        c26 = lame*c25
        out[12 * e + 0] = -c14
        out[12 * e + 1] = c15*c16
        out[12 * e + 2] = lame*c0*c5 + c18
        out[12 * e + 3] = (5.0 / 9.0)*c11*c12*c19 + (2.0 / 9.0)*c12*((c2) * (c2) * (c2))*c21*((c7) * (c7))
        out[12 * e + 4] = -c13*c19*c21*c7 - c2*c22*c4
        out[12 * e + 5] = -stiffening*c14*c17 - c12*c2*c23
        out[12 * e + 7] = c2*c20*c24
        out[12 * e + 8] = stiffening*c16*c18 + c22
        out[12 * e + 11] = -c0*c26 + c15*(-c23*c5 + 2.0*c25) + ((c17) * (c17))*c24 + c26
