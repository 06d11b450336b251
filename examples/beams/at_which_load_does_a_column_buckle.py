"""At which load does a clamped column buckle?

At 7.71 N: its lowest frequency falls with the load and is zero there. Euler's formula says the same.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    EI, length = 2.0, 0.8

    def squared(force: float) -> float:
        m = gw.Model("column", gravity=(0, 0))
        m.ground_point("O", 0, 0).point("T", 0, length)
        m.beam("column", "O", "T", elements=6, axial_stiffness=1e6, bending_stiffness=EI, mass_per_length=0.2)
        m.joint.fixed("ground.O", "column.start").force.at_point("column.end", (0, -force))
        return float(m.modes().frequencies[0]) ** 2

    loads = np.array([0.0, 3.0, 6.0, 7.5])
    squares = np.array([squared(load) for load in loads])
    curve = np.polyfit(squares, loads, 3)  # load over square of the frequency: at zero it buckles
    buckling = float(np.polyval(curve, 0.0))
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        axes.plot(loads, squares, "o", np.polyval(curve, np.linspace(0, squares[0])), np.linspace(0, squares[0]), "-")
        axes.set(xlabel="load (N)", ylabel="square of the lowest frequency (Hz$^2$)")
        figure.savefig(picture)
        plt.close(figure)
    return {"buckling load (N)": buckling}


if __name__ == "__main__":
    print(main("at_which_load_does_a_column_buckle.png"))
