"""Blocks that replace feet and have closed forms."""

import numpy as np
from scipy.optimize import brentq

import gaitwright as gw

LENGTH, WIDTH, HEIGHT, MODULUS = 0.26, 0.1, 0.03, 1e6
AREA = LENGTH * WIDTH


def block(divisions=(6, 2, 3)):
    """Return a block with nu = 0, clamped at its top: no lateral strain."""
    mesh = gw.mesh.box((LENGTH, WIDTH, HEIGHT), divisions)
    mesh = mesh.moved(np.array([0.0, -0.5 * WIDTH, 0.0]) - mesh.bounds[0])
    for name, z in (("sole", 0.0), ("cut", HEIGHT)):
        mesh = mesh.with_region(name, gw.mesh.PlaneSelector((0, 0, z), (0, 0, 1)))
    tissue = gw.foot.Tissue.uniform(MODULUS, 0.0)
    return gw.foot.Foot(gw.foot.FootShape(mesh.surface(), "right"), mesh, gw.foot.Clamp(), tissue)


def in_series(depth, thickness, modulus):
    """Return the force, N, of the block on a layer with nu = 0, both compressed together by a depth, m; small
    strains."""
    return AREA * depth / (HEIGHT / MODULUS + thickness / modulus)


def in_series_finite(depth, thickness, modulus):
    """The same for neo-Hookean materials: stress E/2 (1/l - l) in both."""

    def stress(youngs, high, by):
        return 0.5 * youngs * (1.0 / (1.0 - by / high) - (1.0 - by / high))

    own = brentq(
        lambda by: stress(MODULUS, HEIGHT, by) - stress(modulus, thickness, depth - by), 0.0, depth, xtol=1e-17
    )
    return AREA * stress(MODULUS, HEIGHT, own)
