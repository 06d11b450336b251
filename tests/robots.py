"""Made-up URDF robots without symmetries, used by tests of the reader and by peers."""

from __future__ import annotations

import numpy as np

HINGE, SLIDER = "revolute", "prismatic"
LIMIT = '<limit lower="-3" upper="3" effort="10" velocity="5"/>'


def numbers(values: object) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(np.asarray(values)))


def inertial(random: np.random.Generator) -> str:
    """Return the inertia of 20 point masses in a cube of 0.4 m, with arbitrary principal axes and a separate frame."""
    points = random.uniform(-0.2, 0.2, (20, 3))
    masses = random.uniform(0.02, 0.2, 20)
    arms = points - masses @ points / masses.sum()
    tensor = sum(m * (s @ s * np.eye(3) - np.outer(s, s)) for m, s in zip(masses, arms, strict=True))
    xx, yy, zz, xy, xz, yz = (float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    return f"""<inertial><origin xyz="{numbers(random.uniform(-0.2, 0.2, 3))}" rpy="{numbers(random.uniform(-1, 1, 3))}"/>
        <mass value="{numbers(masses.sum())}"/>
        <inertia ixx="{xx!r}" iyy="{yy!r}" izz="{zz!r}" ixy="{xy!r}" ixz="{xz!r}" iyz="{yz!r}"/></inertial>"""


def link(name: str, inner: str = "") -> str:
    return f'<link name="{name}">{inner}</link>'


def joint(name: str, kind: str, parent: str, child: str, inner: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inner}</joint>'


def robot(*parts: str, name: str = "robot") -> str:
    return f'<?xml version="1.0"?><robot name="{name}">{"".join(parts)}</robot>'


def tree(parents: dict[str, tuple[str, str]], seed: int, base: str = "world", damping: float = 0.0) -> str:
    """Return a robot with one link per entry, {link: (parent, kind of joint)}; the joint to `link` is called
    `to_link`. Positions, axes and masses are random; the base, which has no entry, has a mass unless it is the
    world. Kind "frame": a fixed link without mass."""
    random = np.random.default_rng(seed)
    parts = [link(base, "" if base == "world" else inertial(random))]
    dynamics = f'<dynamics damping="{damping}"/>' if damping else ""
    for name, (parent, kind) in parents.items():
        place = f'<origin xyz="{numbers(random.uniform(-0.5, 0.5, 3))}" rpy="{numbers(random.uniform(-2, 2, 3))}"/>'
        axis = f'<axis xyz="{numbers(random.normal(size=3))}"/>'
        limit = LIMIT if kind in (HINGE, SLIDER) else ""
        damped = dynamics if kind in (HINGE, SLIDER, "continuous") else ""
        parts += [
            link(name, "" if kind == "frame" else inertial(random)),
            joint(f"to_{name}", "fixed" if kind == "frame" else kind, parent, name, place + axis + limit + damped),
        ]
    return robot(*parts)


ARM = {f"l{k}": (f"l{k - 1}" if k > 1 else "world", HINGE) for k in range(1, 8)}
"""Seven hinges in a row."""
BRANCHED = {
    "trunk": ("world", HINGE),
    "slide": ("trunk", SLIDER),
    "left": ("slide", "continuous"),
    "right": ("trunk", HINGE),
    "tool": ("left", "fixed"),
    "tip": ("tool", "frame"),
}
"""Four moving links, with a fixed tool and its massless tip."""
BIPED = {
    f"{part}_{side}": (f"{above}_{side}" if above else "pelvis", HINGE)
    for side in ("left", "right")
    for part, above in (("thigh", ""), ("shank", "thigh"), ("foot", "shank"))
}
"""Two legs of three links below a pelvis, which is its base."""
FLOATING = {"pelvis": ("world", "floating"), **BIPED}
"""The biped in mid-air, turned."""
