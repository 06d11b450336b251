"""Which spring at the ankle takes a third off its peak moment?

One of 3.15 N m per degree.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    walk = gw.gait.schematic_walk(gw.gait.Subject(mass=73, height=1.74), seconds=2.2)
    found = gw.choose(
        gw.wear.devices.ankle_spring(),
        {"stiffness": (2.0, 5.0)},
        target={"right_ankle.share_of_peak": 1 / 3},
        analysis=gw.wear.device_analysis(walk),
        samples=3,
        tolerance=1e-3,
    )
    if picture:
        found.plot(picture)
    return {"stiffness (N m/deg)": float(found.value)}


if __name__ == "__main__":
    print(main("which_spring_takes_a_third_off.png"))
