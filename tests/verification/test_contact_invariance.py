"""The same throw elsewhere: turned by 30 degrees, mirrored, moved by a kilometre, in other units, on every kind of ground.

A spinning ball is thrown onto the ground, with friction; some bounces and a slide in one second. The whole world (gravity,
ground, start) is transformed, and the motion transformed back. Adaptive methods choose other steps in turned coordinates,
so runs agree to their tolerance times the growth of errors over five impacts (about 100), not to rounding."""

from __future__ import annotations

import cmath
import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import gaitwright as gw


@dataclass(frozen=True)
class World:
    """z -> shift + length e^(i turn) (z or its mirror image); times and masses in other units."""

    turn: float = 0.0
    mirror: bool = False
    shift: complex = 0j
    length: float = 1.0
    time: float = 1.0
    mass: float = 1.0

    def vector(self, z: complex, unit: float = 1.0) -> tuple[float, float]:
        z = (-complex(z).conjugate() if self.mirror else complex(z)) * cmath.exp(1j * self.turn) * unit
        return z.real, z.imag

    def place(self, z: complex) -> tuple[float, float]:
        x, y = self.vector(z, self.length)
        return x + self.shift.real, y + self.shift.imag

    def line(self, through: complex, slope: float, **motion: Any) -> gw.surfaces.Line:
        a, b = self.vector(1j * cmath.exp(1j * slope))
        x, y = self.place(through)
        return gw.surfaces.Line(a, b, -(a * x + b * y), **motion)

    @property
    def way(self) -> float:
        return -1.0 if self.mirror else 1.0

    @property
    def speed(self) -> float:
        return self.length / self.time

    @property
    def force(self) -> float:
        return self.mass * self.length / self.time**2

    def back(self, z: np.ndarray, unit: float) -> np.ndarray:
        z = z * cmath.exp(-1j * self.turn) / unit
        return -z.conjugate() if self.mirror else z


VALLEY = [-1.0 + 0.3j, 0j, 0.4 + 0.05j, 0.6 - 0.1j, 1.2 - 0.05j, 1.5 + 0.4j, 3.0 + 0.5j]
GROUNDS: dict[str, Any] = {
    "line": lambda w: w.line(0j, 0.15),
    "moving line": lambda w: w.line(0j, 0.15, velocity=w.vector(-0.3 + 0.1j, w.speed)),
    "polyline": lambda w: gw.surfaces.Polyline([w.place(z) for z in (VALLEY[::-1] if w.mirror else VALLEY)]),
    "moving polyline": lambda w: gw.surfaces.Polyline(
        [w.place(z) for z in (VALLEY[::-1] if w.mirror else VALLEY)], velocity=w.vector(-0.3 + 0.1j, w.speed)
    ),
}
FRICTIONS: dict[str, Any] = {
    "coulomb": lambda w: gw.friction.Coulomb(0.3, v0=1e-3 * w.speed, v1=1e-2 * w.speed),
    "smooth-coulomb": lambda w: gw.friction.SmoothCoulomb(0.3, transition_speed=5e-3 * w.speed),
    "bristle": lambda w: gw.friction.Bristle(0.3, stiffness=1e4 * w.force / w.length, damping=20.0 * w.force / w.speed),
}


def thrown(w: World, ground: str, friction: str) -> gw.Model:
    model = gw.Model("thrown ball", gravity=w.vector(-9.81j, w.length / w.time**2))
    model.body(
        "ball", mass=w.mass, inertia=0.004 * w.mass * w.length**2, at=w.place(0.1 + 0.5j), angle=w.turn,
        velocity=w.vector(0.8 - 0.2j, w.speed), spin=w.way * 25.0 / w.time, points={"rim": (0.1 * w.length, 0.0)},
    )  # fmt: skip
    law = gw.laws.Flores(2e5 * w.force / w.length**1.5, restitution=0.6)
    return model.contact(
        gw.surfaces.Circle("ball", 0.1 * w.length), GROUNDS[ground](w), law=law, friction=FRICTIONS[friction](w),
        slowest_approach=1e-3 * w.speed, name="floor",
    )  # fmt: skip


