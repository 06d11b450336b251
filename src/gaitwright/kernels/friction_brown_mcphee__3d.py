"""Printed by gaitwright.derive from gaitwright.physics.friction.brown_mcphee. Do not edit."""

from math import sqrt, tanh

KIND = "friction_in_space"
N_PAR = 3

def force(count, par, given, out):
    for e in range(count):
        slip_x = given[7 * e + 0]
        slip_y = given[7 * e + 1]
        slip_z = given[7 * e + 2]
        normal = given[7 * e + 6]
        static_coefficient = par[3 * e + 0]
        kinetic_coefficient = par[3 * e + 1]
        transition_speed = par[3 * e + 2]
        c0 = (1.0 / (transition_speed))
        c1 = -kinetic_coefficient + static_coefficient
        c2 = ((slip_x) * (slip_x))
        c3 = (1.0 / ((transition_speed) * (transition_speed)))
        c4 = (1.0 / 4.0)*c3
        c5 = ((slip_y) * (slip_y))
        c6 = ((slip_z) * (slip_z))
        c7 = c2*c4 + c4*c5 + c4*c6 + 0.75
        c8 = (c0*c1) / (((c7) * (c7)))
        c9 = 16.0*c3
        c10 = c2*c9 + c5*c9 + c6*c9 + 1.0e-100
        c11 = sqrt((c10))
        c12 = tanh(c11)
        c13 = kinetic_coefficient*c12
        c14 = (4.0*c0*c13) / (c11)
        c15 = slip_x*c14 + slip_x*c8
        c16 = slip_y*c14 + slip_y*c8
        c17 = slip_z*c14 + slip_z*c8
        c18 = (1.0 / ((transition_speed) * (transition_speed) * (transition_speed)))
        c19 = c18*c2
        c20 = c1 / (((c7) * (c7) * (c7)))
        c21 = 64.0*c19
        c22 = c13 / (((c10) * sqrt((c10))))
        c23 = (1.0 / (c10))
        c24 = 1.0 - ((c12) * (c12))
        c25 = kinetic_coefficient*c23*c24
        c26 = c14 + c8
        c27 = c18*c20
        c28 = slip_x*c27
        c29 = 64.0*c18
        c30 = slip_x*c29
        c31 = -normal*(64.0*kinetic_coefficient*slip_x*slip_y*c18*c23*c24 - slip_y*c22*c30 - slip_y*c28)
        c32 = -normal*(64.0*kinetic_coefficient*slip_x*slip_z*c18*c23*c24 - slip_z*c22*c30 - slip_z*c28)
        c33 = c29*c5
        c34 = slip_y*slip_z
        c35 = -normal*(64.0*kinetic_coefficient*slip_y*slip_z*c18*c23*c24 - c22*c29*c34 - c27*c34)
        c36 = c29*c6
        out[25 * e + 0] = -normal*c15
        out[25 * e + 1] = -normal*c16
        out[25 * e + 2] = -normal*c17
        out[25 * e + 3] = -normal*(-c19*c20 - c21*c22 + c21*c25 + c26)
        out[25 * e + 4] = out[25 * e + 6] = c31
        out[25 * e + 5] = out[25 * e + 9] = c32
        out[25 * e + 7] = -normal*(-c22*c33 + c25*c33 + c26 - c27*c5)
        out[25 * e + 8] = out[25 * e + 10] = c35
        out[25 * e + 11] = -normal*(-c22*c36 + c25*c36 + c26 - c27*c6)
        out[25 * e + 12] = out[25 * e + 13] = out[25 * e + 14] = out[25 * e + 15] = out[25 * e + 16] = 0.0
        out[25 * e + 17] = out[25 * e + 18] = out[25 * e + 19] = out[25 * e + 20] = 0.0
        out[25 * e + 21] = -c15
        out[25 * e + 22] = -c16
        out[25 * e + 23] = -c17
        out[25 * e + 24] = -1.0
