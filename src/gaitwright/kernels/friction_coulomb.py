"""Printed by gaitwright.derive from gaitwright.physics.friction.coulomb. Do not edit."""

KIND = "friction"
N_PAR = 3

def force(count, par, given, out):
    for e in range(count):
        slip = given[3 * e + 0]
        normal = given[3 * e + 2]
        coefficient = par[3 * e + 0]
        v0 = par[3 * e + 1]
        v1 = par[3 * e + 2]
        c0 = (1.0 if slip > 0.0 else (-1.0 if slip < 0.0 else 0.0))
        c1 = (1.0 / (-v0 + v1))
        c2 = c1*(-v0 + abs(slip))
        c3 = max(0.0, c2)
        c4 = coefficient*min(1.0, c3)
        c5 = c0*c4
        out[5 * e + 0] = -normal*c5
        out[5 * e + 1] = -coefficient*normal*((c0) * (c0))*c1*(1.0 if c2 > 0.0 else 0.0)*(1.0 if 1.0 - c3 > 0.0 else 0.0) - 2.0*normal*c4*0.0
        out[5 * e + 2] = 0.0
        out[5 * e + 3] = -c5
        out[5 * e + 4] = -1.0
