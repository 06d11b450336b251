"""Printed by gaitwright.derive from gaitwright.physics.beams.continuum. Do not edit."""

from math import sqrt

# Copied from derive/beam_functions.py: kernels import only the package jit.
from gaitwright.jit.stack_memory import register_inlined, scratch  # noqa: F401


@register_inlined
def shape_of(q, dof, first, inverse):
    """Chord d and bends s, t of the element whose coordinates begin at `first`, see derive/beam.py."""
    dx, dy = (q[dof[first + 4]] - q[dof[first]]) * inverse, (q[dof[first + 5]] - q[dof[first + 1]]) * inverse
    return dx, dy, q[dof[first + 2]] - dx, q[dof[first + 3]] - dy, q[dof[first + 6]] - dx, q[dof[first + 7]] - dy


@register_inlined
def add_row(values, index, first, x0, y0, u0, v0, x1, y1, u1, v1):
    """Add to what belongs to the eight coordinates of an element."""
    values[index[first]] += x0
    values[index[first + 1]] += y0
    values[index[first + 2]] += u0
    values[index[first + 3]] += v0
    values[index[first + 4]] += x1
    values[index[first + 5]] += y1
    values[index[first + 6]] += u1
    values[index[first + 7]] += v1


KIND = "force"
N_DOF, N_PAR, N_SIG = 8, 17, 0
TANGENT = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (2, 7), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (3, 6), (3, 7), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4), (4, 5), (4, 6), (4, 7), (5, 0), (5, 1), (5, 2), (5, 3), (5, 4), (5, 5), (5, 6), (5, 7), (6, 0), (6, 1), (6, 2), (6, 3), (6, 4), (6, 5), (6, 6), (6, 7), (7, 0), (7, 1), (7, 2), (7, 3), (7, 4), (7, 5), (7, 6), (7, 7))
SYMMETRIC = True
POTENTIAL, DISSIPATES, LOADS = True, False, False
DAMPED = False


@register_inlined
def axial_force(sums, state, point, p_axial_stiffness, p_reference_strain):
    g_dx, g_dy, g_sx, g_sy, g_tx, g_ty = sums
    inverse, dx, dy, sx, sy, tx, ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c1 = sqrt((c0))
    c2 = (1.0 / (c1))
    c3 = p_axial_stiffness*c2*(-p_reference_strain + c1 - 1.0)
    f_ux = ux*c3
    f_uy = uy*c3
    w_us = w * us
    w_ut = w * ut
    return (
        g_dx + w * f_ux, g_dy + w * f_uy, g_sx + w_us * f_ux, g_sy + w_us * f_uy, g_tx + w_ut * f_ux, g_ty + w_ut * f_uy,
    )


@register_inlined
def bending_force(sums, state, point, p_bending_stiffness, p_reference_curvature):
    g_dx, g_dy, g_sx, g_sy, g_tx, g_ty = sums
    inverse, dx, dy, sx, sy, tx, ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    wx = ws * sx + wt * tx
    wy = ws * sy + wt * ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c2 = (1.0 / (c0))
    c3 = ux*wy - uy*wx
    c4 = 2.0*c2*c3
    c5 = p_bending_stiffness*c2*inverse*(-p_reference_curvature + c2*c3*inverse)
    f_ux = c5*(-ux*c4 + wy)
    f_uy = -c5*(uy*c4 + wx)
    f_wx = -uy*c5
    f_wy = ux*c5
    w_us = w * us
    w_ut = w * ut
    w_ws = w * ws
    w_wt = w * wt
    return (
        g_dx + w * f_ux, g_dy + w * f_uy, g_sx + w_us * f_ux + w_ws * f_wx, g_sy + w_us * f_uy + w_ws * f_wy,
        g_tx + w_ut * f_ux + w_wt * f_wx, g_ty + w_ut * f_uy + w_wt * f_wy,
    )


