"""Which stress has the wall of a thick pipe under pressure?

1.66 MPa around it at the inside and 0.667 MPa at the outside for 1 MPa: Lame's solution.
"""

import numpy as np

import gaitwright as gw


def main(picture: str | None = None) -> dict[str, float]:
    m = gw.Model("pipe", gravity=(0, 0))
    steel = gw.materials.LinearElastic(youngs_modulus=200e9, poissons_ratio=0.3)
    mesh = gw.mesh.ring(0.01, 0.02, 0.001, cut=("x", "y"), order=2)
    held = [{"region": "cut_x", "axes": "x"}, {"region": "cut_y", "axes": "y"}]  # a quarter of the pipe
    m.solid("pipe", mesh, material=steel, density=7850.0, fixed=held)
    m.force("pressure", on="pipe.inner", value=1e6)
    run = m.static()
    stress = run.solid("pipe", "stress")["stress"][-1]
    around = 1e-6 * stress.sel(stress_component="yy").values  # on the x axis, y is the direction around
    x, y = mesh.nodes.T
    on_axis = np.abs(y) < 1e-9
    if picture:
        run.draw(picture)
    return {
        "inside (MPa)": float(around[on_axis & (x < 0.0101)][0]),
        "outside (MPa)": float(around[on_axis & (x > 0.0199)][0]),
    }


if __name__ == "__main__":
    print(main("which_stress_has_a_pipe_under_pressure.png"))
