"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.winkler. Do not edit."""

KIND = "law"
N_PAR = 4

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        rate = given[3 * e + 1]
        stiffness = par[4 * e + 0]
        thickness = par[4 * e + 1]
        damping = par[4 * e + 2]
        exponent = par[4 * e + 3]
        c0 = penetration / (thickness)
        c1 = stiffness*(c0) ** (exponent)
        c2 = c1*(damping*rate + 1.0)
        c3 = (1.0 if c2 > 0.0 else 0.0)
        c4 = (1.0 / (penetration))
        c5 = exponent + 1.0
        c6 = stiffness*thickness*(c0) ** (c5)
        out[5 * e + 0] = max(0.0, c2)
        out[5 * e + 1] = exponent*c2*c3*c4
        out[5 * e + 2] = damping*c1*c3
        out[5 * e + 3] = c6 / (c5)
        out[5 * e + 4] = c4*c6
