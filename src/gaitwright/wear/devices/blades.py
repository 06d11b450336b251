"""Devices with blades of carbon fibre, which bend and twist in space: an ankle-foot orthosis, and a back support (paper 002).

A blade of width w and thickness t has the bending stiffness EI = E w t^3 / 12, with E = 79 GPa as in mechanisms/back_support;
its torsional stiffness is that of a strip, G w t^3 / 3, with G = 5 GPa for a laminate with most fibres along the blade (from
memory, an order of magnitude). Sizes are OUR choice.
"""

from __future__ import annotations

from gaitwright._core.error_context import ErrorContext
from gaitwright.model.model import Model, NumberLike
from gaitwright.wear.devices.components import SHELL_CUFF, SOLE_CUFF, add_strut, device_parameters

YOUNGS_MODULUS_PA, SHEAR_MODULUS_PA, DENSITY_KG_PER_M3 = 79e9, 5e9, 1600.0
"""Pa, Pa, kg/m^3."""
BLADE_DAMPING_S = 2e-3
"""s: stiffness-proportional damping of the blades; their losses are small."""


def _add_blade(model: Model, name: str, start: str, end: str, elements: int, copies: str = "1") -> None:
    """Add a blade between two drawn points, its flat side to the front. copies: number of parallel blades, modelled as one of
    that multiple of the width."""
    model.beam(
        name,
        start,
        end,
        elements=elements,
        normal=[1, 0, 0],
        youngs_modulus="E",
        density=DENSITY_KG_PER_M3,
        width=f"{copies}*width",
        height="thickness",
        torsional_stiffness=f"{copies}*G*width*thickness^3/3",
        damping=BLADE_DAMPING_S,
    )


def ankle_blade(
    thickness: float = 3.4, width: float = 0.05, *, behind: float = 0.055, mass: float = 0.4, elements: int = 4,
    side: str = "right",
) -> Model:  # fmt: skip
    """A blade behind the ankle, clamped to a plate under the foot and to a shell on the calf; it bends as the shank leans.

    thickness: mm. width: m. behind: m, of the blade behind the ankle. mass: kg, of plate and shell; the blade has its own.
    side: right, left or both."""
    at = ErrorContext("ankle blade")
    own: dict[str, NumberLike] = {
        "thickness_mm": at["thickness"].positive(thickness, "mm"), "thickness": "thickness_mm/1000",
        "width": at["width"].positive(width, "m"), "behind": behind, "E": YOUNGS_MODULUS_PA, "G": SHEAR_MODULUS_PA,
        "plate_mass": 0.6 * at["mass"].positive(mass, "kg"), "shell_mass": 0.4 * mass,
    }  # fmt: skip
    model = Model(
        "ankle blade",
        dimension=3,
        parameters=device_parameters("ankle_height", "shank_length", "hip_width", "foot_length", **own),
    )
    low, high = "0.6*ankle_height", "ankle_height + 0.6*shank_length"
    model.point("heel", "-behind", "-hip_width/2", low).point("calf", "-behind", "-hip_width/2", high)
    model.body(
        "plate",
        mass="plate_mass",
        inertia=["plate_mass*2e-3", "plate_mass*6e-3", "plate_mass*7e-3"],
        at=[0, "-hip_width/2", 0.005],
        centre=["0.1*foot_length", 0, 0],
        points={"sole": ["0.15*foot_length", 0, 0], "clamp": ["-behind", 0, f"{low} - 0.005"]},
        shapes=[
            {"box": ["0.85*foot_length", 0.08, 0.004], "at": ["0.2*foot_length", 0, 0]},
            {"box": [0.01, 0.05, f"{low}"], "at": ["-behind", 0, f"0.5*({low})"]},
        ],
    )
    model.body(
        "shell",
        mass="shell_mass",
        inertia=["shell_mass*3e-3", "shell_mass*3e-3", "shell_mass*4e-3"],
        at=["-behind", "-hip_width/2", high],
        centre=[0.01, 0, 0.02],
        points={"clamp": [0, 0, 0], "calf": ["behind", 0, 0.03]},
        shapes=[{"box": [0.006, 0.1, 0.09], "at": [0, 0, 0.03]}],
    )
    _add_blade(model, "blade", "heel", "calf", elements)
    model.joint.fixed("plate.clamp", "blade.start", name="lower_clamp")
    model.joint.fixed("shell.clamp", "blade.end", name="upper_clamp")
    model.cuff("calf", "shell.calf", "shank", "bushing", **SLIDING_SHELL_CUFF)
    model.cuff("sole", "plate.sole", "foot", "bushing", **SOLE_CUFF)
    return model.worn(side)


SLIDING_SHELL_CUFF = {**SHELL_CUFF, "stiffness": [2e4, 2e3, 2e4]}
"""A shell that can slide along the calf: the distance it spans changes, but the length of the blade does not."""


def back_support(
    thickness: float = 3.0, width: float = 0.04, *, blades: int = 2, length: float = 0.40, behind: float = 0.12,
    mass: float = 1.5, elements: int = 6,
) -> Model:  # fmt: skip
    """Blades along the back, clamped to a belt on the pelvis; their upper end slides in a guide on a vest (paper 002, after
    M. B. Naef et al. 2018). They store energy while the trunk bends relative to the pelvis and return it while it rises.

    thickness: mm. width: m, of each of the `blades`. length: m. behind: m, of the blades behind the middle of the trunk. mass:
    kg, of belt and vest."""
    at = ErrorContext("back support")
    own: dict[str, NumberLike] = {
        "thickness_mm": at["thickness"].positive(thickness, "mm"), "thickness": "thickness_mm/1000",
        "width": at["width"].positive(width, "m"), "blades": at["blades"].whole(blades, "is no number of blades", "1 or more"),
        "blade_length": at["length"].positive(length, "m"), "behind": behind, "E": YOUNGS_MODULUS_PA, "G": SHEAR_MODULUS_PA,
        "belt_mass": 0.5 * at["mass"].positive(mass, "kg"), "vest_mass": 0.5 * mass,
    }  # fmt: skip
    model = Model(
        "back support", dimension=3, parameters=device_parameters("hip_height", "navel_height", "trunk_length", **own)
    )
    low = "0.4*hip_height + 0.6*navel_height"
    model.point("belt_end", "-behind", 0, low).point("vest_end", "-behind", 0, f"{low} + blade_length")
    add_strut(model, "belt", ["-behind", 0, low], 0.08, "belt_mass", {"clamp": [0, 0, 0], "waist": ["behind", 0, 0]})
    add_strut(model, "vest", ["-behind", 0, f"{low} + blade_length"], -0.15, "vest_mass", {
        "guide": [0, 0, 0], "chest": ["behind", 0, "navel_height + 0.55*trunk_length - blade_length"
                                      " - 0.4*hip_height - 0.6*navel_height"],
    })  # fmt: skip
    _add_blade(model, "blade", "belt_end", "vest_end", elements, "blades")
    model.joint.fixed("belt.clamp", "blade.start", name="clamp")
    model.joint("point-on-line", "guide", a="vest.guide", b="blade.end", axis=[0, 0, 1])
    model.cuff("waist", "belt.waist", "pelvis", "bushing", stiffness=[5e4] * 3, torsional_stiffness=[500.0] * 3)
    return model.cuff("chest", "vest.chest", "trunk", "bushing", stiffness=[3e4] * 3, torsional_stiffness=[300.0] * 3)
