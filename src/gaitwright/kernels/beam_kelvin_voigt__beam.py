"""Printed by gaitwright.derive from gaitwright.physics.beams.kelvin_voigt. Do not edit."""

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
N_DOF, N_PAR, N_SIG = 8, 9, 0
TANGENT = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (2, 7), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (3, 6), (3, 7), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4), (4, 5), (4, 6), (4, 7), (5, 0), (5, 1), (5, 2), (5, 3), (5, 4), (5, 5), (5, 6), (5, 7), (6, 0), (6, 1), (6, 2), (6, 3), (6, 4), (6, 5), (6, 6), (6, 7), (7, 0), (7, 1), (7, 2), (7, 3), (7, 4), (7, 5), (7, 6), (7, 7))
SYMMETRIC = False
POTENTIAL, DISSIPATES, LOADS = False, True, False
DAMPED = True


@register_inlined
def axial_force(sums, state, point, p_axial_damping):
    g_dx, g_dy, g_sx, g_sy, g_tx, g_ty = sums
    inverse, dx, dy, sx, sy, tx, ty, v_dx, v_dy, v_sx, v_sy, v_tx, v_ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    v_ux = v_dx + us * v_sx + ut * v_tx
    v_uy = v_dy + us * v_sy + ut * v_ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c2 = (1.0 / (c0))
    c3 = p_axial_damping*c2*(ux*v_ux + uy*v_uy)
    f_ux = ux*c3
    f_uy = uy*c3
    w_us = w * us
    w_ut = w * ut
    return (
        g_dx + w * f_ux, g_dy + w * f_uy, g_sx + w_us * f_ux, g_sy + w_us * f_uy, g_tx + w_ut * f_ux, g_ty + w_ut * f_uy,
    )


