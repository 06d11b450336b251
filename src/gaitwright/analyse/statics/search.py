"""The search for a static equilibrium, from the assembled pose.

The mechanism slides down its potential energy until it rests. Each step is Newton's on K + mu W (see linearise.py), with mu
just large enough to be positive definite on the free motions: the step then goes with the forces, to a stable equilibrium and
not up to a saddle. It is shortened until the forces did work along it, and the joints are closed again. Near the end mu is 0
and the convergence quadratic. The work is the loss of potential energy plus the work of the loads, so the same test serves a
follower load, which has no potential.

A drawn pose that is an equilibrium already is kept, stable or not: a pendulum drawn exactly upright stays upright, with
a warning. From any other pose the search ends in a stable equilibrium; it leaves a saddle if it should run into one.
Not a continuation method: past a limit point the mechanism snaps through to whatever lies downhill.

Beams are far stiffer along their axis than across it, which makes the way down a narrow winding valley. With beams, and
where the search fails, loads and gravity therefore grow from nothing in steps (continuation.py), each from the equilibrium
before; then a limit point on the way is an error. Surfaces that are pressed have a way of their own (pressing.py).

A step ends where it would go through a surface (crossing.py), so that a wall holds however thin it is and however far away.

Source: Nocedal and Wright, Numerical Optimization (2006), ch. 3.4 (regularisation, line search), 16 and 18.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gaitwright.analyse.statics.continuation import Curve, Share
from gaitwright.analyse.statics.crossing import contact_groups, first_crossing
from gaitwright.analyse.statics.follow import AtLimit, Path, Walk
from gaitwright.analyse.statics.linearise import AtRest
from gaitwright.analyse.statics.pressing import has_skins, press
from gaitwright.analyse.statics.records import Forces, Reduced, Step
from gaitwright.analyse.statics.relax import FIRST_REACH, creep
from gaitwright.analyse.statics.softest import FEW, softest
from gaitwright.errors import AnalysisError, DidNotConverge, OutOfBudget, SingularPose
from gaitwright.system.tables import Array

ALREADY = 1e-9
"""Free force, relative to the largest force, up to which the drawn pose counts as an equilibrium."""
BALANCED = 1e-10
"""Relative free force that a result must reach; the last Newton step brings it to rounding, mostly below 1e-15."""
ROUNDING = 1e-15
"""Relative free force below which nothing is left to gain."""
NOTHING = 1e-14
"""Force, in the largest stiffness, that the rounding of coordinates makes."""
LAST_STEP = 1e-8
"""A Newton step of this size, in the scale of the coordinates, leaves nothing but rounding."""
RUNAWAY = 1e3
"""Way from the start, in the scale of the coordinates, at which a body counts as running away."""
MAX_ITERATIONS = 400
MAX_ESCAPES = 8
RAMP = 4
"""Steps in which loads grow if nothing is in the way."""
FLUTTER = 400
"""Number of coordinates up to which follower loads are examined for flutter, which takes dense matrices."""
COMPLEX = 1e-6
"""Imaginary part of an eigenvalue, relative to the largest, from which on it is flutter: two that meet are off by the root of
rounding."""
PRESTRESSED = 1e-6
"""What acts without loads and gravity, relative to the largest force, from which on the drawn pose counts as strained."""
SHORTEST = 1e-10
"""Part of a step below which forces do no work along it."""
ENOUGH = 1e-4
"""Of the work that forces offer, what a way must give: Armijo's condition, Nocedal and Wright, Numerical Optimization, 3.1."""
LEAST_REACH = 1e-3
"""To which a step that was too long may shorten the next ones, in the scale of the coordinates."""
AWAY = (0.1, 0.01, 1e-3, 1e-4)
"""Ways off a saddle that are tried, in the scale of the coordinates."""
KNOWN_POSE = 1e-15
"""Of the size, to which a pose is known: what stiff springs make of that cannot be balanced."""


class FreeMotions(NamedTuple):
    """Free motions about a pose, one per row of shapes (m, rad), with their stiffness and what counts as none, J.
    flutter: some of them are coupled by follower loads such that they grow without damping."""

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


