"""How fast must a wheel roll to get over a kerb of a fifth of its radius?

0.852 m/s for a ring of 0.3 m and a kerb of 60 mm: the edge takes a tenth of its spin, the climb the rest. Five per
cent faster it gets over, five per cent slower it rolls back.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    radius, kerb, mass = 0.3, 0.06, 1.0
    about_edge = 2 * mass * radius**2  # kg m^2, a ring about a point of its rim
    kept = 1 - mass * radius * kerb / about_edge  # of the spin, when the edge is hit
    needed = radius * float(np.sqrt(2 * mass * 9.81 * kerb / about_edge)) / kept

    def rolled(speed: float):
        m = gw.Model("wheel")
        m.body(
            "wheel", mass=mass, inertia=mass * radius**2, at=(-0.5, radius), velocity=(speed, 0), spin=-speed / radius
        )
        street = gw.surfaces.Polyline([(-3, 0), (0, 0), (0, kerb), (3, kerb)])
        m.contact(
            gw.surfaces.Circle("wheel", radius=radius),
            street,
            restitution=0.0,
            friction=gw.friction.Coulomb(5.0),
            name="street",
        )
        return m.simulate(until=2.0, method="moreau", step=5e-4)

    over, back = rolled(1.05 * needed), rolled(0.95 * needed)
    if picture:
        over.draw(picture, ghosts=8)
    return {
        "needed (m/s)": needed,
        "farthest, faster (m)": float(over.array("wheel.x").max()),
        "farthest, slower (m)": float(back.array("wheel.x").max()),
    }


if __name__ == "__main__":
    print(main("how_fast_must_a_wheel_be_for_a_kerb.png"))