@register_inlined
def bending_force(sums, state, point, p_bending_damping):
    g_dx, g_dy, g_sx, g_sy, g_tx, g_ty = sums
    inverse, dx, dy, sx, sy, tx, ty, v_dx, v_dy, v_sx, v_sy, v_tx, v_ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    wx = ws * sx + wt * tx
    wy = ws * sy + wt * ty
    v_ux = v_dx + us * v_sx + ut * v_tx
    v_uy = v_dy + us * v_sy + ut * v_ty
    v_wx = ws * v_sx + wt * v_tx
    v_wy = ws * v_sy + wt * v_ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c2 = (1.0 / (c0))
    c3 = 2.0*c2*(ux*wy - uy*wx)
    c4 = -ux*c3 + wy
    c5 = uy*c3 + wx
    c6 = p_bending_damping*((c2) * (c2))*((inverse) * (inverse))*(ux*v_wy - uy*v_wx + v_ux*c4 - v_uy*c5)
    f_ux = c4*c6
    f_uy = -c5*c6
    f_wx = -uy*c6
    f_wy = ux*c6
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
            length = par[9 * e]
            inverse = 1.0 / length
            dx, dy, sx, sy, tx, ty = shape_of(q, dof, 8 * e, inverse)
            v_dx, v_dy, v_sx, v_sy, v_tx, v_ty = shape_of(v, dof, 8 * e, inverse)
            state = inverse, dx, dy, sx, sy, tx, ty, v_dx, v_dy, v_sx, v_sy, v_tx, v_ty
            s0 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            s1 = axial_force(s0, state, (0.11846344252809454, 0.8189613578583975, -0.08721848808026642, -3.718539537815992, -1.718539537815992), par[9 * e + 1])
            s2 = axial_force(s1, state, (0.23931433524968324, 0.2366965534971093, -0.30177275660857383, -2.6154079303170494, -0.6154079303170494), par[9 * e + 2])
            s3 = axial_force(s2, state, (0.28444444444444444, -0.25, -0.25, -1.0, 1.0), par[9 * e + 3])
            s4 = axial_force(s3, state, (0.23931433524968324, -0.30177275660857394, 0.23669655349710905, 0.6154079303170494, 2.6154079303170494), par[9 * e + 4])
            s5 = axial_force(s4, state, (0.11846344252809454, -0.08721848808026644, 0.8189613578583974, 1.7185395378159916, 3.7185395378159916), par[9 * e + 5])
            s6 = bending_force(s5, state, (0.2777777777777778, 0.5872983346207418, -0.18729833462074166, -3.32379000772445, -1.3237900077244502), par[9 * e + 6])
            s7 = bending_force(s6, state, (0.4444444444444444, -0.25, -0.25, -1.0, 1.0), par[9 * e + 7])
            s8 = bending_force(s7, state, (0.2777777777777778, -0.18729833462074152, 0.5872983346207419, 1.3237900077244502, 3.32379000772445), par[9 * e + 8])
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
def axial_tangent(sums, state, point, p_axial_damping):
    kq_dxdx, kq_dxdy, kq_dxsx, kq_dxsy, kq_dxtx, kq_dxty, kq_dydx, kq_dydy, kq_dysx, kq_dysy, kq_dytx, kq_dyty, kq_sxdx, kq_sxdy, kq_sxsx, kq_sxsy, kq_sxtx, kq_sxty, kq_sydx, kq_sydy, kq_sysx, kq_sysy, kq_sytx, kq_syty, kq_txdx, kq_txdy, kq_txsx, kq_txsy, kq_txtx, kq_txty, kq_tydx, kq_tydy, kq_tysx, kq_tysy, kq_tytx, kq_tyty, kv_dxdx, kv_dxdy, kv_dxsx, kv_dxsy, kv_dxtx, kv_dxty, kv_dydy, kv_dysx, kv_dysy, kv_dytx, kv_dyty, kv_sxsx, kv_sxsy, kv_sxtx, kv_sxty, kv_sysy, kv_sytx, kv_syty, kv_txtx, kv_txty, kv_tyty = sums
    inverse, dx, dy, sx, sy, tx, ty, v_dx, v_dy, v_sx, v_sy, v_tx, v_ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    v_ux = v_dx + us * v_sx + ut * v_tx
    v_uy = v_dy + us * v_sy + ut * v_ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c2 = (1.0 / (c0))
    c3 = uy*v_uy
    c4 = ((ux) * (ux))*c2
    c5 = ux*c2*c3 + v_ux*c4 - v_ux
    c6 = ux*v_ux
    c7 = c3 + c6
    c8 = p_axial_damping*c2
    c9 = c2*c7
    c10 = ((uy) * (uy))
    c11 = c10*c2
    c12 = uy*c2*c6 + v_uy*c11 - v_uy
    c13 = ux*c8
    kq_uxux = c8*(-ux*c5 - c4*c7 + c7)
    kq_uxuy = c13*(-uy*c9 - c12)
    kq_uyux = uy*c8*(-ux*c9 - c5)
    kq_uyuy = c8*(-uy*c12 - c11*c7 + c7)
    kv_uxux = p_axial_damping*c4
    kv_uxuy = uy*c13
    kv_uyuy = c10*c8
    w_us = w * us
    w_us_us = w * us * us
    w_us_ut = w * us * ut
    w_ut = w * ut
    w_ut_ut = w * ut * ut
    return (
        kq_dxdx + w * kq_uxux, kq_dxdy + w * kq_uxuy, kq_dxsx + w_us * kq_uxux, kq_dxsy + w_us * kq_uxuy,
        kq_dxtx + w_ut * kq_uxux, kq_dxty + w_ut * kq_uxuy, kq_dydx + w * kq_uyux, kq_dydy + w * kq_uyuy,
        kq_dysx + w_us * kq_uyux, kq_dysy + w_us * kq_uyuy, kq_dytx + w_ut * kq_uyux, kq_dyty + w_ut * kq_uyuy,
        kq_sxdx + w_us * kq_uxux, kq_sxdy + w_us * kq_uxuy, kq_sxsx + w_us_us * kq_uxux, kq_sxsy + w_us_us * kq_uxuy,
        kq_sxtx + w_us_ut * kq_uxux, kq_sxty + w_us_ut * kq_uxuy, kq_sydx + w_us * kq_uyux, kq_sydy + w_us * kq_uyuy,
        kq_sysx + w_us_us * kq_uyux, kq_sysy + w_us_us * kq_uyuy, kq_sytx + w_us_ut * kq_uyux,
        kq_syty + w_us_ut * kq_uyuy, kq_txdx + w_ut * kq_uxux, kq_txdy + w_ut * kq_uxuy, kq_txsx + w_us_ut * kq_uxux,
        kq_txsy + w_us_ut * kq_uxuy, kq_txtx + w_ut_ut * kq_uxux, kq_txty + w_ut_ut * kq_uxuy, kq_tydx + w_ut * kq_uyux,
        kq_tydy + w_ut * kq_uyuy, kq_tysx + w_us_ut * kq_uyux, kq_tysy + w_us_ut * kq_uyuy, kq_tytx + w_ut_ut * kq_uyux,
        kq_tyty + w_ut_ut * kq_uyuy, kv_dxdx + w * kv_uxux, kv_dxdy + w * kv_uxuy, kv_dxsx + w_us * kv_uxux,
        kv_dxsy + w_us * kv_uxuy, kv_dxtx + w_ut * kv_uxux, kv_dxty + w_ut * kv_uxuy, kv_dydy + w * kv_uyuy,
        kv_dysx + w_us * kv_uxuy, kv_dysy + w_us * kv_uyuy, kv_dytx + w_ut * kv_uxuy, kv_dyty + w_ut * kv_uyuy,
        kv_sxsx + w_us_us * kv_uxux, kv_sxsy + w_us_us * kv_uxuy, kv_sxtx + w_us_ut * kv_uxux,
        kv_sxty + w_us_ut * kv_uxuy, kv_sysy + w_us_us * kv_uyuy, kv_sytx + w_us_ut * kv_uxuy,
        kv_syty + w_us_ut * kv_uyuy, kv_txtx + w_ut_ut * kv_uxux, kv_txty + w_ut_ut * kv_uxuy,
        kv_tyty + w_ut_ut * kv_uyuy,
    )


