"""How stiff is a blade that is a quarter of a circle?

15.1 N/mm across its end, where Castigliano's theorem says 4 EI / (pi R^3).
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    EI, radius = 40.0, 0.15

    def bent(force: str, steps: int):
        m = gw.Model("blade", gravity=(0, 0))
        m.ground_point("O", 0, 0).point("T", radius, radius)
        m.beam(
            "blade",
            "O",
            "T",
            elements=12,
            length=radius * np.pi / 2,
            curvature=1 / radius,
            axial_stiffness=1e8,
            bending_stiffness=EI,
            mass_per_length=0.3,
        )
        m.joint.fixed("ground.O", "blade.start").force.at_point("blade.end", (force, 0))
        return m.static_path(1.0, steps=steps)

    way = bent("t", 1).array("blade.end.x")
    if picture:
        bent("2000*t", 8).plot_shapes("blade", path=picture)
    return {"stiffness (N/mm)": 1e-3 / float(way[-1] - way[0])}


if __name__ == "__main__":
    print(main("how_stiff_is_a_curved_blade.png"))
