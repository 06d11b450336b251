"""Closed-form kinematics and energies of linkages, for tests: positions are complex numbers, intersections of
circles."""

from __future__ import annotations

import numpy as np

TURN = np.linspace(0.0, 2 * np.pi, 401)[:-1]
"""Angles of a crank over one turn; evenly spaced, for derivatives by Fourier series."""


def meet(first, radius, second, other, side):
    """Intersection of the circles about `first` and `second`: left (+1) or right (-1) of the direction from first to
    second."""
    span = second - first
    along = (radius**2 - other**2 + np.abs(span) ** 2) / (2 * np.abs(span))
    across = np.sqrt(radius**2 - along**2)
    assert np.isfinite(across).all(), "the circles do not meet"
    return first + (along + side * 1j * across) * span / np.abs(span)


def rate(values):
    """Derivative of a periodic function of the crank angle, by its Fourier series."""
    waves = np.fft.fftfreq(values.size, 1 / values.size)
    return np.fft.ifft(1j * waves * np.fft.fft(values))


def crank_torque(bars, density, speed, gravity=9.81):
    """Torque that turns a crank at constant speed, N m: the derivative of kinetic and potential energy by its angle.

    bars: pairs of ends over TURN. A uniform bar with ends a and b has the kinetic energy m (|a'|^2 + Re(a' b'*) + |b'|^2)/6."""
    energy = np.zeros(TURN.size)
    for a, b in bars:
        a, b = a + 0 * TURN, b + 0 * TURN
        mass, va, vb = density * np.abs(b - a), speed * rate(a), speed * rate(b)
        energy += mass * (np.abs(va) ** 2 + (va * np.conj(vb)).real + np.abs(vb) ** 2) / 6
        energy += mass * gravity * (a + b).imag / 2
    return rate(energy).real


def place(run, point):
    """Complex position of a point over a run."""
    return run.array(f"{point}.x") + 1j * run.array(f"{point}.y")


def turned(model, clockwise):
    """Run of the model over a turn of one second, at the angles TURN of its crank."""
    times = (-TURN if clockwise else TURN) / (2 * np.pi) % 1.0
    order = np.argsort(times)
    run = model.inverse(times=times[order])
    return run, np.argsort(order)
