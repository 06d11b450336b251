"""Does a super-element keep the frequencies of a solid?

The first one of a clamped bar is 130.9 Hz with all nodes, 131.1 Hz condensed to its end and some nodes in the middle.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    def bar(**more) -> gw.Model:
        m = gw.Model("bar", dimension=3, gravity=(0, 0, 0))
        nylon = gw.materials.LinearElastic(youngs_modulus=3e9, poissons_ratio=0.35)
        middle = {"middle": gw.mesh.DistanceSelector((0, 0, 0), 0.006)}
        mesh = gw.mesh.box((0.2, 0.02, 0.02), (16, 2, 2))
        return m.solid(
            "bar", mesh, material=nylon, density=1150.0, fixed="left", elements="quadratic", regions=middle, **more
        )

    condensed = bar(condensed={"onto": ["right", "middle"]})
    if picture:
        condensed.force.at_point("bar.right", (0, 0, 60.0)).static().draw(picture)
        condensed = bar(condensed={"onto": ["right", "middle"]})
    return {
        "all nodes (Hz)": float(bar().modes(2).frequencies[0]),
        "condensed (Hz)": float(condensed.modes(2).frequencies[0]),
    }


if __name__ == "__main__":
    print(main("does_condensing_change_a_frequency.png"))
