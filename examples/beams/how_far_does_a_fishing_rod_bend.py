"""How far does a thin rod bend under a weight at its tip?

The tip of a rod of 1 m goes down by 0.603 m under 3 N, where the formula of small deflections says 1 m: a rod that
bends gets no longer.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    EI, length, force = 1.0, 1.0, 3.0
    m = gw.Model("rod", gravity=(0, 0))
    m.ground_point("O", 0, 0).point("T", length, 0)
    m.beam("rod", "O", "T", elements=12, axial_stiffness=1e5, bending_stiffness=EI, mass_per_length=0.1)
    m.joint.fixed("ground.O", "rod.start").force.at_point("rod.end", (0, f"-{force}*t"))
    run = m.static_path(1.0, steps=8)
    if picture:
        run.plot_shapes("rod", path=picture)
    return {
        "deflection (m)": -float(run.array("rod.end.y")[-1]),
        "small deflections (m)": force * length**3 / (3 * EI),
    }


if __name__ == "__main__":
    print(main("how_far_does_a_fishing_rod_bend.png"))
