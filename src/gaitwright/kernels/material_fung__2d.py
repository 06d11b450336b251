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
        c0 = expm1(((stiffening*((j + 1.0)*(-2.0*log1p(t) - 2.0) + (k1 + 2.0)*(t + 1.0))) / (j + 1.0)) * 1.0)
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
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = k1 + 2.0
        c6 = (0.5)*shear_modulus*exp(stiffening*(-2.0*c0 + c2*c3*c5 - 2.0))
        c7 = c3*c6
        out[3 * e + 0] = -((c2) * (c2))*c5*c7
        out[3 * e + 1] = c2*c7
        out[3 * e + 2] = lame*c0*c4 + c6*(c2*c5 - 2.0*c4)

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
        c3 = t + 1.0
        c4 = (1.0 / (c3))
        c5 = k1 + 2.0
        c6 = c3*c5
        c7 = ((c2) * (c2))
        c8 = shear_modulus*exp(stiffening*(-2.0*c0 + c2*c3*c5 - 2.0))
        c9 = (0.5)*c8
        c10 = c7*c9
        c11 = c2*c9
        c12 = c2*c5 - 2.0*c4
        c13 = c12*c9
        c14 = ((c2) * (c2) * (c2))
        c15 = ((c3) * (c3))
        c16 = stiffening*c9
        c17 = c15*c16
        c18 = stiffening*c13
        c19 = ((c4) * (c4))
        c20 = lame*c19
        out[12 * e + 0] = -c10*c6
        out[12 * e + 1] = c11*c3
        out[12 * e + 2] = lame*c0*c4 + c13
        out[12 * e + 3] = c14*c6*c8 + c17*((c2) * (c2) * (c2) * (c2))*((c5) * (c5))
        out[12 * e + 4] = -c10*c3 - c14*c17*c5
        out[12 * e + 5] = -c10*c5 - c18*c6*c7
        out[12 * e + 7] = stiffening*c10*c15
        out[12 * e + 8] = c11 + c18*c2*c3
        out[12 * e + 11] = -c0*c20 + ((c12) * (c12))*c16 + c19*c8 + c20
