"""Where does a half shell press that pushes a limb with 100 N?

Most in the middle, with 9.09 kPa, and with the cosine of the angle beside it: F / (R w pi/2) without friction.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    pad = gw.wear.CuffPad("thigh", width=0.1, around=180, facing="front", radius=0.07, friction=0.0)
    pressed = gw.wear.press(pad, [[-100.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]])  # on the limb, backward
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        axes.plot(pressed.cells.around, 1e-3 * pressed.pressure.values[0, 0])
        axes.set(xlabel="beside the middle (deg)", ylabel="pressure (kPa)")
        figure.savefig(picture)
        plt.close(figure)
    return {"peak (kPa)": 1e-3 * float(pressed.peak.max())}


if __name__ == "__main__":
    print(main("where_does_a_cuff_press.png"))
