"""Printed by gaitwright.derive from gaitwright.physics.materials.viscous. Do not edit."""

KIND = "viscosity"
N_PAR, LINEAR = 2, False


def power(count, par, given, out):
    for e in range(count):
        h11 = given[8 * e + 0]
        h12 = given[8 * e + 1]
        h21 = given[8 * e + 2]
        h22 = given[8 * e + 3]
        v11 = given[8 * e + 4]
        v12 = given[8 * e + 5]
        v21 = given[8 * e + 6]
        v22 = given[8 * e + 7]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        c0 = (0.5)*v12
        c1 = (0.5)*v21
        d11 = h11*v11 + h21*v21 + v11
        d12 = h11*c0 + (0.5)*h12*v11 + (0.5)*h21*v22 + h22*c1 + c0 + c1
        d22 = h12*v12 + h22*v22 + v22
        c2 = ((d11 + d22) * (d11 + d22))
        w = bulk_viscosity*c2 + 2.0*shear_viscosity*(-1.0 / 3.0*c2 + ((d11) * (d11)) + 2.0*((d12) * (d12)) + ((d22) * (d22)))
        out[1 * e + 0] = w


def stress(count, par, given, out):
    for e in range(count):
        h11 = given[8 * e + 0]
        h12 = given[8 * e + 1]
        h21 = given[8 * e + 2]
        h22 = given[8 * e + 3]
        v11 = given[8 * e + 4]
        v12 = given[8 * e + 5]
        v21 = given[8 * e + 6]
        v22 = given[8 * e + 7]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        c0 = (0.5)*v12
        c1 = (0.5)*v21
        d11 = h11*v11 + h21*v21 + v11
        d12 = h11*c0 + (0.5)*h12*v11 + (0.5)*h21*v22 + h22*c1 + c0 + c1
        d22 = h12*v12 + h22*v22 + v22
        d11_4 = h11 + 1.0
        d11_6 = h21
        d12_4 = (0.5)*h12
        d12_5 = (0.5)*h11 + 0.5
        d12_6 = (0.5)*h22 + 0.5
        d12_7 = (0.5)*h21
        d22_5 = h12
        d22_7 = h22 + 1.0
        c2 = (0.5)*bulk_viscosity*(2.0*d11 + 2.0*d22)
        w_d11 = shear_viscosity*((4.0 / 3.0)*d11 - 2.0 / 3.0*d22) + c2
        w_d12 = 4.0*shear_viscosity*d12
        w_d22 = shear_viscosity*(-2.0 / 3.0*d11 + (4.0 / 3.0)*d22) + c2
        out[4 * e + 0] = d11_4*w_d11 + d12_4*w_d12
        out[4 * e + 1] = d12_5*w_d12 + d22_5*w_d22
        out[4 * e + 2] = d11_6*w_d11 + d12_6*w_d12
        out[4 * e + 3] = d12_7*w_d12 + d22_7*w_d22


def tangent(count, par, given, out):
    for e in range(count):
        h11 = given[8 * e + 0]
        h12 = given[8 * e + 1]
        h21 = given[8 * e + 2]
        h22 = given[8 * e + 3]
        v11 = given[8 * e + 4]
        v12 = given[8 * e + 5]
        v21 = given[8 * e + 6]
        v22 = given[8 * e + 7]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        c0 = (0.5)*v12
        c1 = (0.5)*v21
        d11 = h11*v11 + h21*v21 + v11
        d12 = h11*c0 + (0.5)*h12*v11 + (0.5)*h21*v22 + h22*c1 + c0 + c1
        d22 = h12*v12 + h22*v22 + v22
        d11_0 = v11
        d11_2 = v21
        d11_4 = h11 + 1.0
        d11_6 = h21
        d12_0 = (0.5)*v12
        d12_1 = (0.5)*v11
        d12_2 = (0.5)*v22
        d12_3 = (0.5)*v21
        d12_4 = (0.5)*h12
        d12_5 = (0.5)*h11 + 0.5
        d12_6 = (0.5)*h22 + 0.5
        d12_7 = (0.5)*h21
        d22_1 = v12
        d22_3 = v22
        d22_5 = h12
        d22_7 = h22 + 1.0
        c2 = (0.5)*bulk_viscosity*(2.0*d11 + 2.0*d22)
        w_d11 = shear_viscosity*((4.0 / 3.0)*d11 - 2.0 / 3.0*d22) + c2
        w_d12 = 4.0*shear_viscosity*d12
        w_d22 = shear_viscosity*(-2.0 / 3.0*d11 + (4.0 / 3.0)*d22) + c2
        c3 = 4.0*shear_viscosity
        c4 = c3*d12_4
        c5 = bulk_viscosity + (4.0 / 3.0)*shear_viscosity
        c6 = c5*d11_4
        c7 = (0.5)*w_d12
        c8 = bulk_viscosity - 2.0 / 3.0*shear_viscosity
        c9 = c8*d11_4
        c10 = c3*d12_5
        c11 = c8*d22_5
        c12 = c5*d22_5
        c13 = c3*d12_6
        c14 = c5*d11_6
        c15 = c8*d11_6
        c16 = c3*d12_7
        c17 = c8*d22_7
        c18 = c5*d22_7
        out[26 * e + 0] = c4*d12_0 + c6*d11_0 + w_d11
        out[26 * e + 1] = c4*d12_1 + c7 + c9*d22_1
        out[26 * e + 2] = c4*d12_2 + c6*d11_2
        out[26 * e + 3] = c4*d12_3 + c9*d22_3
        out[26 * e + 4] = c10*d12_0 + c11*d11_0 + c7
        out[26 * e + 5] = c10*d12_1 + c12*d22_1 + w_d22
        out[26 * e + 6] = c10*d12_2 + c11*d11_2
        out[26 * e + 7] = c10*d12_3 + c12*d22_3
        out[26 * e + 8] = c13*d12_0 + c14*d11_0
        out[26 * e + 9] = c13*d12_1 + c15*d22_1
        out[26 * e + 10] = c13*d12_2 + c14*d11_2 + w_d11
        out[26 * e + 11] = c13*d12_3 + c15*d22_3 + c7
        out[26 * e + 12] = c16*d12_0 + c17*d11_0
        out[26 * e + 13] = c16*d12_1 + c18*d22_1
        out[26 * e + 14] = c16*d12_2 + c17*d11_2 + c7
        out[26 * e + 15] = c16*d12_3 + c18*d22_3 + w_d22
        out[26 * e + 16] = c3*((d12_4) * (d12_4)) + c5*((d11_4) * (d11_4))
        out[26 * e + 17] = c4*d12_5 + c9*d22_5
        out[26 * e + 18] = c4*d12_6 + c6*d11_6
        out[26 * e + 19] = c4*d12_7 + c9*d22_7
        out[26 * e + 20] = c3*((d12_5) * (d12_5)) + c5*((d22_5) * (d22_5))
        out[26 * e + 21] = c10*d12_6 + c11*d11_6
        out[26 * e + 22] = c10*d12_7 + c12*d22_7
        out[26 * e + 23] = c3*((d12_6) * (d12_6)) + c5*((d11_6) * (d11_6))
        out[26 * e + 24] = c13*d12_7 + c15*d22_7
        out[26 * e + 25] = c3*((d12_7) * (d12_7)) + c5*((d22_7) * (d22_7))
