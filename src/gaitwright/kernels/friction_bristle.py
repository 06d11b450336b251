"""Printed by gaitwright.derive from gaitwright.physics.friction.bristle. Do not edit."""

KIND = "friction"
N_PAR = 3


def force(count, par, given, out):
    for e in range(count):
        slip = given[3 * e + 0]
        stretch = given[3 * e + 1]
        normal = given[3 * e + 2]
        coefficient = par[3 * e + 0]
        stiffness = par[3 * e + 1]
        damping = par[3 * e + 2]
        c0 = coefficient*normal
        c2 = stiffness*stretch
        c3 = min(c0, c2)
        c4 = damping*slip + max(c3, -c0)
        c5 = min(c0, c4)
        c6 = -c0 + c4
        c7 = (1.0 if -c6 > 0.0 else 0.0)
        c8 = c0 + c5
        c9 = (1.0 if c8 > 0.0 else 0.0)
        c10 = c7*c9
        c11 = c0 + c3
        c12 = (1.0 if c11 > 0.0 else 0.0)
        c13 = c0 - c2
        out[5 * e + 0] = -max(c5, -c0)
        out[5 * e + 1] = -damping*c10
        out[5 * e + 2] = -stiffness*c10*c12*(1.0 if c13 > 0.0 else 0.0)
        out[5 * e + 3] = coefficient*(1.0 if -c8 > 0.0 else 0.0) - c9*(coefficient*(1.0 if c6 > 0.0 else 0.0) + c7*(coefficient*c12*(1.0 if -c13 > 0.0 else 0.0) - coefficient*(1.0 if -c11 > 0.0 else 0.0)))
        out[5 * e + 4] = c0 / (stiffness)