def force(count, dof, par, sig, q, v, u, total):
    out = scratch(48)
    for first in range(0, count, 8):
        some = min(8, count - first)
        for k in range(some):
            e = first + k
            length = par[17 * e]
            inverse = 1.0 / length
            dx, dy, sx, sy, tx, ty = shape_of(q, dof, 8 * e, inverse)
            state = inverse, dx, dy, sx, sy, tx, ty
            s0 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            s1 = axial_force(s0, state, (0.11846344252809454, 0.8189613578583975, -0.08721848808026642, -3.718539537815992, -1.718539537815992), par[17 * e + 1], par[17 * e + 2])
            s2 = axial_force(s1, state, (0.23931433524968324, 0.2366965534971093, -0.30177275660857383, -2.6154079303170494, -0.6154079303170494), par[17 * e + 3], par[17 * e + 4])
            s3 = axial_force(s2, state, (0.28444444444444444, -0.25, -0.25, -1.0, 1.0), par[17 * e + 5], par[17 * e + 6])
            s4 = axial_force(s3, state, (0.23931433524968324, -0.30177275660857394, 0.23669655349710905, 0.6154079303170494, 2.6154079303170494), par[17 * e + 7], par[17 * e + 8])
            s5 = axial_force(s4, state, (0.11846344252809454, -0.08721848808026644, 0.8189613578583974, 1.7185395378159916, 3.7185395378159916), par[17 * e + 9], par[17 * e + 10])
            s6 = bending_force(s5, state, (0.2777777777777778, 0.5872983346207418, -0.18729833462074166, -3.32379000772445, -1.3237900077244502), par[17 * e + 11], par[17 * e + 12])
            s7 = bending_force(s6, state, (0.4444444444444444, -0.25, -0.25, -1.0, 1.0), par[17 * e + 13], par[17 * e + 14])
            s8 = bending_force(s7, state, (0.2777777777777778, -0.18729833462074152, 0.5872983346207419, 1.3237900077244502, 3.32379000772445), par[17 * e + 15], par[17 * e + 16])
            g_dx, g_dy, g_sx, g_sy, g_tx, g_ty = s8
            n_dx = g_dx - g_sx - g_tx
            n_dy = g_dy - g_sy - g_ty
            out[0 + k] = n_dx
            out[8 + k] = n_dy
            out[16 + k] = length * g_sx
            out[24 + k] = length * g_sy
            out[32 + k] = length * g_tx
            out[40 + k] = length * g_ty
        for k in range(some):
            e = first + k
            add_row(total, dof, 8 * e,
                out[0 + k], out[8 + k], -out[16 + k], -out[24 + k], -out[0 + k], -out[8 + k], -out[32 + k], -out[40 + k],
            )


@register_inlined
def axial_tangent(sums, state, point, p_axial_stiffness, p_reference_strain):
    kq_dxdx, kq_dxdy, kq_dxsx, kq_dxsy, kq_dxtx, kq_dxty, kq_dydy, kq_dysx, kq_dysy, kq_dytx, kq_dyty, kq_sxsx, kq_sxsy, kq_sxtx, kq_sxty, kq_sysy, kq_sytx, kq_syty, kq_txtx, kq_txty, kq_tyty = sums
    inverse, dx, dy, sx, sy, tx, ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c1 = sqrt((c0))
    c2 = (1.0 / (c1))
    c3 = ((ux) * (ux))
    c4 = ((c2) * (c2))
    c5 = -p_reference_strain + c1 - 1.0
    c6 = c2*c5
    c7 = ((c2) * (c2) * (c2))*c5
    c8 = ((uy) * (uy))
    kq_uxux = p_axial_stiffness*(c3*c4 - c3*c7 + c6)
    kq_uxuy = p_axial_stiffness*ux*uy*(c4 - c7)
    kq_uyuy = p_axial_stiffness*(c4*c8 + c6 - c7*c8)
    w_us = w * us
    w_us_us = w * us * us
    w_us_ut = w * us * ut
    w_ut = w * ut
    w_ut_ut = w * ut * ut
    return (
        kq_dxdx + w * kq_uxux, kq_dxdy + w * kq_uxuy, kq_dxsx + w_us * kq_uxux, kq_dxsy + w_us * kq_uxuy,
        kq_dxtx + w_ut * kq_uxux, kq_dxty + w_ut * kq_uxuy, kq_dydy + w * kq_uyuy, kq_dysx + w_us * kq_uxuy,
        kq_dysy + w_us * kq_uyuy, kq_dytx + w_ut * kq_uxuy, kq_dyty + w_ut * kq_uyuy, kq_sxsx + w_us_us * kq_uxux,
        kq_sxsy + w_us_us * kq_uxuy, kq_sxtx + w_us_ut * kq_uxux, kq_sxty + w_us_ut * kq_uxuy,
        kq_sysy + w_us_us * kq_uyuy, kq_sytx + w_us_ut * kq_uxuy, kq_syty + w_us_ut * kq_uyuy,
        kq_txtx + w_ut_ut * kq_uxux, kq_txty + w_ut_ut * kq_uxuy, kq_tyty + w_ut_ut * kq_uyuy,
    )


