"""A foot: shape, inside and tissue, which become pieces of any model in space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright.checks import At, is_number
from gaitwright.foot.anatomy import ANKLE, Anatomy
from gaitwright.foot.attaching import Placing, put_bodies
from gaitwright.foot.inside import Clamp, Cores
from gaitwright.foot.layer import Insole
from gaitwright.foot.motion import Motion
from gaitwright.foot.rolling import FRAMES, WEIGHT, Rolling, roll
from gaitwright.foot.shape import FootShape
from gaitwright.foot.standing import CELL, Standing, press, stand
from gaitwright.foot.tissue import REGIONS, Tissue
from gaitwright.foot.worn import region_of, with_worn
from gaitwright.mesh.kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.model import Model
from gaitwright.model.surfaces import PlaneGround

if TYPE_CHECKING:
    from gaitwright.foot.calibration import Calibrated

SPEEDS = {"full": "full", "condensed": "condensed", "foundation": "foundation"}
"""The module of each speed: its `put` brings tissue and contact into a model."""
PLANAR = ("section",)
"""Those of the plane alone; see planar.py."""
FRICTION = 0.6
"""Coefficient of a bare foot on a dry floor (K. W. Li, H. C. Wen, IEEM 2013, as in paper 004)."""


@dataclass(frozen=True, eq=False)
class Foot:
    """shape: its skin. mesh: tetrahedra that fill it, with the regions sole and cut; filled as the shape is unless given.
    inside: what is rigid, Cores or Clamp. tissue: what is soft. worn: layers below its sole, see `wearing`.
    quadratic: whether finite elements of its tissue are (TET10), as those of a mesh that is: shape.fill(0.014).quadratic().

        foot = gw.foot.Foot(gw.foot.from_measures(length=0.26))
        print(foot.stand(load=350).quarters)
        foot.attach(model, "shank", at=(0, 0, 0))
    """

    shape: FootShape
    mesh: Mesh = None  # type: ignore[assignment]
    inside: Clamp | Cores = field(default_factory=Cores)
    tissue: Tissue = field(default_factory=Tissue)
    worn: tuple[Insole, ...] = ()
    quadratic: bool = False

    def __post_init__(self) -> None:
        if self.mesh is None:
            object.__setattr__(self, "mesh", self.shape.fill())
        at = At("foot", "mesh")
        if self.mesh.is_surface or self.mesh.dimension != 3:
            at.fail("is not filled", self.mesh, "tetrahedra: shape.fill(size)")
        if self.mesh.kind.order == 2:  # divided by its corners
            object.__setattr__(self, "mesh", self.mesh.linear())
            object.__setattr__(self, "quadratic", True)
        for region in ("sole", *(("cut",) if isinstance(self.inside, Clamp) and self.inside.above is None else ())):
            if region not in self.mesh.regions or not len(self.mesh.region(region).nodes):
                at.fail(f"has no nodes in the region '{region}'", expected="a mesh of shape.fill, or mesh.with_region")

    @cached_property
    def anatomy(self) -> Anatomy:
        """Tissue, cores and hinges, with what is worn."""
        return with_worn(self.bare, self.worn) if self.worn else self.bare

    @cached_property
    def bare(self) -> Anatomy:
        """Tissue, cores and hinges."""
        return self.inside.anatomy(self.shape, self.mesh, self.tissue)

    @property
    def lift(self) -> float:
        """How high the skin stands over the ground on what it wears, m."""
        return sum(layer.thickness for layer in self.worn)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was decided on the way."""
        return (*self.shape.notes, *self.anatomy.notes)

    @property
    def ankle(self) -> Array:
        """Where the leg stands on it (3,), m."""
        found = self.shape.measures
        return np.array([ANKLE[0] * found.length, ANKLE[1] * found.ball_width, min(found.height, 0.3 * found.length)])

    @property
    def mass(self) -> float:
        """Of cores and tissue, kg."""
        return sum(core.mass for core in self.anatomy.cores) + self.tissue_mass

    @property
    def tissue_mass(self) -> float:
        """Of what is soft, with what is worn, kg."""
        mesh = self.anatomy.mesh
        return float(
            sum(one["density"] * mesh.volumes[mesh.region(one["region"]).cells].sum() for one in self.materials(mesh))
        )

    def materials(self, mesh: Mesh) -> list[dict[str, Any]]:
        """What the cells of a mesh of it are made of, by region, as a model file says it."""
        soft = {f"tissue_{name}": self.tissue[name].material() for name in REGIONS}
        soft |= {region_of(k): layer.material() for k, layer in enumerate(self.worn)}
        there = [name for name in soft if name in mesh.regions and len(mesh.region(name).cells)]
        return [{"region": name, **soft[name]} for name in there]

    def with_tissue(self, tissue: Tissue) -> Foot:
        """The same with other tissue."""
        return replace(self, tissue=tissue)

    def with_inside(self, inside: Clamp | Cores) -> Foot:
        """The same with something else inside."""
        return replace(self, inside=inside)

    def wearing(self, *layers: Insole) -> Foot:
        """The same with layers glued below its sole, from the skin to the ground: an insole, the sole of a shoe.

        foot.wearing(gw.foot.Insole(5e-3, 3e5), gw.foot.Insole(10e-3, 2e6)).stand(350)
        """
        for layer in layers:
            if not isinstance(layer, Insole):
                At("foot", "wearing").fail(
                    "is nothing that is worn", layer, "gw.foot.Insole(thickness, youngs_modulus)"
                )
        return replace(self, worn=(*self.worn, *layers))

    def attach(
        self, model: Model, body: str | None = None, *, name: str = "foot", at: Sequence[float] = (0.0, 0.0, 0.0),
        angle: float = 0.0, axis: Sequence[float] = (0.0, 0.0, 1.0), ground: Any = None, speed: str = "full",
        friction: Any = FRICTION, law: Any = None, points: Mapping[str, Array] | None = None, depth: float | None = None,
    ) -> Placing:  # fmt: skip
        """Put the foot into a model in space; or, seen from its side, into one of the plane, where at is (x, y), m, with the
        speed foundation, lumped across, or section: finite elements in plane strain of its section along the heel-toe line, of
        a depth, m (1 for a unit; the mean width of the sole unless given, see foot/section.py).

        body: what carries the rearfoot (or all that is clamped): a body, a link or the ground; without it the rearfoot is a
        body of its own, with a point for the ankle, such as foot_rearfoot.foot_ankle. name: begins the names of all that is
        added. at: m, where the origin of the foot stands as drawn, in the frame of the ground; angle (rad), axis: how it is
        turned there.
        ground: any surface, or a gw.foot.Mat; the level z = 0 unless given.
        speed: full (finite elements), condensed (linear, known by its sole) or foundation (facets that press by themselves).
        friction: a coefficient, with bristles, or any law of friction, or None. law: of contact; that of the speed unless
        given. points: more places of the rearfoot, in the frame of the foot, m.

        All of its mass comes to that of the model; a body that carries the rearfoot has that of the rearfoot already, in the
        full speed without its tissue."""
        here = At(f"foot '{name}'")
        here["speed"].one_of(speed, (*SPEEDS, *PLANAR) if model.dimension == 2 else SPEEDS, "is not a speed")
        here["angle"].radians(angle)
        if model.dimension == 3 and depth is not None:
            here["depth"].fail("belongs to a section in the plane", depth, "no depth in space")
        found = self.anatomy
        cores = found.cores if speed == "full" else found.whole
        places = {"ankle": self.ankle, **(points or {})}
        if model.dimension == 2:
            from gaitwright.foot.planar import put_planar

            friction = _friction(friction, here)
            return put_planar(model, self, name, body, at, speed, ground, law, friction, places, depth)
        placing = put_bodies(model, found, name, body, at, angle, axis, places, cores)
        put = import_module(f"gaitwright.foot.{SPEEDS[speed]}").put
        ground = PlaneGround(0.0) if ground is None else ground
        return replace(placing, contacts=put(model, self, placing, ground, law, _friction(friction, here)))

    def model(self, **options: Any) -> Model:
        """The foot alone, on a ground; options as in `attach`."""
        model = Model("foot", dimension=3)
        self.attach(model, **options)
        return model

    def stand(
        self, load: float = 622.0, *, ankle: str = "free", over: tuple[float, float] | None = None, ground: Any = None,
        speed: str = "full", friction: Any = FRICTION, law: Any = None, cell: float = CELL,
    ) -> Standing:  # fmt: skip
        """At rest under a load, N, that the ground carries, own weight included.

        ankle: free, so that the foot turns until the pressure has its centre under the load; or held, so that it only sinks.
        over: (x, y), m, where the load acts: some cm before the ankle unless given. friction: None leaves shear out, so that
        the sole spreads freely; a coefficient or a law. cell: side of a sensor, m. The rest as in `attach`."""
        options = {"ground": ground, "speed": speed, "friction": friction, "law": law}
        return stand(self, load, cell, ankle=ankle, over=over, **options)

    def press(
        self, depth: float = 8.8e-3, *, ground: Any = None, speed: str = "full", friction: Any = None, law: Any = None,
        cell: float = CELL,
    ) -> Standing:  # fmt: skip
        """The rearfoot (or all that is clamped) held, and pressed into the ground by a depth, m, as in paper 004."""
        return press(self, depth, cell, ground=ground, speed=speed, friction=friction, law=law)

    def calibrate(self, parameters: Sequence[str] | Mapping[str, tuple[float, float]], **tests: Any) -> Calibrated:
        """The foot that does what was measured, see foot/calibration.py; tests: pressed, stood, measured."""
        from gaitwright.foot.calibration import calibrate

        return calibrate(self, parameters, **tests)

    def roll(
        self, motion: Motion | None = None, frames: int = FRAMES, *, load: Any = WEIGHT, ground: Any = None,
        speed: str = "full", friction: Any = FRICTION, law: Any = None, progress: Any = None,
    ) -> Rolling:  # fmt: skip
        """Roll over the ground from heel strike to toe-off, at rest in each of `frames` frames, with friction that remembers.

        motion: of the ankle, a gw.foot.Motion; a schematic step unless given. load: the weight of a body, N, whose schematic
        step the ground carries, or its force for each time of the motion, N, (n, 3), forward, left and up, or (n,) upward: what
        holds the ankle along axes that the motion leaves free. progress: called with parts of the way. The rest as in
        `attach`."""
        options = {"ground": ground, "speed": speed, "friction": friction, "law": law}
        return roll(self, motion, frames, load, progress, **options)

    def save(self, folder: str | Path, load: float = 622.0, **options: Any) -> Path:
        """Write the foot: `foot.yaml`, a model of it that stands under a load, N, which `gaitwright run` runs (options as in
        `stand`), and what `gw.foot.load` needs. The folder."""
        from gaitwright.foot.files import save

        return save(self, Path(folder), load, options)


def _friction(given: Any, here: At) -> Any:
    """A number is the coefficient of bristles."""
    from gaitwright.physics.friction.bristle import Bristle

    if not is_number(given):
        return given
    value = here["friction"].not_negative(float(given), "a coefficient, 0 or more")
    return Bristle(coefficient=value) if value else None
