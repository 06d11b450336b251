"""Which length of link 6 makes Jansen's leg cheapest?

0.39 m, the shortest of thirteen that were tried: 1.199 J per turn, at the price of a shorter step.
"""

import numpy as np

import gaitwright as gw
from gaitwright.mechanisms import jansen_leg


def main(picture: str | None = None) -> dict[str, float]:
    lengths = np.linspace(0.39, 0.42, 13)
    found = gw.sweep(jansen_leg(), {"L6": lengths}, analysis=gw.one_turn(200), measures=gw.measure_leg, workers=1)
    least = found.extremes(["energy"])["energy"]["least"]
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        axes.plot(1e3 * found["L6"], found["energy"], "o-")
        axes.set(xlabel="link 6 (mm)", ylabel="energy per turn (J)")
        figure.savefig(picture)
        plt.close(figure)
    return {"L6 (m)": least["at"]["L6"], "energy (J)": least["value"]}


if __name__ == "__main__":
    print(main("which_length_saves_energy.png"))
