"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.ristow. Do not edit."""

KIND = "law"
N_PAR = 3

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        rate = given[3 * e + 1]
        stiffness = par[3 * e + 0]
        damping = par[3 * e + 1]
        exponent = par[3 * e + 2]
        c0 = (penetration) ** (exponent)*stiffness
        c1 = damping*rate + c0
        c2 = (1.0 if c1 > 0.0 else 0.0)
        c3 = (1.0 / (penetration))
        c4 = exponent + 1.0
        c5 = (penetration) ** (c4)*stiffness
        out[5 * e + 0] = max(0.0, c1)
        out[5 * e + 1] = exponent*c0*c2*c3
        out[5 * e + 2] = damping*c2
        out[5 * e + 3] = c5 / (c4)
        out[5 * e + 4] = c3*c5
