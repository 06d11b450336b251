"""Printed by gaitwright.derive from gaitwright.physics.friction.brown_mcphee. Do not edit."""

from math import tanh

KIND = "friction"
N_PAR = 3

def force(count, par, given, out):
    for e in range(count):
        slip = given[3 * e + 0]
        normal = given[3 * e + 2]
        static_coefficient = par[3 * e + 0]
        kinetic_coefficient = par[3 * e + 1]
        transition_speed = par[3 * e + 2]
        c0 = (1.0 / (transition_speed))
        c1 = slip*c0
        c2 = tanh(4.0*c1)
        c3 = ((slip) * (slip))
        c4 = 0.75 + c3 / (4.0*((transition_speed) * (transition_speed)))
        c5 = -kinetic_coefficient + static_coefficient
        c6 = c5 / (((c4) * (c4)))
        c7 = kinetic_coefficient*c2 + c1*c6
        out[5 * e + 0] = -normal*c7
        out[5 * e + 1] = (-normal*(((transition_speed) * (transition_speed) * (transition_speed))*((c4) * (c4) * (c4))*(4.0*kinetic_coefficient*c0*(1.0 - ((c2) * (c2))) + c0*c6) - c3*c5)) / (((transition_speed) * (transition_speed) * (transition_speed))*((c4) * (c4) * (c4)))
        out[5 * e + 2] = 0.0
        out[5 * e + 3] = -c7
        out[5 * e + 4] = -1.0
