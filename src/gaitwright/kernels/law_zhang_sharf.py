"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.zhang_sharf. Do not edit."""

KIND = "law"
N_PAR = 3

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        rate = given[3 * e + 1]
        approach = given[3 * e + 2]
        stiffness = par[3 * e + 0]
        restitution = par[3 * e + 1]
        exponent = par[3 * e + 2]
        c0 = ((1.0 - restitution)*(restitution*(restitution*(restitution*(43.6775*restitution + 46.995) + 22.412) - 1.157) + 1.0)) / (approach*restitution*(restitution*(restitution*(restitution*(36.4*restitution + 15.955) + 24.096) - 2.166) + 1.0))
        c1 = (penetration) ** (exponent)*stiffness
        c2 = c1*(rate*c0 + 1.0)
        c3 = (1.0 / (penetration))
        c4 = (1.0 if c2 > 0.0 else 0.0)
        c5 = exponent + 1.0
        c6 = (penetration) ** (c5)*stiffness
        out[5 * e + 0] = max(0.0, c2)
        out[5 * e + 1] = exponent*c2*c3*c4
        out[5 * e + 2] = c0*c1*c4
        out[5 * e + 3] = c6 / (c5)
        out[5 * e + 4] = c3*c6
