"""Printed by gaitwright.derive from gaitwright.physics.materials.st_venant_kirchhoff. Do not edit."""

KIND = "material"
N_PAR, LINEAR = 2, False
INVARIANTS, BENT = ("e11", "e12", "e22",), 0
MEAN_INVARIANTS, MEAN_BENT = ("j", "e11", "e12", "e22", "t",), 1

def energy(count, par, given, out):
    for e in range(count):
        e11 = given[3 * e + 0]
        e12 = given[3 * e + 1]
        e22 = given[3 * e + 2]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        out[e] = (0.5)*lame*((e11 + e22) * (e11 + e22)) + shear_modulus*(((e11) * (e11)) + 2.0*((e12) * (e12)) + ((e22) * (e22)))

def stress(count, par, given, out):
    for e in range(count):
        e11 = given[3 * e + 0]
        e12 = given[3 * e + 1]
        e22 = given[3 * e + 2]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = 2.0*e11
        c1 = 2.0*e22
        c2 = (0.5)*lame*(c0 + c1)
        out[3 * e + 0] = shear_modulus*c0 + c2
        out[3 * e + 1] = 4.0*e12*shear_modulus
        out[3 * e + 2] = shear_modulus*c1 + c2

def tangent(count, par, given, out):
    for e in range(count):
        e11 = given[3 * e + 0]
        e12 = given[3 * e + 1]
        e22 = given[3 * e + 2]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = 2.0*e11
        c1 = 2.0*e22
        c2 = (0.5)*lame*(c0 + c1)
        c3 = 4.0*shear_modulus
        c4 = lame + 2.0*shear_modulus
        out[12 * e + 0] = shear_modulus*c0 + c2
        out[12 * e + 1] = e12*c3
        out[12 * e + 2] = shear_modulus*c1 + c2
        out[12 * e + 3] = out[12 * e + 11] = c4
        out[12 * e + 5] = lame
        out[12 * e + 7] = c3

def mean_energy(count, par, given, out):
    for e in range(count):
        j = given[5 * e + 0]
        e11 = given[5 * e + 1]
        e12 = given[5 * e + 2]
        e22 = given[5 * e + 3]
        t = given[5 * e + 4]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = t + 1.0
        c3 = c1*c2
        c4 = e11*c3
        c5 = e22*c3
        c6 = (0.5)*c3 - 1.0 / 2.0
        out[e] = (0.5)*lame*((c3 + c4 + c5 - 1.0) * (c3 + c4 + c5 - 1.0)) + shear_modulus*(2.0*((e12) * (e12))*((c1) * (c1))*((c2) * (c2)) + ((c4 + c6) * (c4 + c6)) + ((c5 + c6) * (c5 + c6)))

def mean_stress(count, par, given, out):
    for e in range(count):
        j = given[5 * e + 0]
        e11 = given[5 * e + 1]
        e12 = given[5 * e + 2]
        e22 = given[5 * e + 3]
        t = given[5 * e + 4]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = ((c1) * (c1))
        c3 = t + 1.0
        c4 = c2*c3
        c5 = 2.0*c4
        c6 = e11*c5
        c7 = e22*c5
        c8 = c1*c3
        c9 = e11*c8
        c10 = e22*c8
        c11 = lame*(c10 + c8 + c9 - 1.0)
        c12 = (0.5)*c11
        c13 = ((e12) * (e12))
        c14 = 4.0*((c3) * (c3))
        c15 = (0.5)*c8 - 1.0 / 2.0
        c16 = c15 + c9
        c17 = c10 + c15
        c18 = 2.0*shear_modulus*c8
        c19 = c11*c8
        c20 = 2.0*c1
        c21 = e11*c20
        c22 = e22*c20
        out[5 * e + 0] = shear_modulus*(-((c1) * (c1) * (c1))*c13*c14 + c16*(-c4 - c6) + c17*(-c4 - c7)) + c12*(-c5 - c6 - c7)
        out[5 * e + 1] = c16*c18 + c19
        out[5 * e + 2] = e12*shear_modulus*c14*c2
        out[5 * e + 3] = c17*c18 + c19
        out[5 * e + 4] = shear_modulus*(2.0*c13*c2*(2.0*t + 2.0) + c16*(c1 + c21) + c17*(c1 + c22)) + c12*(c20 + c21 + c22)

