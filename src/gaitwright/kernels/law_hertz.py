"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.hertz. Do not edit."""

KIND = "law"
N_PAR = 2

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        stiffness = par[2 * e + 0]
        exponent = par[2 * e + 1]
        c0 = (penetration) ** (exponent)*stiffness
        c1 = (1.0 / (penetration))
        c2 = exponent + 1.0
        c3 = (penetration) ** (c2)*stiffness
        out[5 * e + 0] = max(0.0, c0)
        out[5 * e + 1] = exponent*c0*c1*(1.0 if c0 > 0.0 else 0.0)
        out[5 * e + 2] = 0.0
        out[5 * e + 3] = c3 / (c2)
        out[5 * e + 4] = c1*c3
