"""Printed by gaitwright.derive from gaitwright.physics.friction.stribeck. Do not edit."""

from math import exp, tanh

KIND = "friction"
N_PAR = 5

def force(count, par, given, out):
    for e in range(count):
        slip = given[3 * e + 0]
        normal = given[3 * e + 2]
        static_coefficient = par[5 * e + 0]
        kinetic_coefficient = par[5 * e + 1]
        stribeck_speed = par[5 * e + 2]
        viscous = par[5 * e + 3]
        transition_speed = par[5 * e + 4]
        c0 = (1.0 / (transition_speed))
        c1 = tanh(slip*c0)
        c2 = (1.0 / ((stribeck_speed) * (stribeck_speed)))
        c3 = (-kinetic_coefficient + static_coefficient) / (exp(((slip) * (slip))*c2))
        c4 = kinetic_coefficient + c3
        c5 = slip*viscous + c1*c4
        out[5 * e + 0] = -normal*c5
        out[5 * e + 1] = -normal*(-2.0*slip*c1*c2*c3 + viscous + c0*c4*(1.0 - ((c1) * (c1))))
        out[5 * e + 2] = 0.0
        out[5 * e + 3] = -c5
        out[5 * e + 4] = -1.0
