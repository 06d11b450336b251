"""Printed by gaitwright.derive from gaitwright.physics.materials.ogden. Do not edit."""

from math import expm1, log1p

KIND = "material"
N_PAR, LINEAR = 7, False
INVARIANTS, BENT = ("j", "s0", "s1", "s2",), 4
MEAN_INVARIANTS, MEAN_BENT = ("j", "s0", "s1", "s2", "t",), 4


def energy(count, par, given, out):
    for e in range(count):
        j = given[4 * e + 0]
        s0 = given[4 * e + 1]
        s1 = given[4 * e + 2]
        s2 = given[4 * e + 3]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        c0 = expm1((-1.0 / 3.0*alpha_1) * log1p(j))
        c1 = expm1((-1.0 / 3.0*alpha_2) * log1p(j))
        c2 = expm1((-1.0 / 3.0*alpha_3) * log1p(j))
        c3 = alpha_1
        c4 = (1.0 / (c3))
        c5 = alpha_2
        c6 = (1.0 / (c5))
        c7 = alpha_3
        c8 = (1.0 / (c7))
        c9 = j + 1.0
        out[e] = (0.5)*bulk_modulus*((j) * (j)) + (mu_1*c4*(s0 + 3.0*c0*(c9) ** ((1.0 / 3.0)*c3))) / ((c9) ** ((1.0 / 3.0)*c3)) + (mu_2*c6*(s1 + 3.0*c1*(c9) ** ((1.0 / 3.0)*c5))) / ((c9) ** ((1.0 / 3.0)*c5)) + (mu_3*c8*(s2 + 3.0*c2*(c9) ** ((1.0 / 3.0)*c7))) / ((c9) ** ((1.0 / 3.0)*c7))


def stress(count, par, given, out):
    for e in range(count):
        j = given[4 * e + 0]
        s0 = given[4 * e + 1]
        s1 = given[4 * e + 2]
        s2 = given[4 * e + 3]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        c0 = alpha_1
        c1 = (1.0 / (c0))
        c2 = alpha_2
        c3 = (1.0 / (c2))
        c4 = alpha_3
        c5 = (1.0 / (c4))
        c6 = j + 1.0
        c7 = (1.0 / (c6))
        c8 = (1.0 / 3.0)*c0
        c9 = (c6) ** (-c8)
        c10 = c7*c9
        c11 = mu_1*c1
        c12 = (1.0 / 3.0)*c2
        c13 = (c6) ** (-c12)
        c14 = c13*c7
        c15 = mu_2*c3
        c16 = (1.0 / 3.0)*c4
        c17 = (c6) ** (-c16)
        c18 = c17*c7
        c19 = mu_3*c5
        out[4 * e + 0] = bulk_modulus*j + c11*(-s0*c10*c8 - c0*c10) + c15*(-s1*c12*c14 - c14*c2) + c19*(-s2*c16*c18 - c18*c4)
        out[4 * e + 1] = c11*c9
        out[4 * e + 2] = c13*c15
        out[4 * e + 3] = c17*c19


def tangent(count, par, given, out):
    for e in range(count):
        j = given[4 * e + 0]
        s0 = given[4 * e + 1]
        s1 = given[4 * e + 2]
        s2 = given[4 * e + 3]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        c0 = alpha_1
        c1 = (1.0 / (c0))
        c2 = alpha_2
        c3 = (1.0 / (c2))
        c4 = alpha_3
        c5 = (1.0 / (c4))
        c6 = j + 1.0
        c7 = (1.0 / (c6))
        c8 = (1.0 / 3.0)*c0
        c9 = (c6) ** (-c8)
        c10 = c0*c9
        c11 = s0*c8*c9
        c12 = mu_1*c1
        c13 = (1.0 / 3.0)*c2
        c14 = (c6) ** (-c13)
        c15 = c14*c2
        c16 = s1*c13*c14
        c17 = mu_2*c3
        c18 = (1.0 / 3.0)*c4
        c19 = (c6) ** (-c18)
        c20 = c19*c4
        c21 = s2*c18*c19
        c22 = mu_3*c5
        c23 = ((c7) * (c7))
        c24 = (1.0 / 3.0)*c23
        c25 = ((c0) * (c0))*c9
        c26 = (1.0 / 9.0)*c23
        c27 = c14*((c2) * (c2))
        c28 = c19*((c4) * (c4))
        c29 = (1.0 / 3.0)*c7
        out[20 * e + 0] = bulk_modulus*j + c12*(-c10*c7 - c11*c7) + c17*(-c15*c7 - c16*c7) + c22*(-c20*c7 - c21*c7)
        out[20 * e + 1] = c12*c9
        out[20 * e + 2] = c14*c17
        out[20 * e + 3] = c19*c22
        out[20 * e + 4] = bulk_modulus + c12*(s0*c25*c26 + c10*c23 + c11*c23 + c24*c25) + c17*(s1*c26*c27 + c15*c23 + c16*c23 + c24*c27) + c22*(s2*c26*c28 + c20*c23 + c21*c23 + c24*c28)
        out[20 * e + 5] = -mu_1*c29*c9
        out[20 * e + 6] = -mu_2*c14*c29
        out[20 * e + 7] = -mu_3*c19*c29


