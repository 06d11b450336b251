"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.kelvin_voigt. Do not edit."""

KIND = "law"
N_PAR = 2

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        rate = given[3 * e + 1]
        stiffness = par[2 * e + 0]
        damping = par[2 * e + 1]
        c0 = penetration*stiffness
        c1 = damping*rate + c0
        c2 = (1.0 if c1 > 0.0 else 0.0)
        out[5 * e + 0] = max(0.0, c1)
        out[5 * e + 1] = stiffness*c2
        out[5 * e + 2] = damping*c2
        out[5 * e + 3] = (0.5)*((penetration) * (penetration))*stiffness
        out[5 * e + 4] = c0
