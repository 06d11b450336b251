"""Walking machine: a body, free in the plane, on several pairs of mirrored legs on a ground with friction.

As on Theo Jansen's beach animals, the two legs of a pair share the pin of one crank and are mirror images about the crank
shaft, and the cranks of n pairs are 360/n degrees apart. All cranks sit on one shaft, driven by a motor in the body. The body's
path is not prescribed: its height, speed and pitch follow from the feet.

The copies of a leg are made from its model; the leg's ground becomes the body of the machine. Its beams start unstressed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright._core.error_context import ErrorContext
from gaitwright.legs.centre_of_mass import total_mass
from gaitwright.mechanisms.chebyshev import chebyshev_leg
from gaitwright.mechanisms.jansen import jansen_leg
from gaitwright.mechanisms.machine_settings import (
    GROUND_UNITS,
    MachineSettings,
    hard_ground_parameters,
    machine_settings,
)
from gaitwright.mechanisms.terrain import TerrainPoints, read_terrain, terrain_height
from gaitwright.model.model import Model
from gaitwright.model.spec.document import LinkSpec, ModelDocument
from gaitwright.model.surfaces import Line, Polyline
from gaitwright.physics.declarations import ContactLaw, Friction

MACHINE_CONTEXT = ErrorContext("walking machine")
LEG_MODELS = {"jansen": jansen_leg, "chebyshev": chebyshev_leg}
SIDE_SIGNS = {"left": 1, "right": -1}
"""Sign of x: a leg is a left one, behind the crank shaft; the right one is its mirror image."""
BODY_NAME = "body"
SPIN_UP_RATIO = "min(t/max(soft_start, 1e-6), 1)"
SHAFT_TURNS = f"turns_per_second*(soft_start*({SPIN_UP_RATIO}^3 - {SPIN_UP_RATIO}^4/2) + max(t - soft_start, 0))"
"""Turns of the shaft: its speed rises as 3 u^2 - 2 u^3, without a jump of the acceleration, and is then constant."""
MIRRORED_JOINT_TYPES = {"revolute", "gear", "distance", "fixed"}
"""Joint types that can be mirrored with the same fields, as drawn."""
MIRRORED_BEAM_SIDES = {"left": "right", "right": "left"}
"""Mirrored sides of a beam."""
BEAM_STEP_S = 5e-4
"""Time step with beams, s: an impact of a foot lasts some milliseconds."""
OUTPUT_STEP_S = 2e-3
"""Output step without beams, s, on the default ground. On a ground r times as stiff it is divided by
r^IMPACT_EXPONENT."""
MAX_OUTPUTS = 20_000
"""Maximum number of outputs of a run: all states then fit in memory, which a walk analysis needs."""
IMPACT_EXPONENT = 0.4
"""Exponent of the impact duration on a Hertzian ground: proportional to stiffness^-0.4."""
LEG_POSE_SAMPLES = 180
"""Number of poses of a leg over a turn, enough to stay on its branch."""


LegPose = dict[str, tuple[float, float]]
"""Positions of points, m, by name."""


class LegPattern(NamedTuple):
    """Model of a leg to be copied. crank: its link, from the shaft to the pin. length: of the crank, m. mass: of the leg with
    its crank, and crank_mass: of the crank, kg. poses: function of crank angles, rad, that returns the positions of
    all points, m."""

    document: ModelDocument
    crank: LinkSpec
    length: float
    mass: float
    crank_mass: float
    poses: Callable[[Sequence[float]], list[LegPose]]

    @property
    def feet(self) -> list[str]:
        assert self.document.gait is not None
        return self.document.gait.feet


class LegCopy(NamedTuple):
    """Leg of the machine. name: of the leg, such as left1. number: of its crank. side: 1, or -1 for a mirror
    image."""

    name: str
    number: int
    side: int
    pose: LegPose


def walking_machine(
    leg: str | Model = "jansen",
    *,
    pairs: int = 3,
    mirrored: bool = True,
    turns_per_second: float | None = None,
    clockwise: bool | None = None,
    soft_start: float | None = None,
    phase: float = math.pi / 2,
    body_mass: float | None = None,
    body_inertia: float | None = None,
    stiffness: float | None = None,
    dissipation: float | None = None,
    friction: float | None = None,
    creep_speed: float | None = None,
    slope: float | None = None,
    drop: float | None = None,
    gravity: float | None = None,
    law: ContactLaw | dict[str, Any] | None = None,
    friction_law: Friction | dict[str, Any] | None = None,
    payload: float | None = None,
    payload_at: Sequence[float] | None = None,
    terrain: Any = None,
) -> Model:
    """Create a body on 2 x `pairs` legs above a level ground at y = 0. With clockwise cranks, Jansen's legs walk towards
    positive x, Chebyshev's and Klann's towards negative x.

    leg: jansen, chebyshev, or the model of a leg with one driven crank and a `gait` section with its feet. Settings that are
    not given are inherited from the leg model: speed and direction of its drive (mean speed, if it is uneven), gravity with
    its slope, friction of its feet. Otherwise they are 0.5 turns/s clockwise and friction 0.7; `machine_settings` lists the
    sources. mirrored: two legs per crank; False for a model that already contains both. soft_start: s, until the cranks
    reach their speed; default 1. phase: rad, of the first crank at the start; at pi/2 the machine is its own mirror image.
    body_mass: kg, centred at the crank shaft; default 4. body_inertia: kg m^2; default: a bar spanning all axles.
    stiffness: N/m^1.5, and dissipation: s/m, of the ground (law of Marhefka and Orin); default: a hard ground, on which a
    foot that carries the whole machine sinks by 0.2 % of the leg length, with 0.7 of critical damping. friction:
    coefficient; it decreases to zero below creep_speed (m/s); replaces the leg's. slope: rad, less than a right angle,
    positive if the ground rises towards positive x; the ground is drawn level, and gravity is rotated instead. drop: m,
    height above the ground at the start; default 1 mm. law, friction_law: replace all of these. payload: kg, a box welded to
    the body; payload_at: its centre (x, y), m from the crank shaft; default: on top of the body. terrain: replaces the level
    ground: points [x, y], m, from left to right, or a kind such as "bumps:20 mm:0.5" (see mechanisms/terrain.py); a slope
    rotates the whole terrain.

    Bodies: `body`, crank1, left1-L2, ...; drives: crank1, ...; contacts: left1, right1, ..."""
    library_leg = LEG_MODELS.get(leg) if isinstance(leg, str) else None
    pattern = _leg_pattern(library_leg() if library_leg else leg)
    pairs = MACHINE_CONTEXT["pairs"].whole(pairs, "is not a number of cranks", "a whole number of at least 1")
    settings = machine_settings(
        None if library_leg else leg, turns_per_second=turns_per_second, clockwise=clockwise, soft_start=soft_start,  # type: ignore[arg-type]
        body_mass=body_mass, stiffness=stiffness, dissipation=dissipation, friction=friction, creep_speed=creep_speed,
        slope=slope, drop=drop, gravity=gravity, law=law, friction_law=friction_law, payload=payload, terrain=terrain,
    )  # fmt: skip
    _check_settings(settings, phase)
    angles = [phase + 2.0 * math.pi * k / pairs for k in range(pairs)]
    copies = list(_leg_copies(pattern, angles, SIDE_SIGNS if mirrored else {"leg": 1}))
    ground = read_terrain(terrain)
    geometry = _machine_geometry(pattern, copies, ground, settings["drop"])
    if mirrored and abs(geometry.shaft_x) > 1e-9 * pattern.length:
        MACHINE_CONTEXT["leg"].fail(
            "is not at x = 0, about which the legs are mirrored",
            geometry.shaft_x,
            "a leg whose crank turns about x = 0",
        )
    leg_mass = pairs * (pattern.crank_mass + (2 if mirrored else 1) * (pattern.mass - pattern.crank_mass))
    total_mass = f"{leg_mass:.6g} + body_mass" + ("" if payload is None else " + payload")
    ground_law, ground_parameters = _ground_law(settings, pattern.document.parameters, total_mass, geometry.leg_length)
    parameters: dict[str, Any] = {name: settings[name] for name in ("turns_per_second", "soft_start", "body_mass")}
    parameters["body_inertia"] = f"body_mass*{geometry.span:.6g}^2/12" if body_inertia is None else body_inertia
    parameters |= {**settings.parameters, "slope": settings["slope"], "gravity": settings["gravity"]}
    parameters |= ground_parameters | ({"ground_level": 0.0} if ground is None else {})
    parameters |= {} if payload is None else {"payload": MACHINE_CONTEXT["payload"].positive(payload, "kg")}
    model = _empty_machine(pattern, parameters)
    _add_body(model, pattern, copies, geometry.height)
    if payload is None and payload_at is not None:
        MACHINE_CONTEXT["payload_at"].fail("is given without a payload", list(payload_at), "a payload, kg, too")
    if payload is not None:
        _add_payload(model, payload_at, geometry)
    for number, angle in enumerate(angles, start=1):
        _add_crank(model, pattern, next(copy for copy in copies if copy.number == number), geometry.height)
        crank_angle = f"{angle!r} {'-' if settings['clockwise'] else '+'} 2*pi*{SHAFT_TURNS}"
        model.drive.relative_rotation(BODY_NAME, f"crank{number}", crank_angle, name=f"crank{number}")
    for copy in copies:
        _add_leg(model, pattern, copy, geometry.height)
        for foot in pattern.feet:
            name = copy.name if len(pattern.feet) == 1 else f"{copy.name}-{foot}-sole"
            model.contact(f"{copy.name}-{foot}", _ground_surface(ground), law=ground_law,
                          friction=settings["friction_law"], name=name)  # fmt: skip
    default_stiffness = hard_ground_parameters(total_mass, geometry.leg_length, None, None)["stiffness"]
    softness = f"({default_stiffness})/({ground_law['stiffness']})" if ground_parameters else "1"
    return _add_analysis(model, settings["turns_per_second"], softness)


def _check_settings(settings: MachineSettings, phase: float) -> None:
    """ModelError for a drop, soft start, speed, phase or gravity out of range."""
    for field in ("drop", "soft_start"):
        MACHINE_CONTEXT[field].not_negative(settings[field], "zero or a positive number")
    if not settings["turns_per_second"] > 0:
        MACHINE_CONTEXT["turns_per_second"].fail(
            "is not a speed", settings["turns_per_second"], "a number above 0, and clockwise"
        )
    MACHINE_CONTEXT["phase"].radians(phase)
    MACHINE_CONTEXT["gravity"].positive(settings["gravity"], "m/s^2: without weight nothing stands on the ground")


class MachineGeometry(NamedTuple):
    """Dimensions of a machine in its start pose, m. height: of the crank shaft above y = 0. shaft_x: x of the shaft in the
    leg model. span: width of the body, over all axles. top: height of the highest axle in the leg model. leg_length: from
    the highest axle to the lowest foot."""

    height: float
    shaft_x: float
    span: float
    top: float
    leg_length: float


def _machine_geometry(
    pattern: LegPattern, copies: Sequence[LegCopy], ground: TerrainPoints | None, drop: float
) -> MachineGeometry:
    """Dimensions of a machine whose lowest foot is `drop` (m) above the ground."""
    feet = [copy.pose[foot] for copy in copies for foot in pattern.feet]
    height = drop + max((terrain_height(ground, x) if ground else 0.0) - y for x, y in feet)
    axles = {name: tuple(map(float, copies[0].pose[name])) for name in pattern.document.ground.points}
    span = max(2.0 * pattern.length, *(2.0 * abs(x) for x, _ in axles.values()))
    top = max(y for _, y in axles.values())
    leg_length = max(top - min(y for _, y in feet), pattern.length)
    return MachineGeometry(height, axles[pattern.crank.from_][0], span, top, leg_length)


def _empty_machine(pattern: LegPattern, parameters: dict[str, Any]) -> Model:
    """Model with the parameters and series of the leg and the parameters of the machine; ModelError for a common name."""
    common = sorted(set(parameters) & set(pattern.document.parameters) - {"turns_per_second"})
    if common:
        MACHINE_CONTEXT[common[0]].fail(
            "is a parameter of the leg and of the machine", expected="another name for the leg's"
        )
    model = Model(
        f"walking machine, {pattern.document.name}",
        gravity=("-gravity*sin(slope)", "-gravity*cos(slope)"),
        parameters={**pattern.document.parameters, **parameters},
    )
    model.document.series.update(pattern.document.series)
    return model


def _ground_law(
    settings: MachineSettings, used_names: Collection[str], mass: str, leg_length: float
) -> tuple[Any, dict[str, Any]]:
    """Contact law of the feet, and its numbers as parameters of the machine. If the leg has a parameter of the same
    name, it is called ground_stiffness or ground_dissipation."""
    law = settings["law"]
    if "stiffness" not in settings.settings:
        return law, {}
    parameter_names = {name: f"ground_{name}" if name in used_names else name for name in GROUND_UNITS}
    numbers = hard_ground_parameters(mass, leg_length, settings["stiffness"], settings["dissipation"])
    if isinstance(numbers["dissipation"], str):
        numbers["dissipation"] = numbers["dissipation"].replace("/stiffness", f"/{parameter_names['stiffness']}")
    return {**law, **parameter_names}, {parameter_names[name]: value for name, value in numbers.items()}


def _add_analysis(model: Model, turns_per_second: float, softness: str) -> Model:
    """Add the analysis section: three turns after the start, at least 300 outputs per turn. Adaptive steps follow the many
    short contacts at a third of the cost of fixed steps. Models with beams, which vibrate, use fixed steps.

    softness: ratio of the default ground stiffness to the actual one, an expression. Impacts on a harder ground are
    shorter, so the output step is smaller."""
    fields: dict[str, Any] = {"type": "forward", "until": "soft_start + 3/turns_per_second"}
    if model.document.beams:  # too stiff for explicit methods
        fields |= {"method": "generalized-alpha", "step": min(BEAM_STEP_S, 1 / (1000 * turns_per_second))}
    else:
        fields |= {"method": "dopri5", "tolerance": 1e-6}
        max_step = min(OUTPUT_STEP_S, 1 / (300 * turns_per_second))
        impact_step = f"{max_step!r}*min(1, ({softness})^{IMPACT_EXPONENT})"
        fields |= {"output_step": f"max({impact_step}, ({fields['until']})/{MAX_OUTPUTS})"}
    if any(contact["surface"].get("polyline") for contact in model.document.contacts):
        # Each foot has a contact with each terrain segment: use a larger output step, and store all states even if they
        # are many.
        fields |= {"store": "all"} | ({"output_step": 1 / (300 * turns_per_second)} if "output_step" in fields else {})
    contacts = [contact["name"] for contact in model.document.contacts]
    outputs = [f"{BODY_NAME}.{quantity}" for quantity in ("x", "y", "angle", "vx", "vy", "spin")]
    outputs += [f"{drive['name']}.{quantity}" for drive in model.document.drives for quantity in ("torque", "power")]
    outputs += [f"{name}.{quantity}" for name in contacts for quantity in ("normal_force", "tangential_force", "slip")]
    return Model.from_dict({**model.to_dict(), "analysis": fields, "outputs": outputs})


# The leg as a pattern -----------------------------------------------------------------------------------------------


def _leg_pattern(leg: Any) -> LegPattern:
    """Pattern of a leg model; ModelError if it cannot be copied."""
    if not isinstance(leg, Model):
        MACHINE_CONTEXT["leg"].fail("is not a leg", leg, f"one of {', '.join(LEG_MODELS)}, or the model of a leg")
    document = leg.document

    def require(condition: bool, problem: str, field: str, expected: str) -> None:
        if not condition:
            MACHINE_CONTEXT[field].fail(f"'{document.name}' {problem}", expected=expected)

    require(document.gait is not None, "has no section gait with its feet", "gait", "a leg with Model.gait(...)")
    has_crank_drive = len(document.drives) == 1 and document.drives[0]["type"] == "rotation"
    require(has_crank_drive, f"has {len(document.drives)} drives", "drives", "one drive, the rotation of a crank")
    cranks = [link for link in document.links if link.name == document.drives[0]["body"]]
    require(bool(cranks), "is not driven by a link", "drives", "the rotation of a link")
    crank = cranks[0]
    is_simple = crank.from_ in document.ground.points and not crank.points
    require(is_simple, "has a crank with other points than shaft and pin", "links", "a link from the ground to one pin")
    unsupported: dict[str, Any] = {"bodies": document.bodies, "parts": document.parts, "forces": document.forces}
    unsupported |= {
        "contacts": document.contacts,
        "joints": [j for j in document.joints if j["type"] not in MIRRORED_JOINT_TYPES],
    }
    for field, entries in unsupported.items():
        require(not entries, f"has {field} that cannot be copied", field, "links, beams, pins and gears only")
    poses = _leg_poses(leg, crank.name)
    (pose,) = poses([0.0])
    mechanism = leg.mechanism()
    masses = total_mass(mechanism), mechanism.body_names[crank.name].mass
    return LegPattern(document, crank, math.dist(pose[crank.from_], pose[crank.to]), *masses, poses)


def _leg_poses(leg: Model, crank: str) -> Callable[[Sequence[float]], list[LegPose]]:
    """Make the function `poses` of LegPattern. The leg is simulated over one turn, so that all poses are on its own
    branch."""
    mechanism, start_state = leg.mechanism(), leg.assemble()
    start = float(start_state.q[mechanism.body_names[crank].index[2]])
    raw = leg.to_dict()
    drive = {"type": "rotation", "body": crank, "angle": f"{start!r} + 2*pi*t"}
    turning = Model.from_dict({**raw, "drives": [drive], "outputs": []})

    def poses(angles: Sequence[float]) -> list[LegPose]:
        turn_fractions = np.array([((angle - start) / (2.0 * math.pi)) % 1.0 for angle in angles])
        times = np.union1d(np.linspace(0.0, 1.0, LEG_POSE_SAMPLES + 1), turn_fractions)
        rows = np.searchsorted(times, turn_fractions)
        outputs = _rigid_motion(turning, times)
        parts = (*leg.document.links, *leg.document.beams)
        owners = {point: part.name for part in parts for point in (part.from_, part.to, *part.points)}
        positions = {point: [outputs(f"{part}.{point}.{c}")[rows] for c in "xy"] for point, part in owners.items()}
        return [
            {name: (float(x[k]), float(y[k])) for name, (x, y) in positions.items()} for k in range(len(turn_fractions))
        ]

    return poses


def _rigid_motion(leg: Model, times: np.ndarray) -> Callable[[str], np.ndarray]:
    """Outputs of a driven leg over times, with beams treated as rigid."""
    if not leg.document.beams:
        return leg.kinematics(times=times).array
    from gaitwright.analysis.joint_closure import find_unstressed_poses
    from gaitwright.result.catalogue import OutputCatalogue
    from gaitwright.result.outputs import StateHistory

    mechanism = leg.mechanism()
    q, no_values = find_unstressed_poses(mechanism, times), np.zeros((times.size, 0))
    outputs, motion = OutputCatalogue(mechanism), StateHistory(times, q, 0 * q, 0 * q, no_values, no_values, no_values)
    return lambda name: outputs[name].values(motion)


def _leg_copies(pattern: LegPattern, angles: Sequence[float], sides: dict[str, int]) -> Iterator[LegCopy]:
    """Copies of the leg. A mirror image has its crank at pi minus the angle."""
    crank_angles = [angle if side == 1 else math.pi - angle for angle in angles for side in sides.values()]
    poses = iter(pattern.poses(crank_angles))
    for number in range(1, len(angles) + 1):
        for name, side in sides.items():
            yield LegCopy(f"{name}{number}", number, side, {p: (side * x, y) for p, (x, y) in next(poses).items()})


# Parts of the machine -----------------------------------------------------------------------------------------------


def _add_body(model: Model, pattern: LegPattern, copies: Sequence[LegCopy], height: float) -> None:
    """Add the body with the axles of the legs; its frame is that of the leg's ground."""
    shaft = pattern.crank.from_
    points: dict[str, Any] = {shaft: pattern.document.ground.points[shaft]}
    for name, position in pattern.document.ground.points.items():
        if name != shaft:
            for copy in {copy.side: copy for copy in copies}.values():
                points[_axle_name(copy, name)] = _mirror_position(position, copy.side)
    model.body(BODY_NAME, mass="body_mass", inertia="body_inertia", at=(0.0, _round_position(height)), points=points)


