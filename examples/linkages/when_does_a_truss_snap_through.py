"""Under which load does a shallow truss of two springs snap through?

At 22.8 N, where the curve of load over way has its top; the closed form of von Mises's truss has the same.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    k, half, height = 2000.0, 0.5, 0.2
    rest = float(np.hypot(half, height))
    m = gw.Model("truss", gravity=(0, 0))
    m.ground_point("L", -half, 0).ground_point("R", half, 0).ground_point("M", 0, 0)
    m.body("apex", mass=1.0, inertia=1e-3, at=(0, height), points={"P": (0, 0)})
    m.joint.slot("ground.M", "apex.P", axis=(0, 1))
    m.drive.relative_rotation("ground", "apex", "0", name="upright")
    for side in "LR":
        m.force.spring_damper(f"ground.{side}", "apex.P", stiffness=k, rest_length=rest)
    m.force.at_point("apex.P", (0, "-100*t"), name="push")
    run = m.static_path(1.0, control="arc-length", stop={"apex.y": -0.22})
    load = 100 * run.time
    first = run.array("apex.y") > 0
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        axes.plot(1e3 * (height - run.array("apex.y")), load)
        axes.set(xlabel="way of the apex (mm)", ylabel="load (N)")
        figure.savefig(picture)
        plt.close(figure)
    return {"limit load (N)": float(load[first].max())}


if __name__ == "__main__":
    print(main("when_does_a_truss_snap_through.png"))
