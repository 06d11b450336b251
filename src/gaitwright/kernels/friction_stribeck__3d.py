"""Printed by gaitwright.derive from gaitwright.physics.friction.stribeck. Do not edit."""

from math import exp, sqrt, tanh

KIND = "friction_in_space"
N_PAR = 5

def force(count, par, given, out):
    for e in range(count):
        slip_x = given[7 * e + 0]
        slip_y = given[7 * e + 1]
        slip_z = given[7 * e + 2]
        normal = given[7 * e + 6]
        static_coefficient = par[5 * e + 0]
        kinetic_coefficient = par[5 * e + 1]
        stribeck_speed = par[5 * e + 2]
        viscous = par[5 * e + 3]
        transition_speed = par[5 * e + 4]
        c0 = ((slip_x) * (slip_x))
        c1 = (1.0 / ((stribeck_speed) * (stribeck_speed)))
        c2 = c0*c1
        c3 = ((slip_y) * (slip_y))
        c4 = c1*c3
        c5 = ((slip_z) * (slip_z))
        c6 = c1*c5
        c7 = (-kinetic_coefficient + static_coefficient) / (exp(c2 + c4 + c6))
        c8 = kinetic_coefficient + c7
        c9 = (1.0 / ((transition_speed) * (transition_speed)))
        c10 = c0*c9 + c3*c9 + c5*c9 + 1.0e-100
        c11 = sqrt((c10))
        c12 = tanh(c11)
        c13 = c12*c8
        c14 = 1.0 / (transition_speed*c11)
        c15 = c13*c14
        c16 = slip_x*viscous + slip_x*c15
        c17 = slip_y*viscous + slip_y*c15
        c18 = slip_z*viscous + slip_z*c15
        c19 = (1.0 / ((transition_speed) * (transition_speed) * (transition_speed)))
        c20 = c0*c19
        c21 = (1.0 / (c10))
        c22 = 1.0 - ((c12) * (c12))
        c23 = c21*c22*c8
        c24 = c13 / (((c10) * sqrt((c10))))
        c25 = 2.0*c12*c14*c7
        c26 = viscous + c15
        c27 = slip_x*c19
        c28 = c1*c25
        c29 = slip_x*c28
        c30 = -normal*(slip_x*slip_y*c19*c21*c22*c8 - slip_y*c24*c27 - slip_y*c29)
        c31 = -normal*(slip_x*slip_z*c19*c21*c22*c8 - slip_z*c24*c27 - slip_z*c29)
        c32 = c19*c3
        c33 = slip_y*slip_z
        c34 = -normal*(slip_y*slip_z*c19*c21*c22*c8 - c19*c24*c33 - c28*c33)
        c35 = c19*c5
        out[25 * e + 0] = -normal*c16
        out[25 * e + 1] = -normal*c17
        out[25 * e + 2] = -normal*c18
        out[25 * e + 3] = -normal*(-c2*c25 + c20*c23 - c20*c24 + c26)
        out[25 * e + 4] = out[25 * e + 6] = c30
        out[25 * e + 5] = out[25 * e + 9] = c31
        out[25 * e + 7] = -normal*(c23*c32 - c24*c32 - c25*c4 + c26)
        out[25 * e + 8] = out[25 * e + 10] = c34
        out[25 * e + 11] = -normal*(c23*c35 - c24*c35 - c25*c6 + c26)
        out[25 * e + 12] = out[25 * e + 13] = out[25 * e + 14] = out[25 * e + 15] = out[25 * e + 16] = 0.0
        out[25 * e + 17] = out[25 * e + 18] = out[25 * e + 19] = out[25 * e + 20] = 0.0
        out[25 * e + 21] = -c16
        out[25 * e + 22] = -c17
        out[25 * e + 23] = -c18
        out[25 * e + 24] = -1.0