@register_inlined
def bending_tangent(sums, state, point, p_bending_damping):
    kq_dxdx, kq_dxdy, kq_dxsx, kq_dxsy, kq_dxtx, kq_dxty, kq_dydx, kq_dydy, kq_dysx, kq_dysy, kq_dytx, kq_dyty, kq_sxdx, kq_sxdy, kq_sxsx, kq_sxsy, kq_sxtx, kq_sxty, kq_sydx, kq_sydy, kq_sysx, kq_sysy, kq_sytx, kq_syty, kq_txdx, kq_txdy, kq_txsx, kq_txsy, kq_txtx, kq_txty, kq_tydx, kq_tydy, kq_tysx, kq_tysy, kq_tytx, kq_tyty, kv_dxdx, kv_dxdy, kv_dxsx, kv_dxsy, kv_dxtx, kv_dxty, kv_dydy, kv_dysx, kv_dysy, kv_dytx, kv_dyty, kv_sxsx, kv_sxsy, kv_sxtx, kv_sxty, kv_sysy, kv_sytx, kv_syty, kv_txtx, kv_txty, kv_tyty = sums
    inverse, dx, dy, sx, sy, tx, ty, v_dx, v_dy, v_sx, v_sy, v_tx, v_ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    wx = ws * sx + wt * tx
    wy = ws * sy + wt * ty
    v_ux = v_dx + us * v_sx + ut * v_tx
    v_uy = v_dy + us * v_sy + ut * v_ty
    v_wx = ws * v_sx + wt * v_tx
    v_wy = ws * v_sy + wt * v_ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c2 = (1.0 / (c0))
    c3 = ux*v_wy
    c4 = uy*v_wx
    c5 = ux*wy
    c6 = uy*wx
    c7 = c5 - c6
    c8 = 2.0*c2
    c9 = c7*c8
    c10 = -ux*c9 + wy
    c11 = v_ux*c10
    c12 = uy*c9 + wx
    c13 = v_uy*c12
    c14 = c11 - c13 + c3 - c4
    c15 = ((ux) * (ux))
    c16 = 4.0*c2*c7
    c17 = c8*(c15*c16 - 3.0*c5 + c6)
    c18 = c15*c8
    c19 = ux*uy
    c20 = ux*wx - uy*wy + c16*c19
    c21 = c20*c8
    c22 = ux*c4*c8 + v_ux*c17 + v_uy*c21 - v_wy*c18 + v_wy
    c23 = p_bending_damping*((c2) * (c2))*((inverse) * (inverse))
    c24 = c14*c21
    c25 = uy*c3*c8
    c26 = ((uy) * (uy))
    c27 = c26*c8
    c28 = c16*c26 - c5 + 3.0*c6
    c29 = c28*c8
    c30 = v_ux*c21 + v_uy*c29 + v_wx*c27 - v_wx - c25
    c31 = c19*c8
    c32 = c27 - 1.0
    c33 = v_ux*c31 + v_uy*c32
    c34 = c14*c8
    c35 = ux*uy*c34
    c36 = 1.0 - c18
    c37 = v_ux*c36 - v_uy*c31
    c38 = uy*c23
    c39 = ux*c23
    kq_uxux = c23*(c10*c22 + c14*c17)
    kq_uxuy = c23*(c10*c30 + c24)
    kq_uxwx = c23*(c10*c33 + c35)
    kq_uxwy = c23*(c10*c37 + c14*c36)
    kq_uyux = c23*(-c12*c22 + c24)
    kq_uyuy = c23*(-c12*c30 + c14*c29)
    kq_uywx = c23*(-c12*c33 + c14*c32)
    kq_uywy = -c23*(c12*c37 + c35)
    kq_wxux = c38*(2.0*ux*c14*c2 - c22)
    kq_wxuy = c23*(-uy*c30 + 2.0*c14*c2*c26 - c14)
    kq_wxwx = -c33*c38
    kq_wxwy = -c37*c38
    kq_wyux = c23*(ux*c22 + c11 - c13 - c14*c18 + c3 - c4)
    kq_wyuy = c39*(-uy*c34 + 2.0*v_ux*c2*c20 + 2.0*v_uy*c2*c28 + 2.0*v_wx*c2*c26 - v_wx - c25)
    kq_wywx = c33*c39
    kq_wywy = c37*c39
    kv_uxux = ((c10) * (c10))*c23
    kv_uxuy = -c10*c12*c23
    kv_uxwx = -c10*c38
    kv_uxwy = c10*c39
    kv_uyuy = ((c12) * (c12))*c23
    kv_uywx = c12*c38
    kv_uywy = -c12*c39
    kv_wxwx = c23*c26
    kv_wxwy = -c19*c23
    kv_wywy = c15*c23
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
        kq_dxty + w_ut * kq_uxuy + w_wt * kq_uxwy, kq_dydx + w * kq_uyux, kq_dydy + w * kq_uyuy,
        kq_dysx + w_us * kq_uyux + w_ws * kq_uywx, kq_dysy + w_us * kq_uyuy + w_ws * kq_uywy,
        kq_dytx + w_ut * kq_uyux + w_wt * kq_uywx, kq_dyty + w_ut * kq_uyuy + w_wt * kq_uywy,
        kq_sxdx + w_us * kq_uxux + w_ws * kq_wxux, kq_sxdy + w_us * kq_uxuy + w_ws * kq_wxuy,
        kq_sxsx + w_us_us * kq_uxux + w_us_ws * kq_uxwx + w_us_ws * kq_wxux + w_ws_ws * kq_wxwx,
        kq_sxsy + w_us_us * kq_uxuy + w_us_ws * kq_uxwy + w_us_ws * kq_wxuy + w_ws_ws * kq_wxwy,
        kq_sxtx + w_us_ut * kq_uxux + w_us_wt * kq_uxwx + w_ut_ws * kq_wxux + w_ws_wt * kq_wxwx,
        kq_sxty + w_us_ut * kq_uxuy + w_us_wt * kq_uxwy + w_ut_ws * kq_wxuy + w_ws_wt * kq_wxwy,
        kq_sydx + w_us * kq_uyux + w_ws * kq_wyux, kq_sydy + w_us * kq_uyuy + w_ws * kq_wyuy,
        kq_sysx + w_us_us * kq_uyux + w_us_ws * kq_uywx + w_us_ws * kq_wyux + w_ws_ws * kq_wywx,
        kq_sysy + w_us_us * kq_uyuy + w_us_ws * kq_uywy + w_us_ws * kq_wyuy + w_ws_ws * kq_wywy,
        kq_sytx + w_us_ut * kq_uyux + w_us_wt * kq_uywx + w_ut_ws * kq_wyux + w_ws_wt * kq_wywx,
        kq_syty + w_us_ut * kq_uyuy + w_us_wt * kq_uywy + w_ut_ws * kq_wyuy + w_ws_wt * kq_wywy,
        kq_txdx + w_ut * kq_uxux + w_wt * kq_wxux, kq_txdy + w_ut * kq_uxuy + w_wt * kq_wxuy,
        kq_txsx + w_us_ut * kq_uxux + w_ut_ws * kq_uxwx + w_us_wt * kq_wxux + w_ws_wt * kq_wxwx,
        kq_txsy + w_us_ut * kq_uxuy + w_ut_ws * kq_uxwy + w_us_wt * kq_wxuy + w_ws_wt * kq_wxwy,
        kq_txtx + w_ut_ut * kq_uxux + w_ut_wt * kq_uxwx + w_ut_wt * kq_wxux + w_wt_wt * kq_wxwx,
        kq_txty + w_ut_ut * kq_uxuy + w_ut_wt * kq_uxwy + w_ut_wt * kq_wxuy + w_wt_wt * kq_wxwy,
        kq_tydx + w_ut * kq_uyux + w_wt * kq_wyux, kq_tydy + w_ut * kq_uyuy + w_wt * kq_wyuy,
        kq_tysx + w_us_ut * kq_uyux + w_ut_ws * kq_uywx + w_us_wt * kq_wyux + w_ws_wt * kq_wywx,
        kq_tysy + w_us_ut * kq_uyuy + w_ut_ws * kq_uywy + w_us_wt * kq_wyuy + w_ws_wt * kq_wywy,
        kq_tytx + w_ut_ut * kq_uyux + w_ut_wt * kq_uywx + w_ut_wt * kq_wyux + w_wt_wt * kq_wywx,
        kq_tyty + w_ut_ut * kq_uyuy + w_ut_wt * kq_uywy + w_ut_wt * kq_wyuy + w_wt_wt * kq_wywy, kv_dxdx + w * kv_uxux,
        kv_dxdy + w * kv_uxuy, kv_dxsx + w_us * kv_uxux + w_ws * kv_uxwx, kv_dxsy + w_us * kv_uxuy + w_ws * kv_uxwy,
        kv_dxtx + w_ut * kv_uxux + w_wt * kv_uxwx, kv_dxty + w_ut * kv_uxuy + w_wt * kv_uxwy, kv_dydy + w * kv_uyuy,
        kv_dysx + w_us * kv_uxuy + w_ws * kv_uywx, kv_dysy + w_us * kv_uyuy + w_ws * kv_uywy,
        kv_dytx + w_ut * kv_uxuy + w_wt * kv_uywx, kv_dyty + w_ut * kv_uyuy + w_wt * kv_uywy,
        kv_sxsx + w_us_us * kv_uxux + w_us_ws * kv_uxwx + w_us_ws * kv_uxwx + w_ws_ws * kv_wxwx,
        kv_sxsy + w_us_us * kv_uxuy + w_us_ws * kv_uxwy + w_us_ws * kv_uywx + w_ws_ws * kv_wxwy,
        kv_sxtx + w_us_ut * kv_uxux + w_us_wt * kv_uxwx + w_ut_ws * kv_uxwx + w_ws_wt * kv_wxwx,
        kv_sxty + w_us_ut * kv_uxuy + w_us_wt * kv_uxwy + w_ut_ws * kv_uywx + w_ws_wt * kv_wxwy,
        kv_sysy + w_us_us * kv_uyuy + w_us_ws * kv_uywy + w_us_ws * kv_uywy + w_ws_ws * kv_wywy,
        kv_sytx + w_us_ut * kv_uxuy + w_us_wt * kv_uywx + w_ut_ws * kv_uxwy + w_ws_wt * kv_wxwy,
        kv_syty + w_us_ut * kv_uyuy + w_us_wt * kv_uywy + w_ut_ws * kv_uywy + w_ws_wt * kv_wywy,
        kv_txtx + w_ut_ut * kv_uxux + w_ut_wt * kv_uxwx + w_ut_wt * kv_uxwx + w_wt_wt * kv_wxwx,
        kv_txty + w_ut_ut * kv_uxuy + w_ut_wt * kv_uxwy + w_ut_wt * kv_uywx + w_wt_wt * kv_wxwy,
        kv_tyty + w_ut_ut * kv_uyuy + w_ut_wt * kv_uywy + w_ut_wt * kv_uywy + w_wt_wt * kv_wywy,
    )


