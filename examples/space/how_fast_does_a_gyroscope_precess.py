"""How fast does a leaning gyroscope go round?

3.04 rad/s at 250 rad/s of spin: weight times lever over spin momentum, a little more because the turn itself has
momentum.
"""

import numpy as np

from gaitwright.mechanisms import gyroscope


def main(picture: str | None = None) -> dict[str, float]:
    run = gyroscope(spin=250.0, tilt=60.0).simulate(
        until=0.5, step=1e-3, method="gauss2"
    )  # started in steady precession
    round_it = np.unwrap(run.array("top.zyz_1"))
    if picture:
        run.draw(picture, ghosts=4)
    return {"precession (rad/s)": float(np.ptp(round_it) / np.ptp(run.time))}


if __name__ == "__main__":
    print(main("how_fast_does_a_gyroscope_precess.png"))
