"""Printed by gaitwright.derive from gaitwright.physics.materials.viscous. Do not edit."""

KIND = "viscosity"
N_PAR, LINEAR = 2, True

def power(count, par, given, out):
    for e in range(count):
        d11 = given[6 * e + 0]
        d12 = given[6 * e + 1]
        d13 = given[6 * e + 2]
        d22 = given[6 * e + 3]
        d23 = given[6 * e + 4]
        d33 = given[6 * e + 5]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        c0 = ((d11 + d22 + d33) * (d11 + d22 + d33))
        out[e] = bulk_viscosity*c0 + 2.0*shear_viscosity*(((d11) * (d11)) + 2.0*((d12) * (d12)) + 2.0*((d13) * (d13)) + ((d22) * (d22)) + 2.0*((d23) * (d23)) + ((d33) * (d33)) - 1.0 / 3.0*c0)

def stress(count, par, given, out):
    for e in range(count):
        d11 = given[6 * e + 0]
        d12 = given[6 * e + 1]
        d13 = given[6 * e + 2]
        d22 = given[6 * e + 3]
        d23 = given[6 * e + 4]
        d33 = given[6 * e + 5]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        c0 = (2.0 / 3.0)*d22
        c1 = (2.0 / 3.0)*d33
        c2 = (0.5)*bulk_viscosity*(2.0*d11 + 2.0*d22 + 2.0*d33)
        c3 = 4.0*shear_viscosity
        c4 = (2.0 / 3.0)*d11
        out[6 * e + 0] = shear_viscosity*((4.0 / 3.0)*d11 - c0 - c1) + c2
        out[6 * e + 1] = d12*c3
        out[6 * e + 2] = d13*c3
        out[6 * e + 3] = shear_viscosity*((4.0 / 3.0)*d22 - c1 - c4) + c2
        out[6 * e + 4] = d23*c3
        out[6 * e + 5] = shear_viscosity*((4.0 / 3.0)*d33 - c0 - c4) + c2

def tangent(count, par, given, out):
    for e in range(count):
        d11 = given[6 * e + 0]
        d12 = given[6 * e + 1]
        d13 = given[6 * e + 2]
        d22 = given[6 * e + 3]
        d23 = given[6 * e + 4]
        d33 = given[6 * e + 5]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        c0 = (2.0 / 3.0)*d22
        c1 = (2.0 / 3.0)*d33
        c2 = (0.5)*bulk_viscosity*(2.0*d11 + 2.0*d22 + 2.0*d33)
        c3 = 4.0*shear_viscosity
        c4 = (2.0 / 3.0)*d11
        c5 = bulk_viscosity + (4.0 / 3.0)*shear_viscosity
        c6 = bulk_viscosity - 2.0 / 3.0*shear_viscosity
        out[42 * e + 0] = shear_viscosity*((4.0 / 3.0)*d11 - c0 - c1) + c2
        out[42 * e + 1] = d12*c3
        out[42 * e + 2] = d13*c3
        out[42 * e + 3] = shear_viscosity*((4.0 / 3.0)*d22 - c1 - c4) + c2
        out[42 * e + 4] = d23*c3
        out[42 * e + 5] = shear_viscosity*((4.0 / 3.0)*d33 - c0 - c4) + c2
        out[42 * e + 6] = out[42 * e + 27] = out[42 * e + 41] = c5
        out[42 * e + 9] = out[42 * e + 11] = out[42 * e + 29] = c6
        out[42 * e + 13] = out[42 * e + 20] = out[42 * e + 34] = c3
