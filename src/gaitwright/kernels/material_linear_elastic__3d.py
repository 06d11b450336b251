"""Printed by gaitwright.derive from gaitwright.physics.materials.linear_elastic. Do not edit."""

KIND = "material"
N_PAR, LINEAR = 2, True
INVARIANTS, BENT = ("e11", "e12", "e13", "e22", "e23", "e33",), 0
MEAN_INVARIANTS, MEAN_BENT = ("e11", "e12", "e13", "e22", "e23", "e33", "t",), 0

def energy(count, par, given, out):
    for e in range(count):
        e11 = given[6 * e + 0]
        e12 = given[6 * e + 1]
        e13 = given[6 * e + 2]
        e22 = given[6 * e + 3]
        e23 = given[6 * e + 4]
        e33 = given[6 * e + 5]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        out[e] = (0.5)*lame*((e11 + e22 + e33) * (e11 + e22 + e33)) + shear_modulus*(((e11) * (e11)) + 2.0*((e12) * (e12)) + 2.0*((e13) * (e13)) + ((e22) * (e22)) + 2.0*((e23) * (e23)) + ((e33) * (e33)))

def stress(count, par, given, out):
    for e in range(count):
        e11 = given[6 * e + 0]
        e12 = given[6 * e + 1]
        e13 = given[6 * e + 2]
        e22 = given[6 * e + 3]
        e23 = given[6 * e + 4]
        e33 = given[6 * e + 5]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = 2.0*e11
        c1 = 2.0*e22
        c2 = 2.0*e33
        c3 = (0.5)*lame*(c0 + c1 + c2)
        c4 = 4.0*shear_modulus
        out[6 * e + 0] = shear_modulus*c0 + c3
        out[6 * e + 1] = e12*c4
        out[6 * e + 2] = e13*c4
        out[6 * e + 3] = shear_modulus*c1 + c3
        out[6 * e + 4] = e23*c4
        out[6 * e + 5] = shear_modulus*c2 + c3

def tangent(count, par, given, out):
    for e in range(count):
        e11 = given[6 * e + 0]
        e12 = given[6 * e + 1]
        e13 = given[6 * e + 2]
        e22 = given[6 * e + 3]
        e23 = given[6 * e + 4]
        e33 = given[6 * e + 5]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = 2.0*e11
        c1 = 2.0*e22
        c2 = 2.0*e33
        c3 = (0.5)*lame*(c0 + c1 + c2)
        c4 = 4.0*shear_modulus
        c5 = lame + 2.0*shear_modulus
        out[42 * e + 0] = shear_modulus*c0 + c3
        out[42 * e + 1] = e12*c4
        out[42 * e + 2] = e13*c4
        out[42 * e + 3] = shear_modulus*c1 + c3
        out[42 * e + 4] = e23*c4
        out[42 * e + 5] = shear_modulus*c2 + c3
        out[42 * e + 6] = out[42 * e + 27] = out[42 * e + 41] = c5
        out[42 * e + 9] = out[42 * e + 11] = out[42 * e + 29] = lame
        out[42 * e + 13] = out[42 * e + 20] = out[42 * e + 34] = c4

def mean_energy(count, par, given, out):
    for e in range(count):
        e11 = given[7 * e + 0]
        e12 = given[7 * e + 1]
        e13 = given[7 * e + 2]
        e22 = given[7 * e + 3]
        e23 = given[7 * e + 4]
        e33 = given[7 * e + 5]
        t = given[7 * e + 6]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = (1.0 / 3.0)*e22
        c1 = (1.0 / 3.0)*e11 - 1.0 / 3.0*t
        c2 = (1.0 / 3.0)*e33
        out[e] = (0.5)*lame*((t) * (t)) + shear_modulus*(2.0*((e12) * (e12)) + 2.0*((e13) * (e13)) + 2.0*((e23) * (e23)) + (((2.0 / 3.0)*e22 - c1 - c2) * ((2.0 / 3.0)*e22 - c1 - c2)) + (((2.0 / 3.0)*e33 - c0 - c1) * ((2.0 / 3.0)*e33 - c0 - c1)) + (((2.0 / 3.0)*e11 + (1.0 / 3.0)*t - c0 - c2) * ((2.0 / 3.0)*e11 + (1.0 / 3.0)*t - c0 - c2)))

def mean_stress(count, par, given, out):
    for e in range(count):
        e11 = given[7 * e + 0]
        e12 = given[7 * e + 1]
        e13 = given[7 * e + 2]
        e22 = given[7 * e + 3]
        e23 = given[7 * e + 4]
        e33 = given[7 * e + 5]
        t = given[7 * e + 6]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = (2.0 / 3.0)*e22
        c1 = (2.0 / 3.0)*e33
        c2 = 4.0*shear_modulus
        c3 = (2.0 / 3.0)*e11
        out[7 * e + 0] = shear_modulus*((4.0 / 3.0)*e11 - c0 - c1)
        out[7 * e + 1] = e12*c2
        out[7 * e + 2] = e13*c2
        out[7 * e + 3] = shear_modulus*((4.0 / 3.0)*e22 - c1 - c3)
        out[7 * e + 4] = e23*c2
        out[7 * e + 5] = shear_modulus*((4.0 / 3.0)*e33 - c0 - c3)
        out[7 * e + 6] = lame*t + (2.0 / 3.0)*shear_modulus*t

def mean_tangent(count, par, given, out):
    for e in range(count):
        e11 = given[7 * e + 0]
        e12 = given[7 * e + 1]
        e13 = given[7 * e + 2]
        e22 = given[7 * e + 3]
        e23 = given[7 * e + 4]
        e33 = given[7 * e + 5]
        t = given[7 * e + 6]
        lame = par[2 * e + 0]
        shear_modulus = par[2 * e + 1]
        c0 = (2.0 / 3.0)*e22
        c1 = (2.0 / 3.0)*e33
        c2 = 4.0*shear_modulus
        c3 = (2.0 / 3.0)*e11
        c4 = (2.0 / 3.0)*shear_modulus
        c5 = (4.0 / 3.0)*shear_modulus
        out[56 * e + 0] = shear_modulus*((4.0 / 3.0)*e11 - c0 - c1)
        out[56 * e + 1] = e12*c2
        out[56 * e + 2] = e13*c2
        out[56 * e + 3] = shear_modulus*((4.0 / 3.0)*e22 - c1 - c3)
        out[56 * e + 4] = e23*c2
        out[56 * e + 5] = shear_modulus*((4.0 / 3.0)*e33 - c0 - c3)
        out[56 * e + 6] = lame*t + t*c4
        out[56 * e + 7] = out[56 * e + 31] = out[56 * e + 47] = c5
        out[56 * e + 10] = out[56 * e + 12] = out[56 * e + 33] = -c4
        out[56 * e + 15] = out[56 * e + 23] = out[56 * e + 39] = c2
        out[56 * e + 55] = lame + c4
