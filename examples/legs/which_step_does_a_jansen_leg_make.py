"""Which step does Theo Jansen's leg make?

0.388 m long and 0.170 m high; its foot is on the ground for 0.434 of the turn.
"""

import gaitwright as gw
from gaitwright.mechanisms import jansen_leg


def main(picture: str | None = None) -> dict[str, float]:
    leg = gw.analyse_leg(jansen_leg(), directions=["as driven"], restitutions=[0.0])
    if picture:
        jansen_leg().kinematics(until=1.0, step=5e-3).draw(picture, ghosts=5, trace=["F"])
    names = {"step_length": "step (m)", "step_height": "height (m)", "duty": "on the ground"}
    return {said: float(leg.numbers[name].value) for name, said in names.items()}


if __name__ == "__main__":
    print(main("which_step_does_a_jansen_leg_make.png"))
