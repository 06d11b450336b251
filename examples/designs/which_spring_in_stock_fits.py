"""Which torsion spring in stock holds a lid of 2 kg within 10 degrees of level?

The one of 25 N m/rad; the next softer one lets it sag by more. Of all values that were tried 23 N m/rad would do.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("lid", parameters={"k": 20.0})
    m.ground_point("O", 0, 0).point("T", 0.4, 0)
    m.link("lid", "O", "T", length=0.4, mass=2.0)
    m.force.torsion_spring("ground", "lid", stiffness="k", rest_angle=0.0, name="spring")
    found = gw.study(
        m,
        {"k": (10.0, 40.0)},
        minimise=["spring.torque"],
        limits={"lid.angle": float(np.radians(10))},
        stock={"k": [15, 20, 25, 30]},
        analysis={"type": "static"},
        samples=31,
        workers=1,
    )
    if picture:
        m.copy(k=25.0).static().draw(picture)
    return {"in stock (N m/rad)": found.best_in_stock["k"], "softest tried (N m/rad)": found.best["k"]}


if __name__ == "__main__":
    print(main("which_spring_in_stock_fits.png"))
