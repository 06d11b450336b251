"""Printed by gaitwright.derive from gaitwright.physics.friction.smooth_coulomb. Do not edit."""

from math import tanh

KIND = "friction"
N_PAR = 2

def force(count, par, given, out):
    for e in range(count):
        slip = given[3 * e + 0]
        normal = given[3 * e + 2]
        coefficient = par[2 * e + 0]
        transition_speed = par[2 * e + 1]
        c0 = (1.0 / (transition_speed))
        c1 = tanh(slip*c0)
        c2 = coefficient*c1
        out[5 * e + 0] = -normal*c2
        out[5 * e + 1] = -coefficient*normal*c0*(1.0 - ((c1) * (c1)))
        out[5 * e + 2] = 0.0
        out[5 * e + 3] = -c2
        out[5 * e + 4] = -1.0
