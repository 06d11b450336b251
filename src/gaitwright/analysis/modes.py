"""Small vibrations about the static equilibrium, with drives and loads held as at one time.

    M y'' + C y' + K y = 0,   q = q_0 + Z y        Z: basis of the free motions, Phi_q Z = 0
    y = Re(x e^(s t)):  (s^2 M + s C + K) x = 0

K is the tangent of forces and reactions, K = Z^T d(Phi_q^T lambda - Q)/dq Z: the reactions of the equilibrium stiffen a
hanging chain and soften a standing one. C = -Z^T dQ/dq' Z.

Every free motion is one mode with two roots s1, s2 of its own quadratic s^2 + 2 zeta w s + w^2 = (s - s1) (s - s2):

    vibrating    s = -zeta w +- i w sqrt(1 - zeta^2)     zeta < 1, w = |s|: its frequency without damping is w / 2 pi
    creeping     two negative real roots                 zeta > 1, w = sqrt(s1 s2)
    drifting     s = 0, with 0 or a negative root        no stiffness: 0 Hz
    falling      a positive real root                    negative stiffness: 0 Hz, unstable
    fluttering   a complex pair with positive real part  zeta < 0, unstable: follower loads or negative damping

With damping that couples the vibrations, w is |s| and differs slightly from the frequency of the undamped mechanism;
real roots are then paired by the similarity of their shapes. In a large model only the slowest modes are computed, one by one
(statics/slow_modes.py). Not for large motions, stick-slip or stops (bumpers keep their state at the equilibrium).

Source: Meirovitch, Principles and Techniques of Vibrations (1997), ch. 4 (state-space eigenvalue problem).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.analysis.budget import Budget
from gaitwright.analysis.statics.equilibrium import find_equilibrium
from gaitwright.analysis.statics.records import ReducedMotions
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.analysis.statics.slow_modes import SlowModes
from gaitwright.mechanism.mechanism import Mechanism
from gaitwright.mechanism.tables import Array
from gaitwright.result.outputs import StateHistory
from gaitwright.result.result import Result

if TYPE_CHECKING:
    import xarray as xr

MIN_SPARSE_COORDINATES, DEFAULT_MODE_COUNT = 1000, 20
"""Number of coordinates above which few modes are computed one by one, without the others; default number of modes of a large
model."""
MAX_DENSE_COORDINATES = 4000
"""Largest number of coordinates for which all modes are computed, with dense matrices."""
UNCOUPLED_DAMPING_RTOL = 1e-12
"""Damping between two modes, relative to the largest, below which modes count as uncoupled: each has its own quadratic."""


@dataclass(repr=False)
class Modes:
    """Modes of small vibration, lowest frequency first; unstable and drifting ones, at 0 Hz, before all others.

    frequencies: (n_modes,), Hz, without damping. damped_frequencies: (n_modes,), Hz, |Im s| / 2 pi.
    damping_ratios: (n_modes,), infinite where there is damping but no stiffness, NaN for falling modes.
    eigenvalues, other_eigenvalues: (n_modes,), 1/s, complex: both roots of each mode; first that with the positive
        imaginary part or, if both are real, the larger.
    shapes: (n_modes, n_coordinates), m and rad, complex; the largest entry, in the scale of its coordinate, is real and
        has the size of the scale. Complex parts show phase: points that do not pass the equilibrium together.
    coordinates: names such as 'crank.x', with `units`. stable: no root has a positive real part."""

    frequencies: Array
    damped_frequencies: Array
    damping_ratios: Array
    eigenvalues: Array
    other_eigenvalues: Array
    shapes: Array
    coordinates: list[str]
    units: list[str]
    stable: bool
    equilibrium: Result
    warnings: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return self.frequencies.size

    @property
    def name(self) -> str:
        return self.equilibrium.mechanism.name

    def _repr_html_(self) -> str | None:
        """Representation for notebooks; None if it cannot be shown."""
        from gaitwright.report.views.notebook_cards import modes_card

        return modes_card(self)

    def dataset(self) -> xr.Dataset:
        """All modes as one xarray Dataset with units, over `mode` (from 0) and `coordinate`."""
        import xarray as xr

        per_mode = {
            "frequency": (self.frequencies, "Hz", "frequency without damping"),
            "damped_frequency": (self.damped_frequencies, "Hz", "frequency with damping"),
            "damping_ratio": (self.damping_ratios, "1", "damping relative to critical damping"),
            "eigenvalue_real": (np.real(self.eigenvalues), "1/s", "real part of the eigenvalue"),
            "eigenvalue_imag": (np.imag(self.eigenvalues), "1/s", "imaginary part of the eigenvalue"),
            "other_eigenvalue_real": (np.real(self.other_eigenvalues), "1/s", "real part of the other eigenvalue"),
            "other_eigenvalue_imag": (np.imag(self.other_eigenvalues), "1/s", "imaginary part of the other eigenvalue"),
        }
        per_coordinate = {
            "shape_real": (np.real(self.shapes), "m or rad", "shape, real part"),
            "shape_imag": (np.imag(self.shapes), "m or rad", "shape, imaginary part"),
        }
        data = xr.Dataset(
            coords={"mode": np.arange(len(self)), "coordinate": self.coordinates, "unit": ("coordinate", self.units)}
        )
        for dims, values in ((("mode",), per_mode), (("mode", "coordinate"), per_coordinate)):
            for label, (array, unit, text) in values.items():
                data[label] = xr.Variable(dims, np.array(array), {"units": unit, "long_name": text})
        pose = self.equilibrium.motion.q[0, : len(self.coordinates)]
        text = {"units": "m or rad", "long_name": "pose at the equilibrium"}
        data["equilibrium"] = xr.Variable(("coordinate",), pose, text)
        data.attrs = {"title": self.name, "source": "gaitwright", "analysis": "modes", "stable": int(self.stable)}
        data.attrs["warnings"] = json.dumps(self.warnings)
        return data

    def save(self, path: str | Path) -> Path:
        """Write the dataset as netCDF."""
        from gaitwright.result.files.netcdf import write_dataset

        return write_dataset(path, self.dataset())

    def summary(self) -> dict[str, Any]:
        """Results for a one-page summary; JSON-ready: values that are not finite are None."""
        from gaitwright._core.json_types import to_json_types

        return {
            "name": self.name,
            "analysis": "modes",
            "modes": len(self),
            "degrees_of_freedom": self.equilibrium.mechanism.degrees_of_freedom,
            "frequencies_hz": self.frequencies.tolist(),
            "damped_frequencies_hz": self.damped_frequencies.tolist(),
            "damping_ratios": to_json_types(self.damping_ratios),
            "eigenvalues": [[float(s.real), float(s.imag)] for s in self.eigenvalues],
            "other_eigenvalues": [[float(s.real), float(s.imag)] for s in self.other_eigenvalues],
            "stable": self.stable,
            "warnings": list(self.warnings),
            "wall_seconds": self.equilibrium.evidence.wall_seconds,
            "equilibrium": to_json_types(self.equilibrium.summary()),
        }

    def motion(self, mode: int = 0, *, amplitude: float = 0.2, cycles: int = 3, frames: int = 60) -> StateHistory:
        """Motion of the mechanism in one mode, without decay or growth, joints closed: for drawings.

        amplitude: of the largest coordinate, in its scale (1: one size of the mechanism, or 1 rad). frames: per cycle.
        A mode that does not vibrate is shown with a period of 1 s."""
        if not -len(self) <= mode < len(self):
            ErrorContext(field="mode").fail("there is no such mode", mode, f"0 to {len(self) - 1}")
        mechanism, q_0 = self.equilibrium.mechanism, self.equilibrium.motion.q[0]
        rest = RestingMechanism(mechanism, float(self.equilibrium.time[0]), self.equilibrium.motion.memory[0])
        vibrates = self.damped_frequencies[mode] > 0.0
        times = np.arange(cycles * frames + 1) / frames / (self.damped_frequencies[mode] if vibrates else 1.0)
        phase = 2.0 * np.pi * np.arange(times.size) / frames - np.pi / 2
        by = amplitude * np.real(self.shapes[mode] * np.exp(1j * phase)[:, None])
        poses = [rest.moved(q_0, row / mechanism.scale) for row in by]
        plain = [np.append(q_0[:-1] + row, 0.0) for row in by]
        q = np.array([p if closed is None else closed for closed, p in zip(poses, plain, strict=True)])
        empty = np.zeros((times.size, 0))
        return StateHistory(times, q, 0 * q, 0 * q, empty, empty, empty)

    def animate(self, path: str | Path, mode: int = 0, *, trace: list[str] | None = None, **options: Any) -> Path:
        """Animation of one mode as .html or .gif; options as in `motion`."""
        from gaitwright.report.views.scenes.scene_writers import select_scene_writers

        show = select_scene_writers(self.equilibrium.mechanism.dimension)
        writers = {".html": show.html, ".gif": show.gif}
        ending = Path(path).suffix.lower()
        if ending not in writers:
            ErrorContext(field="path").fail("an animation is written as .html or .gif", str(path))
        picture = show.scene(self.equilibrium.mechanism, self.motion(mode, **options), trace=trace)
        picture.title = f"{self.name}: mode {mode % len(self)}, {self.frequencies[mode]:.4g} Hz"
        return writers[ending](picture, path)

    def report(self, path: str | Path) -> dict[str, Path]:
        """Write the modes as one HTML file, with animations of the first ones; paths of it and of the table beside it."""
        from gaitwright.report.views.pages.run_page import modes_report

        return modes_report(self).save(path)

    def __repr__(self) -> str:
        listed = ", ".join(f"{f:.4g}" for f in self.frequencies[:6]) + (", ..." if len(self) > 6 else "")
        return f"<{len(self)} modes of '{self.name}': {listed} Hz; {'stable' if self.stable else 'unstable'}>"


def find_modes(
    mechanism: Mechanism,
    t: float = 0.0,
    count: int | None = None,
    *,
    document: dict[str, Any] | None = None,
    budget: Budget | None = None,
) -> Modes:
    """Modes about the equilibrium near the drawn pose, with drives and loads at time t (s).

    count: number of modes, lowest first; None: all up to 4000 coordinates, 20 above. Raises ModelError if the mechanism has no
    degree of freedom, and the exceptions of `find_equilibrium`."""
    if count is not None:
        ErrorContext(field="count").whole(count, "is not a number of modes", "1, 2, 3, ...")
    ErrorContext(field="time").finite(t, "a number of s")
    equilibrium, result = find_equilibrium(mechanism, t, document, budget)
    mechanism = result.mechanism
    if mechanism.degrees_of_freedom == 0:
        ErrorContext(f"model '{mechanism.name}'").fail(
            "joints and drives leave nothing free to vibrate", expected="at least one degree of freedom"
        )
    rest = RestingMechanism(mechanism, equilibrium.t, result.motion.memory[0])
    if mechanism.n > MAX_DENSE_COORDINATES and count is None:
        count = DEFAULT_MODE_COUNT
    use_slow_modes = (
        count is not None and mechanism.n > MIN_SPARSE_COORDINATES and 2 * count < mechanism.degrees_of_freedom
    )
    slowest = SlowModes(rest, equilibrium.q, equilibrium.lam) if use_slow_modes else None
    reduced = slowest.reduced(count or 0) if slowest is not None else rest.reduced(equilibrium.q, equilibrium.lam)
    first, second, vectors = solve_eigenpairs(reduced)
    if slowest is not None:
        is_mode = slowest.are_modes(first, reduced.basis @ vectors)
        first, second, vectors = first[is_mode], second[is_mode], vectors[:, is_mode]
    frequencies, ratios = _modal_frequencies(first, second)
    stable = not np.any(np.real(first) > 1e-9 * np.abs(first)) and not (use_slow_modes and equilibrium.stable is False)
    order = np.lexsort((-np.real(first), frequencies))[:count]
    first, second, frequencies, ratios = (x[order] for x in (first, second, frequencies, ratios))
    names, units = coordinate_names(mechanism)
    warnings = list(equilibrium.warnings)
    if not stable and not any("unstable" in text for text in warnings):
        warnings.append("unstable: the forces feed energy into a vibration, which grows")
    return Modes(
        frequencies=frequencies,
        damped_frequencies=np.abs(np.imag(first)) / (2.0 * np.pi),
        damping_ratios=ratios,
        eigenvalues=first,
        other_eigenvalues=second,
        shapes=_normalise_shapes((reduced.basis @ vectors[:, order]).T, mechanism.scale),
        coordinates=names,
        units=units,
        stable=stable,
        equilibrium=result,
        warnings=warnings,
    )


def coordinate_names(mechanism: Mechanism) -> tuple[list[str], list[str]]:
    """Names, such as 'crank.x', and units of all coordinates."""
    names, units = [""] * mechanism.n, [""] * mechanism.n
    for part in mechanism.parts.values():
        for index, (name, unit) in zip(part.index, part.coordinates(), strict=True):
            names[index], units[index] = name, unit
    return names, units


def solve_eigenpairs(reduced: ReducedMotions) -> tuple[Array, Array, Array]:
    """Both roots of every mode, (f,) complex, and the shapes in reduced coordinates, (f, f) complex by columns."""
    from scipy.linalg import cholesky, eigh, solve_triangular

    if reduced.symmetric:
        eigenpairs: Any = eigh(reduced.K, reduced.M)
        to_modal = eigenpairs[1]
        # Rayleigh quotients: the solver's values have the rounding error of the largest eigenvalue, which in beams is 1e10
        # times the smallest; the quotients have only that of their own terms.
        squares = np.sum(to_modal * (reduced.K @ to_modal), axis=0)
        # The same threshold as in statics, applied to squared frequencies.
        stiffness = squares / np.sum(to_modal**2, axis=0)
        squares[np.abs(stiffness) <= reduced.noise] = 0.0
        K = np.diag(squares)
    else:
        to_modal = solve_triangular(cholesky(reduced.M), np.eye(reduced.M.shape[0]))
        K = to_modal.T @ reduced.K @ to_modal
    C = to_modal.T @ reduced.C @ to_modal
    if reduced.symmetric:
        K, C, to_modal = _separate_drifting(K, C, to_modal)
    uncoupled = np.max(np.abs(C - np.diag(np.diag(C))), initial=0.0) <= UNCOUPLED_DAMPING_RTOL * np.max(
        np.abs(C), initial=0.0
    )
    if reduced.symmetric and uncoupled:
        first, second = _solve_quadratic(np.diag(C).copy(), np.diag(K).copy())
        return first, second, to_modal.astype(complex)
    first, second, vectors = _solve_coupled(K, C)
    if reduced.symmetric and np.max(np.abs(C - C.T)) <= UNCOUPLED_DAMPING_RTOL * np.max(np.abs(C)):
        first, second = _refine_roots(first, second, vectors, K, C)
    return first, second, to_modal @ vectors


def _separate_drifting(K: Array, C: Array, to_modal: Array) -> tuple[Array, Array, Array]:
    """Rotate the motions without stiffness among themselves so that damping does not couple them; those with neither stiffness
    nor damping are then uncoupled. Their double root 0 would otherwise have an error of 1e-8."""
    drifting = np.flatnonzero(np.diag(K) == 0.0)
    if drifting.size == 0:
        return K, C, to_modal
    turn = np.eye(K.shape[0])
    turn[np.ix_(drifting, drifting)] = np.linalg.eigh(C[np.ix_(drifting, drifting)])[1]
    C = turn.T @ C @ turn
    loose = np.flatnonzero((np.diag(K) == 0.0) & (np.max(np.abs(C), axis=1) <= 1e-12 * np.max(np.abs(C))))
    C[loose, :] = C[:, loose] = 0.0
    return K, C, to_modal @ turn


def _solve_quadratic(c: Array, k: Array) -> tuple[Array, Array]:
    """Roots of s^2 + c s + k = 0, without cancellation: the one with the larger imaginary part, then real part, first."""
    root = np.sqrt((c * c - 4.0 * k).astype(complex))
    larger = np.where(c >= 0.0, -(c + root), -(c - root)) / 2.0
    smaller = np.divide(k, larger, out=np.zeros_like(larger), where=larger != 0.0)
    leads = (np.imag(larger) > np.imag(smaller)) | (
        (np.imag(larger) == np.imag(smaller)) & (np.real(larger) > np.real(smaller))
    )
    # Adding 0.0 turns -0.0 into 0.0.
    return np.where(leads, larger, smaller) + 0.0, np.where(leads, smaller, larger) + 0.0


def _solve_coupled(K: Array, C: Array) -> tuple[Array, Array, Array]:
    """All roots of det(s^2 + s C + K) = 0 in state space, in pairs, with the shapes by columns.

    Motions with neither stiffness nor damping are separated first."""
    from scipy.linalg import eig

    size = K.shape[0]
    bare = (np.max(np.abs(C), axis=1) == 0) & (np.max(np.abs(C), axis=0) == 0) & (np.max(np.abs(K), axis=1) == 0)
    rest = np.flatnonzero(~bare)
    K, C = K[np.ix_(rest, rest)], C[np.ix_(rest, rest)]
    # Time in units of the fastest motion gives the blocks similar size, which keeps the small roots accurate.
    rate = max(np.sqrt(np.max(np.abs(K))), np.max(np.abs(C)))
    eigenpairs: Any = eig(np.block([[np.zeros_like(K), np.eye(rest.size)], [-K / rate**2, -C / rate]]))
    roots, vectors = eigenpairs
    roots[np.abs(roots) < 1e-13] = 0.0
    roots = roots * rate
    upper, real = np.flatnonzero(np.imag(roots) > 0.0), np.flatnonzero(np.imag(roots) == 0.0)
    pairs = [(i, None) for i in upper] + [(i, j) for i, j in _pair_real_roots(roots, vectors[: rest.size], real)]
    first = np.array([0j] * int(bare.sum()) + [roots[i] for i, _ in pairs])
    second = np.array([0j] * int(bare.sum()) + [roots[i].conj() if j is None else roots[j] for i, j in pairs])
    shapes = np.zeros((size, size), dtype=complex)
    shapes[np.flatnonzero(bare), np.arange(bare.sum())] = 1.0
    shapes[np.ix_(rest, np.arange(bare.sum(), size))] = vectors[: rest.size, [i for i, _ in pairs]]
    return first, second, shapes


def _refine_roots(first: Array, second: Array, x: Array, K: Array, C: Array) -> tuple[Array, Array]:
    """Refine the roots of vibrating modes by Rayleigh's quadratic x^T (s^2 + s C + K) x = 0 with symmetric C and K.

    It depends on the square of the shape error. State-space roots have the rounding error of the fastest motion: 1e-8 of the
    damping of a beam's first bending mode, beside stretching that creeps."""
    a, b, c = np.sum(x * x, axis=0), np.sum(x * (C @ x), axis=0), np.sum(x * (K @ x), axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        root, second_root = _solve_quadratic(b / a, c / a)
    root = np.where(np.abs(root - first) < np.abs(second_root - first), root, second_root)
    # A larger change than rounding occurs near a double root (critical damping), where a vanishes: keep the first root.
    rounding = 1e-10 * max(np.sqrt(np.max(np.abs(K))), np.max(np.abs(C)))
    sound = (np.imag(first) > 0.0) & (second == first.conj()) & (np.abs(root - first) < rounding)
    return np.where(sound, root, first), np.where(sound, root.conj(), second)


def _pair_real_roots(roots: Array, vectors: Array, real: Array) -> list[tuple[int, int]]:
    """Pair real roots, most similar shapes first; the larger root of each pair is first."""
    unit = vectors[:, real] / np.linalg.norm(vectors[:, real], axis=0)
    rows, columns = np.triu_indices(real.size, 1)
    likeness = np.abs(np.sum(unit[:, rows].conj() * unit[:, columns], axis=0))
    free, pairs = np.ones(real.size, dtype=bool), []
    for k in np.argsort(-likeness, kind="stable"):
        i, j = rows[k], columns[k]
        if free[i] and free[j]:
            free[[i, j]] = False
            pairs.append((real[i], real[j]) if np.real(roots[real[i]] - roots[real[j]]) >= 0.0 else (real[j], real[i]))
    return pairs


def _modal_frequencies(first: Array, second: Array) -> tuple[Array, Array]:
    """Frequency without damping, Hz, and damping ratio, from s1 s2 = w^2 and s1 + s2 = -2 zeta w."""
    product, total = np.real(first * second), np.real(first + second)
    w = np.sqrt(np.maximum(product, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = -total / (2.0 * w)
    ratio[(product == 0.0) & (total == 0.0)] = 0.0
    ratio[product < 0.0] = np.nan
    return w / (2.0 * np.pi), ratio + 0.0


def _normalise_shapes(shapes: Array, scale: Array) -> Array:
    """Shapes rotated in phase and scaled so that the largest entry, in its scale, is 1 and real."""
    largest = np.argmax(np.abs(shapes) / scale, axis=1)
    entry = shapes[np.arange(len(shapes)), largest] / scale[largest]
    return shapes / entry[:, None]