def _add_payload(model: Model, centre: Sequence[float] | None, geometry: MachineGeometry) -> None:
    """Add a box on the body. centre: m, from the crank shaft; default on top of the body."""
    width, thickness = 0.5 * geometry.span, 0.2 * geometry.span
    default_centre = (0.0, max(geometry.top, 0.0) + thickness)
    position = MACHINE_CONTEXT["payload_at"].numbers(default_centre if centre is None else centre, "x and y, m")
    if position.shape != (2,):
        MACHINE_CONTEXT["payload_at"].fail("is no place", centre, "x and y, m, from the crank shaft")
    x, y = (_round_position(float(c)) for c in position)
    corners = {
        "A": (-width / 2, -thickness / 2),
        "B": (width / 2, -thickness / 2),
        "C": (width / 2, thickness / 2),
        "D": (-width / 2, thickness / 2),
    }
    inertia = f"payload*{(width**2 + thickness**2) / 12:.6g}"
    model.document.bodies[-1].points["load"] = [x, y]
    model.body(
        "payload",
        mass="payload",
        inertia=inertia,
        at=(x, _round_position(y + geometry.height)),
        points={"M": (0.0, 0.0), **corners},
    )
    model.joint("fixed", "payload-weld", a=f"{BODY_NAME}.load", b="payload.M")


