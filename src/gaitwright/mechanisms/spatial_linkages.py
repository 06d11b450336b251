"""Two spatial linkages: a slider-crank and an RSSR four-bar.

Slider-crank: E. J. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), sections 10.2 and 12.2: the crank
turns about x, the slider runs along x, and the rod swings in all directions between them.

RSSR: revolute, spherical, spherical, revolute; a classic of the synthesis of spatial function generators (Denavit and
Hartenberg, Kinematic Synthesis of Linkages, 1964, chapter 12). The lengths are our choice.
"""

from __future__ import annotations

from gaitwright.model.model import Model, NumberLike

CRANK_ANGLE = "2*pi*turns_per_second*t"
ROD_ROTATION = {"angles": [0, 90, 0]}
"""Rotation of a shape from z to x."""


def spatial_slider_crank(
    *,
    turns_per_second: float = 1.0,
    driven: bool = True,
    spin: float = 6.0,
    crank: float = 0.08,
    rod: float = 0.30,
    offset: float = 0.10,
    height: float = 0.12,
    crank_mass: float = 0.12,
    rod_mass: float = 0.5,
    slider_mass: float = 2.0,
    gravity: float = 9.81,
) -> Model:
    """A crank about the x axis through (0, offset, height), a rod from its pin A to B, and a slider along the x axis.

    The crank starts upright and turns about x by 2 pi turns_per_second t; without `driven`, it starts with `spin` rad/s and
    is free. Lengths in m, masses in kg; z is up. The slider is at x = sqrt(rod^2 - A_y^2 - A_z^2). A universal joint at the
    slider keeps the rod from spinning about its axis."""
    parameters: dict[str, NumberLike] = {
        "turns_per_second": turns_per_second, "spin": spin, "crank": crank, "rod": rod, "offset": offset, "height": height,
        "crank_mass": crank_mass, "rod_mass": rod_mass, "slider_mass": slider_mass, "g": gravity,
        "slider_x": "sqrt(rod^2 - offset^2 - (height + crank)^2)",
    }  # fmt: skip
    model = Model("spatial slider-crank", dimension=3, gravity=(0, 0, "-g"), parameters=parameters)
    model.ground_point("O", 0, "offset", "height").ground_point("rail", 0, 0, 0)
    model.body(
        "crank", mass="crank_mass", inertia=["1e-4*(crank/0.08)^2", "1e-5*(crank/0.08)^2", "1e-4*(crank/0.08)^2"],
        at=[0, "offset", "height"], orientation={"angles": [90, 0, 0]}, points={"O": [0, 0, 0], "A": [0, "crank", 0]},
        spin=None if driven else ["spin", 0, 0],
        shapes=[{"cylinder": [0.03, 0.012], "orientation": ROD_ROTATION, "at": [-0.02, 0, 0]},
                {"capsule": [0.008, "crank"], "at": [0, "crank/2", 0], "orientation": {"angles": [90, 0, 0]}}],
    )  # fmt: skip
    drop = "height + crank"
    # rod frame: x from A to B, y level and across it
    model.body(
        "rod", mass="rod_mass", inertia=["4e-4", "rod_mass*0.008*(rod/0.3)^2", "rod_mass*0.008*(rod/0.3)^2"],
        at=["slider_x/2", "offset/2", f"({drop})/2"], points={"A": ["-rod/2", 0, 0], "B": ["rod/2", 0, 0]},
        orientation={"axes": [
            ["slider_x", "-offset", f"-({drop})"], ["offset", "slider_x", 0],
            [f"slider_x*({drop})", f"-offset*({drop})", "offset^2 + slider_x^2"],
        ]},
        shapes=[{"capsule": [0.008, "rod"], "orientation": ROD_ROTATION}],
    )  # fmt: skip
    model.body(
        "slider", mass="slider_mass", inertia=[1e-4, 1e-4, 1e-4], at=["slider_x", 0, 0], points={"B": [0, 0, 0]},
        shapes=[{"box": [0.07, 0.05, 0.05]}],
    )  # fmt: skip
    model.joint.revolute("ground.O", "crank.O", axis=[1, 0, 0], name="bearing")
    model.joint.spherical("crank.A", "rod.A", name="ball")
    # perpendicular to x in the slider, and horizontal across the rod: never parallel while the rod is inclined
    model.joint.universal("slider.B", "rod.B", axis=[0, 0, 1], axis_b=[0, 1, 0], name="cross")
    model.joint.prismatic("ground.rail", "slider.B", axis=[1, 0, 0], name="guide")
    return model.drive.rotation("bearing", CRANK_ANGLE, name="motor") if driven else model


