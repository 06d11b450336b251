"""How long does a conical pendulum take to go round?

1.32 s on a cord of 0.5 m at 30 degrees: 2 pi sqrt(L cos / g).
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    length, lean = 0.5, np.radians(30)
    radius, height = float(length * np.sin(lean)), float(length * np.cos(lean))
    speed = float(np.sqrt(9.81 * np.tan(lean) * radius))
    m = gw.Model("conical pendulum", dimension=3)
    m.ground_point("O", 0, 0, 0)
    m.body(
        "bob",
        mass=1.0,
        inertia=[1e-4] * 3,
        at=[radius, 0, -height],
        velocity=[0, speed, 0],
        points={"P": [0, 0, 0]},
        shapes=[{"sphere": 0.03}],
    )
    m.joint.distance("ground.O", "bob.P", length=length)
    run = m.simulate(until=3.0, tolerance=1e-9)
    back = run.crossings("bob.y", 0.0, direction=1)
    if picture:
        run.draw(picture, ghosts=8)
    return {"period (s)": float(np.diff(back).mean())}


if __name__ == "__main__":
    print(main("how_long_does_a_conical_pendulum_take.png"))