def mean_tangent(count, par, given, out):
    for e in range(count):
        j = given[5 * e + 0]
        e11 = given[5 * e + 1]
        e12 = given[5 * e + 2]
        e22 = given[5 * e + 3]
        t = given[5 * e + 4]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = j + 1.0
        c1 = (1.0 / (c0))
        c2 = ((c1) * (c1))
        c3 = t + 1.0
        c4 = c2*c3
        c5 = 2.0*c4
        c6 = e11*c5
        c7 = e22*c5
        c8 = -c5 - c6 - c7
        c9 = c1*c3
        c10 = e11*c9
        c11 = e22*c9
        c12 = lame*(c10 + c11 + c9 - 1.0)
        c13 = (0.5)*c12
        c14 = ((c3) * (c3))
        c15 = ((c1) * (c1) * (c1))
        c16 = ((e12) * (e12))
        c17 = 4.0*c16
        c18 = c15*c17
        c19 = (0.5)*c9
        c20 = c19 - 1.0 / 2.0
        c21 = c10 + c20
        c22 = -c4 - c6
        c23 = c11 + c20
        c24 = -c4 - c7
        c25 = 2.0*shear_modulus*c9
        c26 = c12*c9
        c27 = c14*c2
        c28 = 4.0*shear_modulus
        c29 = c27*c28
        c30 = 2.0*c1
        c31 = e11*c30
        c32 = e22*c30
        c33 = c30 + c31 + c32
        c34 = 2.0*t + 2.0
        c35 = 2.0*c2
        c36 = c1 + c31
        c37 = c1 + c32
        c38 = c15*c3
        c39 = 4.0*c38
        c40 = e11*c39
        c41 = e22*c39
        c42 = e11*c4
        c43 = e22*c4
        c44 = (0.5)*lame
        c45 = c44*c8
        c46 = 2.0*c38
        c47 = (0.5)*c4
        c48 = lame*c19*c8 - c12*c4
        c49 = shear_modulus*c14
        c50 = e11*c1
        c51 = e22*c1
        c52 = c1 + c50 + c51
        c53 = e11*c35
        c54 = e22*c35
        c55 = (0.5)*c1
        c56 = c50 + c55
        c57 = c51 + c55
        c58 = lame*c27
        c59 = c35*c49 + c58
        c60 = shear_modulus*c30
        c61 = lame*c52*c9 + c1*c12
        out[30 * e + 0] = shear_modulus*(-c14*c18 + c21*c22 + c23*c24) + c13*c8
        out[30 * e + 1] = c21*c25 + c26
        out[30 * e + 2] = e12*c29
        out[30 * e + 3] = c23*c25 + c26
        out[30 * e + 4] = shear_modulus*(c16*c34*c35 + c21*c36 + c23*c37) + c13*c33
        out[30 * e + 5] = shear_modulus*(12.0*((c1) * (c1) * (c1) * (c1))*c14*c16 + c21*(c40 + c46) + c22*(-c42 - c47) + c23*(c41 + c46) + c24*(-c43 - c47)) + c13*(c39 + c40 + c41) + c45*(-c4 - c42 - c43)
        out[30 * e + 6] = shear_modulus*(c1*c22*c3 - c21*c5) + c48
        out[30 * e + 7] = -8.0*e12*c15*c49
        out[30 * e + 8] = shear_modulus*(c1*c24*c3 - c23*c5) + c48
        out[30 * e + 9] = shear_modulus*(-c18*c34 + c21*(-c2 - c53) + c22*c56 + c23*(-c2 - c54) + c24*c57) + c13*(-c35 - c53 - c54) + c45*c52
        out[30 * e + 11] = out[30 * e + 23] = c59
        out[30 * e + 13] = c58
        out[30 * e + 14] = c21*c60 + c25*c56 + c61
        out[30 * e + 17] = c29
        out[30 * e + 19] = e12*c2*c28*c34
        out[30 * e + 24] = c23*c60 + c25*c57 + c61
        out[30 * e + 29] = shear_modulus*(c17*c2 + c36*c56 + c37*c57) + c33*c44*c52
