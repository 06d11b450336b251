"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.approximate. Do not edit."""

from math import sqrt

KIND = "shape"
N_PAR = 9

def surface(count, par, given, out):
    for e in range(count):
        at_x = given[3 * e + 0]
        at_y = given[3 * e + 1]
        at_z = given[3 * e + 2]
        radius = par[9 * e + 0]
        seen_from_x = par[9 * e + 1]
        seen_from_y = par[9 * e + 2]
        seen_from_z = par[9 * e + 3]
        slope_x = par[9 * e + 4]
        slope_y = par[9 * e + 5]
        slope_z = par[9 * e + 6]
        distance = par[9 * e + 7]
        curvature = par[9 * e + 8]
        c0 = slope_x*(at_x - seen_from_x) + slope_y*(at_y - seen_from_y) + slope_z*(at_z - seen_from_z)
        c1 = (1.0 / sqrt((((slope_x) * (slope_x)) + ((slope_y) * (slope_y)) + ((slope_z) * (slope_z)))))
        c2 = curvature*c0
        out[8 * e + 0] = -0.5*curvature*((c0) * (c0)) + distance - radius + c0
        out[8 * e + 1] = 1.0
        out[8 * e + 2] = slope_x*c1
        out[8 * e + 3] = slope_y*c1
        out[8 * e + 4] = slope_z*c1
        out[8 * e + 5] = -slope_x*c2 + slope_x
        out[8 * e + 6] = -slope_y*c2 + slope_y
        out[8 * e + 7] = -slope_z*c2 + slope_z

def tangent(count, par, given, out):
    for e in range(count):
        slope_x = par[9 * e + 4]
        slope_y = par[9 * e + 5]
        slope_z = par[9 * e + 6]
        curvature = par[9 * e + 8]
        c0 = curvature*slope_x
        c1 = -slope_y*c0
        c2 = -slope_z*c0
        c3 = -curvature*slope_y*slope_z
        out[18 * e + 0] = -curvature*((slope_x) * (slope_x))
        out[18 * e + 1] = out[18 * e + 3] = c1
        out[18 * e + 2] = out[18 * e + 6] = c2
        out[18 * e + 4] = -curvature*((slope_y) * (slope_y))
        out[18 * e + 5] = out[18 * e + 7] = c3
        out[18 * e + 8] = -curvature*((slope_z) * (slope_z))
        out[18 * e + 9] = out[18 * e + 10] = out[18 * e + 11] = out[18 * e + 12] = out[18 * e + 13] = 0.0
        out[18 * e + 14] = out[18 * e + 15] = out[18 * e + 16] = out[18 * e + 17] = 0.0
