"""What does a low-pass filter leave of a wave at its cut-off?

0.7071 of it, without lag: forth and back it takes 3 dB.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    time = np.arange(400) / 200
    wave = np.sin(2 * np.pi * 6.0 * time)
    passed = gw.gait.low_pass(wave, rate=200, cutoff=6.0)
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        axes.plot(time, wave, time, passed)
        axes.set(xlabel="time (s)", ylabel="6 Hz, filtered with 6 Hz", xlim=(0.5, 1.5))
        figure.savefig(picture)
        plt.close(figure)
    return {"left": float(np.abs(passed[100:300]).max())}


if __name__ == "__main__":
    print(main("what_does_a_filter_leave.png"))