def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
    out = scratch(456)
    for first in range(0, count, 8):
        some = min(8, count - first)
        for k in range(some):
            e = first + k
            length = par[9 * e]
            inverse = 1.0 / length
            dx, dy, sx, sy, tx, ty = shape_of(q, dof, 8 * e, inverse)
            v_dx, v_dy, v_sx, v_sy, v_tx, v_ty = shape_of(v, dof, 8 * e, inverse)
            state = inverse, dx, dy, sx, sy, tx, ty, v_dx, v_dy, v_sx, v_sy, v_tx, v_ty
            s0 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            s1 = axial_tangent(s0, state, (0.11846344252809454, 0.8189613578583975, -0.08721848808026642, -3.718539537815992, -1.718539537815992), par[9 * e + 1])
            s2 = axial_tangent(s1, state, (0.23931433524968324, 0.2366965534971093, -0.30177275660857383, -2.6154079303170494, -0.6154079303170494), par[9 * e + 2])
            s3 = axial_tangent(s2, state, (0.28444444444444444, -0.25, -0.25, -1.0, 1.0), par[9 * e + 3])
            s4 = axial_tangent(s3, state, (0.23931433524968324, -0.30177275660857394, 0.23669655349710905, 0.6154079303170494, 2.6154079303170494), par[9 * e + 4])
            s5 = axial_tangent(s4, state, (0.11846344252809454, -0.08721848808026644, 0.8189613578583974, 1.7185395378159916, 3.7185395378159916), par[9 * e + 5])
            s6 = bending_tangent(s5, state, (0.2777777777777778, 0.5872983346207418, -0.18729833462074166, -3.32379000772445, -1.3237900077244502), par[9 * e + 6])
            s7 = bending_tangent(s6, state, (0.4444444444444444, -0.25, -0.25, -1.0, 1.0), par[9 * e + 7])
            s8 = bending_tangent(s7, state, (0.2777777777777778, -0.18729833462074152, 0.5872983346207419, 1.3237900077244502, 3.32379000772445), par[9 * e + 8])
            kq_dxdx, kq_dxdy, kq_dxsx, kq_dxsy, kq_dxtx, kq_dxty, kq_dydx, kq_dydy, kq_dysx, kq_dysy, kq_dytx, kq_dyty, kq_sxdx, kq_sxdy, kq_sxsx, kq_sxsy, kq_sxtx, kq_sxty, kq_sydx, kq_sydy, kq_sysx, kq_sysy, kq_sytx, kq_syty, kq_txdx, kq_txdy, kq_txsx, kq_txsy, kq_txtx, kq_txty, kq_tydx, kq_tydy, kq_tysx, kq_tysy, kq_tytx, kq_tyty, kv_dxdx, kv_dxdy, kv_dxsx, kv_dxsy, kv_dxtx, kv_dxty, kv_dydy, kv_dysx, kv_dysy, kv_dytx, kv_dyty, kv_sxsx, kv_sxsy, kv_sxtx, kv_sxty, kv_sysy, kv_sytx, kv_syty, kv_txtx, kv_txty, kv_tyty = s8
            n_kq_dxdx = kq_dxdx - kq_sxdx - kq_txdx
            n_kq_dxdy = kq_dxdy - kq_sxdy - kq_txdy
            n_kq_dydx = kq_dydx - kq_sydx - kq_tydx
            n_kq_dydy = kq_dydy - kq_sydy - kq_tydy
            n_kq_dxsx = kq_dxsx - kq_sxsx - kq_txsx
            n_kq_dxsy = kq_dxsy - kq_sxsy - kq_txsy
            n_kq_dxtx = kq_dxtx - kq_sxtx - kq_txtx
            n_kq_dxty = kq_dxty - kq_sxty - kq_txty
            n_kq_dysx = kq_dysx - kq_sysx - kq_tysx
            n_kq_dysy = kq_dysy - kq_sysy - kq_tysy
            n_kq_dytx = kq_dytx - kq_sytx - kq_tytx
            n_kq_dyty = kq_dyty - kq_syty - kq_tyty
            n_kq_sxdx = kq_sxdx - kq_sxsx - kq_sxtx
            n_kq_sxdy = kq_sxdy - kq_sxsy - kq_sxty
            n_kq_sydx = kq_sydx - kq_sysx - kq_sytx
            n_kq_sydy = kq_sydy - kq_sysy - kq_syty
            n_kq_txdx = kq_txdx - kq_txsx - kq_txtx
            n_kq_txdy = kq_txdy - kq_txsy - kq_txty
            n_kq_tydx = kq_tydx - kq_tysx - kq_tytx
            n_kq_tydy = kq_tydy - kq_tysy - kq_tyty
            n_kv_dxdx = kv_dxdx - kv_dxsx - kv_dxtx
            n_kv_dxdy = kv_dxdy - kv_dysx - kv_dytx
            n_kv_dydy = kv_dydy - kv_dysy - kv_dyty
            n_kv_dxsx = kv_dxsx - kv_sxsx - kv_sxtx
            n_kv_dxsy = kv_dxsy - kv_sxsy - kv_sytx
            n_kv_dxtx = kv_dxtx - kv_sxtx - kv_txtx
            n_kv_dxty = kv_dxty - kv_sxty - kv_txty
            n_kv_dysx = kv_dysx - kv_sxsy - kv_sxty
            n_kv_dysy = kv_dysy - kv_sysy - kv_syty
            n_kv_dytx = kv_dytx - kv_sytx - kv_txty
            n_kv_dyty = kv_dyty - kv_syty - kv_tyty
            out[0 + k] = (n_kq_dxdx - n_kq_dxsx - n_kq_dxtx) * inverse
            out[8 + k] = (n_kq_dxdy - n_kq_dxsy - n_kq_dxty) * inverse
            out[16 + k] = n_kq_dxsx
            out[24 + k] = n_kq_dxsy
            out[32 + k] = n_kq_dxtx
            out[40 + k] = n_kq_dxty
            out[48 + k] = (n_kq_dydx - n_kq_dysx - n_kq_dytx) * inverse
            out[56 + k] = (n_kq_dydy - n_kq_dysy - n_kq_dyty) * inverse
            out[64 + k] = n_kq_dysx
            out[72 + k] = n_kq_dysy
            out[80 + k] = n_kq_dytx
            out[88 + k] = n_kq_dyty
            out[96 + k] = n_kq_sxdx
            out[104 + k] = n_kq_sxdy
            out[112 + k] = length * kq_sxsx
            out[120 + k] = length * kq_sxsy
            out[128 + k] = length * kq_sxtx
            out[136 + k] = length * kq_sxty
            out[144 + k] = n_kq_sydx
            out[152 + k] = n_kq_sydy
            out[160 + k] = length * kq_sysx
            out[168 + k] = length * kq_sysy
            out[176 + k] = length * kq_sytx
            out[184 + k] = length * kq_syty
            out[192 + k] = n_kq_txdx
            out[200 + k] = n_kq_txdy
            out[208 + k] = length * kq_txsx
            out[216 + k] = length * kq_txsy
            out[224 + k] = length * kq_txtx
            out[232 + k] = length * kq_txty
            out[240 + k] = n_kq_tydx
            out[248 + k] = n_kq_tydy
            out[256 + k] = length * kq_tysx
            out[264 + k] = length * kq_tysy
            out[272 + k] = length * kq_tytx
            out[280 + k] = length * kq_tyty
            out[288 + k] = (n_kv_dxdx - n_kv_dxsx - n_kv_dxtx) * inverse
            out[296 + k] = (n_kv_dxdy - n_kv_dxsy - n_kv_dxty) * inverse
            out[304 + k] = n_kv_dxsx
            out[312 + k] = n_kv_dxsy
            out[320 + k] = n_kv_dxtx
            out[328 + k] = n_kv_dxty
            out[336 + k] = (n_kv_dydy - n_kv_dysy - n_kv_dyty) * inverse
            out[344 + k] = n_kv_dysx
            out[352 + k] = n_kv_dysy
            out[360 + k] = n_kv_dytx
            out[368 + k] = n_kv_dyty
            out[376 + k] = length * kv_sxsx
            out[384 + k] = length * kv_sxsy
            out[392 + k] = length * kv_sxtx
            out[400 + k] = length * kv_sxty
            out[408 + k] = length * kv_sysy
            out[416 + k] = length * kv_sytx
            out[424 + k] = length * kv_syty
            out[432 + k] = length * kv_txtx
            out[440 + k] = length * kv_txty
            out[448 + k] = length * kv_tyty
        for k in range(some):
            e = first + k
            add_row(kq, slot, 64 * e + 0,
                out[0 + k], out[8 + k], -out[16 + k], -out[24 + k], -out[0 + k], -out[8 + k], -out[32 + k], -out[40 + k],
            )
            add_row(kq, slot, 64 * e + 8,
                out[48 + k], out[56 + k], -out[64 + k], -out[72 + k], -out[48 + k], -out[56 + k], -out[80 + k], -out[88 + k],
            )
            add_row(kq, slot, 64 * e + 16,
                -out[96 + k], -out[104 + k], out[112 + k], out[120 + k], out[96 + k], out[104 + k], out[128 + k], out[136 + k],
            )
            add_row(kq, slot, 64 * e + 24,
                -out[144 + k], -out[152 + k], out[160 + k], out[168 + k], out[144 + k], out[152 + k], out[176 + k], out[184 + k],
            )
            add_row(kq, slot, 64 * e + 32,
                -out[0 + k], -out[8 + k], out[16 + k], out[24 + k], out[0 + k], out[8 + k], out[32 + k], out[40 + k],
            )
            add_row(kq, slot, 64 * e + 40,
                -out[48 + k], -out[56 + k], out[64 + k], out[72 + k], out[48 + k], out[56 + k], out[80 + k], out[88 + k],
            )
            add_row(kq, slot, 64 * e + 48,
                -out[192 + k], -out[200 + k], out[208 + k], out[216 + k], out[192 + k], out[200 + k], out[224 + k], out[232 + k],
            )
            add_row(kq, slot, 64 * e + 56,
                -out[240 + k], -out[248 + k], out[256 + k], out[264 + k], out[240 + k], out[248 + k], out[272 + k], out[280 + k],
            )
            add_row(kv, slot, 64 * e + 0,
                out[288 + k], out[296 + k], -out[304 + k], -out[312 + k], -out[288 + k], -out[296 + k], -out[320 + k], -out[328 + k],
            )
            add_row(kv, slot, 64 * e + 8,
                out[296 + k], out[336 + k], -out[344 + k], -out[352 + k], -out[296 + k], -out[336 + k], -out[360 + k], -out[368 + k],
            )
            add_row(kv, slot, 64 * e + 16,
                -out[304 + k], -out[344 + k], out[376 + k], out[384 + k], out[304 + k], out[344 + k], out[392 + k], out[400 + k],
            )
            add_row(kv, slot, 64 * e + 24,
                -out[312 + k], -out[352 + k], out[384 + k], out[408 + k], out[312 + k], out[352 + k], out[416 + k], out[424 + k],
            )
            add_row(kv, slot, 64 * e + 32,
                -out[288 + k], -out[296 + k], out[304 + k], out[312 + k], out[288 + k], out[296 + k], out[320 + k], out[328 + k],
            )
            add_row(kv, slot, 64 * e + 40,
                -out[296 + k], -out[336 + k], out[344 + k], out[352 + k], out[296 + k], out[336 + k], out[360 + k], out[368 + k],
            )
            add_row(kv, slot, 64 * e + 48,
                -out[320 + k], -out[360 + k], out[392 + k], out[416 + k], out[320 + k], out[360 + k], out[432 + k], out[440 + k],
            )
            add_row(kv, slot, 64 * e + 56,
                -out[328 + k], -out[368 + k], out[400 + k], out[424 + k], out[328 + k], out[368 + k], out[440 + k], out[448 + k],
            )


