"""Fields of solids: closed forms at the nodes, files for ParaView, pictures."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.views.default_outputs import select_default_outputs

E, NU, PULL = 1e6, 0.3, 100.0


@pytest.fixture(scope="module", params=[2, 3])
def pulled(request):
    """A bar on rollers, pulled along x so little that everything is linear."""
    d = request.param
    mesh = gw.mesh.box((0.1, 0.02, 0.02), (3, 1, 1)) if d == 3 else gw.mesh.rectangle((0.1, 0.02), (3, 1))
    sides = (("left", "x"), ("front", "y"), ("bottom", "z")) if d == 3 else (("left", "x"), ("bottom", "y"))
    material = {"type": "neo-hookean", "youngs_modulus": E, "poissons_ratio": NU, "density": 1000.0}
    model = gw.Model("bar", dimension=d, gravity=(0.0,) * d)
    rollers = [{"region": side, "axes": axis} for side, axis in sides]
    model.solid("bar", mesh, material=material, fixed=rollers, elements="quadratic")
    model.force("traction", "pull", on="bar.right", value=[PULL, 0.0, 0.0][:d])
    return model.static()


def test_stress_and_stretch_are_uniform(pulled):
    d = pulled.mechanism.dimension
    found = pulled.solid("bar", "stress", "principal_stretches", "pressure", "displacement")
    across = NU * PULL if d == 2 else 0.0  # plane strain keeps the thickness constant
    for component, stress in (("xx", PULL), ("yy", 0.0), ("zz", across), ("xy", 0.0)):
        assert found.stress.sel(stress_component=component).values == pytest.approx(stress, abs=1e-3 * PULL)
    stretch = 1 + (PULL - NU * across) / E
    assert found.principal_stretches.sel(principal_stretches_component="1").values == pytest.approx(stretch, abs=1e-8)
    assert found.pressure.values == pytest.approx(-(PULL + across) / 3, rel=1e-3)
    assert found.displacement.shape == (1, len(pulled.mechanism.parts["bar"].mesh.nodes), d)
    assert found.displacement.attrs["units"] == "m" and found.stress.attrs["units"] == "Pa"


def test_unknown_quantity_suggests_known_ones(pulled):
    with pytest.raises(gw.ModelError, match="von_mises"):
        pulled.solid("bar", "mises")
    with pytest.raises(gw.ModelError, match=r"there is no solid 'rod'.*bar"):
        pulled.solid("rod")


def test_series_of_files(pulled, tmp_path):
    meshio = pytest.importorskip("meshio")
    listed = pulled.save_solid("bar", tmp_path / "series", "displacement", "von_mises")
    (name,) = [line.split('file="')[1].split('"')[0] for line in listed.read_text().splitlines() if "DataSet" in line]
    read = meshio.read(listed.parent / name)
    d = pulled.mechanism.dimension
    assert read.point_data["displacement"][:, :d] == pytest.approx(
        pulled.solid("bar", "displacement").displacement.values[0]
    )
    assert read.point_data["von_mises"].shape == (len(read.points),)


def test_unwritable_folder_is_reported(pulled, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(gw.GaitwrightError, match="a part of this path is a file"):
        pulled.save_solid("bar", tmp_path / "file" / "series")


def test_default_outputs_of_solids(pulled):
    assert {"bar.largest_displacement", "bar.von_mises"} <= set(select_default_outputs(pulled))


def test_solid_is_drawn_as_a_mesh(pulled, tmp_path):
    (body,) = pulled.scene().deforming
    right = pulled.mechanism.parts["bar"].mesh.regions["right"].nodes
    assert body.points[0][right, 0].mean() == pytest.approx(pulled.array("bar.right.x")[0])
    assert [one.name for one in body.fields] == ["von Mises stress", "displacement"]
    assert np.ptp(body.fields[0].values) < 1e-3 * PULL
    assert pulled.animate(tmp_path / "bar.html").stat().st_size > 10_000
