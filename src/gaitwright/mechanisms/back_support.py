"""A back support with a flexible beam: it stores energy while the trunk bends forward and returns it while the trunk rises.
Paper 002 sections 2 and 5; Näf et al., Frontiers in Robotics and AI 5 (2018) 72."""

from __future__ import annotations

from gaitwright.model.model import Model

GUIDE_HEIGHT_M = 0.35
"""Height of the vest's centre of mass above the hip, m; the guide itself has no end."""
BENDING_STEPS = 10
"""Number of static steps from upright to fully bent."""


def back_support(
    flexion: float = 60.0,
    *,
    bending_stiffness: float = 2.8,
    thickness: float | None = None,
    duration: float = 2.0,
    width: float = 0.04,
    blades: int = 1,
    blade_length: float = 0.5,
    offset: float = 0.08,
    youngs_modulus: float = 79e9,
    density: float = 1600.0,
    damping: float = 0.0,
    trunk_mass: float = 45.0,
    trunk_length: float = 0.62,
    vest_mass: float = 0.2,
    elements: int = 8,
    formulation: str = "continuum",
    gravity: float = 9.81,
    rise: bool = False,
) -> Model:
    """A blade of carbon fibre behind the back, clamped upright to the pelvis (the ground), and a trunk that bends forward.

                 chest
                   /          The blade's upper end slides in a guide along the back of the trunk, without friction: the
        strap .---/           blade keeps its length while it bends. The guide belongs to a vest fixed to the trunk. The
             /   /            moment of this fixed joint about the hip is the assistance for the trunk: `assist.moment`,
            |   /  trunk      positive when it helps to rise. It includes the weight of blade and vest.
      blade |  /              `trunk.torque` is the remaining muscle torque, positive when it extends the trunk.
            | /
     pelvis   hip

    flexion: of the trunk from the vertical, degrees, 0 to 90. The trunk bends from upright to this angle and rises again
    within `duration`, s. bending_stiffness: EI of all blades together, N m^2; it determines the thickness, unless a
    thickness (m) is given. width: of one blade, m. blades: number of blades side by side. offset: distance of the blade
    behind the hip, m. damping: of the blade, s. trunk_mass: of trunk, arms and head, kg; a uniform bar. vest_mass: of
    vest and guide, kg.

    `analyse()`, and therefore gw.choose, follows the equilibria from upright to fully bent; final values are those of the
    bent pose. With `rise` it simulates bending and rising within `duration`, with damping: the moment is smaller on the
    way back, and the area between the curves is the energy loss. `static_path(duration)` follows equilibria back to
    upright.

    Additional outputs: `trunk.flexion` (deg), `assist.share`, fraction of the required trunk moment carried by the support
    (0 below one degree of flexion, where the required moment is nearly zero), `blade.strain_energy` (J). Charts show moment
    and energy over the flexion.

    All numbers except elements, formulation and gravity are parameters of the model; bending_stiffness is `EI` and
    youngs_modulus `E`. A given `thickness` replaces EI."""
    parameters: dict[str, float | int | str] = {
        "flexion": flexion, "duration": duration, "EI": bending_stiffness, "E": youngs_modulus, "width": width,
        "blades": blades, "thickness": "(12*EI/(E*blades*width))^(1/3)", "blade_length": blade_length, "offset": offset,
        "density": density, "damping": damping, "trunk_mass": trunk_mass, "trunk_length": trunk_length,
        "vest_mass": vest_mass,
    }  # fmt: skip
    if thickness is not None:
        parameters["thickness"] = thickness
        del parameters["EI"]
    model = Model("back support", gravity=(0.0, -gravity), parameters=parameters)
    model.ground_point("hip", 0, 0).ground_point("pelvis", "-offset", 0)
    model.point("chest", 0, "trunk_length").point("strap", "-offset", "blade_length")
    model.link("trunk", "hip", "chest", length="trunk_length", mass="trunk_mass")
    model.body(
        "vest", mass="vest_mass", inertia="vest_mass*0.3^2/12", at=("-offset", GUIDE_HEIGHT_M), angle="pi/2",
        points={"hip": (-GUIDE_HEIGHT_M, "-offset"), "low": (-0.2, 0), "high": (0.2, 0)},  # the ends of the drawn guide
    )  # fmt: skip
    model.beam(
        "blade", "pelvis", "strap", length="blade_length", elements=elements, youngs_modulus="E", density="density",
        width="blades*width", height="thickness", damping="damping", formulation=formulation,
    )  # fmt: skip
    model.joint.fixed("ground.pelvis", "blade.start", name="clamp")
    model.joint.slot("vest", "blade.end", axis=(1, 0), name="guide")
    model.joint.fixed("vest.hip", "trunk.hip", name="assist")
    model.drive.rotation("trunk", "pi/2 - flexion*pi/180*(1 - cos(2*pi*t/duration))/2")
    _add_outputs(model)
    analysis = {"type": "static", "until": "duration/2", "steps": BENDING_STEPS}
    if rise:
        analysis = {"type": "forward", "until": "duration", "step": "duration/1000", "method": "generalized-alpha"}
    return Model.from_dict({**model.to_dict(), "analysis": analysis})


def _add_outputs(model: Model) -> None:
    """Add flexion, share of the support in the moment of the trunk, and charts."""
    flexion_description = "of the trunk, forwards from upright"
    model.quantity("trunk.flexion", "pi/2 - trunk.angle", unit="deg", description=flexion_description)
    share_expression = "if(trunk.flexion > 1 deg, assist.moment/(assist.moment + trunk.torque), 0)"
    model.quantity("assist.share", share_expression, description="that the support carries of what the trunk needs")
    model.chart("trunk.flexion", "assist.moment", title="Assist moment over flexion")
    model.chart("trunk.flexion", "blade.strain_energy", title="Energy in the blade over flexion")
