"""Printed by gaitwright.derive from gaitwright.physics.friction.no_slip. Do not edit."""

KIND = "friction"
N_PAR = 2

def force(count, par, given, out):
    for e in range(count):
        slip = given[3 * e + 0]
        stretch = given[3 * e + 1]
        stiffness = par[2 * e + 0]
        damping = par[2 * e + 1]
        out[5 * e + 0] = -damping*slip - stiffness*stretch
        out[5 * e + 1] = -damping
        out[5 * e + 2] = -stiffness
        out[5 * e + 3] = 0.0
        out[5 * e + 4] = 1.00000000000000e+300
