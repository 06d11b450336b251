"""Printed by gaitwright.derive from gaitwright.physics.friction.bristle. Do not edit."""

from math import sqrt

KIND = "friction_in_space"
N_PAR = 3

def force(count, par, given, out):
    for e in range(count):
        slip_x = given[7 * e + 0]
        slip_y = given[7 * e + 1]
        slip_z = given[7 * e + 2]
        stretch_x = given[7 * e + 3]
        stretch_y = given[7 * e + 4]
        stretch_z = given[7 * e + 5]
        normal = given[7 * e + 6]
        coefficient = par[3 * e + 0]
        stiffness = par[3 * e + 1]
        damping = par[3 * e + 2]
        c0 = ((stiffness) * (stiffness))
        c1 = ((stretch_x) * (stretch_x))
        c2 = ((stretch_y) * (stretch_y))
        c3 = ((stretch_z) * (stretch_z))
        c4 = c0*c1 + c0*c2 + c0*c3 + 1.0e-100
        c5 = (1.0 / sqrt((c4)))
        c6 = coefficient*normal
        c7 = c5*c6
        c8 = min(1.0, c7)
        c9 = stiffness*c8
        c10 = damping*slip_x + stretch_x*c9
        c11 = ((c10) * (c10))
        c12 = damping*slip_y + stretch_y*c9
        c13 = ((c12) * (c12))
        c14 = damping*slip_z + stretch_z*c9
        c15 = ((c14) * (c14))
        c16 = c11 + c13 + c15 + 1.0e-100
        c17 = coefficient / (sqrt((c16)))
        c18 = normal*c17
        c19 = min(1.0, c18)
        c20 = -damping*c19
        c21 = (1.0 if 1.0 - c18 > 0.0 else 0.0)
        c22 = c6 / (((c16) * sqrt((c16))))
        c23 = c21*c22
        c24 = damping*c23
        c25 = c10*c24
        c26 = c12*c25
        c27 = c14*c25
        c28 = c12*c14*c24
        c29 = -stiffness*c8
        c30 = (1.0 if 1.0 - c7 > 0.0 else 0.0)
        c31 = (((stiffness) * (stiffness) * (stiffness))*c30*c6) / (((c4) * sqrt((c4))))
        c32 = c1*c31
        c33 = stretch_x*c31
        c34 = stretch_y*c12
        c35 = stretch_z*c14
        c36 = -2.0*stiffness*c8
        c37 = -0.5*c10*(-2.0*c32 - c36) + c33*c34 + c33*c35
        c38 = c10*c23
        c39 = stretch_x*c19
        c40 = stretch_y*c31
        c41 = c39*c40
        c42 = stretch_x*c10
        c43 = c2*c31
        c44 = -0.5*c12*(-c36 - 2.0*c43) + c35*c40 + c40*c42
        c45 = stretch_z*c31
        c46 = c39*c45
        c47 = c3*c31
        c48 = -0.5*c14*(-c36 - 2.0*c47) + c34*c45 + c42*c45
        c49 = c12*c23
        c50 = stretch_z*c19*c40
        c51 = c14*c23
        c52 = coefficient*stiffness*c30*c5
        c53 = stretch_y*c52
        c54 = stretch_z*c52
        c55 = c21*(c17 + c22*(-c12*c53 - c14*c54 - c42*c52))
        out[25 * e + 0] = -c10*c19
        out[25 * e + 1] = -c12*c19
        out[25 * e + 2] = -c14*c19
        out[25 * e + 3] = c11*c24 + c20
        out[25 * e + 4] = out[25 * e + 6] = c26
        out[25 * e + 5] = out[25 * e + 9] = c27
        out[25 * e + 7] = c13*c24 + c20
        out[25 * e + 8] = out[25 * e + 10] = c28
        out[25 * e + 11] = c15*c24 + c20
        out[25 * e + 12] = -c19*(-c29 - c32) - c37*c38
        out[25 * e + 13] = -c38*c44 + c41
        out[25 * e + 14] = -c38*c48 + c46
        out[25 * e + 15] = -c37*c49 + c41
        out[25 * e + 16] = -c19*(-c29 - c43) - c44*c49
        out[25 * e + 17] = -c48*c49 + c50
        out[25 * e + 18] = -c37*c51 + c46
        out[25 * e + 19] = -c44*c51 + c50
        out[25 * e + 20] = -c19*(-c29 - c47) - c48*c51
        out[25 * e + 21] = -c10*c55 - c39*c52
        out[25 * e + 22] = -c12*c55 - c19*c53
        out[25 * e + 23] = -c14*c55 - c19*c54
        out[25 * e + 24] = c6 / (stiffness)
