"""Which note does a steel ruler hum when its end is plucked?

20.9 Hz for 20 cm that stand out over the table, 1 mm thick: Bernoulli's first mode.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("ruler", gravity=(0, 0))
    m.ground_point("O", 0, 0).point("T", 0.2, 0)
    m.beam("ruler", "O", "T", elements=8, youngs_modulus=210e9, density=7850, width=0.03, height=0.001)
    m.joint.fixed("ground.O", "ruler.start")
    modes = m.modes()
    if picture:
        m.force.at_point("ruler.end", (0, "20*t"))
        m.static_path(1.0, steps=6).plot_shapes("ruler", path=picture)
    return {"first (Hz)": float(modes.frequencies[0]), "second (Hz)": float(modes.frequencies[1])}


if __name__ == "__main__":
    print(main("which_note_does_a_ruler_hum.png"))
