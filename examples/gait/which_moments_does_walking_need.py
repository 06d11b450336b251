"""Which moments do the joints need in walking?

The ankle 1.775 N m per kilogram at push-off, more than the hip and the knee.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    walk = gw.gait.schematic_walk(gw.gait.Subject(mass=73, height=1.74))
    moments = gw.gait.joint_moments(walk.motion, walk.forces)
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        for joint in ("hip", "knee", "ankle"):
            axes.plot(moments["time"], moments[f"right_{joint}_moment"], label=joint)
        axes.set(xlabel="time (s)", ylabel="extensor moment (N m/kg)")
        axes.legend()
        figure.savefig(picture)
        plt.close(figure)
    return {f"{joint} (N m/kg)": float(moments[f"right_{joint}_moment"].max()) for joint in ("hip", "knee", "ankle")}


if __name__ == "__main__":
    print(main("which_moments_does_walking_need.png"))
