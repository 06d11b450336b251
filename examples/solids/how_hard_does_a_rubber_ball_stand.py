"""How large is the spot on which a rubber ball stands?

A ball of 10 cm and 0.1 MPa stands on 5.2 cm^2 and sinks by 3.7 mm; the ground carries its weight, 4.81 N.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("ball", dimension=3)
    rubber = gw.materials.NeoHookean(youngs_modulus=1e5, poissons_ratio=0.3)
    mesh = gw.mesh.ball(0.05, 0.02, towards=(0, 0, -0.05), finest=5e-3)
    m.solid("ball", mesh, material=rubber, density=1000.0, at=(0, 0, 0.05))
    m.contact(gw.surfaces.Skin("ball"), gw.surfaces.PlaneGround(0.0), law=gw.laws.Penalty(), name="floor")
    run = m.static()
    if picture:
        run.draw(picture)
    return {
        "spot (cm^2)": 1e4 * float(run.array("floor.area")[-1]),
        "sinks (mm)": 1e3 * (0.05 - float(run.array("ball.z")[-1])),
        "weight (N)": float(run.array("floor.normal_force")[-1]),
    }


if __name__ == "__main__":
    print(main("how_hard_does_a_rubber_ball_stand.png"))
