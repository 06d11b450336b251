"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.sphere. Do not edit."""

from math import sqrt

KIND = "shape"
N_PAR = 2

def surface(count, par, given, out):
    for e in range(count):
        at_x = given[2 * e + 0]
        at_y = given[2 * e + 1]
        radius_a = par[2 * e + 0]
        radius = par[2 * e + 1]
        c0 = sqrt((((at_x) * (at_x)) + ((at_y) * (at_y))))
        c1 = (1.0 / (c0))
        c2 = at_x*c1
        c3 = at_y*c1
        out[6 * e + 0] = -radius - radius_a + c0
        out[6 * e + 1] = 1.0
        out[6 * e + 2] = out[6 * e + 4] = c2
        out[6 * e + 3] = out[6 * e + 5] = c3

def tangent(count, par, given, out):
    for e in range(count):
        at_x = given[2 * e + 0]
        at_y = given[2 * e + 1]
        c0 = ((at_x) * (at_x))
        c1 = ((at_y) * (at_y))
        c2 = c0 + c1
        c3 = (-1.0) / (sqrt((c2)))
        c4 = (1.0 / ((c2) * sqrt((c2))))
        c5 = -c0*c4 - c3
        c6 = -at_x*at_y*c4
        c7 = -c1*c4 - c3
        out[8 * e + 0] = out[8 * e + 4] = c5
        out[8 * e + 1] = out[8 * e + 2] = out[8 * e + 5] = out[8 * e + 6] = c6
        out[8 * e + 3] = out[8 * e + 7] = c7
