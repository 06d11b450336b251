"""Which moment does the ankle need while the foot rolls over?

Up to 82 N m, when the force of the ground is under the toes, with 770 N from below.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    shape = gw.foot.from_measures(length=0.26, ball_width=0.10)
    foot = gw.foot.Foot(shape, shape.fill(0.014))

    rolled = foot.roll(frames=40, speed="foundation", load=700)
    if picture:
        rolled.pressure.plot(picture)
    return {"moment (N m)": float(rolled.moment[:, 1].max()), "force (N)": float(rolled.force[:, 2].max())}


if __name__ == "__main__":
    print(main("which_moment_has_the_ankle_in_a_step.png"))
