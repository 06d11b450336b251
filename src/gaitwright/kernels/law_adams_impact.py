"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.adams_impact. Do not edit."""

KIND = "law"
N_PAR = 4

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        rate = given[3 * e + 1]
        stiffness = par[4 * e + 0]
        damping = par[4 * e + 1]
        depth = par[4 * e + 2]
        exponent = par[4 * e + 3]
        c0 = (penetration) ** (exponent)*stiffness
        c1 = (1.0 / (depth))
        c2 = penetration*c1
        c3 = min(1.0, c2)
        c4 = ((c3) * (c3))
        c5 = 2.0*c3
        c6 = 3.0 - c5
        c7 = damping*c4*c6
        c8 = rate*c7 + c0
        c9 = (1.0 if c8 > 0.0 else 0.0)
        c10 = (1.0 / (penetration))
        c11 = damping*rate*c1*(1.0 if 1.0 - c2 > 0.0 else 0.0)
        c12 = exponent + 1.0
        c13 = (penetration) ** (c12)*stiffness
        out[5 * e + 0] = max(0.0, c8)
        out[5 * e + 1] = c9*(exponent*c0*c10 - 2.0*c11*c4 + c11*c5*c6)
        out[5 * e + 2] = c7*c9
        out[5 * e + 3] = c13 / (c12)
        out[5 * e + 4] = c10*c13
