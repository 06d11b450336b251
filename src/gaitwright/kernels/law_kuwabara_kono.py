"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.kuwabara_kono. Do not edit."""

KIND = "law"
N_PAR = 3

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        rate = given[3 * e + 1]
        stiffness = par[3 * e + 0]
        relaxation_time = par[3 * e + 1]
        exponent = par[3 * e + 2]
        c0 = (penetration) ** (exponent)
        c1 = exponent - 1.0
        c2 = (penetration) ** (c1)
        c3 = exponent*relaxation_time*c2
        c4 = stiffness*(rate*c3 + c0)
        c5 = (1.0 / (penetration))
        c6 = exponent*c5
        c7 = stiffness*(1.0 if c4 > 0.0 else 0.0)
        c8 = exponent + 1.0
        c9 = (penetration) ** (c8)*stiffness
        out[5 * e + 0] = max(0.0, c4)
        out[5 * e + 1] = c7*(rate*relaxation_time*c1*c2*c6 + c0*c6)
        out[5 * e + 2] = c3*c7
        out[5 * e + 3] = c9 / (c8)
        out[5 * e + 4] = c5*c9
