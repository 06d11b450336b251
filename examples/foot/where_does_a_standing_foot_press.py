"""Where does a foot press when somebody stands on it?

Under half a body, 350 N, it touches with 72 cm^2, with at most 123 kPa; the heel carries most. The ground carries 350
N.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    shape = gw.foot.from_measures(length=0.26, ball_width=0.10)
    foot = gw.foot.Foot(shape, shape.fill(0.014))

    stands = foot.stand(350, speed="foundation")
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        (1e-3 * stands.pressure).plot(ax=axes, cmap="viridis", cbar_kwargs={"label": "pressure (kPa)"})
        axes.set(aspect="equal", title="")
        figure.savefig(picture)
        plt.close(figure)
    return {
        "area (cm^2)": 1e4 * stands.area,
        "peak (kPa)": 1e-3 * stands.peak_pressure,
        "force (N)": float(stands.force),
    }


if __name__ == "__main__":
    print(main("where_does_a_standing_foot_press.png"))
