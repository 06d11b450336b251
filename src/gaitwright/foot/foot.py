"""Foot: shape, rigid parts and tissue. It is added as bodies, solids and contacts to a plane or spatial model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitwright._core.error_context import ErrorContext, is_number
from gaitwright.foot import condensed_model, finite_element_model, foundation_model
from gaitwright.foot.anatomy import ANKLE_POSITION_RATIOS, FootAnatomy
from gaitwright.foot.ankle_motion import AnkleMotion
from gaitwright.foot.placement import FootPlacement, add_foot_bodies
from gaitwright.foot.rigid_parts import Clamp, Cores
from gaitwright.foot.rolling import BODY_WEIGHT_N, DEFAULT_FRAMES, RollingResult, roll
from gaitwright.foot.shape import FootShape
from gaitwright.foot.soft_layers import Insole
from gaitwright.foot.standing import PLATE_CELL_SIZE_M, StandingResult, press, stand
from gaitwright.foot.tissue import TISSUE_REGIONS, Tissue
from gaitwright.foot.worn_layers import add_worn_layers, layer_region_name
from gaitwright.mesh.cell_kinds import Array
from gaitwright.mesh.mesh import Mesh
from gaitwright.model.model import Model
from gaitwright.model.surfaces import PlaneGround

if TYPE_CHECKING:
    from gaitwright.foot.calibration import FootCalibration

FIDELITY_BUILDERS = {
    "full": finite_element_model.add_tissue,
    "condensed": condensed_model.add_tissue,
    "foundation": foundation_model.add_tissue,
}
"""Functions that add tissue and contact to a model, by the speed that selects a level of fidelity."""
PLANAR_ONLY_SPEEDS = ("section",)
"""Speeds available only in plane models; see planar_model.py."""
BAREFOOT_FRICTION = 0.6
"""Coefficient of a bare foot on a dry floor (K. W. Li, H. C. Wen, IEEM 2013, as in paper 004)."""


@dataclass(frozen=True, eq=False)
class Foot:
    """shape: skin surface. mesh: tetrahedra with the regions sole and cut; default: shape.fill(). inside: rigid parts, Cores or
    Clamp. tissue: soft tissue. worn: layers below the sole, see `wearing`. quadratic: True for second-order tissue elements
    (TET10); set automatically for a quadratic mesh: shape.fill(0.014).quadratic().

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
        at = ErrorContext("foot", "mesh")
        if self.mesh.is_surface or self.mesh.dimension != 3:
            at.fail("is not filled", self.mesh, "tetrahedra: shape.fill(size)")
        if self.mesh.kind.order == 2:  # anatomy is divided with the corner nodes
            object.__setattr__(self, "mesh", self.mesh.linear())
            object.__setattr__(self, "quadratic", True)
        for region in ("sole", *(("cut",) if isinstance(self.inside, Clamp) and self.inside.above is None else ())):
            if region not in self.mesh.regions or not len(self.mesh.region(region).nodes):
                at.fail(f"has no nodes in the region '{region}'", expected="a mesh of shape.fill, or mesh.with_region")

    @cached_property
    def anatomy(self) -> FootAnatomy:
        """Tissue, cores and hinges, including worn layers."""
        return add_worn_layers(self.bare, self.worn) if self.worn else self.bare

    @cached_property
    def bare(self) -> FootAnatomy:
        """Tissue, cores and hinges without worn layers."""
        return self.inside.anatomy(self.shape, self.mesh, self.tissue)

    @property
    def lift(self) -> float:
        """Height of the skin over the ground due to worn layers, m."""
        return sum(layer.thickness for layer in self.worn)

    @property
    def notes(self) -> tuple[str, ...]:
        """Decisions made while the foot was built."""
        return (*self.shape.notes, *self.anatomy.notes)

    @property
    def ankle(self) -> Array:
        """Position of the ankle (3,), m, where the leg rests on the foot."""
        measures = self.shape.measures
        return np.array(
            [
                ANKLE_POSITION_RATIOS[0] * measures.length,
                ANKLE_POSITION_RATIOS[1] * measures.ball_width,
                min(measures.height, 0.3 * measures.length),
            ]
        )

    @property
    def mass(self) -> float:
        """Mass of cores and tissue, kg."""
        return sum(core.mass for core in self.anatomy.cores) + self.tissue_mass

    @property
    def tissue_mass(self) -> float:
        """Mass of tissue and worn layers, kg."""
        mesh = self.anatomy.mesh
        return float(
            sum(one["density"] * mesh.volumes[mesh.region(one["region"]).cells].sum() for one in self.materials(mesh))
        )

    def materials(self, mesh: Mesh) -> list[dict[str, Any]]:
        """Materials of the cells of its mesh, by region, as entries of a model file."""
        soft = {f"tissue_{name}": self.tissue[name].material() for name in TISSUE_REGIONS}
        soft |= {layer_region_name(k): layer.material() for k, layer in enumerate(self.worn)}
        there = [name for name in soft if name in mesh.regions and len(mesh.region(name).cells)]
        return [{"region": name, **soft[name]} for name in there]

    def with_tissue(self, tissue: Tissue) -> Foot:
        """Return the same foot with other tissue."""
        return replace(self, tissue=tissue)

    def scaled(self, scale: Sequence[float]) -> Foot:
        """Return the foot scaled along its axes. scale: of length, width and height. Its tissue scales with the length
        (Tissue.thickness); stiffnesses of joints and thicknesses of worn layers do not change."""
        inside = self.inside
        if isinstance(inside, Cores) and inside.bones is not None:
            inside = replace(inside, bones=replace(inside.bones, nodes=inside.bones.nodes * np.array(scale)))
        mesh = replace(self.mesh, nodes=self.mesh.nodes * np.array(scale))
        return replace(self, shape=self.shape.scaled(scale), mesh=mesh, inside=inside)

    def with_inside(self, inside: Clamp | Cores) -> Foot:
        """Return the same foot with other rigid parts."""
        return replace(self, inside=inside)

    def wearing(self, *layers: Insole) -> Foot:
        """Return the same foot with layers glued below its sole, from the skin to the ground: an insole, the sole of a shoe.

        foot.wearing(gw.foot.Insole(5e-3, 3e5), gw.foot.Insole(10e-3, 2e6)).stand(350)
        """
        for layer in layers:
            if not isinstance(layer, Insole):
                ErrorContext("foot", "wearing").fail(
                    "is nothing that is worn", layer, "gw.foot.Insole(thickness, youngs_modulus)"
                )
        return replace(self, worn=(*self.worn, *layers))

    def attach(
        self,
        model: Model,
        body: str | None = None,
        *,
        name: str = "foot",
        at: Sequence[float] = (0.0, 0.0, 0.0),
        angle: float = 0.0,
        axis: Sequence[float] = (0.0, 0.0, 1.0),
        ground: Any = None,
        speed: str = "full",
        friction: Any = BAREFOOT_FRICTION,
        law: Any = None,
        points: Mapping[str, Array] | None = None,
        depth: float | None = None,
    ) -> FootPlacement:
        """Add the foot to a model. In plane models, `at` is (x, y), m, and the speed is foundation, lumped across the foot,
        or section: plane-strain finite elements of the section along the heel-toe line, of a depth, m (1 for results per
        unit depth; default: mean width of the sole, see foot/section.py).

        body: carries the rearfoot (or all clamped nodes): a body, a link or the ground; by default the rearfoot is a new
        body with a point for the ankle, such as foot_rearfoot.foot_ankle. name: prefix of the names of all added elements.
        at: m, position of the foot's origin in the ground frame, as drawn; angle (rad), axis: rotation there.
        ground: any surface, or a gw.foot.Mat; default: the plane z = 0.
        speed: full (finite elements), condensed (linear, reduced to its sole) or foundation (independent facets).
        friction: a coefficient of the bristle law, any friction law, or None. law: contact law; default: that of the speed.
        points: more points of the rearfoot, in the frame of the foot, m.

        All of its mass is added to the model, except that a given body already includes the mass of the rearfoot (with the
        full speed: without its tissue)."""
        here = ErrorContext(f"foot '{name}'")
        here["speed"].one_of(
            speed,
            (*FIDELITY_BUILDERS, *PLANAR_ONLY_SPEEDS) if model.dimension == 2 else FIDELITY_BUILDERS,
            "is not a speed",
        )
        here["angle"].radians(angle)
        if model.dimension == 3 and depth is not None:
            here["depth"].fail("belongs to a section in the plane", depth, "no depth in space")
        anatomy = self.anatomy
        cores = anatomy.cores if speed == "full" else anatomy.whole
        places = {"ankle": self.ankle, **(points or {})}
        if model.dimension == 2:
            from gaitwright.foot.planar_model import add_planar_foot

            friction = _friction_law(friction, here)
            return add_planar_foot(model, self, name, body, at, speed, ground, law, friction, places, depth)
        placing = add_foot_bodies(model, anatomy, name, body, at, angle, axis, places, cores)
        add_tissue = FIDELITY_BUILDERS[speed]
        ground = PlaneGround(0.0) if ground is None else ground
        return replace(placing, contacts=add_tissue(model, self, placing, ground, law, _friction_law(friction, here)))

    def model(self, **options: Any) -> Model:
        """Model of the foot alone on a ground; options as in `attach`."""
        model = Model("foot", dimension=3)
        self.attach(model, **options)
        return model

    def stand(
        self, load: float = 622.0, *, ankle: str = "free", over: tuple[float, float] | None = None, ground: Any = None,
        speed: str = "full", friction: Any = BAREFOOT_FRICTION, law: Any = None, cell: float = PLATE_CELL_SIZE_M,
    ) -> StandingResult:  # fmt: skip
        """Equilibrium under a load, N, carried by the ground; the load includes the foot's own weight.

        ankle: free: the foot rotates until the centre of pressure lies under the load; held: it only translates down.
        over: (x, y), m, point of load application; default: some cm in front of the ankle. friction: None disables shear,
        so that the sole spreads freely; otherwise a coefficient or a law. cell: side of a sensor, m. Others as in `attach`."""
        options = {"ground": ground, "speed": speed, "friction": friction, "law": law}
        return stand(self, load, cell, ankle=ankle, over=over, **options)

    def press(
        self, depth: float = 8.8e-3, *, ground: Any = None, speed: str = "full", friction: Any = None, law: Any = None,
        cell: float = PLATE_CELL_SIZE_M,
    ) -> StandingResult:  # fmt: skip
        """Hold the rearfoot (or all clamped nodes) and press it into the ground by a depth, m, as in paper 004."""
        return press(self, depth, cell, ground=ground, speed=speed, friction=friction, law=law)

    def calibrate(self, parameters: Sequence[str] | Mapping[str, tuple[float, float]], **tests: Any) -> FootCalibration:
        """Calibrate the foot against measurements, see foot/calibration.py; tests: pressed, stood, measured."""
        from gaitwright.foot.calibration import calibrate

        return calibrate(self, parameters, **tests)

    def roll(
        self, motion: AnkleMotion | None = None, frames: int = DEFAULT_FRAMES, *, load: Any = BODY_WEIGHT_N, ground: Any = None,
        speed: str = "full", friction: Any = BAREFOOT_FRICTION, law: Any = None, progress: Any = None,
    ) -> RollingResult:  # fmt: skip
        """Roll over the ground from heel strike to toe-off: equilibrium in each of `frames` frames, with friction history.

        motion: of the ankle, a gw.foot.AnkleMotion; default: a schematic step. load: body weight, N, for a schematic ground
        force, or the force of the ground at each time of the motion, N, (n, 3), forward, left and up, or (n,) upward; it
        acts on the ankle along axes that the motion leaves free. progress: callback with the completed fraction. Others as
        in `attach`."""
        options = {"ground": ground, "speed": speed, "friction": friction, "law": law}
        return roll(self, motion, frames, load, progress, **options)

    def save(
        self, folder: str | Path, load: float = 622.0, *, standing: StandingResult | None = None, **options: Any
    ) -> Path:
        """Write the foot: `foot.yaml`, a model of the foot standing under a load, N, for `gaitwright run` (options
        as in `stand`), and the data for `gw.foot.load`. standing: result of `stand` or `press`, the model of which is
        written instead. Return the folder."""
        from gaitwright.foot.files import save

        return save(self, Path(folder), load, standing, options)


def _friction_law(given: Any, here: ErrorContext) -> Any:
    """Convert a number to a bristle law with that coefficient."""
    from gaitwright.physics.friction.bristle import Bristle

    if not is_number(given):
        return given
    value = here["friction"].not_negative(float(given), "a coefficient, 0 or more")
    return Bristle(coefficient=value) if value else None
