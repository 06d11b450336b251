"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.face. Do not edit."""

KIND = "shape"
N_PAR = 8

def surface(count, par, given, out):
    for e in range(count):
        at_x = given[2 * e + 0]
        at_y = given[2 * e + 1]
        tangent_x = par[8 * e + 0]
        tangent_y = par[8 * e + 1]
        radius = par[8 * e + 2]
        length = par[8 * e + 3]
        lean_start = par[8 * e + 4]
        lean_end = par[8 * e + 5]
        reach = par[8 * e + 6]
        depth = par[8 * e + 7]
        c0 = at_x*tangent_y
        c1 = at_y*tangent_x
        c2 = c0 - c1
        c3 = max(0.0, c2)
        c4 = at_x*tangent_x + at_y*tangent_y
        out[6 * e + 0] = -radius - c2
        out[6 * e + 1] = min(depth - c0 + c1, -lean_start*c3 + reach + c4, -lean_end*c3 + length + reach - c4)
        out[6 * e + 2] = out[6 * e + 4] = -tangent_y
        out[6 * e + 3] = out[6 * e + 5] = tangent_x

def tangent(count, par, given, out):
    for e in range(count):
        out[8 * e + 0] = out[8 * e + 1] = out[8 * e + 2] = out[8 * e + 3] = out[8 * e + 4] = out[8 * e + 5] = 0.0
        out[8 * e + 6] = out[8 * e + 7] = 0.0