def spatial_four_bar(
    *,
    turns_per_second: float = 1.0,
    crank: float = 0.05,
    coupler: float = 0.25,
    rocker: float = 0.12,
    base: tuple[float, float, float] = (0.20, 0.10, 0.0),
    mass_per_length: float = 1.0,
    radius: float = 0.006,
    gravity: float = 9.81,
) -> Model:
    """A crank about z through the origin, a rocker about y through `base`, and a coupler with two ball joints: RSSR.

    The crank turns by 2 pi turns_per_second t from x towards y. Lengths and radius of the round bars in m, mass_per_length
    in kg/m. One ball is a universal joint: otherwise the coupler could spin about its axis, with no effect on the rest."""
    parameters: dict[str, NumberLike] = {
        "turns_per_second": turns_per_second, "crank": crank, "coupler": coupler, "rocker": rocker,
        "base_x": base[0], "base_y": base[1], "base_z": base[2], "mass_per_length": mass_per_length, "radius": radius,
    }  # fmt: skip
    model = Model("spatial four-bar", dimension=3, gravity=(0, 0, -gravity), parameters=parameters)
    model.ground_point("O", 0, 0, 0).ground_point("C", "base_x", "base_y", "base_z")
    _add_bar(model, "crank", ("O", "A"), at=["crank/2", 0, 0])
    # drawn upright; the coupler may be drawn in any pose: the joints determine it
    _add_bar(
        model, "rocker", ("C", "B"), at=["base_x", "base_y", "base_z + rocker/2"], orientation={"angles": [0, -90, 0]}
    )
    rod = ["base_x - crank", "base_y", "base_z + rocker"]
    _add_bar(
        model, "coupler", ("A", "B"), at=[f"crank + ({rod[0]})/2", "base_y/2", "(base_z + rocker)/2"],
        # x from A to B, y across it and across the axis of the rocker
        orientation={"axes": [rod, [rod[2], 0, f"-({rod[0]})"],
                              [f"-({rod[0]})*({rod[1]})", f"({rod[0]})^2 + ({rod[2]})^2", f"-({rod[1]})*({rod[2]})"]]},
    )  # fmt: skip
    model.joint.revolute("ground.O", "crank.O", axis=[0, 0, 1], name="crank_bearing")
    model.joint.revolute("ground.C", "rocker.C", axis=[0, 1, 0], name="rocker_bearing")
    model.joint.spherical("crank.A", "coupler.A", name="ball")
    model.joint.universal("rocker.B", "coupler.B", axis=[0, 1, 0], axis_b=[0, 1, 0], name="cross")
    return model.drive.rotation("crank_bearing", CRANK_ANGLE, name="motor")


def _add_bar(model: Model, name: str, ends: tuple[str, str], **pose: object) -> None:
    """Add a round bar along its own x axis."""
    mass = f"mass_per_length*{name}"
    transverse_inertia = f"{mass}*(3*radius^2 + {name}^2)/12"
    model.body(
        name, mass=mass, inertia=[f"{mass}*radius^2/2", transverse_inertia, transverse_inertia], **pose,  # type: ignore[arg-type]
        points={ends[0]: [f"-{name}/2", 0, 0], ends[1]: [f"{name}/2", 0, 0]},
        shapes=[{"capsule": ["radius", name], "orientation": ROD_ROTATION}],
    )  # fmt: skip
