"""Printed by gaitwright.derive from gaitwright.physics.materials.viscous. Do not edit."""

KIND = "viscosity"
N_PAR, LINEAR = 2, False

def power(count, par, given, out):
    for e in range(count):
        d11 = given[3 * e + 0]
        d12 = given[3 * e + 1]
        d22 = given[3 * e + 2]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        c0 = ((d11 + d22) * (d11 + d22))
        out[e] = bulk_viscosity*c0 + 2.0*shear_viscosity*(((d11) * (d11)) + 2.0*((d12) * (d12)) + ((d22) * (d22)) - 1.0 / 3.0*c0)

def stress(count, par, given, out):
    for e in range(count):
        d11 = given[3 * e + 0]
        d12 = given[3 * e + 1]
        d22 = given[3 * e + 2]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        c0 = (0.5)*bulk_viscosity*(2.0*d11 + 2.0*d22)
        out[3 * e + 0] = shear_viscosity*((4.0 / 3.0)*d11 - 2.0 / 3.0*d22) + c0
        out[3 * e + 1] = 4.0*d12*shear_viscosity
        out[3 * e + 2] = shear_viscosity*(-2.0 / 3.0*d11 + (4.0 / 3.0)*d22) + c0

def tangent(count, par, given, out):
    for e in range(count):
        d11 = given[3 * e + 0]
        d12 = given[3 * e + 1]
        d22 = given[3 * e + 2]
        shear_viscosity = par[2 * e + 0]
        bulk_viscosity = par[2 * e + 1]
        c0 = (0.5)*bulk_viscosity*(2.0*d11 + 2.0*d22)
        c1 = 4.0*shear_viscosity
        c2 = bulk_viscosity + (4.0 / 3.0)*shear_viscosity
        out[12 * e + 0] = shear_viscosity*((4.0 / 3.0)*d11 - 2.0 / 3.0*d22) + c0
        out[12 * e + 1] = d12*c1
        out[12 * e + 2] = shear_viscosity*(-2.0 / 3.0*d11 + (4.0 / 3.0)*d22) + c0
        out[12 * e + 3] = out[12 * e + 11] = c2
        out[12 * e + 5] = bulk_viscosity - 2.0 / 3.0*shear_viscosity
        out[12 * e + 7] = c1