def _ground_surface(ground: TerrainPoints | None) -> Line | Polyline:
    return Line(0, 1, "-ground_level") if ground is None else Polyline(ground)


def _add_crank(model: Model, pattern: LegPattern, copy: LegCopy, height: float) -> None:
    """Add the crank that a leg shares with its mirror image."""
    crank, number = pattern.crank, copy.number
    shaft, pin = f"{crank.from_}-{number}", f"{crank.to}{number}"
    for name, (x, y) in ((shaft, copy.pose[crank.from_]), (pin, copy.pose[crank.to])):
        model.point(name, _round_position(x), _round_position(y + height))
    model.link(f"crank{number}", shaft, pin, length=crank.length, mass=crank.mass, inertia=crank.inertia)
    model.joint.revolute(f"{BODY_NAME}.{crank.from_}", f"crank{number}.{shaft}", name=f"shaft{number}")


def _add_leg(model: Model, pattern: LegPattern, copy: LegCopy, height: float) -> None:
    """Add links, beams, pins and gears of one leg; the ground of its model becomes the body."""
    document, crank = pattern.document, pattern.crank
    beams = {beam.name for beam in document.beams}

    def point(name: str) -> str:
        return f"{name}{copy.number}" if name == crank.to else f"{copy.name}-{name}"

    def node(name: str) -> str:
        """Name of a point of a beam; beam nodes have the same names in all copies."""
        return point(name) if name in copy.pose else name

    def reference(name: str) -> str:
        owner, dot, local_name = name.partition(".")
        if owner == "ground":
            return f"{BODY_NAME}.{_axle_name(copy, local_name)}" if dot else BODY_NAME
        if owner == crank.name:
            return f"crank{copy.number}" + (f".{point(local_name)}" if dot else "")
        return f"{copy.name}-{owner}" + (f".{(node if owner in beams else point)(local_name)}" if dot else "")

    ends = {end for part in (*document.links, *document.beams) for end in (part.from_, part.to)}
    for name, (x, y) in copy.pose.items():
        if name in ends - {crank.to, crank.from_}:
            model.point(point(name), _round_position(x), _round_position(y + height))
    first_part_on_axle: dict[str, str] = {}  # first link or beam on each axle
    for link in document.links:
        if link.name == crank.name:
            continue
        ends = [point(link.from_), point(link.to)]
        points = {point(name): [position[0], _negate(position[1], copy.side)] for name, position in link.points.items()}
        fields = {"length": link.length, "mass": link.mass, "inertia": link.inertia, "points": points}
        model.link(f"{copy.name}-{link.name}", *ends, **fields)
    for beam in document.beams:
        fields = beam.model_dump(exclude={"name", "from_", "to", "points"}, exclude_none=True)
        if copy.side == -1:
            fields["curvature"] = _negate(beam.curvature, copy.side)
            fields |= {"bow": MIRRORED_BEAM_SIDES[beam.bow]} if beam.bow else {}
        points = {point(name): position for name, position in beam.points.items()}
        model.beam(f"{copy.name}-{beam.name}", point(beam.from_), point(beam.to), points=points, **fields)
    for part in (*document.links, *document.beams):
        for name in (part.from_, part.to, *part.points):
            if part.name != crank.name and name in document.ground.points:
                first_part_on_axle.setdefault(name, part.name)
    for name, link in first_part_on_axle.items():
        on_leg = f"{copy.name}-{link}.{point(name)}"
        model.joint.revolute(f"{BODY_NAME}.{_axle_name(copy, name)}", on_leg, name=f"{copy.name}-{name}-axle")
    for k, joint in enumerate(document.joints):
        places = {key: reference(joint[key]) for key in ("a", "b", "carrier") if key in joint}
        fields = _mirror_joint(joint) if copy.side == -1 else joint
        options = {key: value for key, value in fields.items() if key in ("ratio", "length", "offset", "angle")}
        model.joint(joint["type"], f"{copy.name}-{joint['name'] or f'joint{k + 1}'}", **places, **options)


