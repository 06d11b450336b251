"""With which force does the slider of a scissor lift push up a load?

With 346.4 N for 200 N at 30 degrees: the lower the lift, the more. Weight over the tangent of the angle.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("scissor lift")
    length, angle = 1.0, np.radians(30)
    c, s = length * np.cos(angle), length * np.sin(angle)
    m.ground_point("A", 0, 0)
    m.point("B", c, 0).point("C", 0, s).point("D", c, s).point("M", c / 2, s / 2)
    m.link("one", "A", "D", length=length, mass=1e-6, points={"M": (0, 0)})
    m.link("two", "B", "C", length=length, mass=1e-6, points={"M": (0, 0)})
    m.joint.revolute("one.M", "two.M").joint.slot("ground.A", "two.B", axis=(1, 0))
    m.body("table", mass=200 / 9.81, inertia=1.0, at=(c / 2, s), points={"C": (-c / 2, 0), "D": (c / 2, 0)})
    m.joint.revolute("two.C", "table.C").joint.slot("table.C", "one.D", axis=(1, 0))
    m.drive.position("two.B", x=f"{c} + 0*t", name="slider")
    run = m.inverse(until=0.01, step=0.01)
    if picture:
        run.draw(picture)
    return {"force (N)": abs(float(run.array("slider.force_x")[0]))}


if __name__ == "__main__":
    print(main("what_must_a_scissor_lift_push.png"))
