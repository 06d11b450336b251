"""A dense stiffness K* as one element, in a co-rotating frame (rotational neutralisation, paper 004 Eq 4.7-4.13).

    y_a = R^T (x_a - x_m)        d_a = y_a - X_a        W = 1/2 d^T K* d        f = -R P^T g        g = K* d

x_m is the weighted mean of the positions x_a, X_a are the undeformed positions relative to their mean, R is the rotation
nearest to the motion of the nodes: sum w_a |x_a - x_m - R X_a|^2 is minimal. d is zero for every rigid motion. A small turn
of the frame is omega = G R^T dx,

    G = D^-1 A        A_k = w_a (E_k X_a)^T        D_kl = sum w_a E_k X_a . E_l y_a        E_k y = e_k x y

so dd = P R^T dx with P = 1 - Y G, Y_k = E_k y_a. The thesis has f = -R g, as if the frame did not depend on the nodes. P is
the missing factor of the derivative of W: with it forces have a potential and no moment, energy and angular momentum are
conserved, and the tangent is symmetric. It is exact:

    R^T K_T R = K* + G^T (-(K* Y)^T + EG^T + Z) + (-K* Y + EH) G + G^T (Y^T K* Y - (EG^T + Z) Y) G

EG_k = E_k g_a, EH_k = E_k h_a with h = P^T g, Z_k = w_a sum_l c_l E_l^T E_k X_a, c = D^-1 Y^T g.

Damping beta, s: g = K* (d + beta P R^T v). Its tangent in v is exact, beta R P^T K* P R^T; that in x neglects the change of
the damping with P and R. Both tangents have the form

    K* + G^T right + left^T G        right = s - K* Y + ((K* Y)^T - s) Y G        (as rows)

with s = EG + Z and left = EH - K* Y, or, for damping, s = 0 and left = -K* Y.

par: number of nodes n; beta; w_a (n); X_a (n d); K* (n d)^2. The kernels are the same for all n.

A condensed solid that is held cannot turn. Its stiffness is one linear element (`dense_module`), f = -K* (u + beta u'), with
the energy u^T K* u / 2; par: number of coordinates; beta, s; K*.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import NamedTuple

import numpy as np

from gaitwright.fem.element_loops import ForceKernels
from gaitwright.fem.kernel_modules import force_module
from gaitwright.geometry.nearest_rotation import nearest_rotation_plane, nearest_rotation_space
from gaitwright.jit import force_inline as inlined

Array = np.ndarray
HEADER_SIZE = 2
"""Number of values in front of the weights."""


def count_parameters(d, n):
    """Return the number of values in par."""
    return HEADER_SIZE + n + d * n + (d * n) ** 2


parameter_stride = inlined(count_parameters)


def super_element_parameters(weights: Array, places: Array, stiffness: Array, damping: float = 0.0) -> Array:
    """Return par of one element, (1, numbers). weights: of the nodes; places: (n, d), m; stiffness: (n d, n d), N/m."""
    share = weights / weights.sum()
    about = places - share @ places
    return np.concatenate(([len(places), damping], share, about.ravel(), stiffness.ravel()))[None]


@functools.cache
def super_element_module(d: int, n: int, damped: bool) -> ModuleType:
    """Return the kernel module of a dense element on n nodes with a co-rotating frame."""
    name = f"super_element__{d}d_{n}" + ("_damped" if damped else "")
    return force_module(
        name,
        _super_element_kernels(d, damped),
        n * d,
        count_parameters(d, n),
        symmetric=not damped,
        potential=True,
        dissipates=damped,
    )


class CorotatingFrame(NamedTuple):
    """Frame of one element with n nodes. Arrays with a row per axis of rotation have one row in the plane, three in space."""

    R: Array  # (d, d)
    y: Array  # (d n,)
    Y: Array  # (axes, d n)
    G: Array  # (axes, d n)
    D_inverse: Array  # (axes, axes)


# Steps of the kernels; the dimension d is a compile-time constant --------------------------------------------------


@inlined
def axis_count(d):
    """Return the number of axes of rotation."""
    return 1 if d == 2 else 3


@inlined
def new_frame(d, n):
    """Scratch arrays of a frame."""
    axes, size = axis_count(d), d * n
    return CorotatingFrame(
        np.empty((d, d)), np.empty(size), np.empty((axes, size)), np.empty((axes, size)), np.empty((axes, axes))
    )


@inlined
def cross_axis(d, k, vector, at, out):
    """Compute E_k of the vector that starts at `at`."""
    a, b = vector[at], vector[at + 1]
    if d == 2:
        out[0], out[1] = -b, a
    elif k == 0:
        out[0], out[1], out[2] = 0.0, -vector[at + 2], b
    elif k == 1:
        out[0], out[1], out[2] = vector[at + 2], 0.0, -a
    else:
        out[0], out[1], out[2] = -b, a, 0.0


@inlined
def cross_axes(d, n, vectors, first, out):
    """Compute E_k of the vectors of all nodes, one row per axis. first: start of the vectors."""
    arm = np.empty(3)
    for a in range(n):
        for k in range(axis_count(d)):
            cross_axis(d, k, vectors, first + d * a, arm)
            for i in range(d):
                out[k, d * a + i] = arm[i]


@inlined
def invert_symmetric(d, D, out):
    """Write the inverse of D to out."""
    if d == 2:
        out[0, 0] = 1.0 / D[0, 0]
    else:
        for i in range(3):
            for j in range(3):
                k, l, m, o = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
                out[j, i] = D[k, m] * D[l, o] - D[k, o] * D[l, m]
        scale = 1.0 / (D[0, 0] * out[0, 0] + D[0, 1] * out[1, 0] + D[0, 2] * out[2, 0])
        for i in range(3):
            for j in range(3):
                out[i, j] *= scale


@inlined
def multiply_stiffness(par, at, size, x, out):
    """Compute K* x. at: start of K*."""
    for r in range(size):
        total, row = 0.0, at + size * r
        for c in range(size):
            total += par[row + c] * x[c]
        out[r] = total


@inlined
def multiply_rows(axes, size, rows, x, out):
    """Compute rows . x."""
    for k in range(axes):
        out[k] = 0.0
        for r in range(size):
            out[k] += rows[k, r] * x[r]


@inlined
def subtract_rows(axes, size, rows, factors, x):
    """x -= rows^T factors."""
    for r in range(size):
        for k in range(axes):
            x[r] -= rows[k, r] * factors[k]


@inlined
def rotate_into_frame(d, n, R, x):
    """Replace the vectors x of all nodes by R^T x."""
    rotated = np.empty(d)
    for a in range(n):
        for i in range(d):
            total = 0.0
            for j in range(d):
                total += R[j, i] * x[d * a + j]
            rotated[i] = total
        for i in range(d):
            x[d * a + i] = rotated[i]


@inlined
def update_frame(d, n, dof, first, par, start, q, frame):
    """Compute the frame of an element. first, start: of its coordinates and of its parameters."""
    R, y, Y, G, D_inverse = frame
    axes, w, X = axis_count(d), start + HEADER_SIZE, start + HEADER_SIZE + n
    B, D, middle, column = np.zeros((d, d)), np.zeros((axes, axes)), np.zeros(d), np.empty(axes)
    for a in range(n):
        for i in range(d):
            middle[i] += par[w + a] * q[dof[first + d * a + i]]
    for a in range(n):
        for i in range(d):
            y[d * a + i] = par[X + d * a + i] + q[dof[first + d * a + i]] - middle[i]
            for j in range(d):
                B[i, j] += par[w + a] * y[d * a + i] * par[X + d * a + j]
    if d == 2:
        nearest_rotation_plane(B, R)
    else:
        nearest_rotation_space(B, R)
    rotate_into_frame(d, n, R, y)
    cross_axes(d, n, y, 0, Y)
    cross_axes(d, n, par, X, G)
    for a in range(n):
        for k in range(axes):
            for i in range(d):
                G[k, d * a + i] *= par[w + a]  # A
                for l in range(axes):
                    D[k, l] += G[k, d * a + i] * Y[l, d * a + i]
    invert_symmetric(d, D, D_inverse)
    for r in range(d * n):
        for k in range(axes):
            column[k] = G[k, r]
        for k in range(axes):
            G[k, r] = 0.0
            for l in range(axes):
                G[k, r] += D_inverse[k, l] * column[l]


@inlined
def compute_deformation(d, n, dof, first, par, start, q, frame, x):
    """Compute the frame, and d (in x)."""
    X = start + HEADER_SIZE + n
    update_frame(d, n, dof, first, par, start, q, frame)
    for r in range(d * n):
        x[r] = frame.y[r] - par[X + r]


@inlined
def compute_deformation_rate(d, n, dof, first, v, frame, x):
    """Compute P R^T v (in x)."""
    axes, omega = axis_count(d), np.empty(3)
    for r in range(d * n):
        x[r] = v[dof[first + r]]
    rotate_into_frame(d, n, frame.R, x)
    multiply_rows(axes, d * n, frame.G, x, omega)
    subtract_rows(axes, d * n, frame.Y, omega, x)


@inlined
def complete_right(axes, size, KY, frame, right_factor):
    """Replace s, given in right_factor, by `right` of the module docstring."""
    inner = np.empty((axes, axes))
    for k in range(axes):
        for l in range(axes):
            inner[k, l] = 0.0
            for r in range(size):
                inner[k, l] += (KY[k, r] - right_factor[k, r]) * frame.Y[l, r]
    for k in range(axes):
        for r in range(size):
            right_factor[k, r] -= KY[k, r]
            for l in range(axes):
                right_factor[k, r] += inner[k, l] * frame.G[l, r]


@inlined
def scatter_tangent(d, n, scale, par, K, left_factor, right, frame, slot, first, values):
    """Add scale R (K* + G^T right + left^T G) R^T. K: start of K*; first: of the slots."""
    R, G, axes, size = frame.R, frame.G, axis_count(d), d * n
    block, half = np.empty((d, d)), np.empty((d, d))
    for a in range(n):
        for b in range(n):
            for i in range(d):
                for j in range(d):
                    r, s = d * a + i, d * b + j
                    value = par[K + size * r + s]
                    for k in range(axes):
                        value += G[k, r] * right[k, s] + left_factor[k, r] * G[k, s]
                    block[i, j] = scale * value
            for i in range(d):
                for j in range(d):
                    half[i, j] = 0.0
                    for k in range(d):
                        half[i, j] += R[i, k] * block[k, j]
            for i in range(d):
                for j in range(d):
                    value = 0.0
                    for k in range(d):
                        value += half[i, k] * R[j, k]
                    values[slot[first + size * (d * a + i) + d * b + j]] += value


@functools.cache
def _super_element_kernels(d: int, damped: bool) -> ForceKernels:
    axes = 1 if d == 2 else 3

    @inlined
    def compute_load(n, dof, first, par, start, q, v, frame, x, g, tau):
        """Compute the frame, g, and its moment tau = Y^T g. x: scratch."""
        size, K = d * n, start + HEADER_SIZE + n + d * n
        compute_deformation(d, n, dof, first, par, start, q, frame, x)
        if damped:
            compute_deformation_rate(d, n, dof, first, v, frame, g)
            for r in range(size):
                x[r] += par[start + 1] * g[r]
        multiply_stiffness(par, K, size, x, g)
        multiply_rows(axes, size, frame.Y, g, tau)

    def force(count, dof, par, sig, q, v, u, total):
        n = int(par[0])
        size, frame = d * n, new_frame(d, n)
        x, g, tau = np.empty(size), np.empty(size), np.empty(3)
        for e in range(count):
            compute_load(n, dof, size * e, par, parameter_stride(d, n) * e, q, v, frame, x, g, tau)
            subtract_rows(axes, size, frame.G, tau, g)
            for a in range(n):
                for i in range(d):
                    pull = 0.0
                    for j in range(d):
                        pull += frame.R[i, j] * g[d * a + j]
                    total[dof[size * e + d * a + i]] -= pull

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        n = int(par[0])
        size, frame = d * n, new_frame(d, n)
        x, g, tau, c = np.empty(size), np.empty(size), np.empty(3), np.empty(3)
        KY, left_factor, right_factor = np.empty((axes, size)), np.empty((axes, size)), np.empty((axes, size))
        arm, twice = np.empty(3), np.empty(3)
        for e in range(count):
            start, first = parameter_stride(d, n) * e, size * size * e
            w, X = start + HEADER_SIZE, start + HEADER_SIZE + n
            K = X + size
            compute_load(n, dof, size * e, par, start, q, v, frame, x, g, tau)
            for k in range(axes):
                multiply_stiffness(par, K, size, frame.Y[k], KY[k])
            multiply_rows(axes, axes, frame.D_inverse, tau, c)
            cross_axes(d, n, g, 0, right_factor)  # EG
            for a in range(n):
                for k in range(axes):
                    cross_axis(d, k, par, X + d * a, arm)
                    for l in range(axes):
                        cross_axis(d, l, arm, 0, twice)
                        for i in range(d):
                            right_factor[k, d * a + i] -= par[w + a] * c[l] * twice[i]  # Z: E_l^T = -E_l
            complete_right(axes, size, KY, frame, right_factor)
            subtract_rows(axes, size, frame.G, tau, g)  # h
            cross_axes(d, n, g, 0, left_factor)  # EH
            left_factor -= KY
            scatter_tangent(d, n, 1.0, par, K, left_factor, right_factor, frame, slot, first, kq)
            if damped:
                left_factor[:] = -KY
                right_factor[:] = 0.0
                complete_right(axes, size, KY, frame, right_factor)
                scatter_tangent(d, n, par[start + 1], par, K, left_factor, right_factor, frame, slot, first, kv)

    def energy(count, dof, par, sig, q, v, u, energy):
        n = int(par[0])
        size, frame = d * n, new_frame(d, n)
        x, g = np.empty(size), np.empty(size)
        for e in range(count):
            start = parameter_stride(d, n) * e
            K = start + HEADER_SIZE + n + size
            compute_deformation(d, n, dof, size * e, par, start, q, frame, x)
            multiply_stiffness(par, K, size, x, g)
            stored, lost = 0.0, 0.0
            for r in range(size):
                stored += 0.5 * x[r] * g[r]
            if damped:
                compute_deformation_rate(d, n, dof, size * e, v, frame, x)
                multiply_stiffness(par, K, size, x, g)
                for r in range(size):
                    lost += par[start + 1] * x[r] * g[r]
            energy[3 * e] = stored
            energy[3 * e + 1] = lost
            energy[3 * e + 2] = 0.0

    return ForceKernels(force, tangent, energy)


# Held solids: one linear element --------------------------------------------------------------------------------------


DENSE_HEADER_SIZE = 2


def dense_parameters(stiffness: Array, damping: float = 0.0) -> Array:
    """Return par of one element, (1, numbers). stiffness: (n, n), N/m."""
    return np.concatenate(([len(stiffness), damping], stiffness.ravel()))[None]


@functools.cache
def dense_module(n: int, damped: bool) -> ModuleType:
    """Return the kernel module of a dense element with n coordinates."""
    name = f"dense_element_{n}" + ("_damped" if damped else "")
    return force_module(name, _dense_kernels(damped), n, DENSE_HEADER_SIZE + n * n, potential=True, dissipates=damped)


@functools.cache
def _dense_kernels(damped: bool) -> ForceKernels:
    def force(count, dof, par, sig, q, v, u, total):
        n = int(par[0])
        x = np.empty(n)
        for e in range(count):
            start, first = e * (DENSE_HEADER_SIZE + n * n), n * e
            for r in range(n):
                x[r] = q[dof[first + r]]
                if damped:
                    x[r] += par[start + 1] * v[dof[first + r]]
            for r in range(n):
                pull, row = 0.0, start + DENSE_HEADER_SIZE + n * r
                for c in range(n):
                    pull -= par[row + c] * x[c]
                total[dof[first + r]] += pull

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        n = int(par[0])
        for e in range(count):
            start = e * (DENSE_HEADER_SIZE + n * n)
            for k in range(n * n):
                value = par[start + DENSE_HEADER_SIZE + k]
                kq[slot[n * n * e + k]] += value
                if damped:
                    kv[slot[n * n * e + k]] += par[start + 1] * value

    def energy(count, dof, par, sig, q, v, u, energy):
        n = int(par[0])
        for e in range(count):
            start, first = e * (DENSE_HEADER_SIZE + n * n), n * e
            stored, lost = 0.0, 0.0
            for r in range(n):
                row, pull, drag = start + DENSE_HEADER_SIZE + n * r, 0.0, 0.0
                for c in range(n):
                    pull += par[row + c] * q[dof[first + c]]
                    if damped:
                        drag += par[row + c] * v[dof[first + c]]
                stored += 0.5 * q[dof[first + r]] * pull
                lost += par[start + 1] * drag * v[dof[first + r]]
            energy[3 * e] = stored
            energy[3 * e + 1] = lost
            energy[3 * e + 2] = 0.0

    return ForceKernels(force, tangent, energy)
