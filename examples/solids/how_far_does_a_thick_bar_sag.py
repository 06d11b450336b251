"""How far does a thick bar sag under a load at its end?

5.30 mm; Timoshenko's beam says 5.31 mm, Bernoulli's, which has no shear, 5.12 mm.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    length, side, force, youngs, poisson = 0.2, 0.05, 10.0, 1e7, 0.0
    m = gw.Model("bar", dimension=3, gravity=(0, 0, 0))
    material = gw.materials.LinearElastic(youngs_modulus=youngs, poissons_ratio=poisson)
    mesh = gw.mesh.box((length, side, side), (6, 2, 2))
    m.solid("bar", mesh, material=material, density=1000.0, fixed="left", elements="quadratic")
    m.force.at_point("bar.right", (0, 0, -force))
    run = m.static()
    second_moment, area, shear_modulus = side**4 / 12, side**2, youngs / (2 * (1 + poisson))
    bending = force * length**3 / (3 * youngs * second_moment)
    if picture:
        run.draw(picture)
    return {
        "sags (mm)": -1e3 * float(run.array("bar.right.z")[-1]),
        "Timoshenko (mm)": 1e3 * (bending + force * length / (5 / 6 * shear_modulus * area)),
        "Bernoulli (mm)": 1e3 * bending,
    }


if __name__ == "__main__":
    print(main("how_far_does_a_thick_bar_sag.png"))
