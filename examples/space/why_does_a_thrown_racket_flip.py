"""Why does a racket that is thrown about its middle axis flip over?

That axis is unstable: the racket turns over every 1.19 s, for ever, though nothing acts on it.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("racket", dimension=3, gravity=(0, 0, 0))
    m.body(
        "racket",
        mass=0.3,
        inertia=[0.0005, 0.012, 0.0125],
        at=[0, 0, 0],
        spin=[0.05, 12.0, 0.0],
        shapes=[{"box": [0.68, 0.02, 0.25]}],
    )
    run = m.simulate(until=6.0, tolerance=1e-10, output_step=2e-3)
    flips = run.crossings("racket.wy_body", 0.0)
    if picture:
        run.plot("racket.wx_body", "racket.wy_body", "racket.wz_body", path=picture)
    return {"flips every (s)": float(np.diff(flips).mean())}


if __name__ == "__main__":
    print(main("why_does_a_thrown_racket_flip.png"))
