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
        c1 = stiffness*stretch
        c2 = -c0 + c1
        c3 = c0 + c1
        c5 = damping*slip - max(0.0, c2) + max(0.0, -c3)
        c6 = c1 + c5
        c7 = -c0 + c6
        c8 = -c3 - c5
        c9 = (1.0 if c7 > 0.0 else 0.0)
        c10 = (1.0 if c8 > 0.0 else 0.0)
        c11 = (1.0 if c2 > 0.0 else 0.0)
        c12 = (1.0 if -c3 > 0.0 else 0.0)
        c13 = stiffness*c11 + stiffness*c12 - stiffness
        c14 = coefficient*c12
        c15 = coefficient*c11
        c16 = c14 - c15
        out[5 * e + 0] = -c6 + max(0.0, c7) - max(0.0, c8)
        out[5 * e + 1] = damping*c10 + damping*c9 - damping
        out[5 * e + 2] = -c10*c13 - c13*c9 + c13
        out[5 * e + 3] = -c10*(-coefficient + c14 - c15) + c16 + c9*(-coefficient - c16)
        out[5 * e + 4] = c0 / (stiffness)
