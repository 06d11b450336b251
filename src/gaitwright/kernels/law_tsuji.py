"""Printed by gaitwright.derive from gaitwright.physics.contact_laws.tsuji. Do not edit."""

from math import sqrt

KIND = "law"
N_PAR = 2

def force(count, par, given, out):
    for e in range(count):
        penetration = given[3 * e + 0]
        rate = given[3 * e + 1]
        stiffness = par[2 * e + 0]
        damping = par[2 * e + 1]
        c0 = ((penetration) * sqrt((penetration)))*stiffness
        c1 = damping*(penetration) ** 0.25
        c2 = rate*c1 + c0
        c3 = (1.0 if c2 > 0.0 else 0.0)
        out[5 * e + 0] = max(0.0, c2)
        out[5 * e + 1] = (c3*(0.25*damping*rate + 1.5*(penetration) ** 1.25*stiffness)) / ((penetration) ** 0.75)
        out[5 * e + 2] = c1*c3
        out[5 * e + 3] = 0.4*((penetration) * (penetration) * sqrt((penetration)))*stiffness
        out[5 * e + 4] = 1.0*c0
