"""Printed by gaitwright.derive from gaitwright.physics.friction.no_slip. Do not edit."""

KIND = "friction_in_space"
N_PAR = 2


def force(count, par, given, out):
    for e in range(count):
        slip_x = given[7 * e + 0]
        slip_y = given[7 * e + 1]
        slip_z = given[7 * e + 2]
        stretch_x = given[7 * e + 3]
        stretch_y = given[7 * e + 4]
        stretch_z = given[7 * e + 5]
        stiffness = par[2 * e + 0]
        damping = par[2 * e + 1]
        out[25 * e + 0] = -damping*slip_x - stiffness*stretch_x
        out[25 * e + 1] = -damping*slip_y - stiffness*stretch_y
        out[25 * e + 2] = -damping*slip_z - stiffness*stretch_z
        out[25 * e + 3] = -damping
        out[25 * e + 4] = 0.0
        out[25 * e + 5] = 0.0
        out[25 * e + 6] = 0.0
        out[25 * e + 7] = -damping
        out[25 * e + 8] = 0.0
        out[25 * e + 9] = 0.0
        out[25 * e + 10] = 0.0
        out[25 * e + 11] = -damping
        out[25 * e + 12] = -stiffness
        out[25 * e + 13] = 0.0
        out[25 * e + 14] = 0.0
        out[25 * e + 15] = 0.0
        out[25 * e + 16] = -stiffness
        out[25 * e + 17] = 0.0
        out[25 * e + 18] = 0.0
        out[25 * e + 19] = 0.0
        out[25 * e + 20] = -stiffness
        out[25 * e + 21] = 0.0
        out[25 * e + 22] = 0.0
        out[25 * e + 23] = 0.0
        out[25 * e + 24] = 1.00000000000000e+300
