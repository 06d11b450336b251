"""How unevenly does a shaft turn behind a universal joint?

Bent by 30 degrees it goes between 0.866 and 1.155 of the driving speed: cos 30 and 1 / cos 30.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    bend = np.radians(30)
    along = [float(np.cos(bend)), 0.0, float(np.sin(bend))]
    m = gw.Model("universal joint", dimension=3, gravity=(0, 0, 0))
    m.ground_point("O", 0, 0, 0).ground_point("I", -0.2, 0, 0).ground_point("E", 0.2 * along[0], 0, 0.2 * along[2])
    m.body("inner", mass=0.5, inertia=[1e-4, 1e-3, 1e-3], at=[-0.1, 0, 0], points={"I": [-0.1, 0, 0], "O": [0.1, 0, 0]})
    m.body(
        "outer",
        mass=0.5,
        inertia=[1e-4, 1e-3, 1e-3],
        at=[0.1 * along[0], 0, 0.1 * along[2]],
        orientation={"angles": [0, -30, 0], "sequence": "xyz"},
        points={"O": [-0.1, 0, 0], "E": [0.1, 0, 0]},
    )
    m.joint.revolute("ground.I", "inner.I", axis=[1, 0, 0], name="bearing")
    m.joint.universal("inner.O", "outer.O", axis=[0, 1, 0], axis_b=[0, 0, 1])
    m.joint("cylindrical", "end", a="ground.E", b="outer.E", axis=along)
    m.drive.rotation("bearing", "2*pi*t", name="motor")
    run = m.kinematics(until=1.0, step=2e-3)
    ratio = run.array("end.rate") / (2 * np.pi)
    if picture:
        run.plot("bearing.rate", "end.rate", path=picture)
    return {"slowest": float(ratio.min()), "fastest": float(ratio.max())}


if __name__ == "__main__":
    print(main("how_uneven_is_a_universal_joint.png"))