@register_inlined
def axial_energy(sums, state, point, p_axial_damping):
    potential, dissipated = sums
    inverse, dx, dy, sx, sy, tx, ty, v_dx, v_dy, v_sx, v_sy, v_tx, v_ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    v_ux = v_dx + us * v_sx + ut * v_tx
    v_uy = v_dy + us * v_sy + ut * v_ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c2 = (1.0 / (c0))
    dissipated_x = p_axial_damping*c2*((ux*v_ux + uy*v_uy) * (ux*v_ux + uy*v_uy))
    return (
        potential, dissipated + w * dissipated_x,
    )


@register_inlined
def bending_energy(sums, state, point, p_bending_damping):
    potential, dissipated = sums
    inverse, dx, dy, sx, sy, tx, ty, v_dx, v_dy, v_sx, v_sy, v_tx, v_ty = state
    w, us, ut, ws, wt = point
    ux = dx + us * sx + ut * tx
    uy = dy + us * sy + ut * ty
    wx = ws * sx + wt * tx
    wy = ws * sy + wt * ty
    v_ux = v_dx + us * v_sx + ut * v_tx
    v_uy = v_dy + us * v_sy + ut * v_ty
    v_wx = ws * v_sx + wt * v_tx
    v_wy = ws * v_sy + wt * v_ty
    c0 = ((ux) * (ux)) + ((uy) * (uy))
    c2 = (1.0 / (c0))
    c3 = 2.0*c2*(ux*wy - uy*wx)
    dissipated_x = p_bending_damping*((c2) * (c2))*((inverse) * (inverse))*((ux*v_wy - uy*v_wx + v_ux*(-ux*c3 + wy) - v_uy*(uy*c3 + wx)) * (ux*v_wy - uy*v_wx + v_ux*(-ux*c3 + wy) - v_uy*(uy*c3 + wx)))
    return (
        potential, dissipated + w * dissipated_x,
    )


