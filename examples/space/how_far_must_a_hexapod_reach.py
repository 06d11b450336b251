"""How far must the legs of a hexapod reach, and what do they carry?

From 0.686 to 0.843 m while the platform rises by 0.1 m and tilts by 15 degrees; together they push up with its
weight.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    turn = np.radians([-10, 10, 110, 130, 230, 250])
    base = 0.5 * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    turn = np.radians([-50, 50, 70, 170, 190, 290])
    top = 0.3 * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    m = gw.Model("hexapod", dimension=3)
    m.body(
        "platform",
        mass=20.0,
        inertia=[0.4, 0.4, 0.8],
        at=[0, 0, 0.6],
        points={f"P{k}": [float(x) for x in top[k]] for k in range(6)},
        shapes=[{"cylinder": [0.3, 0.02]}],
    )
    for k in range(6):
        m.ground_point(f"B{k}", *map(float, base[k]))
    m.drive.frame(
        "platform.origin", x="0*t", y="0*t", z="0.6 + 0.1*t", angles=["15*pi/180*t", "0*t", "0*t"], name="pose"
    )
    run = m.inverse(until=1.0, step=0.02)

    def corner(k: int):
        return np.stack([run.array(f"platform.P{k}.{axis}") for axis in "xyz"], axis=1)

    legs = np.array([np.linalg.norm(corner(k) - base[k], axis=1) for k in range(6)])
    if picture:
        import matplotlib.pyplot as plt

        figure = plt.figure(figsize=(5, 5), layout="constrained")
        axes = figure.add_subplot(projection="3d")
        corners = np.array([corner(k)[-1] for k in range(6)])
        for foot, pin in zip(base, corners, strict=True):
            axes.plot(*np.stack([foot, pin]).T, "o-", linewidth=3)
        for ring in (base, corners):
            axes.plot(*np.vstack([ring, ring[:1]]).T, "k")
        axes.set(xlabel="x (m)", ylabel="y (m)", zlabel="z (m)", zlim=(0, 0.9))
        figure.savefig(picture)
        plt.close(figure)
    return {
        "shortest (m)": float(legs.min()),
        "longest (m)": float(legs.max()),
        "push (N)": float(run.array("pose.force_z")[0]),
    }


if __name__ == "__main__":
    print(main("how_far_must_a_hexapod_reach.png"))
