"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.augmented_lagrange. Do not edit."""

KIND = "law"
N_PAR = 2

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        stiffness = par[2 * e + 0]
        c0 = penetration*stiffness
        out[5 * e + 0] = max(0.0, c0)
        out[5 * e + 1] = stiffness*(1.0 if c0 > 0.0 else 0.0)
        out[5 * e + 2] = 0.0
        out[5 * e + 3] = (0.5)*((penetration) * (penetration))*stiffness
        out[5 * e + 4] = c0
