"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.notch. Do not edit."""

from math import sqrt

KIND = "shape"
N_PAR = 9

def surface(count, par, given, out):
    for e in range(count):
        at_x = given[2 * e + 0]
        at_y = given[2 * e + 1]
        before_x = par[9 * e + 0]
        before_y = par[9 * e + 1]
        after_x = par[9 * e + 2]
        after_y = par[9 * e + 3]
        along_x = par[9 * e + 4]
        along_y = par[9 * e + 5]
        radius = par[9 * e + 6]
        margin = par[9 * e + 7]
        depth = par[9 * e + 8]
        c0 = sqrt((((at_x) * (at_x)) + ((at_y) * (at_y)) + 1.0e-200))
        c1 = (1.0 / (c0))
        out[6 * e + 0] = -radius - c0
        out[6 * e + 1] = min(depth - c0, at_x*before_x + at_y*before_y + margin, -after_x*at_x - after_y*at_y + margin)
        out[6 * e + 2] = -along_y
        out[6 * e + 3] = along_x
        out[6 * e + 4] = -at_x*c1
        out[6 * e + 5] = -at_y*c1

def tangent(count, par, given, out):
    for e in range(count):
        at_x = given[2 * e + 0]
        at_y = given[2 * e + 1]
        c0 = ((at_x) * (at_x))
        c1 = ((at_y) * (at_y))
        c2 = c0 + c1 + 1.0e-200
        c3 = (-1.0) / (sqrt((c2)))
        c4 = (1.0 / ((c2) * sqrt((c2))))
        c5 = at_x*at_y*c4
        out[8 * e + 0] = c0*c4 + c3
        out[8 * e + 1] = out[8 * e + 2] = c5
        out[8 * e + 3] = c1*c4 + c3
        out[8 * e + 4] = out[8 * e + 5] = out[8 * e + 6] = out[8 * e + 7] = 0.0
