"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.penalty. Do not edit."""

KIND = "law"
N_PAR = 2

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        rate = given[3 * e + 1]
        stiffness = par[2 * e + 0]
        damping = par[2 * e + 1]
        c0 = damping*rate + 1.0
        c1 = penetration*stiffness
        c2 = c0*c1
        c3 = (1.0 if c2 > 0.0 else 0.0)
        out[5 * e + 0] = max(0.0, c2)
        out[5 * e + 1] = stiffness*c0*c3
        out[5 * e + 2] = damping*c1*c3
        out[5 * e + 3] = (0.5)*((penetration) * (penetration))*stiffness
        out[5 * e + 4] = c1
