"""When does a bouncing ball lie still?

After 2.54 s and infinitely many bounces, dropped from 1 m with restitution 0.7: rigid contact by Moreau's method
passes them all.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("ball").body("ball", mass=1.0, inertia=0.004, at=(0, 1.1))
    m.contact(gw.surfaces.Circle("ball", radius=0.1), gw.surfaces.LineGround(), restitution=0.7, name="floor")
    run = m.simulate(until=3.0, method="moreau", step=2e-4)
    moving = np.abs(run.array("ball.vy")) > 0.02
    if picture:
        run.plot("ball.y", path=picture)
    return {"still after (s)": float(run.time[moving][-1])}


if __name__ == "__main__":
    print(main("when_does_a_bouncing_ball_lie_still.png"))
