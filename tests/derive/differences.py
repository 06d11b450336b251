"""Checks that every constraint kernel must pass, by differences of its own residual Phi with many digits: in the plane, in
space and in marker variables. A batch has phi(q, u), its kernels, and a state q, v, a, u, lam."""

import numpy as np

from derive.elements import STEP, close_to, gradient, mp


def dot(matrix, x):
    return matrix @ np.array(x, dtype=float)


def difference(function, x, direction):
    """Return the derivative of a list-valued function along a direction."""
    ahead = function([a + STEP * d for a, d in zip(x, direction, strict=True)])
    behind = function([a - STEP * d for a, d in zip(x, direction, strict=True)])
    return [(p - m) / (2 * STEP) for p, m in zip(ahead, behind, strict=True)]


def later(batch, dt):
    """Return Phi at a time dt later, on a motion with constant acceleration."""
    q = [q + dt * v + dt * dt / 2 * a for q, v, a in zip(batch.q, batch.v, batch.a, strict=True)]
    u = list(batch.u)
    for k in range(batch.k):
        f, df, ddf = batch.u[3 * k : 3 * k + 3]
        u[3 * k] = f + dt * df + dt * dt / 2 * ddf
    return batch.phi(q, u)


def reactions(batch, q):
    """Return Phi_q^T lambda."""

    def phi(i, sign):
        return batch.phi([x + sign * STEP if k == i else x for k, x in enumerate(q)], batch.u)

    pairs = [(phi(i, 1), phi(i, -1)) for i in range(batch.n)]
    return [sum(l * (p - m) for l, p, m in zip(batch.lam, a, b, strict=True)) / (2 * STEP) for a, b in pairs]


def check_jacobian(batch):
    phi, jacobian = batch.position(batch.q, batch.u)
    close_to(phi, batch.phi(batch.q, batch.u), 1e-15)
    close_to(jacobian, gradient(lambda q: batch.phi(q, batch.u), batch.q))
    return jacobian


def check_motion(batch):
    """Check Phi, Phi', Phi_t and gamma against Phi along a motion."""
    phi, phi_t, phi_dot, gamma, jacobian = batch.motion(batch.q, batch.v, batch.u)
    before, now, after = later(batch, -STEP), later(batch, mp.mpf(0)), later(batch, STEP)
    close_to(phi, now)
    close_to(phi_dot, [(p - m) / (2 * STEP) for p, m in zip(after, before, strict=True)])
    second = [(p - 2 * z + m) / STEP**2 for p, z, m in zip(after, now, before, strict=True)]
    close_to(dot(jacobian, batch.a) - np.array(gamma, dtype=float), second)
    close_to(phi_t, np.array(phi_dot, dtype=float) - dot(jacobian, batch.v))
    close_to(jacobian, batch.position(batch.q, batch.u)[1], 1e-15)
    return phi_t


def check_hessian(batch):
    """Check (Phi_q^T lambda)_q along a random direction, and its symmetry."""
    hessian = batch.hessian(batch.q, batch.u, batch.lam)
    close_to(dot(hessian, batch.v), difference(lambda q: reactions(batch, q), batch.q, batch.v))
    close_to(hessian, hessian.T, 1e-15)


def check_acceleration_tangents(batch):
    """Check gq and gv of Phi'' + damp Phi' + stiff Phi, along random directions."""
    damp, stiff = mp.mpf(1.7), mp.mpf(2.3)

    def stabilised(q, v):
        phi, _, phi_dot, gamma, _ = batch.motion(q, v, batch.u)
        pulled = difference(lambda x: batch.phi(x, batch.u), q, batch.a)
        return [x - g + damp * d + stiff * p for x, g, d, p in zip(pulled, gamma, phi_dot, phi, strict=True)]

    gq, gv = batch.acceleration(batch.q, batch.v, batch.a, batch.u, damp, stiff)
    way = batch.number(batch.rng.uniform(-1.0, 1.0, batch.n))
    close_to(dot(gq, way), difference(lambda q: stabilised(q, batch.v), batch.q, way))
    close_to(dot(gv, way), difference(lambda v: stabilised(batch.q, v), batch.v, way))
