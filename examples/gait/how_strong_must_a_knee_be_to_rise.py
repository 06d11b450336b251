"""How strong must the knees be to rise from a chair?

80 N m each for 73 kg.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    rise = gw.gait.sit_to_stand(gw.gait.Subject(mass=73, height=1.74))
    moments = gw.gait.joint_moments(rise.motion, rise.forces, loads=rise.loads)
    knee = 73 * moments["right_knee_moment"]
    if picture:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        axes.plot(moments["time"], knee)
        axes.set(xlabel="time (s)", ylabel="extensor moment of a knee (N m)")
        figure.savefig(picture)
        plt.close(figure)
    return {"knee (N m)": float(knee.max())}


if __name__ == "__main__":
    print(main("how_strong_must_a_knee_be_to_rise.png"))
