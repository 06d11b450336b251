"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.sphere. Do not edit."""

from math import sqrt

KIND = "shape"
N_PAR = 2

def surface(count, par, given, out):
    for e in range(count):
        at_x = given[3 * e + 0]
        at_y = given[3 * e + 1]
        at_z = given[3 * e + 2]
        radius_a = par[2 * e + 0]
        radius = par[2 * e + 1]
        c0 = sqrt((((at_x) * (at_x)) + ((at_y) * (at_y)) + ((at_z) * (at_z))))
        c1 = (1.0 / (c0))
        c2 = at_x*c1
        c3 = at_y*c1
        c4 = at_z*c1
        out[8 * e + 0] = -radius - radius_a + c0
        out[8 * e + 1] = 1.0
        out[8 * e + 2] = out[8 * e + 5] = c2
        out[8 * e + 3] = out[8 * e + 6] = c3
        out[8 * e + 4] = out[8 * e + 7] = c4

def tangent(count, par, given, out):
    for e in range(count):
        at_x = given[3 * e + 0]
        at_y = given[3 * e + 1]
        at_z = given[3 * e + 2]
        c0 = ((at_x) * (at_x))
        c1 = ((at_y) * (at_y))
        c2 = ((at_z) * (at_z))
        c3 = c0 + c1 + c2
        c4 = (-1.0) / (sqrt((c3)))
        c5 = (1.0 / ((c3) * sqrt((c3))))
        c6 = -c0*c5 - c4
        c7 = at_x*c5
        c8 = -at_y*c7
        c9 = -at_z*c7
        c10 = -c1*c5 - c4
        c11 = -at_y*at_z*c5
        c12 = -c2*c5 - c4
        out[18 * e + 0] = out[18 * e + 9] = c6
        out[18 * e + 1] = out[18 * e + 3] = out[18 * e + 10] = out[18 * e + 12] = c8
        out[18 * e + 2] = out[18 * e + 6] = out[18 * e + 11] = out[18 * e + 15] = c9
        out[18 * e + 4] = out[18 * e + 13] = c10
        out[18 * e + 5] = out[18 * e + 7] = out[18 * e + 14] = out[18 * e + 16] = c11
        out[18 * e + 8] = out[18 * e + 17] = c12
