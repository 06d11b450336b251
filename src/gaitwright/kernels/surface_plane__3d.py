"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.plane. Do not edit."""

KIND = "shape"
N_PAR = 4

def surface(count, par, given, out):
    for e in range(count):
        at_x = given[3 * e + 0]
        at_y = given[3 * e + 1]
        at_z = given[3 * e + 2]
        direction_x = par[4 * e + 0]
        direction_y = par[4 * e + 1]
        direction_z = par[4 * e + 2]
        radius = par[4 * e + 3]
        out[8 * e + 0] = at_x*direction_x + at_y*direction_y + at_z*direction_z - radius
        out[8 * e + 1] = 1.0
        out[8 * e + 2] = out[8 * e + 5] = direction_x
        out[8 * e + 3] = out[8 * e + 6] = direction_y
        out[8 * e + 4] = out[8 * e + 7] = direction_z

def tangent(count, par, given, out):
    for e in range(count):
        out[18 * e + 0] = out[18 * e + 1] = out[18 * e + 2] = out[18 * e + 3] = out[18 * e + 4] = out[18 * e + 5] = 0.0
        out[18 * e + 6] = out[18 * e + 7] = out[18 * e + 8] = out[18 * e + 9] = out[18 * e + 10] = 0.0
        out[18 * e + 11] = out[18 * e + 12] = out[18 * e + 13] = out[18 * e + 14] = out[18 * e + 15] = 0.0
        out[18 * e + 16] = out[18 * e + 17] = 0.0