@register_inlined
def bending_tangent(sums, state, point, p_bending_stiffness, p_reference_curvature):
    kq_dxdx, kq_dxdy, kq_dxsx, kq_dxsy, kq_dxtx, kq_dxty, kq_dydy, kq_dysx, kq_dysy, kq_dytx, kq_dyty, kq_sxsx, kq_sxsy, kq_sxtx, kq_sxty, kq_sysy, kq_sytx, kq_syty, kq_txtx, kq_txty, kq_tyty = sums
    inverse, dx, dy, sx, sy, tx, ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    wx = ws * sx + wt * tx
    wy = ws * sy + wt * ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c2 = (1.0 / (c0))
    c3 = ux*wy
    c4 = uy*wx
    c5 = c3 - c4
    c6 = c2*c5
    c7 = 2.0*c6
    c8 = -ux*c7 + wy
    c9 = ((ux) * (ux))
    c10 = 4.0*c6
    c11 = -p_reference_curvature + c2*c5*inverse
    c12 = 2.0*c11
    c13 = ((c2) * (c2))
    c14 = p_bending_stiffness*inverse
    c15 = c13*c14
    c16 = uy*c7 + wx
    c17 = c8*inverse
    c18 = ux*uy
    c19 = 2.0*c2
    c20 = c14*c2
    c21 = ((uy) * (uy))
    c22 = c16*inverse
    c23 = p_bending_stiffness*c13*((inverse) * (inverse))
    kq_uxux = c15*(c12*(c10*c9 - 3.0*c3 + c4) + ((c8) * (c8))*inverse)
    kq_uxuy = c15*(2.0*c11*(ux*wx - uy*wy + c10*c18) - c16*c17)
    kq_uxwx = uy*c15*(ux*c12 - c17)
    kq_uxwy = c20*(ux*c17*c2 + c11*(-c19*c9 + 1.0))
    kq_uyuy = c15*(c12*(c10*c21 - c3 + 3.0*c4) + ((c16) * (c16))*inverse)
    kq_uywx = c20*(uy*c2*c22 + c11*(c19*c21 - 1.0))
    kq_uywy = -ux*c15*(uy*c12 + c22)
    kq_wxwx = c21*c23
    kq_wxwy = -c18*c23
    kq_wywy = c23*c9
    w_us = w * us
    w_us_us = w * us * us
    w_us_ut = w * us * ut
    w_us_ws = w * us * ws
    w_us_wt = w * us * wt
    w_ut = w * ut
    w_ut_ut = w * ut * ut
    w_ut_ws = w * ut * ws
    w_ut_wt = w * ut * wt
    w_ws = w * ws
    w_ws_ws = w * ws * ws
    w_ws_wt = w * ws * wt
    w_wt = w * wt
    w_wt_wt = w * wt * wt
    return (
        kq_dxdx + w * kq_uxux, kq_dxdy + w * kq_uxuy, kq_dxsx + w_us * kq_uxux + w_ws * kq_uxwx,
        kq_dxsy + w_us * kq_uxuy + w_ws * kq_uxwy, kq_dxtx + w_ut * kq_uxux + w_wt * kq_uxwx,
        kq_dxty + w_ut * kq_uxuy + w_wt * kq_uxwy, kq_dydy + w * kq_uyuy, kq_dysx + w_us * kq_uxuy + w_ws * kq_uywx,
        kq_dysy + w_us * kq_uyuy + w_ws * kq_uywy, kq_dytx + w_ut * kq_uxuy + w_wt * kq_uywx,
        kq_dyty + w_ut * kq_uyuy + w_wt * kq_uywy,
        kq_sxsx + w_us_us * kq_uxux + w_us_ws * kq_uxwx + w_us_ws * kq_uxwx + w_ws_ws * kq_wxwx,
        kq_sxsy + w_us_us * kq_uxuy + w_us_ws * kq_uxwy + w_us_ws * kq_uywx + w_ws_ws * kq_wxwy,
        kq_sxtx + w_us_ut * kq_uxux + w_us_wt * kq_uxwx + w_ut_ws * kq_uxwx + w_ws_wt * kq_wxwx,
        kq_sxty + w_us_ut * kq_uxuy + w_us_wt * kq_uxwy + w_ut_ws * kq_uywx + w_ws_wt * kq_wxwy,
        kq_sysy + w_us_us * kq_uyuy + w_us_ws * kq_uywy + w_us_ws * kq_uywy + w_ws_ws * kq_wywy,
        kq_sytx + w_us_ut * kq_uxuy + w_us_wt * kq_uywx + w_ut_ws * kq_uxwy + w_ws_wt * kq_wxwy,
        kq_syty + w_us_ut * kq_uyuy + w_us_wt * kq_uywy + w_ut_ws * kq_uywy + w_ws_wt * kq_wywy,
        kq_txtx + w_ut_ut * kq_uxux + w_ut_wt * kq_uxwx + w_ut_wt * kq_uxwx + w_wt_wt * kq_wxwx,
        kq_txty + w_ut_ut * kq_uxuy + w_ut_wt * kq_uxwy + w_ut_wt * kq_uywx + w_wt_wt * kq_wxwy,
        kq_tyty + w_ut_ut * kq_uyuy + w_ut_wt * kq_uywy + w_ut_wt * kq_uywy + w_wt_wt * kq_wywy,
    )


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    out = scratch(168)
    for first in range(0, count, 8):
        some = min(8, count - first)
        for k in range(some):
            e = first + k
            length = par[17 * e]
            inverse = 1.0 / length
            dx, dy, sx, sy, tx, ty = shape_of(q, dof, 8 * e, inverse)
            state = inverse, dx, dy, sx, sy, tx, ty
            s0 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            s1 = axial_tangent(s0, state, (0.11846344252809454, 0.8189613578583975, -0.08721848808026642, -3.718539537815992, -1.718539537815992), par[17 * e + 1], par[17 * e + 2])
            s2 = axial_tangent(s1, state, (0.23931433524968324, 0.2366965534971093, -0.30177275660857383, -2.6154079303170494, -0.6154079303170494), par[17 * e + 3], par[17 * e + 4])
            s3 = axial_tangent(s2, state, (0.28444444444444444, -0.25, -0.25, -1.0, 1.0), par[17 * e + 5], par[17 * e + 6])
            s4 = axial_tangent(s3, state, (0.23931433524968324, -0.30177275660857394, 0.23669655349710905, 0.6154079303170494, 2.6154079303170494), par[17 * e + 7], par[17 * e + 8])
            s5 = axial_tangent(s4, state, (0.11846344252809454, -0.08721848808026644, 0.8189613578583974, 1.7185395378159916, 3.7185395378159916), par[17 * e + 9], par[17 * e + 10])
            s6 = bending_tangent(s5, state, (0.2777777777777778, 0.5872983346207418, -0.18729833462074166, -3.32379000772445, -1.3237900077244502), par[17 * e + 11], par[17 * e + 12])
            s7 = bending_tangent(s6, state, (0.4444444444444444, -0.25, -0.25, -1.0, 1.0), par[17 * e + 13], par[17 * e + 14])
            s8 = bending_tangent(s7, state, (0.2777777777777778, -0.18729833462074152, 0.5872983346207419, 1.3237900077244502, 3.32379000772445), par[17 * e + 15], par[17 * e + 16])
            kq_dxdx, kq_dxdy, kq_dxsx, kq_dxsy, kq_dxtx, kq_dxty, kq_dydy, kq_dysx, kq_dysy, kq_dytx, kq_dyty, kq_sxsx, kq_sxsy, kq_sxtx, kq_sxty, kq_sysy, kq_sytx, kq_syty, kq_txtx, kq_txty, kq_tyty = s8
            n_kq_dxdx = kq_dxdx - kq_dxsx - kq_dxtx
            n_kq_dxdy = kq_dxdy - kq_dysx - kq_dytx
            n_kq_dydy = kq_dydy - kq_dysy - kq_dyty
            n_kq_dxsx = kq_dxsx - kq_sxsx - kq_sxtx
            n_kq_dxsy = kq_dxsy - kq_sxsy - kq_sytx
            n_kq_dxtx = kq_dxtx - kq_sxtx - kq_txtx
            n_kq_dxty = kq_dxty - kq_sxty - kq_txty
            n_kq_dysx = kq_dysx - kq_sxsy - kq_sxty
            n_kq_dysy = kq_dysy - kq_sysy - kq_syty
            n_kq_dytx = kq_dytx - kq_sytx - kq_txty
            n_kq_dyty = kq_dyty - kq_syty - kq_tyty
            out[0 + k] = (n_kq_dxdx - n_kq_dxsx - n_kq_dxtx) * inverse
            out[8 + k] = (n_kq_dxdy - n_kq_dxsy - n_kq_dxty) * inverse
            out[16 + k] = n_kq_dxsx
            out[24 + k] = n_kq_dxsy
            out[32 + k] = n_kq_dxtx
            out[40 + k] = n_kq_dxty
            out[48 + k] = (n_kq_dydy - n_kq_dysy - n_kq_dyty) * inverse
            out[56 + k] = n_kq_dysx
            out[64 + k] = n_kq_dysy
            out[72 + k] = n_kq_dytx
            out[80 + k] = n_kq_dyty
            out[88 + k] = length * kq_sxsx
            out[96 + k] = length * kq_sxsy
            out[104 + k] = length * kq_sxtx
            out[112 + k] = length * kq_sxty
            out[120 + k] = length * kq_sysy
            out[128 + k] = length * kq_sytx
            out[136 + k] = length * kq_syty
            out[144 + k] = length * kq_txtx
            out[152 + k] = length * kq_txty
            out[160 + k] = length * kq_tyty
        for k in range(some):
            e = first + k
            add_row(kq, slot, 64 * e + 0,
                out[0 + k], out[8 + k], -out[16 + k], -out[24 + k], -out[0 + k], -out[8 + k], -out[32 + k], -out[40 + k],
            )
            add_row(kq, slot, 64 * e + 8,
                out[8 + k], out[48 + k], -out[56 + k], -out[64 + k], -out[8 + k], -out[48 + k], -out[72 + k], -out[80 + k],
            )
            add_row(kq, slot, 64 * e + 16,
                -out[16 + k], -out[56 + k], out[88 + k], out[96 + k], out[16 + k], out[56 + k], out[104 + k], out[112 + k],
            )
            add_row(kq, slot, 64 * e + 24,
                -out[24 + k], -out[64 + k], out[96 + k], out[120 + k], out[24 + k], out[64 + k], out[128 + k], out[136 + k],
            )
            add_row(kq, slot, 64 * e + 32,
                -out[0 + k], -out[8 + k], out[16 + k], out[24 + k], out[0 + k], out[8 + k], out[32 + k], out[40 + k],
            )
            add_row(kq, slot, 64 * e + 40,
                -out[8 + k], -out[48 + k], out[56 + k], out[64 + k], out[8 + k], out[48 + k], out[72 + k], out[80 + k],
            )
            add_row(kq, slot, 64 * e + 48,
                -out[32 + k], -out[72 + k], out[104 + k], out[128 + k], out[32 + k], out[72 + k], out[144 + k], out[152 + k],
            )
            add_row(kq, slot, 64 * e + 56,
                -out[40 + k], -out[80 + k], out[112 + k], out[136 + k], out[40 + k], out[80 + k], out[152 + k], out[160 + k],
            )