class Search:
    """The way from a closed pose to an equilibrium."""

    def __init__(self, rest: AtRest, q: Array, strained: bool = False):
        """strained: beams are prestressed in the pose q."""
        self.rest, self.begin, self.q = rest, q, q.copy()
        self.now = rest.forces(q)
        self.contact_groups = contact_groups(rest.mechanism)
        self.iterations, self.mu, self.reach = 0, 0.0, FIRST_REACH
        self.corrections = 0  # Newton iterations of ramp and creep
        self.strained = self.prestressed = strained
        self.left = ""  # what was said where the loads were too much for the equilibria next to the start
        self.history = [self.now.unbalanced]
        self.motions: FreeMotions | None = None
        self.nearby = False
        """Whether the search stays next to the pose. It then needs no creep through oil (rubbing.py)."""

    def run(self) -> None:
        """Find an equilibrium: a stable one, unless the pose is one already."""
        if has_skins(self.rest.mechanism):
            press(self)
        elif self.rest.mechanism.flexible and self.now.unbalanced > 0.0:
            try:
                ramped = self.ramp()
            except DidNotConverge as error:
                if not self.prestressed:
                    raise
                ramped = False
                if self.rest.has_loads:  # drives alone bend a beam to where they want it, whatever fades on the way
                    self.left = f"{error.cause}: the one found may lie beyond a snap"
            if not ramped:
                self.q, self.now = self.begin.copy(), self.rest.forces(self.begin)
                self.descend()
        elif self.now.unbalanced <= ALREADY:
            self.polish()
        else:
            try:
                self.descend()
            except (DidNotConverge, SingularPose):
                if not self.ramp():
                    raise
        self.settle()
        if self.rest.matrix.large and self.now.unbalanced > 0.1 * BALANCED:
            self.polish()  # by the factors that told of stability

    def settle(self) -> None:
        """Look at the equilibrium that was found, and go on from saddles unless one was drawn."""
        for _ in range(MAX_ESCAPES):
            self.motions = self.free_motions()
            if self.history[0] <= ALREADY or not self.leave_saddle():
                return
            self.descend()
        self.motions = self.free_motions()

    def ramp(self) -> bool:
        """Let loads and gravity grow from nothing; False where that cannot begin, because they alone hold something."""
        rest, begin = self.rest, self.begin
        try:
            share = Share(rest, begin)
            curve = Curve(rest, share)
            unbalanced = float(np.max(np.abs(rest.faded), initial=0.0)) > PRESTRESSED * self.now.size
            self.prestressed = self.strained or unbalanced
            held = softest(rest, begin, share.first_lam).neutral == 0
            first = curve.first(begin, share.first_lam, 0.0, 1.0) if held else None
            if first is None:
                return False
            walk = Walk(Path(curve, [first]))
            try:
                walk.by_p(np.linspace(0.0, 1.0, RAMP + 1), counted=False)  # that is done at the end: settle
            except (AtLimit, DidNotConverge):
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
        """Newton steps to the equilibrium next to the pose, stable or not, as long as they gain something."""
        while self.now.unbalanced > ROUNDING and self.iterations < 10:
            self.iterations += 1
            if not self.try_newton(self.rest.stiffness(self.q, self.now.lam), 0.5):
                return

    def descend(self) -> None:
        """Go with the forces until they balance."""
        if has_skins(self.rest.mechanism):
            press(self)
        elif not (self.rest.mechanism.flexible and self.creep()):
            self.step_down()

    def creep(self) -> bool:
        """The way of a mechanism without mass in thick oil (see relax.py); False if it does not end."""
        ended = False
        for step in creep(self.rest, self.q, self.now):
            self.adopt(step.q, step.forces)
            self.corrections += step.iterations
            self.watch()
            ended = step.last
        return ended

    def step_down(self) -> None:
        """Steps with the forces, shortened until they do work."""
        if self.rest.matrix.large and self.is_rounding():
            return
        while self.now.unbalanced > ROUNDING:
            self.iterations += 1
            step = self.rest.step(self.q, self.now, self.mu)
            if step is None:
                if self.now.unbalanced <= BALANCED or self.is_rounding():
                    return
                raise self.stalled("there is no step towards the equilibrium")
            before, self.mu = self.now.unbalanced, step.mu
            length = float(np.max(np.abs(step.direction)))
            last = step.mu == 0.0 and length <= LAST_STEP
            gained = self.try_newton(step.stiffness, 1.0) if last else self.take(step, length)
            if not gained or (last and self.now.unbalanced > 0.5 * before):
                if last or self.now.unbalanced <= BALANCED or self.is_rounding():
                    return
                raise self.stalled("no step brings the forces nearer to balance")
            if self.now.unbalanced <= BALANCED and self.now.unbalanced > 0.5 * before:
                return  # what is left is rounding, of which steps may gain a little for ever
            self.watch()

    def is_rounding(self) -> bool:
        """Whether what is left are the rounding errors of a pose in which nothing acts: a solid as it is drawn."""
        stiffness = self.rest.stiffness(self.q, self.now.lam)
        return self.now.unbalanced * self.now.size <= NOTHING * self.rest.unit(stiffness, self.now)

    def take(self, step: Step, length: float) -> bool:
        """Go along the step as far as the forces do work; False where they do none."""
        # Under follower loads even a stable equilibrium may need mu, which would make the end of the way slow.
        slow = step.mu > 0.0 and self.now.unbalanced < 0.01 and not self.rest.is_symmetric(step.stiffness)
        if slow and self.try_newton(step.stiffness, 0.25):
            return True
        whole = step.direction * min(1.0, self.reach / length)
        part = 1.0
        while part > SHORTEST:
            way = part * whole
            part /= 2.0
            end = self.rest.moved(self.q, way)
            if end is None:
                continue
            if (inside := self.crossing(end)) is not None:
                part = min(part, 2.0 * part * inside)  # to where it enters, where the next step feels the surface
                continue
            work, noise = self.rest.work(self.q, end)
            offered = float(way @ self.now.free)
            then = self.forces(end)
            if then is None or (self.now.unbalanced <= BALANCED and then.unbalanced >= self.now.unbalanced):
                continue
            if offered < 100.0 * noise:
                work = 0.5 * float(way @ (self.now.free + then.free))
            if not work >= ENOUGH * offered:
                continue
            if 2.0 * part < 1.0:
                self.reach = max(2.0 * float(np.max(np.abs(way))), LEAST_REACH)
            elif length > self.reach and abs(work - self.predicted(step, way)) < 0.1 * work:
                self.reach *= 2.0
            self.adopt(end, then)
            return True
        return False

    def crossing(self, end: Array) -> float | None:
        """The part of the way to a pose at which it enters a surface that it crosses; None if it crosses none."""
        return first_crossing(self.rest, self.contact_groups, self.q, end)

    def predicted(self, step: Step, way: Array) -> float:
        """Work that forces and stiffness promise along a way."""
        s = self.rest.s
        return float(way @ self.now.free - 0.5 * np.sum(way[s.k_row] * step.stiffness * way[s.k_col]))

    def try_newton(self, stiffness: Array, gain: float) -> bool:
        """Take Newton's full step, downhill or not, if it brings the free force below `gain` times what it is."""
        direction = self.rest.newton(stiffness, self.now, 0.0)
        if direction is None or np.max(np.abs(direction)) > FIRST_REACH:
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

    def adopt(self, q: Array, now: Forces) -> None:
        self.q, self.now = q, now
        self.history.append(now.unbalanced)

    def forces(self, q: Array, size: float = 0.0) -> Forces | None:
        """The forces in a pose on trial, None where there are none; size as in linearise.py."""
        try:
            return self.rest.forces(q, size)
        except OutOfBudget:
            raise
        except AnalysisError:
            return None

    # stability -------------------------------------------------------------------------------------------------------

    def free_motions(self) -> FreeMotions | None:
        """Stiffness of the free motions about the pose, of the softest if there are many; None if not found."""
        rest, stiffness = self.rest, self.rest.stiffness(self.q, self.now.lam)
        if rest.s.n == rest.s.m or rest.s.n > (FEW if rest.is_symmetric(stiffness) else FLUTTER):
            found = softest(rest, self.q, self.now.lam)
            return None if found.negative < 0 else FreeMotions(found.stiffness, found.shapes, found.noise, False)
        values, shapes, flutter = examine(rest.reduced(self.q, self.now.lam))
        flutter &= not has_skins(rest.mechanism)  # what slides has no potential either, but does not follow
        return FreeMotions(values, shapes, rest.noise(stiffness, shapes), flutter)

    def leave_saddle(self) -> bool:
        """Go a little way along the motion of the most negative stiffness; False if there is none."""
        if self.motions is None or not self.motions.unstable.size:
            return False
        shape = self.motions.shapes[int(np.argmin(self.motions.stiffness))] / self.rest.scale
        for size in AWAY:
            ends = [self.rest.moved(self.q, sign * size * shape / np.max(np.abs(shape))) for sign in (1.0, -1.0)]
            free = [(k, end) for k, end in enumerate(ends) if end is not None and self.crossing(end) is None]
            found = [(self.rest.work(self.q, end)[0], k, end) for k, end in free]
            work, _, end = max(found, default=(0.0, 0, None), key=lambda item: (item[0], -item[1]))
            then = self.forces(end) if end is not None and work > 0.0 else None
            if end is not None and then is not None:
                self.adopt(end, then)
                self.mu, self.reach = 0.0, FIRST_REACH
                return True
        return False

    def findings(self) -> list[str]:
        """What a user must know about the equilibrium that was found."""
        said = [self.left] if self.left else []
        stiffness = self.rest.stiffness(self.q, self.now.lam)
        rounding = KNOWN_POSE * self.rest.unit(stiffness, self.now) / self.now.size if self.now.size > 0 else 0.0
        if self.now.unbalanced > max(BALANCED, rounding):
            said.append(f"the forces balance only to {self.now.unbalanced:.1e} of the largest one")
        motions = self.motions
        if motions is None:
            return [*said, "stability was not examined: the stiffness is too near to singular"]
        if motions.unstable.size:
            body = self.largest(motions.shapes[int(np.argmin(motions.stiffness))])
            which, hint = "this pose", ""
            if self.history[0] <= ALREADY:
                which, hint = "the drawn pose", "; draw it a little to one side to find a stable one"
            said.append(f"unstable equilibrium: {which} is at rest, but the slightest push moves {body} away{hint}")
        if motions.flutter:
            said.append("unstable equilibrium: the follower loads make it flutter unless there is enough damping")
        if motions.neutral.size:
            bodies = sorted({self.largest(motions.shapes[k]) for k in motions.neutral})
            count = motions.neutral.size
            what = "one free motion has" if count == 1 else f"{count} free motions have"
            said.append(f"neutral equilibrium: {what} no stiffness; no force holds {', '.join(bodies)} in this place")
        return said

    def largest(self, shape: Array) -> str:
        return self.rest.body_of(int(np.argmax(np.abs(shape) / self.rest.scale)))

    # failures --------------------------------------------------------------------------------------------------------

    @property
    def tired(self) -> bool:
        """Whether it has tried long enough."""
        return self.iterations >= MAX_ITERATIONS

    def watch(self) -> None:
        """Stop when a body runs away or time is up."""
        way = np.abs(self.q - self.begin)[: self.rest.s.n] / self.rest.scale
        far = float(way.max(initial=0.0))
        if far > RUNAWAY or (self.tired and far > 10.0):
            which = int(np.argmax(way))
            raise DidNotConverge(
                f"{self.rest.body_of(which)} runs away: nothing balances the forces on it", time=self.rest.t,
                suggestion="hold it by a spring, a joint or a drive (a solid: by a fixed region), or check the loads",
            )  # fmt: skip
        if self.tired:
            raise self.stalled(f"no equilibrium was found in {MAX_ITERATIONS} iterations")

    def too_much(self, curve: Curve, path: Path) -> DidNotConverge:
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


def examine(reduced: Reduced) -> tuple[Array, Array, bool]:
    """Stiffnesses and shapes of the free motions, and whether they flutter.

    Without a potential (follower loads) the eigenvalues of M^-1 K decide, which may be complex: then it is flutter."""
    from scipy.linalg import eig, eigh

    if reduced.K.size == 0:
        return np.zeros(0), np.zeros((0, reduced.basis.shape[0])), False
    if reduced.symmetric:
        values, vectors = eigh(reduced.K)
        return values, (reduced.basis @ vectors).T, False
    found: Any = eig(reduced.K, reduced.M)
    values, vectors = found
    vectors = vectors / np.linalg.norm(vectors, axis=0)
    stiffness = values.real * np.real(np.einsum("if,ij,jf->f", vectors.conj(), reduced.M, vectors))
    flutter = bool(np.any(np.abs(values.imag) > COMPLEX * np.abs(values).max()))
    return stiffness, (reduced.basis @ vectors.real).T, flutter
