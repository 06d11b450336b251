"""How far does a knee brace slip if its hinge sits 20 mm too far forward?

28 mm along the shank while the knee bends by 100 degrees, and the knee gets 10.3 degrees less from its spring's
angle.
"""

import numpy as np

from gaitwright.mechanisms import knee_brace


def main(picture: str | None = None) -> dict[str, float]:
    run = knee_brace(0.02, cuff=0.2, brace_stiffness=10).inverse(until=1.0)
    if picture:
        run.draw(picture, ghosts=4)
    return {
        "slips (mm)": float(np.abs(run.array("cuff.pistoning")).max()),
        "off (deg)": float(np.abs(run.array("brace.error")).max()),
    }


if __name__ == "__main__":
    print(main("how_far_slips_a_misplaced_brace.png"))
