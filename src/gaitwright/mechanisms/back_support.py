"""A back support with a flexible beam: it stores energy while the trunk bends forward and returns it while the trunk rises.
Paper 002 sections 2 and 5; Näf et al., Frontiers in Robotics and AI 5 (2018) 72."""

from __future__ import annotations

from gaitwright.model.model import Model

VEST_MASS = 0.2
"""Of what carries the guide, kg."""
GUIDE_AT = 0.35
"""Height of its centre of mass above the hip, m; the guide itself is as long as it needs to be."""


def back_support(
    flexion: float = 60.0,
    *,
    bending_stiffness: float = 4.3,
    thickness: float | None = None,
    duration: float | None = None,
    width: float = 0.04,
    blades: int = 1,
    blade_length: float = 0.5,
    offset: float = 0.08,
    youngs_modulus: float = 79e9,
    density: float = 1600.0,
    damping: float = 0.0,
    trunk_mass: float = 45.0,
    trunk_length: float = 0.62,
    elements: int = 8,
    formulation: str = "continuum",
    gravity: float = 9.81,
) -> Model:
    """A blade of carbon fibre behind the back, clamped upright to the pelvis (the ground), and a trunk that bends forward.

                 chest
                   /          The blade's upper end slides in a guide along the back of the trunk, without friction: the
        strap .---/           pelvis and the back come apart when the trunk bends, and the blade keeps its length. The guide
             /   /            belongs to a vest that is fixed to the trunk; the moment in this fixing, about the hip, is what
            |   /  trunk      the support does for the trunk: `assist.moment`, positive where it helps to rise.
      blade |  /              `trunk.torque` is what muscles have left to do, positive where they pull upright.
            | /
     pelvis   hip

    flexion: of the trunk against the vertical, degrees, 0 to 90. The trunk is held there, or, with a duration (s), bends
    from upright to there and rises again. bending_stiffness: EI of all blades together, N m^2; the thickness follows from
    it, unless a thickness (m) is given. width: of one blade, m. blades: number of blades side by side. offset: distance of
    the blade behind the hip, m. damping: of the blade, s. trunk_mass: of trunk, arms and head, kg; a uniform bar.

    All numbers but elements and formulation are parameters of the model, flexion in degrees; bending_stiffness is `EI` and
    youngs_modulus `E`. Whoever chooses `thickness` sets EI aside."""
    parameters: dict[str, float | int | str] = {
        "flexion": flexion, "EI": bending_stiffness, "E": youngs_modulus, "width": width, "blades": blades,
        "thickness": "(12*EI/(E*blades*width))^(1/3)", "blade_length": blade_length, "offset": offset,
        "density": density, "damping": damping, "trunk_mass": trunk_mass, "trunk_length": trunk_length,
        "bent": "flexion*pi/180",
    }  # fmt: skip
    if thickness is not None:
        parameters["thickness"] = thickness
        del parameters["EI"]
    if duration is not None:
        parameters["duration"] = duration
    model = Model("back support", gravity=(0.0, -gravity), parameters=parameters)
    model.ground_point("hip", 0, 0).ground_point("pelvis", "-offset", 0)
    if duration is None:
        # drawn as it will be, as an arc that starts upright: the search for the equilibrium is then short
        lean, angle, rise = "bent", "pi/2 - bent", "pi/2 - bent"
        chord = "blade_length*if(bent > 1e-3, sin(bent)/bent, 1)"
        model.point("strap", f"-offset + {chord}*sin(bent)", f"{chord}*cos(bent)")
    else:
        lean, angle, rise = "0", "pi/2", "pi/2 - bent*(1 - cos(2*pi*t/duration))/2"
        model.point("strap", "-offset", "blade_length")
    model.point("chest", f"trunk_length*sin({lean})", f"trunk_length*cos({lean})")
    model.link("trunk", "hip", "chest", length="trunk_length", mass="trunk_mass")
    at = (f"{GUIDE_AT}*sin({lean}) - offset*cos({lean})", f"{GUIDE_AT}*cos({lean}) + offset*sin({lean})")
    model.body(
        "vest", mass=VEST_MASS, inertia=VEST_MASS * 0.3**2 / 12, at=at, angle=angle,
        points={"hip": (-GUIDE_AT, "-offset")},
    )  # fmt: skip
    model.beam(
        "blade", "pelvis", "strap", length="blade_length", bow="left", elements=elements, youngs_modulus="E",
        density="density", width="blades*width", height="thickness", damping="damping", formulation=formulation,
    )  # fmt: skip
    model.fixed("ground.pelvis", "blade.start", angle="pi/2", name="clamp")
    model.slot("vest", "blade.end", axis=(1, 0), name="guide")
    model.fixed("vest.hip", "trunk.hip", angle=0, name="assist")
    return model.drive_rotation("trunk", rise)
