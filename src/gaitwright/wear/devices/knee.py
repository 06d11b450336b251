"""A knee support with a hinge of two crossed links, whose axis moves like that of a human knee, and a spring that assists
extension: paper 001, Fig 1, and its reference [6]; the pins are those of mechanisms/knee_exoskeleton, OUR choice."""

from __future__ import annotations

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model, NumberLike
from gaitwright.wear.devices.components import SHELL_CUFF, add_strut, device_parameters, lateral_joint_position

PIN_POSITIONS_M = {"A": (-0.010, 0.010), "B": (0.004, 0.0), "C": (0.010, -0.014), "D": (-0.016, -0.017)}
"""m, forward and up from the middle of the straight knee: A and B in the upper part, C and D in the lower one."""


def knee_support(
    stiffness: float = 0.3, neutral: float = 0.0, *, crossed: bool = True, mass: float = 1.2, ahead: float = 0.0,
    up: float = 0.0, side: str = "right",
) -> Model:  # fmt: skip
    """Knee support. stiffness: N m per degree, of a spring between thigh and shank, at rest at `neutral` degrees of flexion.
    crossed: True: hinge of two crossed links; False: a plain pin. mass: kg. ahead, up: m, offset of the hinge from the knee.
    side: right, left or both. Returns a model with cuffs; raises ModelError for invalid numbers."""
    at = ErrorContext("knee support")
    at["stiffness"].not_negative(stiffness, "N m per degree, at least 0")
    each = at["mass"].positive(mass, "kg") * (0.45 if crossed else 0.5)
    own: dict[str, NumberLike] = {
        "part_mass": each,
        "stiffness": stiffness,
        "neutral": neutral,
        "ahead": ahead,
        "up": up,
    }
    if crossed:
        own["link_mass"] = 0.05 * mass
    model = Model(
        "knee support",
        dimension=3,
        parameters=device_parameters("knee_height", "hip_width", "thigh_length", "shank_length", **own),
    )
    place = lateral_joint_position("knee", ahead="ahead", up="up")
    for name, sign, limb, pins in (("upper", "", "thigh", "AB"), ("lower", "-", "shank", "CD")):
        points: dict[str, list[NumberLike]] = {
            limb: ["-ahead", 0.05, f"{sign}0.4*{limb}_length - up"],
            "hinge": [0, 0, 0],
        }
        points |= {pin: [PIN_POSITIONS_M[pin][0], 0, PIN_POSITIONS_M[pin][1]] for pin in pins}
        add_strut(model, name, place, f"{sign}0.45*{limb}_length", "part_mass", points)
    if crossed:
        for name, (a, b) in {"front_link": "AC", "rear_link": "BD"}.items():
            _add_link(model, name, a, b, place)
    else:
        model.joint.revolute("upper.hinge", "lower.hinge", axis=[0, 1, 0], name="hinge")
    model.force(
        "torsion-spring", "spring", a="upper", b="lower", axis=[0, 1, 0], stiffness="stiffness*180/pi",
        rest_angle="neutral*pi/180",
    )  # fmt: skip
    model.cuff("thigh", "upper.thigh", "thigh", "bushing", **SHELL_CUFF)
    model.cuff("shank", "lower.shank", "shank", "bushing", **SHELL_CUFF)
    return model.worn(side)


def _add_link(model: Model, name: str, upper: str, lower: str, place: list[NumberLike]) -> None:
    """Add a link between a pin of the upper part and one of the lower: a hinge at one end, and at the other a joint that
    constrains only the motion that the hinges of a planar linkage leave free."""
    (x, z), (u, w) = PIN_POSITIONS_M[upper], PIN_POSITIONS_M[lower]
    at = [f"{place[0]} + {x}", place[1], f"{place[2]} + {z}"]
    model.body(
        name, mass="link_mass", inertia=["link_mass*1e-4"] * 3, at=at, centre=[0.5 * (u - x), 0, 0.5 * (w - z)],
        points={upper: [0, 0, 0], lower: [u - x, 0, w - z]},
        shapes=[{"capsule": [0.004, 0.02], "at": [0.5 * (u - x), 0, 0.5 * (w - z)]}],
    )  # fmt: skip
    model.joint.revolute(f"upper.{upper}", f"{name}.{upper}", axis=[0, 1, 0], name=f"pin_{upper}")
    if name == "front_link":
        model.joint.revolute(f"{name}.{lower}", f"lower.{lower}", axis=[0, 1, 0], name=f"pin_{lower}")
    else:  # the other three hinges already constrain the linkage to the plane
        model.joint("point-on-line", f"pin_{lower}", a=f"{name}.{lower}", b=f"lower.{lower}", axis=[0, 1, 0])
