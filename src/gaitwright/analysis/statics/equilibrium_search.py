"""The search for a static equilibrium, from the assembled pose.

The mechanism moves down its potential energy until it rests. Each step is a Newton step on K + mu W (resting_mechanism.py),
with mu just large enough to make the matrix positive definite on the free motions: the step then follows the forces to a stable
equilibrium and not up to a saddle. It is shortened until the forces do work along it, and the joints are closed again. Near the
end mu is 0 and convergence is quadratic. The work is the loss of potential energy plus the work of the loads, so the same test
holds for a follower load, which has no potential.

A drawn pose that is already an equilibrium is kept, stable or not: a pendulum drawn exactly upright stays upright, with
a warning. From any other pose the search ends in a stable equilibrium; if it reaches a saddle, it leaves it.
Not a continuation method: past a limit point the mechanism snaps through to any lower equilibrium.

Beams are far stiffer along their axis than across it, so the energy forms a narrow winding valley. With beams, and after a
failed search, loads and gravity therefore grow from zero in steps (continuation.py), each from the equilibrium before; a limit
point on the way is then an error. Surfaces of solids in contact have their own search (contact_equilibrium.py).

A step that would cross a surface ends there (surface_crossing.py), so that walls hold however thin and however far away.

Source: Nocedal and Wright, Numerical Optimization (2006), ch. 3.4 (regularisation, line search), 16 and 18.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.errors import AnalysisError, DidNotConverge, OutOfBudget, SingularPose
from gaitwright.analysis.statics.contact_equilibrium import has_deformable_contacts, solve_contact_equilibrium
from gaitwright.analysis.statics.continuation import EquilibriumCurve, LoadParameter
from gaitwright.analysis.statics.path_following import EquilibriumPath, LimitPointReached, PathFollower
from gaitwright.analysis.statics.records import NewtonDirection, ReducedMotions, StaticForces
from gaitwright.analysis.statics.resting_mechanism import RestingMechanism
from gaitwright.analysis.statics.softest_motions import MAX_DENSE_COORDINATES, find_softest_motions
from gaitwright.analysis.statics.strain_relaxation import FIRST_MAX_CHANGE, relax_stepwise
from gaitwright.analysis.statics.surface_crossing import find_first_crossing, number_contact_groups
from gaitwright.mechanism.tables import Array

DRAWN_POSE_BALANCE_RTOL = 1e-9
"""Free force, relative to the largest force, up to which the drawn pose counts as an equilibrium."""
BALANCE_RTOL = 1e-10
"""Relative free force that a result must reach; the last Newton step reduces it to rounding error, mostly below 1e-15."""
BALANCE_ROUNDING_RTOL = 1e-15
"""Relative free force below which no improvement is possible."""
ROUNDING_FORCE_RTOL = 1e-14
"""Force caused by rounding of the coordinates, relative to the largest stiffness."""
LAST_STEP_TOL = 1e-8
"""Size of a Newton step, in the scale of the coordinates, after which only rounding errors remain."""
RUNAWAY_DISTANCE = 1e3
"""Distance from the start, in the scale of the coordinates, at which a body counts as running away."""
MAX_SEARCH_ITERATIONS = 400
MAX_SADDLE_ESCAPES = 8
LOAD_RAMP_STEPS = 4
"""Number of load steps if none fails."""
MAX_FLUTTER_COORDINATES = 400
"""Largest number of coordinates for which follower loads are checked for flutter, with dense matrices."""
FLUTTER_IMAGINARY_RATIO = 1e-6
"""Imaginary part of an eigenvalue, relative to the largest, above which it means flutter: a double eigenvalue has an error of
the square root of rounding."""
PRESTRESS_RATIO = 1e-6
"""Forces without loads and gravity, relative to the largest force, above which the drawn pose counts as prestressed."""
MIN_STEP_PART = 1e-10
"""Smallest part of a step that is tried in the line search."""
ARMIJO_FRACTION = 1e-4
"""Required ratio of the work along a step to that predicted by the forces: Armijo's condition, Nocedal and Wright, Numerical
Optimization, 3.1."""
MIN_STEP_LIMIT = 1e-3
"""Lower bound to which a step that was too long reduces the limit of the next steps, in the scale of the coordinates."""
SADDLE_ESCAPE_DISTANCES = (0.1, 0.01, 1e-3, 1e-4)
"""Displacements away from a saddle that are tried, in the scale of the coordinates."""
POSE_ROUNDING_RTOL = 1e-15
"""Accuracy of a pose relative to the size: forces of stiff springs due to this error cannot be balanced."""


class FreeMotions(NamedTuple):
    """Free motions about a pose, one per row of shapes (m, rad), with their stiffness and the stiffness that counts as zero, J.
    flutter: True if follower loads couple motions so that they grow without damping."""

    stiffness: Array
    shapes: Array
    noise: Array
    flutter: bool

    @property
    def unstable(self) -> Array:
        return np.flatnonzero(self.stiffness < -self.noise)

    @property
    def neutral(self) -> Array:
        return np.flatnonzero(np.abs(self.stiffness) <= self.noise)


class EquilibriumSearch:
    """Search from a closed pose to an equilibrium."""

    def __init__(self, rest: RestingMechanism, q: Array, strained: bool = False):
        """strained: beams are prestressed in the pose q."""
        self.rest, self.begin, self.q = rest, q, q.copy()
        self.now = rest.forces(q)
        self.contact_groups = number_contact_groups(rest.mechanism)
        self.iterations, self.mu, self.reach = 0, 0.0, FIRST_MAX_CHANGE
        self.corrections = 0  # Newton iterations of `ramp` and `creep`
        self.strained = self.prestressed = strained
        self.left = ""  # warning if the loads exceed the equilibria next to the start
        self.history = [self.now.unbalanced]
        self.motions: FreeMotions | None = None
        self.nearby = False
        """True if the search stays near the pose. It then does not use artificial drag (friction_equilibrium.py)."""

    def run(self) -> None:
        """Find an equilibrium: a stable one, unless the pose already is an equilibrium."""
        if has_deformable_contacts(self.rest.mechanism):
            solve_contact_equilibrium(self)
        elif self.rest.mechanism.flexible and self.now.unbalanced > 0.0:
            try:
                ramped = self.ramp()
            except DidNotConverge as error:
                if not self.prestressed:
                    raise
                ramped = False
                if self.rest.has_loads:  # drives alone bend a beam to the prescribed pose, in spite of fading forces
                    self.left = f"{error.cause}: the one found may lie beyond a snap"
            if not ramped:
                self.q, self.now = self.begin.copy(), self.rest.forces(self.begin)
                self.descend()
        elif self.now.unbalanced <= DRAWN_POSE_BALANCE_RTOL:
            self.polish()
        else:
            try:
                self.descend()
            except (DidNotConverge, SingularPose):
                if not self.ramp():
                    raise
        self.settle()
        if self.rest.matrix.large and self.now.unbalanced > 0.1 * BALANCE_RTOL:
            self.polish()  # with the factors of the stability check

    def settle(self) -> None:
        """Check the stability of the equilibrium and continue from saddles, unless a saddle was drawn."""
        for _ in range(MAX_SADDLE_ESCAPES):
            self.motions = self.free_motions()
            if self.history[0] <= DRAWN_POSE_BALANCE_RTOL or not self.leave_saddle():
                return
            self.descend()
        self.motions = self.free_motions()

    def ramp(self) -> bool:
        """Increase loads and gravity from zero; False if this cannot begin, because only they hold some part."""
        rest, begin = self.rest, self.begin
        try:
            share = LoadParameter(rest, begin)
            curve = EquilibriumCurve(rest, share)
            unbalanced = float(np.max(np.abs(rest.faded), initial=0.0)) > PRESTRESS_RATIO * self.now.size
            self.prestressed = self.strained or unbalanced
            is_supported = find_softest_motions(rest, begin, share.first_lam).neutral == 0
            first = curve.first(begin, share.first_lam, 0.0, 1.0) if is_supported else None
            if first is None:
                return False
            walk = PathFollower(EquilibriumPath(curve, [first]))
            try:
                walk.by_p(np.linspace(0.0, 1.0, LOAD_RAMP_STEPS + 1), counted=False)  # `settle` counts at the end
            except (LimitPointReached, DidNotConverge):
                self.q = curve.split(walk.now.x)[0]
                raise self.too_much(curve, walk.path) from None
            finally:
                self.corrections += curve.iterations
            self.q = curve.split(walk.now.x)[0]
            return True
        finally:
            rest.share = 1.0
            self.now = rest.forces(self.q)
            self.history.append(self.now.unbalanced)

    def polish(self) -> None:
        """Take Newton steps to the equilibrium next to the pose, stable or not, as long as they improve it."""
        while self.now.unbalanced > BALANCE_ROUNDING_RTOL and self.iterations < 10:
            self.iterations += 1
            if not self.try_newton(self.rest.stiffness(self.q, self.now.lam), 0.5):
                return

    def descend(self) -> None:
        """Follow the forces until they balance."""
        if has_deformable_contacts(self.rest.mechanism):
            solve_contact_equilibrium(self)
        elif not (self.rest.mechanism.flexible and self.creep()):
            self.step_down()

    def creep(self) -> bool:
        """Follow a massless mechanism with artificial drag (see strain_relaxation.py); False if it does not come to rest."""
        ended = False
        for step in relax_stepwise(self.rest, self.q, self.now):
            self.adopt(step.q, step.forces)
            self.corrections += step.iterations
            self.watch()
            ended = step.last
        return ended

    def step_down(self) -> None:
        """Take steps along the forces, shortened until the forces do work."""
        if self.rest.matrix.large and self.is_rounding():
            return
        while self.now.unbalanced > BALANCE_ROUNDING_RTOL:
            self.iterations += 1
            step = self.rest.step(self.q, self.now, self.mu)
            if step is None:
                if self.now.unbalanced <= BALANCE_RTOL or self.is_rounding():
                    return
                raise self.stalled("there is no step towards the equilibrium")
            before, self.mu = self.now.unbalanced, step.mu
            length = float(np.max(np.abs(step.direction)))
            last = step.mu == 0.0 and length <= LAST_STEP_TOL
            gained = self.try_newton(step.stiffness, 1.0) if last else self.take(step, length)
            if not gained or (last and self.now.unbalanced > 0.5 * before):
                if last or self.now.unbalanced <= BALANCE_RTOL or self.is_rounding():
                    return
                raise self.stalled("no step brings the forces nearer to balance")
            if self.now.unbalanced <= BALANCE_RTOL and self.now.unbalanced > 0.5 * before:
                return  # only rounding error is left, which further steps could reduce a little for ever
            self.watch()

    def is_rounding(self) -> bool:
        """True if only rounding errors of a pose without forces are left, such as of an undeformed solid."""
        stiffness = self.rest.stiffness(self.q, self.now.lam)
        return self.now.unbalanced * self.now.size <= ROUNDING_FORCE_RTOL * self.rest.unit(stiffness, self.now)

    def take(self, step: NewtonDirection, length: float) -> bool:
        """Move along the step as far as the forces do work; False if they do none."""
        # Under follower loads even a stable equilibrium may need mu, which would make convergence slow.
        slow = step.mu > 0.0 and self.now.unbalanced < 0.01 and not self.rest.is_symmetric(step.stiffness)
        if slow and self.try_newton(step.stiffness, 0.25):
            return True
        full_step = step.direction * min(1.0, self.reach / length)
        part = 1.0
        while part > MIN_STEP_PART:
            displacement = part * full_step
            part /= 2.0
            end = self.rest.moved(self.q, displacement)
            if end is None:
                continue
            if (inside := self.crossing(end)) is not None:
                part = min(part, 2.0 * part * inside)  # to the entry point; the next step includes the contact force
                continue
            work, noise = self.rest.work(self.q, end)
            offered = float(displacement @ self.now.free)
            then = self.forces(end)
            if then is None or (self.now.unbalanced <= BALANCE_RTOL and then.unbalanced >= self.now.unbalanced):
                continue
            if offered < 100.0 * noise:
                work = 0.5 * float(displacement @ (self.now.free + then.free))
            if not work >= ARMIJO_FRACTION * offered:
                continue
            if 2.0 * part < 1.0:
                self.reach = max(2.0 * float(np.max(np.abs(displacement))), MIN_STEP_LIMIT)
            elif length > self.reach and abs(work - self.predicted(step, displacement)) < 0.1 * work:
                self.reach *= 2.0
            self.adopt(end, then)
            return True
        return False

    def crossing(self, end: Array) -> float | None:
        """Fraction of the displacement to a pose at which it enters a surface that it crosses; None if it crosses none."""
        return find_first_crossing(self.rest, self.contact_groups, self.q, end)

    def predicted(self, step: NewtonDirection, displacement: Array) -> float:
        """Work along a displacement, predicted from forces and stiffness."""
        s = self.rest.s
        return float(
            displacement @ self.now.free - 0.5 * np.sum(displacement[s.k_row] * step.stiffness * displacement[s.k_col])
        )

    def try_newton(self, stiffness: Array, gain: float) -> bool:
        """Take the full Newton step, downhill or not, if it reduces the free force below `gain` times its value."""
        direction = self.rest.newton(stiffness, self.now, 0.0)
        if direction is None or np.max(np.abs(direction)) > FIRST_MAX_CHANGE:
            return False
        end = self.rest.moved(self.q, direction)
        then = self.forces(end) if end is not None else None
        if (
            end is None
            or then is None
            or self.crossing(end) is not None
            or then.unbalanced >= gain * self.now.unbalanced
        ):
            return False
        self.adopt(end, then)
        return True

    def adopt(self, q: Array, now: StaticForces) -> None:
        self.q, self.now = q, now
        self.history.append(now.unbalanced)

    def forces(self, q: Array, size: float = 0.0) -> StaticForces | None:
        """Forces in a trial pose, None if they are undefined; size as in RestingMechanism.forces."""
        try:
            return self.rest.forces(q, size)
        except OutOfBudget:
            raise
        except AnalysisError:
            return None

    # stability -------------------------------------------------------------------------------------------------------

    def free_motions(self) -> FreeMotions | None:
        """Stiffness of the free motions about the pose, or of the softest if there are many; None if unknown."""
        rest, stiffness = self.rest, self.rest.stiffness(self.q, self.now.lam)
        if rest.s.n == rest.s.m or rest.s.n > (
            MAX_DENSE_COORDINATES if rest.is_symmetric(stiffness) else MAX_FLUTTER_COORDINATES
        ):
            soft = find_softest_motions(rest, self.q, self.now.lam)
            return None if soft.negative < 0 else FreeMotions(soft.stiffness, soft.shapes, soft.noise, False)
        values, shapes, flutter = examine_free_motions(rest.reduced(self.q, self.now.lam))
        # Sliding has no potential either, but is no follower load.
        flutter &= not has_deformable_contacts(rest.mechanism)
        return FreeMotions(values, shapes, rest.noise(stiffness, shapes), flutter)

    def leave_saddle(self) -> bool:
        """Move a little along the motion with the most negative stiffness; False if there is none."""
        if self.motions is None or not self.motions.unstable.size:
            return False
        shape = self.motions.shapes[int(np.argmin(self.motions.stiffness))] / self.rest.scale
        for size in SADDLE_ESCAPE_DISTANCES:
            ends = [self.rest.moved(self.q, sign * size * shape / np.max(np.abs(shape))) for sign in (1.0, -1.0)]
            free = [(k, end) for k, end in enumerate(ends) if end is not None and self.crossing(end) is None]
            trials = [(self.rest.work(self.q, end)[0], k, end) for k, end in free]
            work, _, end = max(trials, default=(0.0, 0, None), key=lambda item: (item[0], -item[1]))
            then = self.forces(end) if end is not None and work > 0.0 else None
            if end is not None and then is not None:
                self.adopt(end, then)
                self.mu, self.reach = 0.0, FIRST_MAX_CHANGE
                return True
        return False

    def findings(self) -> list[str]:
        """Warnings for the user about the equilibrium."""
        texts = [self.left] if self.left else []
        stiffness = self.rest.stiffness(self.q, self.now.lam)
        rounding = (
            POSE_ROUNDING_RTOL * self.rest.unit(stiffness, self.now) / self.now.size if self.now.size > 0 else 0.0
        )
        if self.now.unbalanced > max(BALANCE_RTOL, rounding):
            texts.append(f"the forces balance only to {self.now.unbalanced:.1e} of the largest one")
        motions = self.motions
        if motions is None:
            return [*texts, "stability was not examined: the stiffness is too near to singular"]
        if motions.unstable.size:
            body = self.largest(motions.shapes[int(np.argmin(motions.stiffness))])
            which, hint = "this pose", ""
            if self.history[0] <= DRAWN_POSE_BALANCE_RTOL:
                which, hint = "the drawn pose", "; draw it a little to one side to find a stable one"
            texts.append(f"unstable equilibrium: {which} is at rest, but the slightest push moves {body} away{hint}")
        if motions.flutter:
            texts.append("unstable equilibrium: the follower loads make it flutter unless there is enough damping")
        if motions.neutral.size:
            bodies = sorted({self.largest(motions.shapes[k]) for k in motions.neutral})
            count = motions.neutral.size
            subject = "one free motion has" if count == 1 else f"{count} free motions have"
            texts.append(
                f"neutral equilibrium: {subject} no stiffness; no force holds {', '.join(bodies)} in this place"
            )
        return texts

    def largest(self, shape: Array) -> str:
        return self.rest.body_of(int(np.argmax(np.abs(shape) / self.rest.scale)))

    # failures --------------------------------------------------------------------------------------------------------

    @property
    def tired(self) -> bool:
        """True if the maximum number of iterations is reached."""
        return self.iterations >= MAX_SEARCH_ITERATIONS

    def watch(self) -> None:
        """Raise DidNotConverge if a body runs away or the iterations are used up."""
        distances = np.abs(self.q - self.begin)[: self.rest.s.n] / self.rest.scale
        distance = float(distances.max(initial=0.0))
        if distance > RUNAWAY_DISTANCE or (self.tired and distance > 10.0):
            which = int(np.argmax(distances))
            raise DidNotConverge(
                f"{self.rest.body_of(which)} runs away: nothing balances the forces on it", time=self.rest.t,
                suggestion="hold it by a spring, a joint or a drive (a solid: by a fixed region), or check the loads",
            )  # fmt: skip
        if self.tired:
            raise self.stalled(f"no equilibrium was found in {MAX_SEARCH_ITERATIONS} iterations")

    def too_much(self, curve: EquilibriumCurve, path: EquilibriumPath) -> DidNotConverge:
        last = path.points[-1]
        body = self.rest.body_of(int(np.argmax(np.abs(last.way[: curve.n]))))
        limit = "limit point, " if path.events and path.events[-1].kind == "limit" else ""
        return DidNotConverge(
            f"at {100 * path.p_of(last):.4g} % of the loads there is no further equilibrium near the last one "
            f"({limit}{body} moves most)", time=self.rest.t,
            suggestion='apply less, or let the loads be functions of t and follow static_path(control="arc-length")',
        )  # fmt: skip

    def stalled(self, cause: str) -> DidNotConverge:
        body = self.rest.body_of(int(np.argmax(np.abs(self.now.free))))
        return DidNotConverge(
            f"{cause}; {self.now.unbalanced:.1e} of the largest force is left, most of it on {body}", time=self.rest.t,
            suggestion="draw it nearer to its equilibrium, away from dead points, or check springs and loads",
        )  # fmt: skip


def examine_free_motions(reduced: ReducedMotions) -> tuple[Array, Array, bool]:
    """Stiffnesses and shapes of the free motions, and True if they flutter.

    Without a potential (follower loads) the eigenvalues of M^-1 K decide; complex eigenvalues mean flutter."""
    from scipy.linalg import eig, eigh

    if reduced.K.size == 0:
        return np.zeros(0), np.zeros((0, reduced.basis.shape[0])), False
    if reduced.symmetric:
        values, vectors = eigh(reduced.K)
        return values, (reduced.basis @ vectors).T, False
    eigenpairs: Any = eig(reduced.K, reduced.M)
    values, vectors = eigenpairs
    vectors = vectors / np.linalg.norm(vectors, axis=0)
    stiffness = values.real * np.real(np.einsum("if,ij,jf->f", vectors.conj(), reduced.M, vectors))
    flutter = bool(np.any(np.abs(values.imag) > FLUTTER_IMAGINARY_RATIO * np.abs(values).max()))
    return stiffness, (reduced.basis @ vectors.real).T, flutter
