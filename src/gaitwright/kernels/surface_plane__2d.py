"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.plane. Do not edit."""

KIND = "shape"
N_PAR = 3

def surface(count, par, given, out):
    for e in range(count):
        at_x = given[2 * e + 0]
        at_y = given[2 * e + 1]
        direction_x = par[3 * e + 0]
        direction_y = par[3 * e + 1]
        radius = par[3 * e + 2]
        out[6 * e + 0] = at_x*direction_x + at_y*direction_y - radius
        out[6 * e + 1] = 1.0
        out[6 * e + 2] = out[6 * e + 4] = direction_x
        out[6 * e + 3] = out[6 * e + 5] = direction_y

def tangent(count, par, given, out):
    for e in range(count):
        out[8 * e + 0] = out[8 * e + 1] = out[8 * e + 2] = out[8 * e + 3] = out[8 * e + 4] = out[8 * e + 5] = 0.0
        out[8 * e + 6] = out[8 * e + 7] = 0.0
