"""How much does a soft insole take off the peak pressure of a standing foot?

7 per cent, with 6 mm of 0.3 MPa.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    shape = gw.foot.from_measures(length=0.26, ball_width=0.10)
    foot = gw.foot.Foot(shape, shape.fill(0.014))

    bare = foot.stand(350, speed="foundation")
    soft = foot.wearing(gw.foot.Insole(thickness=6e-3, youngs_modulus=3e5)).stand(350, speed="foundation")
    if picture:
        import matplotlib.pyplot as plt

        figure, panels = plt.subplots(1, 2, figsize=(7, 4), layout="constrained", sharey=True)
        for axes, stands, title in zip(panels, (bare, soft), ("bare", "on the insole"), strict=True):
            drawn = (1e-3 * stands.pressure).plot(ax=axes, vmin=0, vmax=1e-3 * bare.peak_pressure, add_colorbar=False)
            axes.set(aspect="equal", title=title)
        figure.colorbar(drawn, ax=panels, label="pressure (kPa)")
        figure.savefig(picture)
        plt.close(figure)
    return {"less (%)": 100 * (1 - soft.peak_pressure / bare.peak_pressure), "force (N)": float(soft.force)}


if __name__ == "__main__":
    print(main("how_much_does_an_insole_relieve.png"))
