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
        c1 = -c0
        c2 = damping*slip + stiffness*stretch
        c3 = min(c0, c2)
        c4 = c0 + c3
        c5 = (1.0 if c4 > 0.0 else 0.0)
        c6 = c1 + c2
        c7 = c5*(1.0 if -c6 > 0.0 else 0.0)
        out[5 * e + 0] = -max(c1, c3)
        out[5 * e + 1] = -damping*c7
        out[5 * e + 2] = -stiffness*c7
        out[5 * e + 3] = -coefficient*c5*(1.0 if c6 > 0.0 else 0.0) + coefficient*(1.0 if -c4 > 0.0 else 0.0)
        out[5 * e + 4] = c0 / (stiffness)
