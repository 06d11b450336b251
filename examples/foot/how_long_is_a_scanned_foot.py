"""How long is the foot in a scan that lies anyhow, in millimetres?

260 mm: unit, axes and side are found, whichever way it was turned.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    drawn = gw.foot.from_measures(length=0.26, side="left").surface
    scan = drawn.turned(1.0, (1, 2, 3)).scaled(1000)  # as a scanner would give it
    shape = gw.foot.from_scan(scan, unit="mm")
    if picture:
        shape.plot(picture)
    return {"length (mm)": 1e3 * shape.measures.length, "left": float(shape.side == "left")}


if __name__ == "__main__":
    print(main("how_long_is_a_scanned_foot.png"))
