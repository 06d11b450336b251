"""When does a ball that is thrown flat stop sliding and roll?

After 0.097 s, with 0.714 m/s left of 1: 2 v / (7 mu g) and 5/7, whatever its mass and size.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("ball").body("ball", mass=1.0, inertia=0.4 * 0.1**2, at=(0, 0.1), velocity=(1.0, 0.0))
    m.contact(
        gw.surfaces.Circle("ball", radius=0.1),
        gw.surfaces.LineGround(),
        name="floor",
        restitution=0.0,
        friction=gw.friction.Coulomb(0.3),
    )
    run = m.simulate(until=0.2, method="moreau", step=1e-4)
    slip = run.array("ball.vx") + 0.1 * run.array("ball.spin")
    if picture:
        run.plot("ball.vx", "ball.spin", path=picture)
    return {"rolls after (s)": float(run.time[np.argmax(slip < 1e-6)]), "speed (m/s)": float(run.array("ball.vx")[-1])}


if __name__ == "__main__":
    print(main("when_does_a_sliding_ball_roll.png"))