def energy(count, dof, par, sig, q, v, u, energy):
    out = scratch(24)
    for first in range(0, count, 8):
        some = min(8, count - first)
        for k in range(some):
            e = first + k
            length = par[9 * e]
            inverse = 1.0 / length
            dx, dy, sx, sy, tx, ty = shape_of(q, dof, 8 * e, inverse)
            v_dx, v_dy, v_sx, v_sy, v_tx, v_ty = shape_of(v, dof, 8 * e, inverse)
            state = inverse, dx, dy, sx, sy, tx, ty, v_dx, v_dy, v_sx, v_sy, v_tx, v_ty
            s0 = (0.0, 0.0)
            s1 = axial_energy(s0, state, (0.11846344252809454, 0.8189613578583975, -0.08721848808026642, -3.718539537815992, -1.718539537815992), par[9 * e + 1])
            s2 = axial_energy(s1, state, (0.23931433524968324, 0.2366965534971093, -0.30177275660857383, -2.6154079303170494, -0.6154079303170494), par[9 * e + 2])
            s3 = axial_energy(s2, state, (0.28444444444444444, -0.25, -0.25, -1.0, 1.0), par[9 * e + 3])
            s4 = axial_energy(s3, state, (0.23931433524968324, -0.30177275660857394, 0.23669655349710905, 0.6154079303170494, 2.6154079303170494), par[9 * e + 4])
            s5 = axial_energy(s4, state, (0.11846344252809454, -0.08721848808026644, 0.8189613578583974, 1.7185395378159916, 3.7185395378159916), par[9 * e + 5])
            s6 = bending_energy(s5, state, (0.2777777777777778, 0.5872983346207418, -0.18729833462074166, -3.32379000772445, -1.3237900077244502), par[9 * e + 6])
            s7 = bending_energy(s6, state, (0.4444444444444444, -0.25, -0.25, -1.0, 1.0), par[9 * e + 7])
            s8 = bending_energy(s7, state, (0.2777777777777778, -0.18729833462074152, 0.5872983346207419, 1.3237900077244502, 3.32379000772445), par[9 * e + 8])
            potential, dissipated = s8
            out[0 + k] = length * potential
            out[8 + k] = length * dissipated
            out[16 + k] = 0.0
        for k in range(some):
            e = first + k
            energy[3 * e + 0] = out[0 + k]
            energy[3 * e + 1] = out[8 + k]
            energy[3 * e + 2] = out[16 + k]
