"""Printed by gaitwright.derive from gaitwright.physics.materials.viscous. Do not edit."""

KIND = "viscosity"
N_PAR, LINEAR = 2, True


def power(count, par, given, out):
    for e in range(count):
        v11 = given[8 * e + 4]
        v12 = given[8 * e + 5]
        v21 = given[8 * e + 6]
        v22 = given[8 * e + 7]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        d11 = v11
        d12 = (0.5)*v12 + (0.5)*v21
        d22 = v22
        c0 = ((d11 + d22) * (d11 + d22))
        w = bulk_viscosity*c0 + 2.0*shear_viscosity*(-1.0 / 3.0*c0 + ((d11) * (d11)) + 2.0*((d12) * (d12)) + ((d22) * (d22)))
        out[1 * e + 0] = w


def stress(count, par, given, out):
    for e in range(count):
        v11 = given[8 * e + 4]
        v12 = given[8 * e + 5]
        v21 = given[8 * e + 6]
        v22 = given[8 * e + 7]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        d11 = v11
        d12 = (0.5)*v12 + (0.5)*v21
        d22 = v22
        d11_4 = 1.0
        d12_5 = 0.5
        d12_6 = 0.5
        d22_7 = 1.0
        c0 = (0.5)*bulk_viscosity*(2.0*d11 + 2.0*d22)
        w_d11 = shear_viscosity*((4.0 / 3.0)*d11 - 2.0 / 3.0*d22) + c0
        w_d12 = 4.0*shear_viscosity*d12
        w_d22 = shear_viscosity*(-2.0 / 3.0*d11 + (4.0 / 3.0)*d22) + c0
        out[4 * e + 0] = d11_4*w_d11
        out[4 * e + 1] = d12_5*w_d12
        out[4 * e + 2] = d12_6*w_d12
        out[4 * e + 3] = d22_7*w_d22


def tangent(count, par, given, out):
    for e in range(count):
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        d11_4 = 1.0
        d12_5 = 0.5
        d12_6 = 0.5
        d22_7 = 1.0
        c1 = bulk_viscosity + (4.0 / 3.0)*shear_viscosity
        c2 = 4.0*shear_viscosity
        out[26 * e + 0] = 0.0
        out[26 * e + 1] = 0.0
        out[26 * e + 2] = 0.0
        out[26 * e + 3] = 0.0
        out[26 * e + 4] = 0.0
        out[26 * e + 5] = 0.0
        out[26 * e + 6] = 0.0
        out[26 * e + 7] = 0.0
        out[26 * e + 8] = 0.0
        out[26 * e + 9] = 0.0
        out[26 * e + 10] = 0.0
        out[26 * e + 11] = 0.0
        out[26 * e + 12] = 0.0
        out[26 * e + 13] = 0.0
        out[26 * e + 14] = 0.0
        out[26 * e + 15] = 0.0
        out[26 * e + 16] = c1*((d11_4) * (d11_4))
        out[26 * e + 17] = 0.0
        out[26 * e + 18] = 0.0
        out[26 * e + 19] = d11_4*d22_7*(bulk_viscosity - 2.0 / 3.0*shear_viscosity)
        out[26 * e + 20] = c2*((d12_5) * (d12_5))
        out[26 * e + 21] = c2*d12_5*d12_6
        out[26 * e + 22] = 0.0
        out[26 * e + 23] = c2*((d12_6) * (d12_6))
        out[26 * e + 24] = 0.0
        out[26 * e + 25] = c1*((d22_7) * (d22_7))
