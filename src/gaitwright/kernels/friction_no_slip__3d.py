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
        out[25 * e + 3] = out[25 * e + 7] = out[25 * e + 11] = -damping
        out[25 * e + 4] = out[25 * e + 5] = out[25 * e + 6] = out[25 * e + 8] = out[25 * e + 9] = out[25 * e + 10] = 0.0
        out[25 * e + 12] = out[25 * e + 16] = out[25 * e + 20] = -stiffness
        out[25 * e + 13] = out[25 * e + 14] = out[25 * e + 15] = out[25 * e + 17] = out[25 * e + 18] = 0.0
        out[25 * e + 19] = out[25 * e + 21] = out[25 * e + 22] = out[25 * e + 23] = 0.0
        out[25 * e + 24] = 1.00000000000000e+300