@functools.cache
def motion(w: World, ground: str, friction: str, **options: Any) -> np.ndarray:
    """Position, velocity, spin, force and loss at 101 times, in the coordinates of the first world; (5, 101), complex."""
    if "step" in options:
        options["step"] *= w.time
    else:
        options["output_step"] = 0.01 * w.time
    run = thrown(w, ground, friction).simulate(w.time, **options)
    assert len(run.episodes) >= 4
    of = run.array
    every = slice(None, None, (run.time.size - 1) // 100)
    return np.array([
        w.back(of("ball.x") + 1j * of("ball.y") - w.shift, w.length),
        w.back(of("ball.vx") + 1j * of("ball.vy"), w.speed),
        w.way * of("ball.spin") * w.time + 0j,
        w.back(of("floor.fx") + 1j * of("floor.fy"), w.force),
        of("floor.dissipated") / (w.force * w.length) + 0j,
    ])[:, every]  # fmt: skip


TIGHT = {"method": "dopri5", "tolerance": 1e-12}
WORLDS = {
    "turned by 30 degrees": World(turn=math.pi / 6),
    "turned by 143 degrees": World(turn=2.5),
    "mirrored": World(mirror=True),
    "mirrored and turned": World(mirror=True, turn=1.0),
    "heavy": World(mass=1e3),
    "slow": World(time=10.0),
    "ant": World(length=2e-3, time=0.05, mass=1e-6),
    "giant": World(length=100.0, time=10.0, mass=1e6),
}


def assert_same(one: np.ndarray, other: np.ndarray, *within: float) -> None:
    """Position (m), velocity (m/s), spin (rad/s), force (N), loss (J)."""
    for a, b, atol in zip(one, other, within, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=atol)


@pytest.mark.slow
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("friction", ["coulomb", "smooth-coulomb"])
@pytest.mark.parametrize("name", WORLDS)
def test_transformed_world(name: str, friction: str, ground: str) -> None:
    """Forces of an impact are velocities times dF/dd dt: 1e4 times their error."""
    base = motion(World(), ground, friction, **TIGHT)
    assert_same(base, motion(WORLDS[name], ground, friction, **TIGHT), 1e-10, 1e-8, 1e-7, 1e-4, 1e-8)


@pytest.mark.parametrize("ground", ["line", "moving line"])
def test_mirror_image_of_a_line_is_exact(ground: str) -> None:
    """x only changes its sign, so does every number computed from it: the same steps, equal to the last bit."""
    np.testing.assert_array_equal(
        motion(World(), ground, "coulomb", **TIGHT), motion(World(mirror=True), ground, "coulomb", **TIGHT)
    )


@pytest.mark.parametrize("shift", [1000.0 + 0j, -600.0 + 800.0j])
@pytest.mark.parametrize("ground", ["line", "polyline"])
def test_a_kilometre_away(ground: str, shift: complex) -> None:
    """Coordinates of 1000 m are rounded to 1e-13 m, a tenth of the zone in which a touchdown is met: times of impacts are off
    by 1e-12 s, forces by dF/dd = 1e5 N/m times 1e-13 m. Outputs between steps add the rounding over a step (1e-13 m / 1e-5 s)
    to velocities."""
    base = motion(World(), ground, "coulomb", **TIGHT)
    assert_same(base, motion(World(shift=shift), ground, "coulomb", **TIGHT), 1e-9, 5e-8, 5e-7, 1e-3, 1e-8)


@pytest.mark.parametrize("method", ["rk4", "generalized-alpha", "gauss2"])
def test_fixed_steps_turn_with_the_world(method: str) -> None:
    """Parts of a step are chosen by coordinates, so even fixed steps are others in a turned world: accuracy of the method."""
    options = {"method": method, "step": 1e-3}
    base = motion(World(), "polyline", "smooth-coulomb", **options)
    assert_same(
        base, motion(World(turn=math.pi / 6), "polyline", "smooth-coulomb", **options), 1e-5, 1e-3, 1e-2, 5.0, 1e-3
    )


@pytest.mark.parametrize("ground", ["line", "polyline"])
def test_bristles_turn_with_the_world(ground: str) -> None:
    """Bristles slide at the end of steps, with an error without control (test_contact_bristles.py)."""
    options = {"method": "radau5", "tolerance": 1e-10}
    base = motion(World(), ground, "bristle", **options)
    for w in (World(turn=math.pi / 6), World(mirror=True), World(shift=1000.0)):
        assert_same(base, motion(w, ground, "bristle", **options), 1e-5, 5e-4, 5e-3, 1.0, 1e-4)


def test_moreau_turns_with_the_world() -> None:
    """No adaptive step: equal to rounding, as long as no contact is closed by rounding alone."""

    def throw(w: World, ground: str) -> np.ndarray:
        run = thrown(w, ground, "coulomb").simulate(0.8, method="moreau", step=1e-3)  # with the restitution of the law
        return w.back(run.array("ball.x") + 1j * run.array("ball.y") - w.shift, w.length)

    for ground in ("line", "moving line", "polyline"):
        base = throw(World(), ground)
        for w in (World(turn=math.pi / 6), World(mirror=True)):
            np.testing.assert_allclose(throw(w, ground), base, rtol=0, atol=1e-12)