@register_inlined
def axial_energy(sums, state, point, p_axial_stiffness, p_reference_strain):
    potential, dissipated = sums
    inverse, dx, dy, sx, sy, tx, ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c1 = sqrt((c0))
    c2 = (1.0 / (c1))
    potential_x = (0.5)*p_axial_stiffness*((-p_reference_strain + c1 - 1.0) * (-p_reference_strain + c1 - 1.0))
    return (
        potential + w * potential_x, dissipated,
    )


@register_inlined
def bending_energy(sums, state, point, p_bending_stiffness, p_reference_curvature):
    potential, dissipated = sums
    inverse, dx, dy, sx, sy, tx, ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    wx = ws * sx + wt * tx
    wy = ws * sy + wt * ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c2 = (1.0 / (c0))
    potential_x = (0.5)*p_bending_stiffness*((-p_reference_curvature + c2*inverse*(ux*wy - uy*wx)) * (-p_reference_curvature + c2*inverse*(ux*wy - uy*wx)))
    return (
        potential + w * potential_x, dissipated,
    )


def energy(count, dof, par, sig, q, v, u, energy):
    out = scratch(24)
    for first in range(0, count, 8):
        some = min(8, count - first)
        for k in range(some):
            e = first + k
            length = par[17 * e]
            inverse = 1.0 / length
            dx, dy, sx, sy, tx, ty = shape_of(q, dof, 8 * e, inverse)
            state = inverse, dx, dy, sx, sy, tx, ty
            s0 = (0.0, 0.0)
            s1 = axial_energy(s0, state, (0.11846344252809454, 0.8189613578583975, -0.08721848808026642, -3.718539537815992, -1.718539537815992), par[17 * e + 1], par[17 * e + 2])
            s2 = axial_energy(s1, state, (0.23931433524968324, 0.2366965534971093, -0.30177275660857383, -2.6154079303170494, -0.6154079303170494), par[17 * e + 3], par[17 * e + 4])
            s3 = axial_energy(s2, state, (0.28444444444444444, -0.25, -0.25, -1.0, 1.0), par[17 * e + 5], par[17 * e + 6])
            s4 = axial_energy(s3, state, (0.23931433524968324, -0.30177275660857394, 0.23669655349710905, 0.6154079303170494, 2.6154079303170494), par[17 * e + 7], par[17 * e + 8])
            s5 = axial_energy(s4, state, (0.11846344252809454, -0.08721848808026644, 0.8189613578583974, 1.7185395378159916, 3.7185395378159916), par[17 * e + 9], par[17 * e + 10])
            s6 = bending_energy(s5, state, (0.2777777777777778, 0.5872983346207418, -0.18729833462074166, -3.32379000772445, -1.3237900077244502), par[17 * e + 11], par[17 * e + 12])
            s7 = bending_energy(s6, state, (0.4444444444444444, -0.25, -0.25, -1.0, 1.0), par[17 * e + 13], par[17 * e + 14])
            s8 = bending_energy(s7, state, (0.2777777777777778, -0.18729833462074152, 0.5872983346207419, 1.3237900077244502, 3.32379000772445), par[17 * e + 15], par[17 * e + 16])
            potential, dissipated = s8
            out[0 + k] = length * potential
            out[8 + k] = length * dissipated
            out[16 + k] = 0.0
        for k in range(some):
            e = first + k
            energy[3 * e + 0] = out[0 + k]
            energy[3 * e + 1] = out[8 + k]
            energy[3 * e + 2] = out[16 + k]
