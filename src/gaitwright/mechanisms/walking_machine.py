"""A machine that walks: a body, free in the plane, carried by several pairs of mirrored legs on a ground with friction.

As on Theo Jansen's beach animals, the two legs of a pair share the pin of one crank and are mirror images about the crank
shaft, and the cranks of n pairs are 360/n degrees apart. All cranks sit on one shaft, which a motor in the body turns.
Nothing about the body's path is assumed: its height, speed and pitch follow from the feet.

The copies of a leg are made from its model: what is ground for the leg is the body of the machine. Its beams start unstressed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gaitwright.checks import At
from gaitwright.legs.centre_of_mass import total_mass
from gaitwright.mechanisms.chebyshev import chebyshev_leg
from gaitwright.mechanisms.jansen import jansen_leg
from gaitwright.mechanisms.machine_settings import GROUND, MachineSettings, hard_ground, machine_settings
from gaitwright.mechanisms.terrain import Points, height_at, read_terrain
from gaitwright.model.model import Model
from gaitwright.model.spec import Document, Link
from gaitwright.model.surfaces import Line, Polyline
from gaitwright.physics.declare import ContactLaw, Friction

MACHINE = At("walking machine")
LEGS = {"jansen": jansen_leg, "chebyshev": chebyshev_leg}
SIDES = {"left": 1, "right": -1}
"""Sign of x: a leg is a left one, behind the crank shaft; the right one is its mirror image."""
BODY = "body"
SPIN_UP = "min(t/max(soft_start, 1e-6), 1)"
TURNED = f"turns_per_second*(soft_start*({SPIN_UP}^3 - {SPIN_UP}^4/2) + max(t - soft_start, 0))"
"""Turns of the shaft: its speed rises as 3 u^2 - 2 u^3, without a jump of the acceleration, and then is constant."""
COPIED = {"revolute", "gear", "distance", "fixed"}
"""Joints of a leg that have a mirror image with the same fields, taken as drawn."""
MIRRORED = {"left": "right", "right": "left"}
"""Sides of a beam in the mirror."""
STEP = 5e-4
"""s, with beams: an impact of a foot lasts some milliseconds."""
OUTPUT_STEP = 2e-3
"""s, without beams, on the default ground. On a ground r times as stiff it is divided by r^IMPACT_EXPONENT."""
MAX_OUTPUTS = 20_000
"""Outputs of a run: all of its states have room in memory, which a walk needs."""
IMPACT_EXPONENT = 0.4
"""Duration of an impact on a Hertzian ground: proportional to stiffness^-0.4."""
SAMPLES = 180
"""Poses of a leg over a turn: fine enough to stay on its branch."""


Pose = dict[str, tuple[float, float]]
"""Positions of points, m, by name."""


class Leg(NamedTuple):
    """A leg as a pattern. crank: its link, from the shaft to the pin. length: of it, m. mass: of the leg with its crank, and
    crank_mass: of that, kg. poses: function of crank angles, rad, that gives the positions of all points, m."""

    document: Document
    crank: Link
    length: float
    mass: float
    crank_mass: float
    poses: Callable[[Sequence[float]], list[Pose]]

    @property
    def feet(self) -> list[str]:
        assert self.document.gait is not None
        return self.document.gait.feet


class Copy(NamedTuple):
    """One leg of the machine. name: of the leg, such as left1. number: of its crank. side: 1, or -1 for a mirror image."""

    name: str
    number: int
    side: int
    pose: Pose


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
    """A body on 2 x `pairs` legs above a level ground at y = 0. With clockwise cranks, Jansen's legs walk towards positive x,
    Chebyshev's and Klann's towards negative x.

    leg: jansen, chebyshev, or the model of a leg with one driven crank and a `gait` section that names its feet. What is not
    given is as the model of the leg says: speed and direction of its drive (its mean, if it is uneven), gravity and its slope,
    friction of its feet. What neither says is 0.5 turns/s clockwise and friction 0.7; `machine_settings` tells which is which.
    mirrored: two legs per crank; False for a model that has both of them already. soft_start: s, until the cranks have
    their speed; 1 unless given. phase: rad, of the first crank at the start; at pi/2 the machine is its own mirror image.
    body_mass: kg, its centre at the crank shaft; 4 unless given. body_inertia: kg m^2, that of a bar over all of its axles
    unless given. stiffness: N/m^1.5, and dissipation: s/m, of the ground (law of Marhefka and Orin); unless given, a hard
    ground: a foot that carries the whole machine sinks by 0.2 % of the leg length, with 0.7 of critical damping.
    friction: coefficient; below creep_speed (m/s) it fades (instead of the leg's). slope: rad, less than a right angle, by
    which the ground rises towards positive x; it is drawn level, and gravity is turned instead. drop: m, height above the
    ground at the start; 1 mm unless given. law, friction_law: instead of all these. payload: kg, a box welded to the body;
    its middle is at payload_at, (x, y), m from the crank shaft, on top of the body unless given. terrain: the ground instead
    of a level one, points [x, y], m, from left to right, or such as "bumps:20 mm:0.5" (see mechanisms/terrain.py); a slope
    turns it as a whole.

    Bodies: `body`, crank1, left1-L2, ...; drives: crank1, ...; contacts: left1, right1, ..."""
    named = LEGS.get(leg) if isinstance(leg, str) else None
    pattern = _pattern(named() if named else leg)
    pairs = MACHINE["pairs"].whole(pairs, "is not a number of cranks", "a whole number of at least 1")
    chosen = machine_settings(
        None if named else leg, turns_per_second=turns_per_second, clockwise=clockwise, soft_start=soft_start,  # type: ignore[arg-type]
        body_mass=body_mass, stiffness=stiffness, dissipation=dissipation, friction=friction, creep_speed=creep_speed,
        slope=slope, drop=drop, gravity=gravity, law=law, friction_law=friction_law, payload=payload, terrain=terrain,
    )  # fmt: skip
    for field in ("drop", "soft_start"):
        MACHINE[field].not_negative(chosen[field], "zero or a positive number")
    if not chosen["turns_per_second"] > 0:
        MACHINE["turns_per_second"].fail(
            "is not a speed", chosen["turns_per_second"], "a number above 0, and clockwise"
        )
    MACHINE["phase"].radians(phase)
    MACHINE["gravity"].positive(chosen["gravity"], "m/s^2: without weight nothing stands on the ground")
    angles = [phase + 2.0 * math.pi * k / pairs for k in range(pairs)]
    copies = list(_copies(pattern, angles, SIDES if mirrored else {"leg": 1}))
    ground = read_terrain(terrain)
    under = [(copy.pose[foot], height_at(ground, copy.pose[foot][0]) if ground else 0.0)
             for copy in copies for foot in pattern.feet]  # fmt: skip
    height = chosen["drop"] + max(level - y for (_, y), level in under)
    axles = {name: tuple(map(float, copies[0].pose[name])) for name in pattern.document.ground.points}
    shaft_x = axles[pattern.crank.from_][0]
    if mirrored and abs(shaft_x) > 1e-9 * pattern.length:
        MACHINE["leg"].fail(
            "is not at x = 0, about which the legs are mirrored", shaft_x, "a leg whose crank turns about x = 0"
        )
    span = max(2.0 * pattern.length, *(2.0 * abs(x) for x, _ in axles.values()))
    inertia = f"body_mass*{span:.6g}^2/12" if body_inertia is None else body_inertia
    own: dict[str, Any] = {name: chosen[name] for name in ("turns_per_second", "soft_start", "body_mass")}
    own |= {"body_inertia": inertia, **chosen.parameters, "slope": chosen["slope"], "gravity": chosen["gravity"]}
    lowest = min(copy.pose[foot][1] for copy in copies for foot in pattern.feet)
    length = max(max(y for _, y in axles.values()) - lowest, pattern.length)
    legs = pairs * (pattern.crank_mass + (2 if mirrored else 1) * (pattern.mass - pattern.crank_mass))
    carried = f"{legs:.6g} + body_mass" + ("" if payload is None else " + payload")
    ground_law, parameters = _ground_law(chosen, pattern.document.parameters, carried, length)
    own |= parameters
    hard = hard_ground(carried, length, None, None)["stiffness"]
    softness = f"({hard})/({ground_law['stiffness']})" if parameters else "1"
    own |= {"ground_level": 0.0} if ground is None else {}
    own |= {} if payload is None else {"payload": MACHINE["payload"].positive(payload, "kg")}
    clash = sorted(set(own) & set(pattern.document.parameters) - {"turns_per_second"})
    if clash:
        MACHINE[clash[0]].fail("is a parameter of the leg and of the machine", expected="another name for the leg's")
    down = ("-gravity*sin(slope)", "-gravity*cos(slope)")
    model = Model(
        f"walking machine, {pattern.document.name}", gravity=down, parameters={**pattern.document.parameters, **own}
    )
    model.document.series.update(pattern.document.series)
    _add_body(model, pattern, copies, height)
    if payload is None and payload_at is not None:
        MACHINE["payload_at"].fail("is given without a payload", list(payload_at), "a payload, kg, too")
    if payload is not None:
        _add_payload(model, payload_at, span, max(y for _, y in axles.values()), height)
    for number, angle in enumerate(angles, start=1):
        _add_crank(model, pattern, next(copy for copy in copies if copy.number == number), height)
        turned = f"{angle!r} {'-' if chosen['clockwise'] else '+'} 2*pi*{TURNED}"
        model.drive_relative_rotation(BODY, f"crank{number}", turned, name=f"crank{number}")
    for copy in copies:
        _add_leg(model, pattern, copy, height)
        for foot in pattern.feet:
            name = copy.name if len(pattern.feet) == 1 else f"{copy.name}-{foot}-sole"
            touching = f"{copy.name}-{foot}"
            model.contact(touching, _surface(ground), law=ground_law, friction=chosen["friction_law"],
                          name=name)  # fmt: skip
    return _with_analysis(model, chosen["turns_per_second"], softness)


def _ground_law(
    chosen: MachineSettings, taken: Collection[str], mass: str, leg_length: float
) -> tuple[Any, dict[str, Any]]:
    """The contact law of the feet, and the parameters of the machine that are its numbers. A parameter whose name the leg has
    taken is called ground_stiffness or ground_dissipation."""
    law = chosen["law"]
    if "stiffness" not in chosen.settings:
        return law, {}
    named = {name: f"ground_{name}" if name in taken else name for name in GROUND}
    numbers = hard_ground(mass, leg_length, chosen["stiffness"], chosen["dissipation"])
    if isinstance(numbers["dissipation"], str):
        numbers["dissipation"] = numbers["dissipation"].replace("/stiffness", f"/{named['stiffness']}")
    return {**law, **named}, {named[name]: value for name, value in numbers.items()}


def _with_analysis(model: Model, turns_per_second: float, softness: str) -> Model:
    """What `model.analyse()` and `gaitwright run` do: three turns after the start; adaptive steps follow many short touches
    at a third of the cost of a fixed one. At least 300 outputs per turn. With beams, which vibrate, fixed steps.

    softness: stiffness of the default ground over that of the ground, an expression. Impacts on a harder ground are shorter,
    so that the outputs are closer."""
    after: dict[str, Any] = {"type": "forward", "until": "soft_start + 3/turns_per_second"}
    if model.document.beams:  # too stiff for explicit methods
        after |= {"method": "generalized-alpha", "step": min(STEP, 1 / (1000 * turns_per_second))}
    else:
        after |= {"method": "dopri5", "tolerance": 1e-6}
        longest = min(OUTPUT_STEP, 1 / (300 * turns_per_second))
        closer = f"{longest!r}*min(1, ({softness})^{IMPACT_EXPONENT})"
        after |= {"output_step": f"max({closer}, ({after['until']})/{MAX_OUTPUTS})"}
    if any(contact["surface"].get("polyline") for contact in model.document.contacts):
        # every foot remembers every piece of ground: fewer times, and all of the states, also where these are many
        after |= {"store": "all"} | ({"output_step": 1 / (300 * turns_per_second)} if "output_step" in after else {})
    contacts = [contact["name"] for contact in model.document.contacts]
    outputs = [f"{BODY}.{what}" for what in ("x", "y", "angle", "vx", "vy", "spin")]
    outputs += [f"{drive['name']}.{what}" for drive in model.document.drives for what in ("torque", "power")]
    outputs += [f"{name}.{what}" for name in contacts for what in ("normal_force", "tangential_force", "slip")]
    return Model.from_dict({**model.to_dict(), "analysis": after, "outputs": outputs})


# The leg as a pattern -----------------------------------------------------------------------------------------------


def _pattern(leg: Any) -> Leg:
    if not isinstance(leg, Model):
        MACHINE["leg"].fail("is not a leg", leg, f"one of {', '.join(LEGS)}, or the model of a leg")
    document = leg.document

    def require(good: bool, problem: str, field: str, expected: str) -> None:
        if not good:
            MACHINE[field].fail(f"'{document.name}' {problem}", expected=expected)

    require(document.gait is not None, "does not say which points are its feet", "gait", "a leg with Model.gait(...)")
    one = len(document.drives) == 1 and document.drives[0]["type"] == "rotation"
    require(one, f"has {len(document.drives)} drives", "drives", "one drive, the rotation of a crank")
    cranks = [link for link in document.links if link.name == document.drives[0]["body"]]
    require(bool(cranks), "is not driven by a link", "drives", "the rotation of a link")
    crank = cranks[0]
    simple = crank.from_ in document.ground.points and not crank.points
    require(simple, "has a crank that is no simple one", "links", "a link from the ground to one pin")
    others: dict[str, Any] = {"bodies": document.bodies, "parts": document.parts, "forces": document.forces}
    others |= {"contacts": document.contacts, "joints": [j for j in document.joints if j["type"] not in COPIED]}
    for field, entries in others.items():
        require(not entries, f"has {field} that cannot be copied", field, "links, beams, pins and gears only")
    poses = _poses(leg, crank.name)
    (pose,) = poses([0.0])
    mechanism = leg.mechanism()
    masses = total_mass(mechanism), mechanism.body_names[crank.name].mass
    return Leg(document, crank, math.dist(pose[crank.from_], pose[crank.to]), *masses, poses)


def _poses(leg: Model, crank: str) -> Callable[[Sequence[float]], list[Pose]]:
    """See Leg. The leg is turned once around, so that all poses are on its own branch."""
    mechanism, first = leg.mechanism(), leg.assemble()
    start = float(first.q[mechanism.body_names[crank].index[2]])
    raw = leg.to_dict()
    drive = {"type": "rotation", "body": crank, "angle": f"{start!r} + 2*pi*t"}
    turning = Model.from_dict({**raw, "drives": [drive], "outputs": []})

    def poses(angles: Sequence[float]) -> list[Pose]:
        at = np.array([((angle - start) / (2.0 * math.pi)) % 1.0 for angle in angles])
        times = np.union1d(np.linspace(0.0, 1.0, SAMPLES + 1), at)
        rows = np.searchsorted(times, at)
        moved = _rigid_motion(turning, times)
        parts = (*leg.document.links, *leg.document.beams)
        owners = {point: part.name for part in parts for point in (part.from_, part.to, *part.points)}
        found = {point: [moved(f"{part}.{point}.{c}")[rows] for c in "xy"] for point, part in owners.items()}
        return [{name: (float(x[k]), float(y[k])) for name, (x, y) in found.items()} for k in range(len(at))]

    return poses


def _rigid_motion(leg: Model, times: np.ndarray) -> Callable[[str], np.ndarray]:
    """Outputs of a driven leg over times; its beams, if it has some, as rigid pieces."""
    if not leg.document.beams:
        return leg.kinematics(times=times).values
    from gaitwright.analyse.closing import unstressed_poses
    from gaitwright.result.catalogue import Catalogue
    from gaitwright.result.outputs import Motion

    mechanism = leg.mechanism()
    q, nothing = unstressed_poses(mechanism, times), np.zeros((times.size, 0))
    outputs, motion = Catalogue(mechanism), Motion(times, q, 0 * q, 0 * q, nothing, nothing, nothing)
    return lambda name: outputs[name].values(motion)


def _copies(pattern: Leg, angles: Sequence[float], sides: dict[str, int]) -> Iterator[Copy]:
    """The legs. A mirror image sees the crank at pi minus its angle."""
    wanted = [angle if side == 1 else math.pi - angle for angle in angles for side in sides.values()]
    poses = iter(pattern.poses(wanted))
    for number in range(1, len(angles) + 1):
        for name, side in sides.items():
            yield Copy(f"{name}{number}", number, side, {p: (side * x, y) for p, (x, y) in next(poses).items()})


# Parts of the machine -----------------------------------------------------------------------------------------------


def _add_body(model: Model, pattern: Leg, copies: Sequence[Copy], height: float) -> None:
    """The body has the axles of the legs; its frame is that of the leg's ground."""
    shaft = pattern.crank.from_
    points: dict[str, Any] = {shaft: pattern.document.ground.points[shaft]}
    for name, at in pattern.document.ground.points.items():
        if name != shaft:
            for copy in {copy.side: copy for copy in copies}.values():
                points[_axle(copy, name)] = _mirrored(at, copy.side)
    model.body(BODY, mass="body_mass", inertia="body_inertia", at=(0.0, _rounded(height)), points=points)


def _add_payload(model: Model, at: Sequence[float] | None, span: float, top: float, height: float) -> None:
    """A box on the body. span: width of the body, m; top: height of its highest axle above the shaft, m."""
    wide, high = 0.5 * span, 0.2 * span
    place = MACHINE["payload_at"].numbers((0.0, max(top, 0.0) + high) if at is None else at, "x and y, m")
    if place.shape != (2,):
        MACHINE["payload_at"].fail("is no place", at, "x and y, m, from the crank shaft")
    x, y = (_rounded(float(c)) for c in place)
    corners = {
        "A": (-wide / 2, -high / 2),
        "B": (wide / 2, -high / 2),
        "C": (wide / 2, high / 2),
        "D": (-wide / 2, high / 2),
    }
    inertia = f"payload*{(wide**2 + high**2) / 12:.6g}"
    model.document.bodies[-1].points["load"] = [x, y]
    model.body(
        "payload", mass="payload", inertia=inertia, at=(x, _rounded(y + height)), points={"M": (0.0, 0.0), **corners}
    )
    model.joint("fixed", "payload-weld", a=f"{BODY}.load", b="payload.M")


def _surface(ground: Points | None) -> Line | Polyline:
    return Line(0, 1, "-ground_level") if ground is None else Polyline(ground)


def _add_crank(model: Model, pattern: Leg, copy: Copy, height: float) -> None:
    """The crank that a leg shares with its mirror image."""
    crank, number = pattern.crank, copy.number
    shaft, pin = f"{crank.from_}-{number}", f"{crank.to}{number}"
    for name, (x, y) in ((shaft, copy.pose[crank.from_]), (pin, copy.pose[crank.to])):
        model.point(name, _rounded(x), _rounded(y + height))
    model.link(f"crank{number}", shaft, pin, length=crank.length, mass=crank.mass, inertia=crank.inertia)
    model.revolute(f"{BODY}.{crank.from_}", f"crank{number}.{shaft}", name=f"shaft{number}")


def _add_leg(model: Model, pattern: Leg, copy: Copy, height: float) -> None:
    """Links, beams, pins and gears of one leg; the ground of its model is the body."""
    document, crank = pattern.document, pattern.crank
    beams = {beam.name for beam in document.beams}

    def point(name: str) -> str:
        return f"{name}{copy.number}" if name == crank.to else f"{copy.name}-{name}"

    def node(name: str) -> str:
        """A point of a beam: nodes are called the same on all of them."""
        return point(name) if name in copy.pose else name

    def reference(name: str) -> str:
        owner, dot, of = name.partition(".")
        if owner == "ground":
            return f"{BODY}.{_axle(copy, of)}" if dot else BODY
        if owner == crank.name:
            return f"crank{copy.number}" + (f".{point(of)}" if dot else "")
        return f"{copy.name}-{owner}" + (f".{(node if owner in beams else point)(of)}" if dot else "")

    ends = {end for part in (*document.links, *document.beams) for end in (part.from_, part.to)}
    for name, (x, y) in copy.pose.items():
        if name in ends - {crank.to, crank.from_}:
            model.point(point(name), _rounded(x), _rounded(y + height))
    held: dict[str, str] = {}  # axles and the first link on each
    for link in document.links:
        if link.name == crank.name:
            continue
        ends = [point(link.from_), point(link.to)]
        more = {point(name): [at[0], _negated(at[1], copy.side)] for name, at in link.points.items()}
        fields = {"length": link.length, "mass": link.mass, "inertia": link.inertia, "points": more}
        model.link(f"{copy.name}-{link.name}", *ends, **fields)
    for beam in document.beams:
        fields = beam.model_dump(exclude={"name", "from_", "to", "points"}, exclude_none=True)
        if copy.side == -1:
            fields["curvature"] = _negated(beam.curvature, copy.side)
            fields |= {"bow": MIRRORED[beam.bow]} if beam.bow else {}
        more = {point(name): at for name, at in beam.points.items()}
        model.beam(f"{copy.name}-{beam.name}", point(beam.from_), point(beam.to), points=more, **fields)
    for part in (*document.links, *document.beams):
        for name in (part.from_, part.to, *part.points):
            if part.name != crank.name and name in document.ground.points:
                held.setdefault(name, part.name)
    for name, link in held.items():
        on_leg = f"{copy.name}-{link}.{point(name)}"
        model.revolute(f"{BODY}.{_axle(copy, name)}", on_leg, name=f"{copy.name}-{name}-axle")
    for k, joint in enumerate(document.joints):
        places = {key: reference(joint[key]) for key in ("a", "b", "carrier") if key in joint}
        fields = _turned(joint) if copy.side == -1 else joint
        kept = {key: value for key, value in fields.items() if key in ("ratio", "length", "offset", "angle")}
        model.joint(joint["type"], f"{copy.name}-{joint['name'] or f'joint{k + 1}'}", **places, **kept)


def _turned(joint: dict[str, Any]) -> dict[str, Any]:
    """A joint of the mirror image. The angle of a link becomes pi minus it, that of the ground (the body) its negative; so
    a given offset of a gear, or angle of a weld, changes its sign and by half turns. One that is not given is as drawn."""
    half = {key: 0 if joint[key].partition(".")[0] == "ground" else 1 for key in ("a", "b", "carrier") if key in joint}
    ratio, carrier = joint.get("ratio", 1), half.get("carrier", 0)
    half_turns = f"{half['b'] - carrier} - ({ratio})*{half['a'] - carrier}"
    given = {key: joint[key] for key in ("offset", "angle") if joint.get(key) is not None}
    return {**joint, **{key: f"pi*({half_turns}) - ({value})" for key, value in given.items()}}


def _axle(copy: Copy, name: str) -> str:
    """An axle on the body, the same for all legs of a side."""
    return f"{copy.name.rstrip('0123456789')}-{name}"


def _mirrored(at: Sequence[float | str], side: int) -> list[float | str]:
    return [_negated(at[0], side), at[1]]


def _negated(value: float | str, side: int) -> float | str:
    """A number or expression, or its negative."""
    if side == 1:
        return value
    return f"-({value})" if isinstance(value, str) else 0.0 - value


def _rounded(value: float) -> float:
    """Drawn positions are a guess: a micrometre is enough, and a model file stays readable."""
    return round(value, 6) + 0.0