def exponents(count, par, out):
    for e in range(count):
        alpha_1 = par[7 * e + 1]
        alpha_2 = par[7 * e + 3]
        alpha_3 = par[7 * e + 5]
        out[3 * e + 0] = alpha_1
        out[3 * e + 1] = alpha_2
        out[3 * e + 2] = alpha_3


def mean_energy(count, par, given, out):
    for e in range(count):
        j = given[5 * e + 0]
        s0 = given[5 * e + 1]
        s1 = given[5 * e + 2]
        s2 = given[5 * e + 3]
        t = given[5 * e + 4]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        c0 = expm1((-1.0 / 3.0*alpha_1) * log1p(t))
        c1 = expm1((-1.0 / 3.0*alpha_2) * log1p(t))
        c2 = expm1((-1.0 / 3.0*alpha_3) * log1p(t))
        c3 = alpha_1
        c4 = (1.0 / (c3))
        c5 = alpha_2
        c6 = (1.0 / (c5))
        c7 = alpha_3
        c8 = (1.0 / (c7))
        c9 = t + 1.0
        c10 = (1.0 / 3.0)*c3
        c11 = (c9) ** (c10)
        c12 = j + 1.0
        c13 = (1.0 / 3.0)*c5
        c14 = (c9) ** (c13)
        c15 = (1.0 / 3.0)*c7
        c16 = (c9) ** (c15)
        out[e] = (0.5)*bulk_modulus*((t) * (t)) + (mu_1*c4*(3.0*c0*c11*(c12) ** (c10) + c11*(s0 + 3.0) - 3.0*(c12) ** (c10))) / (c11*(c12) ** (c10)) + (mu_2*c6*(3.0*c1*(c12) ** (c13)*c14 - 3.0*(c12) ** (c13) + c14*(s1 + 3.0))) / ((c12) ** (c13)*c14) + (mu_3*c8*(3.0*(c12) ** (c15)*c16*c2 - 3.0*(c12) ** (c15) + c16*(s2 + 3.0))) / ((c12) ** (c15)*c16)


def mean_stress(count, par, given, out):
    for e in range(count):
        j = given[5 * e + 0]
        s0 = given[5 * e + 1]
        s1 = given[5 * e + 2]
        s2 = given[5 * e + 3]
        t = given[5 * e + 4]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        c0 = alpha_1
        c1 = (1.0 / (c0))
        c2 = alpha_2
        c3 = (1.0 / (c2))
        c4 = alpha_3
        c5 = (1.0 / (c4))
        c6 = j + 1.0
        c7 = (1.0 / (c6))
        c8 = t + 1.0
        c9 = (1.0 / (c8))
        c10 = (1.0 / 3.0)*c0
        c11 = (c6) ** (-c10)
        c12 = s0 + 3.0
        c13 = (1.0 / 3.0)*c7
        c14 = (1.0 / 3.0)*c2
        c15 = (c6) ** (-c14)
        c16 = s1 + 3.0
        c17 = (1.0 / 3.0)*c4
        c18 = (c6) ** (-c17)
        c19 = s2 + 3.0
        c20 = mu_1*c1
        c21 = mu_2*c3
        c22 = mu_3*c5
        c23 = (c8) ** (c10)
        c24 = c9 / (c23)
        c25 = (c8) ** (c14)
        c26 = c9 / (c25)
        c27 = (c8) ** (c17)
        c28 = c9 / (c27)
        out[5 * e + 0] = -mu_1*c11*c12*c13 - mu_2*c13*c15*c16 - mu_3*c13*c18*c19
        out[5 * e + 1] = c11*c20
        out[5 * e + 2] = c15*c21
        out[5 * e + 3] = c18*c22
        out[5 * e + 4] = bulk_modulus*t + c20*((1.0 / 3.0)*c0*c11*c12*c9 - c0*c24 - c10*c24*(c11*c12*c23 - 3.0)) + c21*(-c14*c26*(c15*c16*c25 - 3.0) + (1.0 / 3.0)*c15*c16*c2*c9 - c2*c26) + c22*(-c17*c28*(c18*c19*c27 - 3.0) + (1.0 / 3.0)*c18*c19*c4*c9 - c28*c4)


