"""How hard must one pull to stretch a block of rubber by half?

With 37.8 N on 1 cm^2: a neo-Hookean solid of 1 MPa gets softer as it stretches, the law of small strains would say 50
N.
"""

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("block", dimension=3, gravity=(0, 0, 0))
    rubber = gw.materials.NeoHookean(youngs_modulus=1e6, poissons_ratio=0.3)
    held = [{"region": "left", "axes": "x"}, {"region": "front", "axes": "y"}, {"region": "bottom", "axes": "z"}]
    m.solid("block", gw.mesh.box((0.02, 0.01, 0.01), (2, 1, 1)), material=rubber, density=1000.0, fixed=held)
    m.drive.displacement("block.right", x="0.01*t", name="pull")
    run = m.static_path(1.0, steps=5)
    if picture:
        run.draw(picture, time=1.0)
    return {"force (N)": abs(float(run.array("pull.force_x")[-1])), "small strains (N)": 1e6 * 0.5 * 1e-4}


if __name__ == "__main__":
    print(main("how_stiff_is_a_stretched_rubber_block.png"))
