"""Which of a thousand legs steps farthest for its energy?

970 of 1024 legs with three lengths within some per cent of Jansen's can turn; the best steps 0.357 m per joule, his
own 0.199 m.
"""

import gaitwright as gw
from gaitwright.mechanisms import jansen_leg


def main(picture: str | None = None) -> dict[str, float]:
    leg = jansen_leg()
    ranges = {"L3": (0.27, 0.29), "L6": (0.39, 0.42), "L9": (0.23, 0.26)}
    measures = ["step_length", "energy", "reach = step_length/energy"]
    table = gw.designs(leg, ranges, count=1024, measures=measures, maximise=["reach"], workers=1)
    own = gw.designs(leg, {"L3": [leg.document.parameters["L3"]]}, measures=measures, workers=1)
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        axes.scatter(table["energy"], table["step_length"], s=6)
        axes.plot(own["energy"], own["step_length"], "k*", markersize=12)
        axes.set(xlabel="energy per turn (J)", ylabel="step (m)", xlim=(1, 6))
        figure.savefig(picture)
        plt.close(figure)
    return {
        "turn": float((table["failure"] == 0).sum()),
        "best (m/J)": float(table["reach"].max()),
        "Jansen's (m/J)": float(own["reach"][0]),
    }


if __name__ == "__main__":
    print(main("which_of_a_thousand_legs_is_best.png"))
