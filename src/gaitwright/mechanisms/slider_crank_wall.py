"""Driven slider-crank with a head that hits a wall: rigid, with a flexible rod, with a spring-damper, or with both. Paper 000
Figs 3 and 6.

Paper 000 prints the speed of the crank, the stiffness and restitution of the contact, and the spring and damper. Lengths,
masses, the rod and the wall are chosen here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gaitwright.mechanisms.slider_crank import slider_position
from gaitwright.model.model import Model
from gaitwright.model.surfaces import Line
from gaitwright.physics.contact_laws.lankarani_nikravesh import LankaraniNikravesh
from gaitwright.physics.declarations import Friction


@dataclass(frozen=True)
class SliderCrankWallSetup:
    """Common parameters of all variants, SI units. Crank O-A turns with `speed` (rad/s) from `angle` (rad); the wrist B is
    on a horizontal guide through O. The contact point is `reach` in front of the wrist, and O at x = -reach, so that without
    deformation its x is that of a slider-crank with O at the origin. wall: x of the wall. rod_mass: of the rigid rod, kg.
    The law is paper 000 Eq 9, its stiffness in N/m^exponent."""

    crank: float = 0.10
    rod: float = 0.40
    speed: float = 2 * math.pi / 5
    angle: float = -1.06
    wall: float = 0.498
    reach: float = 0.06
    crank_mass: float = 0.025
    rod_mass: float = 0.0288
    slider_mass: float = 0.1
    head_mass: float = 0.1
    stiffness: float = 4e5
    exponent: float = 1.5
    restitution: float = 0.1
    friction: Friction | None = None
    gravity: float = 9.81

    @property
    def wrist(self) -> float:
        """x of the wrist at the start, m."""
        return slider_position(self.crank, self.rod, self.angle) - self.reach

    @property
    def velocity(self) -> float:
        """Velocity of the wrist at the start, m/s: that of A plus that due to the rotation of the rod."""
        x, y = self.crank * math.cos(self.angle), self.crank * math.sin(self.angle)
        return -self.speed * y * (1 + x / (self.wrist + self.reach - x))

    def model(self, name: str) -> Model:
        """Model with ground, crank and drive."""
        model = Model(name, gravity=(0.0, -self.gravity))
        model.ground_point("O", -self.reach, 0.0).point("B", self.wrist, 0.0)
        model.point("A", self.crank * math.cos(self.angle) - self.reach, self.crank * math.sin(self.angle))
        model.link("crank", "O", "A", length=self.crank, mass=self.crank_mass)
        return model.drive.rotation("crank", f"{self.angle!r} + {self.speed!r}*t", name="motor")

    def slide(self, model: Model, name: str, mass: float, x: float, reach: float) -> Model:
        """Add a body on the guide, its centre at x = at and the point `front` ahead of it by `reach`, both in m."""
        model.body(
            name, mass=mass, inertia=mass * self.reach**2 / 6, at=(x, 0.0), points={"front": (reach, 0.0)},
            velocity=(self.velocity, 0.0),
        )  # fmt: skip
        return model.joint.prismatic("ground.O", name, axis=(1, 0), name=f"{name}_guide")

    def touch(self, model: Model, name: str) -> Model:
        """Add the contact between the front of a body and the wall."""
        law = LankaraniNikravesh(stiffness=self.stiffness, exponent=self.exponent, restitution=self.restitution)
        return model.contact(f"{name}.front", Line(-1, 0, self.wall), law=law, friction=self.friction, name="wall")

    def carrier(self, model: Model, mass: float, reach: float) -> Model:
        """Add the slider on the guide and pin the rod to its centre."""
        return self.slide(model, "slider", mass, self.wrist, reach).joint.revolute("rod.B", "slider", name="wrist")

    def rigid_rod(self, model: Model) -> Model:
        """Add the rigid rod A-B."""
        return model.link("rod", "A", "B", length=self.rod, mass=self.rod_mass)

    def flexible_rod(
        self, model: Model, elements: int, youngs_modulus: float, density: float, width: float, height: float,
        formulation: str, damping: float,
    ) -> Model:  # fmt: skip
        """Add the flexible rod A-B, initially straight with rigid-body velocities."""
        return model.beam(
            "rod", "A", "B", length=self.rod, elements=elements, formulation=formulation, youngs_modulus=youngs_modulus,
            density=density, width=width, height=height, damping=damping,
        )  # fmt: skip

    def rigid_head(self, model: Model) -> Model:
        """Add a slider that includes the head; its front hits the wall."""
        self.carrier(model, self.slider_mass + self.head_mass, self.reach)
        return self.touch(model, "slider")

    def sprung_head(self, model: Model, spring: float, damper: float) -> Model:
        """Add a slider that carries the head by a spring (N/m) and a damper (N s/m) along the guide; the head hits the
        wall. It starts with the velocity of the slider, the spring unstretched."""
        half = self.reach / 2
        self.carrier(model, self.slider_mass, 0.0)
        self.slide(model, "head", self.head_mass, self.wrist + half, half)
        model.force.spring_damper("slider", "head", stiffness=spring, damping=damper, rest_length=half, name="spring")
        return self.touch(model, "head")


def rigid_slider_crank(bench: SliderCrankWallSetup = SliderCrankWallSetup()) -> Model:
    """Rigid slider-crank of paper 000 Fig 6a: crank, rod and slider are rigid, and the head is part of the slider."""
    return bench.rigid_head(bench.rigid_rod(bench.model("rigid slider-crank")))


def flexible_slider_crank(
    bench: SliderCrankWallSetup = SliderCrankWallSetup(),
    *,
    elements: int = 8,
    youngs_modulus: float = 2e9,
    density: float = 1200.0,
    width: float = 0.02,
    height: float = 0.003,
    formulation: str = "takahashi",
    damping: float = 0.0,
) -> Model:
    """Slider-crank of paper 000 Fig 6b with a flexible rod, pinned at both ends. It starts straight with rigid-body
    velocities. Parameters: of the rod, SI units."""
    beam = (elements, youngs_modulus, density, width, height, formulation, damping)
    return bench.rigid_head(bench.flexible_rod(bench.model("slider-crank with a flexible rod"), *beam))


def sprung_slider_crank(
    bench: SliderCrankWallSetup = SliderCrankWallSetup(), *, spring: float = 50.0, damper: float = 0.1
) -> Model:
    """Slider-crank of paper 000 Fig 6c, as we interpret it: the rigid slider carries the head, which hits the wall, by a
    spring (N/m) and a damper (N s/m) along the guide. The head starts with the slider's velocity, the spring at rest."""
    return bench.sprung_head(bench.rigid_rod(bench.model("slider-crank with a spring-damper")), spring, damper)


def integrated_slider_crank(
    bench: SliderCrankWallSetup = SliderCrankWallSetup(),
    *,
    elements: int = 8,
    youngs_modulus: float = 2e9,
    density: float = 1200.0,
    width: float = 0.02,
    height: float = 0.003,
    formulation: str = "takahashi",
    damping: float = 0.0,
    spring: float = 50.0,
    damper: float = 0.1,
) -> Model:
    """Slider-crank of paper 000 Figs 3 and 4: the flexible rod of Fig 6b combined with the spring-damper of Fig 6c, with
    contact. spring: N/m, damper: N s/m, between slider and head; the other parameters describe the rod."""
    beam = (elements, youngs_modulus, density, width, height, formulation, damping)
    model = bench.flexible_rod(bench.model("slider-crank with a flexible rod and a spring-damper"), *beam)
    return bench.sprung_head(model, spring, damper)
