"""Which moment does a blade of carbon fibre give a trunk that bends forward by 60 degrees?

12.3 N m; the blade stores 7.59 J, and gives most of it back on the way up.
"""

from gaitwright.mechanisms import back_support


def main(picture: str | None = None) -> dict[str, float]:
    run = back_support(flexion=60.0, bending_stiffness=2.8).analyse()
    if picture:
        run.draw(picture, ghosts=4)
    return {
        "moment (N m)": float(run.array("assist.moment").max()),
        "stored (J)": float(run.array("blade.strain_energy").max()),
    }


if __name__ == "__main__":
    print(main("which_moment_gives_a_back_support.png"))