def mean_tangent(count, par, given, out):
    for e in range(count):
        j = given[5 * e + 0]
        s0 = given[5 * e + 1]
        s1 = given[5 * e + 2]
        s2 = given[5 * e + 3]
        t = given[5 * e + 4]
        mu_1 = par[7 * e + 0]
        alpha_1 = par[7 * e + 1]
        mu_2 = par[7 * e + 2]
        alpha_2 = par[7 * e + 3]
        mu_3 = par[7 * e + 4]
        alpha_3 = par[7 * e + 5]
        bulk_modulus = par[7 * e + 6]
        c0 = alpha_1
        c1 = (1.0 / (c0))
        c2 = alpha_2
        c3 = (1.0 / (c2))
        c4 = alpha_3
        c5 = (1.0 / (c4))
        c6 = j + 1.0
        c7 = (1.0 / (c6))
        c8 = t + 1.0
        c9 = (1.0 / (c8))
        c10 = (1.0 / 3.0)*c0
        c11 = (c6) ** (-c10)
        c12 = s0 + 3.0
        c13 = c11*c12
        c14 = (1.0 / 3.0)*c7
        c15 = mu_1*c14
        c16 = (1.0 / 3.0)*c2
        c17 = (c6) ** (-c16)
        c18 = s1 + 3.0
        c19 = c17*c18
        c20 = mu_2*c14
        c21 = (1.0 / 3.0)*c4
        c22 = (c6) ** (-c21)
        c23 = s2 + 3.0
        c24 = c22*c23
        c25 = mu_3*c14
        c26 = mu_1*c1
        c27 = mu_2*c3
        c28 = mu_3*c5
        c29 = (c8) ** (c10)
        c30 = (1.0 / (c29))
        c31 = c0*c30
        c32 = c11*c12*c29 - 3.0
        c33 = c30*c32
        c34 = (c8) ** (c16)
        c35 = (1.0 / (c34))
        c36 = c2*c35
        c37 = c17*c18*c34 - 3.0
        c38 = c35*c37
        c39 = (c8) ** (c21)
        c40 = (1.0 / (c39))
        c41 = c4*c40
        c42 = c22*c23*c39 - 3.0
        c43 = c40*c42
        c44 = ((c7) * (c7))
        c45 = (1.0 / 3.0)*c44
        c46 = mu_1*c13
        c47 = mu_2*c19
        c48 = mu_3*c24
        c49 = (1.0 / 9.0)*c44
        c50 = ((c9) * (c9))
        c51 = (1.0 / 3.0)*c50
        c52 = ((c0) * (c0))
        c53 = c30*c52
        c54 = c13*c50
        c55 = (1.0 / 9.0)*c50
        c56 = ((c2) * (c2))
        c57 = c35*c56
        c58 = c16*c50
        c59 = ((c4) * (c4))
        c60 = c40*c59
        c61 = c21*c50
        out[30 * e + 0] = -c13*c15 - c19*c20 - c24*c25
        out[30 * e + 1] = c11*c26
        out[30 * e + 2] = c17*c27
        out[30 * e + 3] = c22*c28
        out[30 * e + 4] = bulk_modulus*t + c26*((1.0 / 3.0)*c0*c11*c12*c9 - c10*c33*c9 - c31*c9) + c27*(-c16*c38*c9 + (1.0 / 3.0)*c17*c18*c2*c9 - c36*c9) + c28*(-c21*c43*c9 + (1.0 / 3.0)*c22*c23*c4*c9 - c41*c9)
        out[30 * e + 5] = c0*c46*c49 + c2*c47*c49 + c4*c48*c49 + c45*c46 + c45*c47 + c45*c48
        out[30 * e + 6] = -c11*c15
        out[30 * e + 7] = -c17*c20
        out[30 * e + 8] = -c22*c25
        out[30 * e + 29] = bulk_modulus + c26*(c10*c33*c50 - c10*c54 + c31*c50 + c32*c53*c55 + c51*c53 - 1.0 / 9.0*c52*c54) + c27*(-c19*c55*c56 - c19*c58 + c36*c50 + c37*c55*c57 + c38*c58 + c51*c57) + c28*(-c24*c55*c59 - c24*c61 + c41*c50 + c42*c55*c60 + c43*c61 + c51*c60)
