"""When does a thin strip that is bent about its stiff axis tip over sideways?

At 3.38 N on its end, where its lowest frequency is zero: lateral buckling, as Prandtl
computed it.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    def squared(force: float) -> float:
        m = gw.Model("strip", dimension=3, gravity=(0, 0, 0))
        m.ground_point("O", 0, 0, 0).point("T", 0.5, 0, 0)
        m.beam(
            "strip",
            "O",
            "T",
            elements=8,
            normal=[0, 0, 1],
            youngs_modulus=70e9,
            torsional_stiffness=0.25,
            density=2700,
            width=0.001,
            height=0.03,
        )
        m.joint.fixed("ground.O", "strip.start").force.at_point("strip.end", (0, 0, -force))
        return float(m.modes().frequencies[0]) ** 2

    loads = np.array([0.0, 2.0, 3.0, 3.25])
    squares = np.array([squared(load) for load in loads])
    curve = np.polyfit(squares, loads**2, 3)  # the same to either side: even in the load
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        along = np.linspace(0, squares[0])
        axes.plot(loads, squares, "o", np.sqrt(np.maximum(np.polyval(curve, along), 0)), along, "-")
        axes.set(xlabel="load (N)", ylabel="square of the lowest frequency (Hz$^2$)")
        figure.savefig(picture)
        plt.close(figure)
    return {"buckling load (N)": float(np.sqrt(np.polyval(curve, 0.0)))}


if __name__ == "__main__":
    print(main("when_does_a_thin_strip_buckle_sideways.png"))
