"""How hard does a steel ball of 1 cm hit a plate after a fall of 1 cm?

With 653 N, for 81.6 us: Hertz's impact, F = K d^1.5 until all kinetic energy is elastic.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    mass = 7800 * 4 / 3 * np.pi * 0.01**3
    stiffness = gw.hertz_stiffness(
        radius_a=0.01,
        radius_b=np.inf,
        youngs_modulus_a=207e9,
        youngs_modulus_b=207e9,
        poissons_ratio_a=0.3,
        poissons_ratio_b=0.3,
    )
    m = gw.Model("ball").body("ball", mass=mass, inertia=0.4 * mass * 1e-4, at=(0, 0.02))
    m.contact(
        gw.surfaces.Circle("ball", radius=0.01), gw.surfaces.LineGround(), law=gw.laws.Hertz(stiffness), name="plate"
    )
    run = m.simulate(until=0.05, output_step=0)
    touch = run.contacts("plate").iloc[0]
    if picture:
        run.plot("plate.normal_force", against="plate.penetration", path=picture)
    return {"force (N)": float(touch["max_force"]), "time (us)": 1e6 * float(touch["duration"])}


if __name__ == "__main__":
    print(main("how_hard_does_a_steel_ball_hit.png"))
