"""Does the ground carry the weight of somebody who walks?

On average: 0.9999 of it over a stride, and up to 1.19 of it while one foot pushes off and the other lands.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    walk = gw.gait.schematic_walk(gw.gait.Subject(mass=73, height=1.74))
    up = walk.forces.force[:, :, 2].sum(axis=1) / (73 * 9.81)  # of both feet, every 10 ms
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        axes.plot(walk.forces.time, walk.forces.force[:, :, 2] / (73 * 9.81), label=["right", "left"])
        axes.plot(walk.forces.time, up, "k", label="both")
        axes.set(xlabel="time (s)", ylabel="vertical force over weight", xlim=(0.5, 2.0))
        axes.legend()
        figure.savefig(picture)
        plt.close(figure)
    return {"mean": float(up[50:160].mean()), "largest": float(up.max())}  # over a stride of 1.1 s


if __name__ == "__main__":
    print(main("does_the_ground_carry_the_weight.png"))
