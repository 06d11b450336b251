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

Damping beta, s: g = K* (d + beta P R^T v). Its tangent in v is exact; that in x neglects the change of the damping with P and
R.

par: number of nodes n; beta; w_a (n); X_a (n d); K* (n d)^2. The kernels are the same for all n.
"""

from __future__ import annotations

import functools
from types import ModuleType

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


@functools.cache
def _super_element_kernels(d: int, damped: bool) -> ForceKernels:
    turns = 1 if d == 2 else 3
    nearest = nearest_rotation_plane if d == 2 else nearest_rotation_space

    @inlined
    def room(size):
        """Allocate R, y, G, D^-1, d and g of an element."""
        square, turning = np.empty((d, d)), np.empty((turns, turns))
        return square, np.empty(size), np.empty((turns, size)), turning, np.empty(size), np.empty(size)

    @inlined
    def rotated(k, a, b, c, out):
        """Compute E_k (a, b, c)."""
        if d == 2:
            out[0], out[1] = -b, a
        elif k == 0:
            out[0], out[1], out[2] = 0.0, -c, b
        elif k == 1:
            out[0], out[1], out[2] = c, 0.0, -a
        else:
            out[0], out[1], out[2] = -b, a, 0.0

    @inlined
    def turned(k, vector, at, out):
        """Compute E_k of the vector that starts at `at`."""
        rotated(k, vector[at], vector[at + 1], vector[at + 2] if d == 3 else 0.0, out)

    @inlined
    def inverse(D, out):
        """Invert a symmetric matrix."""
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
    def frame(dof, par, q, first, start, n, R, y, G, Di):
        """Compute R, y, G and D^-1 of the element with coordinates and parameters from `first` and `start`."""
        w, X = start + HEADER_SIZE, start + HEADER_SIZE + n
        B, D, arm, other = np.zeros((d, d)), np.zeros((turns, turns)), np.empty(3), np.empty(3)
        middle = np.zeros(d)
        for a in range(n):
            for i in range(d):
                middle[i] += par[w + a] * q[dof[first + d * a + i]]
        for a in range(n):
            for i in range(d):
                y[d * a + i] = par[X + d * a + i] + q[dof[first + d * a + i]] - middle[i]
                for j in range(d):
                    B[i, j] += par[w + a] * y[d * a + i] * par[X + d * a + j]
        nearest(B, R)
        for a in range(n):
            for i in range(d):
                total = 0.0
                for j in range(d):
                    total += R[j, i] * y[d * a + j]
                other[i] = total
            for i in range(d):
                y[d * a + i] = other[i]
        for a in range(n):
            for k in range(turns):
                turned(k, par, X + d * a, arm)
                for l in range(turns):
                    turned(l, y, d * a, other)
                    for i in range(d):
                        D[k, l] += par[w + a] * arm[i] * other[i]
        inverse(D, Di)
        for a in range(n):
            for i in range(d):
                for k in range(turns):
                    G[k, d * a + i] = 0.0
            for l in range(turns):
                turned(l, par, X + d * a, arm)
                for k in range(turns):
                    for i in range(d):
                        G[k, d * a + i] += Di[k, l] * par[w + a] * arm[i]

    @inlined
    def rates(dof, v, first, n, R, y, G, out):
        """Compute P R^T v."""
        omega, arm = np.zeros(3), np.empty(3)
        for a in range(n):
            for i in range(d):
                total = 0.0
                for j in range(d):
                    total += R[j, i] * v[dof[first + d * a + j]]
                out[d * a + i] = total
        for k in range(turns):
            for r in range(d * n):
                omega[k] += G[k, r] * out[r]
        for a in range(n):
            for k in range(turns):
                turned(k, y, d * a, arm)
                for i in range(d):
                    out[d * a + i] -= omega[k] * arm[i]

    @inlined
    def times(par, at, size, x, out):
        """Compute K* x."""
        for r in range(size):
            total, row = 0.0, at + size * r
            for c in range(size):
                total += par[row + c] * x[c]
            out[r] = total

    @inlined
    def strained(dof, par, q, first, start, n, R, y, G, Di, x):
        """Compute the frame, and d (in x)."""
        X = start + HEADER_SIZE + n
        frame(dof, par, q, first, start, n, R, y, G, Di)
        for r in range(d * n):
            x[r] = y[r] - par[X + r]

    @inlined
    def pulled(dof, par, q, v, first, start, n, R, y, G, Di, x, g):
        """Compute the frame, d plus the damping term (in x), and g."""
        size, X = d * n, start + HEADER_SIZE + n
        strained(dof, par, q, first, start, n, R, y, G, Di, x)
        if damped:
            rates(dof, v, first, n, R, y, G, g)
            for r in range(size):
                x[r] += par[start + 1] * g[r]
        times(par, X + size, size, x, g)

    @inlined
    def moment(y, g, n, tau):
        """Compute Y^T g."""
        arm = np.empty(3)
        for k in range(turns):
            tau[k] = 0.0
        for a in range(n):
            for k in range(turns):
                turned(k, y, d * a, arm)
                for i in range(d):
                    tau[k] += arm[i] * g[d * a + i]

    @inlined
    def without_moment(G, tau, size, g):
        """Replace g by h = P^T g."""
        for r in range(size):
            for k in range(turns):
                g[r] -= G[k, r] * tau[k]

    @inlined
    def put(R, block, half, slot, at, size, a, b, values):
        """Add R block R^T."""
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
                values[slot[at + size * (d * a + i) + d * b + j]] += value

    @inlined
    def put_damping(par, R, Y, KY, G, K, start, slot, at, n, block, half, inner, kv):
        """Add beta R P^T K* P R^T."""
        size = d * n
        for k in range(turns):
            for l in range(turns):
                inner[k, l] = 0.0
                for r in range(size):
                    inner[k, l] += Y[k, r] * KY[l, r]
        for a in range(n):
            for b in range(n):
                for i in range(d):
                    for j in range(d):
                        r, s = d * a + i, d * b + j
                        value = par[K + size * r + s]
                        for k in range(turns):
                            value -= G[k, r] * KY[k, s] + KY[k, r] * G[k, s]
                            for l in range(turns):
                                value += G[k, r] * inner[k, l] * G[l, s]
                        block[i, j] = par[start + 1] * value
                put(R, block, half, slot, at, size, a, b, kv)

    def force(count, dof, par, sig, q, v, u, total):
        n = int(par[0])
        size, stride = d * n, parameter_stride(d, n)
        R, y, G, Di, x, g = room(size)
        tau = np.empty(3)
        for e in range(count):
            pulled(dof, par, q, v, size * e, stride * e, n, R, y, G, Di, x, g)
            moment(y, g, n, tau)
            without_moment(G, tau, size, g)
            for a in range(n):
                for i in range(d):
                    pull = 0.0
                    for j in range(d):
                        pull += R[i, j] * g[d * a + j]
                    total[dof[size * e + d * a + i]] -= pull

    def tangent(count, dof, par, sig, slot, q, v, u, kq, kv):
        n = int(par[0])
        size, stride = d * n, parameter_stride(d, n)
        R, y, G, Di, x, g = room(size)
        tau, c = np.empty(3), np.empty(3)
        Y, KY, left, right = (
            np.empty((turns, size)),
            np.empty((turns, size)),
            np.empty((turns, size)),
            np.empty((turns, size)),
        )
        inner, arm, other = np.empty((turns, turns)), np.empty(3), np.empty(3)
        block, half = np.empty((d, d)), np.empty((d, d))
        for e in range(count):
            start, first = stride * e, size * e
            w, X = start + HEADER_SIZE, start + HEADER_SIZE + n
            K = X + size
            pulled(dof, par, q, v, first, start, n, R, y, G, Di, x, g)
            moment(y, g, n, tau)
            for a in range(n):
                for k in range(turns):
                    turned(k, y, d * a, arm)
                    for i in range(d):
                        Y[k, d * a + i] = arm[i]
            for k in range(turns):
                times(par, K, size, Y[k], KY[k])
            for k in range(turns):
                c[k] = 0.0
                for l in range(turns):
                    c[k] += Di[k, l] * tau[l]
            for a in range(n):
                for k in range(turns):
                    turned(k, g, d * a, arm)  # EG
                    for i in range(d):
                        right[k, d * a + i] = arm[i]
                    turned(k, par, X + d * a, arm)
                    for l in range(turns):
                        turned(l, arm, 0, other)
                        for i in range(d):
                            right[k, d * a + i] -= par[w + a] * c[l] * other[i]  # Z: E_l^T = -E_l
            without_moment(G, tau, size, g)  # h from here on
            for a in range(n):
                for k in range(turns):
                    turned(k, g, d * a, arm)  # EH
                    for i in range(d):
                        left[k, d * a + i] = arm[i] - KY[k, d * a + i]
            for k in range(turns):
                for l in range(turns):
                    inner[k, l] = 0.0
                    for r in range(size):
                        inner[k, l] += (KY[k, r] - right[k, r]) * Y[l, r]
            for k in range(turns):
                for r in range(size):
                    right[k, r] -= KY[k, r]
                    for l in range(turns):
                        right[k, r] += inner[k, l] * G[l, r]
            for a in range(n):
                for b in range(n):
                    for i in range(d):
                        for j in range(d):
                            r, s = d * a + i, d * b + j
                            value = par[K + size * r + s]
                            for k in range(turns):
                                value += G[k, r] * right[k, s] + left[k, r] * G[k, s]
                            block[i, j] = value
                    put(R, block, half, slot, size * size * e, size, a, b, kq)
            if damped:
                put_damping(par, R, Y, KY, G, K, start, slot, size * size * e, n, block, half, inner, kv)

    def energy(count, dof, par, sig, q, v, u, energy):
        n = int(par[0])
        size, stride = d * n, parameter_stride(d, n)
        R, y, G, Di, x, g = room(size)
        for e in range(count):
            start, first = stride * e, size * e
            K = start + HEADER_SIZE + n + size
            strained(dof, par, q, first, start, n, R, y, G, Di, x)
            times(par, K, size, x, g)
            stored, lost = 0.0, 0.0
            for r in range(size):
                stored += 0.5 * x[r] * g[r]
            if damped:
                rates(dof, v, first, n, R, y, G, x)
                times(par, K, size, x, g)
                for r in range(size):
                    lost += par[start + 1] * x[r] * g[r]
            energy[3 * e] = stored
            energy[3 * e + 1] = lost
            energy[3 * e + 2] = 0.0

    return ForceKernels(force, tangent, energy)
