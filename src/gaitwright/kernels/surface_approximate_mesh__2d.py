"""Printed by gaitwright.derive from gaitwright.physics.contact_geometry.approximate. Do not edit."""

from math import sqrt

KIND = "shape"
N_PAR = 7

def surface(count, par, given, out):
    for e in range(count):
        at_x = given[2 * e + 0]
        at_y = given[2 * e + 1]
        radius = par[7 * e + 0]
        seen_from_x = par[7 * e + 1]
        seen_from_y = par[7 * e + 2]
        slope_x = par[7 * e + 3]
        slope_y = par[7 * e + 4]
        distance = par[7 * e + 5]
        curvature = par[7 * e + 6]
        c0 = slope_x*(at_x - seen_from_x) + slope_y*(at_y - seen_from_y)
        c1 = (1.0 / sqrt((((slope_x) * (slope_x)) + ((slope_y) * (slope_y)))))
        c2 = curvature*c0
        out[6 * e + 0] = -0.5*curvature*((c0) * (c0)) + distance - radius + c0
        out[6 * e + 1] = 1.0
        out[6 * e + 2] = slope_x*c1
        out[6 * e + 3] = slope_y*c1
        out[6 * e + 4] = -slope_x*c2 + slope_x
        out[6 * e + 5] = -slope_y*c2 + slope_y

def tangent(count, par, given, out):
    for e in range(count):
        slope_x = par[7 * e + 3]
        slope_y = par[7 * e + 4]
        curvature = par[7 * e + 6]
        c0 = -curvature*slope_x*slope_y
        out[8 * e + 0] = -curvature*((slope_x) * (slope_x))
        out[8 * e + 1] = out[8 * e + 2] = c0
        out[8 * e + 3] = -curvature*((slope_y) * (slope_y))
        out[8 * e + 4] = out[8 * e + 5] = out[8 * e + 6] = out[8 * e + 7] = 0.0
