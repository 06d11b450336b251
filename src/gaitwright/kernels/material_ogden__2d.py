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
        c10 = j + 1.0
        c11 = (0.5)*c3
        c12 = (0.5)*c5
        c13 = (0.5)*c7
        out[e] = (0.5)*bulk_modulus*((t) * (t)) + (mu_1*c4*(3.0*c0*(c10) ** (c11)*(c9) ** ((1.0 / 3.0)*c3) - 2.0*(c10) ** (c11) + (c9) ** (c11)*(s0 + 2.0))) / ((c10) ** (c11)*(c9) ** ((1.0 / 3.0)*c3)) + (mu_2*c6*(3.0*c1*(c10) ** (c12)*(c9) ** ((1.0 / 3.0)*c5) - 2.0*(c10) ** (c12) + (c9) ** (c12)*(s1 + 2.0))) / ((c10) ** (c12)*(c9) ** ((1.0 / 3.0)*c5)) + (mu_3*c8*(3.0*(c10) ** (c13)*c2*(c9) ** ((1.0 / 3.0)*c7) - 2.0*(c10) ** (c13) + (c9) ** (c13)*(s2 + 2.0))) / ((c10) ** (c13)*(c9) ** ((1.0 / 3.0)*c7))


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
        c10 = (0.5)*c7
        c11 = (c8) ** ((1.0 / 6.0)*c0)
        c12 = (0.5)*c0
        c13 = (c6) ** (-c12)
        c14 = s0 + 2.0
        c15 = (c8) ** ((1.0 / 6.0)*c2)
        c16 = (0.5)*c2
        c17 = (c6) ** (-c16)
        c18 = s1 + 2.0
        c19 = (c8) ** ((1.0 / 6.0)*c4)
        c20 = (0.5)*c4
        c21 = (c6) ** (-c20)
        c22 = s2 + 2.0
        c23 = mu_1*c1
        c24 = mu_2*c3
        c25 = mu_3*c5
        c26 = (1.0 / 3.0)*c0
        c27 = c9 / ((c8) ** (c26))
        c28 = (1.0 / 3.0)*c2
        c29 = c9 / ((c8) ** (c28))
        c30 = (1.0 / 3.0)*c4
        c31 = c9 / ((c8) ** (c30))
        out[5 * e + 0] = -mu_1*c10*c11*c13*c14 - mu_2*c10*c15*c17*c18 - mu_3*c10*c19*c21*c22
        out[5 * e + 1] = c11*c13*c23
        out[5 * e + 2] = c15*c17*c24
        out[5 * e + 3] = c19*c21*c25
        out[5 * e + 4] = bulk_modulus*t + c23*((0.5)*c0*c11*c13*c14*c9 - c0*c27 - c26*c27*(c13*c14*(c8) ** (c12) - 2.0)) + c24*((0.5)*c15*c17*c18*c2*c9 - c2*c29 - c28*c29*(c17*c18*(c8) ** (c16) - 2.0)) + c25*((0.5)*c19*c21*c22*c4*c9 - c30*c31*(c21*c22*(c8) ** (c20) - 2.0) - c31*c4)


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
        c10 = (0.5)*c7
        c11 = (c8) ** ((1.0 / 6.0)*c0)
        c12 = (0.5)*c0
        c13 = (c6) ** (-c12)
        c14 = s0 + 2.0
        c15 = c11*c13*c14
        c16 = mu_1*c15
        c17 = (c8) ** ((1.0 / 6.0)*c2)
        c18 = (0.5)*c2
        c19 = (c6) ** (-c18)
        c20 = s1 + 2.0
        c21 = c17*c19*c20
        c22 = mu_2*c21
        c23 = (c8) ** ((1.0 / 6.0)*c4)
        c24 = (0.5)*c4
        c25 = (c6) ** (-c24)
        c26 = s2 + 2.0
        c27 = c23*c25*c26
        c28 = mu_3*c27
        c29 = mu_1*c1
        c30 = c11*c13
        c31 = mu_2*c3
        c32 = c17*c19
        c33 = mu_3*c5
        c34 = c23*c25
        c35 = (1.0 / 3.0)*c0
        c36 = (c8) ** (-c35)
        c37 = c0*c36
        c38 = c13*c14*(c8) ** (c12) - 2.0
        c39 = c35*c36*c38
        c40 = (1.0 / 3.0)*c2
        c41 = (c8) ** (-c40)
        c42 = c2*c41
        c43 = c19*c20*(c8) ** (c18) - 2.0
        c44 = c40*c41*c43
        c45 = (1.0 / 3.0)*c4
        c46 = (c8) ** (-c45)
        c47 = c4*c46
        c48 = c25*c26*(c8) ** (c24) - 2.0
        c49 = c45*c46*c48
        c50 = ((c7) * (c7))
        c51 = (0.5)*c50
        c52 = (1.0 / 4.0)*c50
        c53 = c0*c16
        c54 = c2*c22
        c55 = c28*c4
        c56 = mu_1*c30
        c57 = mu_2*c32
        c58 = mu_3*c34
        c59 = (1.0 / 12.0)*c7*c9
        c60 = (1.0 / 6.0)*c9
        c61 = ((c9) * (c9))
        c62 = (1.0 / 3.0)*c61
        c63 = ((c0) * (c0))
        c64 = c36*c63
        c65 = (1.0 / 12.0)*c61
        c66 = (1.0 / 9.0)*c61
        c67 = ((c2) * (c2))
        c68 = c41*c67
        c69 = ((c4) * (c4))
        c70 = c46*c69
        out[30 * e + 0] = -c10*c16 - c10*c22 - c10*c28
        out[30 * e + 1] = c29*c30
        out[30 * e + 2] = c31*c32
        out[30 * e + 3] = c33*c34
        out[30 * e + 4] = bulk_modulus*t + c29*((0.5)*c0*c11*c13*c14*c9 - c37*c9 - c39*c9) + c31*((0.5)*c17*c19*c2*c20*c9 - c42*c9 - c44*c9) + c33*((0.5)*c23*c25*c26*c4*c9 - c47*c9 - c49*c9)
        out[30 * e + 5] = c16*c51 + c22*c51 + c28*c51 + c52*c53 + c52*c54 + c52*c55
        out[30 * e + 6] = -c10*c56
        out[30 * e + 7] = -c10*c57
        out[30 * e + 8] = -c10*c58
        out[30 * e + 9] = -c53*c59 - c54*c59 - c55*c59
        out[30 * e + 14] = c56*c60
        out[30 * e + 19] = c57*c60
        out[30 * e + 24] = c58*c60
        out[30 * e + 29] = bulk_modulus + c29*(-c12*c15*c61 - c15*c63*c65 + c37*c61 + c38*c64*c66 + c39*c61 + c62*c64) + c31*(-c18*c21*c61 - c21*c65*c67 + c42*c61 + c43*c66*c68 + c44*c61 + c62*c68) + c33*(-c24*c27*c61 - c27*c65*c69 + c47*c61 + c48*c66*c70 + c49*c61 + c62*c70)
