"""Printed by gaitwright.derive from gaitwright.physics.friction.smooth_coulomb. Do not edit."""

from math import sqrt, tanh

KIND = "friction_in_space"
N_PAR = 2

def force(count, par, given, out):
    for e in range(count):
        slip_x = given[7 * e + 0]
        slip_y = given[7 * e + 1]
        slip_z = given[7 * e + 2]
        normal = given[7 * e + 6]
        coefficient = par[2 * e + 0]
        transition_speed = par[2 * e + 1]
        c0 = ((slip_x) * (slip_x))
        c1 = (1.0 / ((transition_speed) * (transition_speed)))
        c2 = ((slip_y) * (slip_y))
        c3 = ((slip_z) * (slip_z))
        c4 = c0*c1 + c1*c2 + c1*c3 + 1.0e-100
        c5 = sqrt((c4))
        c6 = tanh(c5)
        c7 = coefficient*normal
        c8 = 1.0 / (transition_speed*c5)
        c9 = c6*c7*c8
        c10 = (1.0 / ((transition_speed) * (transition_speed) * (transition_speed)))
        c11 = (1.0 / ((c4) * sqrt((c4))))
        c12 = (c7*(1.0 - ((c6) * (c6)))) / (c4)
        c13 = slip_x*c10
        c14 = coefficient*normal*slip_x*slip_y*c10*c11*c6 - slip_y*c12*c13
        c15 = coefficient*normal*slip_x*slip_z*c10*c11*c6 - slip_z*c12*c13
        c16 = coefficient*normal*slip_y*slip_z*c10*c11*c6 - slip_y*slip_z*c10*c12
        c17 = coefficient*c6*c8
        out[25 * e + 0] = -slip_x*c9
        out[25 * e + 1] = -slip_y*c9
        out[25 * e + 2] = -slip_z*c9
        out[25 * e + 3] = coefficient*normal*c0*c10*c11*c6 - c0*c10*c12 - c9
        out[25 * e + 4] = out[25 * e + 6] = c14
        out[25 * e + 5] = out[25 * e + 9] = c15
        out[25 * e + 7] = coefficient*normal*c10*c11*c2*c6 - c10*c12*c2 - c9
        out[25 * e + 8] = out[25 * e + 10] = c16
        out[25 * e + 11] = coefficient*normal*c10*c11*c3*c6 - c10*c12*c3 - c9
        out[25 * e + 12] = out[25 * e + 13] = out[25 * e + 14] = out[25 * e + 15] = out[25 * e + 16] = 0.0
        out[25 * e + 17] = out[25 * e + 18] = out[25 * e + 19] = out[25 * e + 20] = 0.0
        out[25 * e + 21] = -slip_x*c17
        out[25 * e + 22] = -slip_y*c17
        out[25 * e + 23] = -slip_z*c17
        out[25 * e + 24] = -1.0
