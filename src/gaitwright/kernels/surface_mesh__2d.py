"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.mesh. Do not edit."""

from math import sqrt

KIND = "shape"
N_PAR = 9


def surface(count, par, given, out):
    for e in range(count):
        at_x = given[2 * e + 0]
        at_y = given[2 * e + 1]
        radius = par[9 * e + 0]
        seen_from_x = par[9 * e + 1]
        seen_from_y = par[9 * e + 2]
        outwards_x = par[9 * e + 3]
        outwards_y = par[9 * e + 4]
        edge_x = par[9 * e + 5]
        edge_y = par[9 * e + 6]
        distance = par[9 * e + 7]
        curvature = par[9 * e + 8]
        c0 = edge_x*outwards_x + edge_y*outwards_y
        c1 = edge_x*c0
        c2 = outwards_x - c1
        c3 = edge_y*c0
        c4 = outwards_y - c3
        c5 = edge_x*(at_x - seen_from_x) + edge_y*(at_y - seen_from_y)
        c6 = at_x - edge_x*c5 - seen_from_x
        c7 = curvature*c6 + outwards_x - c1
        c8 = at_y - edge_y*c5 - seen_from_y
        c9 = curvature*c8 + outwards_y - c3
        c10 = sqrt((((c7) * (c7)) + ((c9) * (c9))))
        c11 = c10 + sqrt((((c2) * (c2)) + ((c4) * (c4))))
        c12 = (1.0 / (c11))
        c13 = 2.0*c2
        c14 = 2.0*c4
        c15 = curvature*(((c6) * (c6)) + ((c8) * (c8))) + c13*c6 + c14*c8
        c16 = (1.0 / (c10))
        c17 = edge_x*edge_y
        c18 = ((edge_x) * (edge_x))
        c19 = 1.0 - c18
        c20 = 2.0*c17
        c21 = (c15*c16) / (((c11) * (c11)))
        c22 = ((edge_y) * (edge_y))
        c23 = 1.0 - c22
        out[6 * e + 0] = distance - radius + c12*c15
        out[6 * e + 1] = 1.0
        out[6 * e + 2] = c16*c7
        out[6 * e + 3] = c16*c9
        out[6 * e + 4] = c12*(curvature*(-c20*c8 + c6*(2.0 - 2.0*c18)) + c13*c19 - c14*c17) - c21*(-curvature*c17*c9 + curvature*c19*c7)
        out[6 * e + 5] = c12*(curvature*(-c20*c6 + c8*(2.0 - 2.0*c22)) - c13*c17 + c14*c23) - c21*(-curvature*c17*c7 + curvature*c23*c9)


def tangent(count, par, given, out):
    for e in range(count):
        at_x = given[2 * e + 0]
        at_y = given[2 * e + 1]
        seen_from_x = par[9 * e + 1]
        seen_from_y = par[9 * e + 2]
        outwards_x = par[9 * e + 3]
        outwards_y = par[9 * e + 4]
        edge_x = par[9 * e + 5]
        edge_y = par[9 * e + 6]
        curvature = par[9 * e + 8]
        c0 = ((edge_y) * (edge_y))
        c1 = ((edge_x) * (edge_x))
        c2 = 2.0*c1
        c3 = c0*c2
        c4 = 1.0 - c1
        c5 = 2.0 - c2
        c6 = edge_x*outwards_x + edge_y*outwards_y
        c7 = edge_x*c6
        c8 = outwards_x - c7
        c9 = edge_y*c6
        c10 = outwards_y - c9
        c11 = edge_x*(at_x - seen_from_x) + edge_y*(at_y - seen_from_y)
        c12 = at_x - edge_x*c11 - seen_from_x
        c13 = curvature*c12 + outwards_x - c7
        c14 = at_y - edge_y*c11 - seen_from_y
        c15 = curvature*c14 + outwards_y - c9
        c16 = ((c13) * (c13)) + ((c15) * (c15))
        c17 = sqrt((c16))
        c18 = c17 + sqrt((((c10) * (c10)) + ((c8) * (c8))))
        c19 = (1.0 / (c18))
        c20 = ((curvature) * (curvature))
        c21 = c0*c1*c20
        c22 = 2.0*c8
        c23 = 2.0*c10
        c24 = curvature*(((c12) * (c12)) + ((c14) * (c14))) + c12*c22 + c14*c23
        c25 = (1.0 / (c17))
        c26 = (1.0 / ((c18) * (c18)))
        c27 = c25*c26
        c28 = c24*c27
        c29 = edge_x*edge_y
        c30 = 2.0*c29
        c31 = curvature*(c12*c5 - c14*c30) + c22*c4 - c23*c29
        c32 = curvature*c29
        c33 = -curvature*c13*c4 + c15*c32
        c35 = -c27*c33
        c36 = (1.0 / (c16))
        c37 = (1.0 / ((c18) * (c18) * (c18)))
        c38 = (1.0 / ((c16) * sqrt((c16))))
        c39 = c24*c26*c38
        c40 = -c33*c39
        c41 = 1.0 - c0
        c42 = -curvature*c15*c41 + c13*c32
        c43 = 2.0 - 2.0*c0
        c44 = curvature*(-c12*c30 + c14*c43) - c22*c29 + c23*c41
        c46 = -c27*c42
        c47 = c20*c29
        c48 = -2.0*c24*c33*c36*c37*c42 + c28*(-c4*c47 - c41*c47) + c31*c46 + c35*c44
        c49 = -c39*c42
        c50 = c25*c32
        out[8 * e + 0] = curvature*c19*(c3 + c4*c5) + 2.0*c24*((c33) * (c33))*c36*c37 - c28*(c20*((c4) * (c4)) + c21) - 2.0*c31*c35 - c33*c40
        out[8 * e + 1] = curvature*c19*(-c29*c5 - c30*c41) - c40*c42 - c48
        out[8 * e + 2] = curvature*c19*(-c29*c43 - c30*c4) - c33*c49 - c48
        out[8 * e + 3] = curvature*c19*(c3 + c41*c43) + 2.0*c24*c36*c37*((c42) * (c42)) - c28*(c20*((c41) * (c41)) + c21) - c42*c49 - 2.0*c44*c46
        out[8 * e + 4] = curvature*c25*c4 + c13*c33*c38
        out[8 * e + 5] = c13*c38*c42 - c50
        out[8 * e + 6] = c15*c33*c38 - c50
        out[8 * e + 7] = curvature*c25*c41 + c15*c38*c42