def _mirror_joint(joint: dict[str, Any]) -> dict[str, Any]:
    """Mirror a joint. The angle of a link becomes pi minus it, that of the ground (the body) its negative; a given
    offset of a gear, or angle of a weld, therefore changes its sign and gains half turns. Offsets that are not given
    are as drawn."""
    half_turn_by_side = {
        key: 0 if joint[key].partition(".")[0] == "ground" else 1 for key in ("a", "b", "carrier") if key in joint
    }
    ratio, carrier = joint.get("ratio", 1), half_turn_by_side.get("carrier", 0)
    half_turns = f"{half_turn_by_side['b'] - carrier} - ({ratio})*{half_turn_by_side['a'] - carrier}"
    angles = {key: joint[key] for key in ("offset", "angle") if joint.get(key) is not None}
    return {**joint, **{key: f"pi*({half_turns}) - ({value})" for key, value in angles.items()}}


def _axle_name(copy: LegCopy, name: str) -> str:
    """Name of an axle on the body, common to all legs of a side."""
    return f"{copy.name.rstrip('0123456789')}-{name}"


def _mirror_position(position: Sequence[float | str], side: int) -> list[float | str]:
    return [_negate(position[0], side), position[1]]


def _negate(value: float | str, side: int) -> float | str:
    """Return a number or expression, or its negative."""
    if side == 1:
        return value
    return f"-({value})" if isinstance(value, str) else 0.0 - value


def _round_position(value: float) -> float:
    """Round a drawn position: it is only a start guess, so a micrometre is enough, and the model file stays
    readable."""
    return round(value, 6) + 0.0
