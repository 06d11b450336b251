"""Printed by gaitwright.derive from gaitwright.physics.friction.coulomb. Do not edit."""

from math import sqrt

KIND = "friction_in_space"
N_PAR = 3

def force(count, par, given, out):
    for e in range(count):
        slip_x = given[7 * e + 0]
        slip_y = given[7 * e + 1]
        slip_z = given[7 * e + 2]
        normal = given[7 * e + 6]
        coefficient = par[3 * e + 0]
        v0 = par[3 * e + 1]
        v1 = par[3 * e + 2]
        c0 = coefficient*normal
        c1 = ((slip_x) * (slip_x))
        c2 = ((slip_y) * (slip_y))
        c3 = ((slip_z) * (slip_z))
        c4 = c1 + c2 + c3 + 1.0e-100
        c5 = sqrt((c4))
        c6 = (1.0 / (-v0 + v1))
        c7 = c6*(-v0 + c5)
        c8 = max(0.0, c7)
        c9 = min(1.0, c8)
        c10 = c9 / (c5)
        c11 = c0*c10
        c12 = (1.0 / ((c4) * sqrt((c4))))
        c13 = (c6*(1.0 if c7 > 0.0 else 0.0)*(1.0 if 1.0 - c8 > 0.0 else 0.0)) / (c4)
        c14 = c0*c12*c9
        c15 = slip_x*c14
        c16 = c0*c13
        c17 = slip_x*c16
        c18 = slip_y*c15 - slip_y*c17
        c19 = slip_z*c15 - slip_z*c17
        c20 = slip_y*slip_z
        c21 = c14*c20 - c16*c20
        c22 = coefficient*c10
        out[25 * e + 0] = -slip_x*c11
        out[25 * e + 1] = -slip_y*c11
        out[25 * e + 2] = -slip_z*c11
        out[25 * e + 3] = coefficient*normal*c1*c12*c9 - c0*c1*c13 - c11
        out[25 * e + 4] = out[25 * e + 6] = c18
        out[25 * e + 5] = out[25 * e + 9] = c19
        out[25 * e + 7] = coefficient*normal*c12*c2*c9 - c11 - c16*c2
        out[25 * e + 8] = out[25 * e + 10] = c21
        out[25 * e + 11] = coefficient*normal*c12*c3*c9 - c11 - c16*c3
        out[25 * e + 12] = out[25 * e + 13] = out[25 * e + 14] = out[25 * e + 15] = out[25 * e + 16] = 0.0
        out[25 * e + 17] = out[25 * e + 18] = out[25 * e + 19] = out[25 * e + 20] = 0.0
        out[25 * e + 21] = -slip_x*c22
        out[25 * e + 22] = -slip_y*c22
        out[25 * e + 23] = -slip_z*c22
        out[25 * e + 24] = -1.0
