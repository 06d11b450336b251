"""Meshes of a saved model are files beside it, so that both can be moved together."""

import shutil

import numpy as np
import pytest
import yaml

import gaitwright as gw

SOFT = {"type": "neo-hookean", "youngs_modulus": 1e6, "poissons_ratio": 0.3, "density": 1000.0}


def bar(mesh) -> gw.Model:
    model = gw.Model("bar", dimension=3).solid("bar", mesh, material=SOFT, fixed="left")
    return model.force("traction", on="bar.grip", value=[1e3, 0.0, 0.0])


def gripped() -> gw.mesh.Mesh:
    mesh = gw.mesh.box((0.1, 0.02, 0.02), (3, 1, 1))
    return mesh.with_region("grip", gw.mesh.BoxSelector((0.04, -1, -1), (1, 1, 1)))


def test_mesh_from_python_is_saved_to_a_file(tmp_path):
    mesh = gripped()
    path = bar(mesh).save(tmp_path / "made" / "bar.yaml")
    assert yaml.safe_load(path.read_text())["solids"][0]["mesh"] == "bar-bar.npz"
    again = gw.mesh.read(path.parent / "bar-bar.npz")
    assert (
        again.origin == mesh.origin
        and np.array_equal(again.nodes, mesh.nodes)
        and set(again.regions) == set(mesh.regions)
    )
    shutil.move(path.parent, tmp_path / "moved")
    found = gw.load(tmp_path / "moved" / "bar.yaml")
    assert found.static().array("bar.right.x") == pytest.approx(bar(mesh).static().array("bar.right.x"), rel=1e-12)
    # Saved again in the same folder, the file keeps its name; saved elsewhere, it is copied.
    assert yaml.safe_load(found.save(tmp_path / "moved" / "b.yaml").read_text())["solids"][0]["mesh"] == "bar-bar.npz"
    other = found.save(tmp_path / "other" / "bar.json")
    shutil.rmtree(tmp_path / "moved")
    assert gw.load(other).mechanism().n == bar(mesh).mechanism().n


def test_result_contains_its_mesh(tmp_path):
    folder = bar(gripped()).save(tmp_path / "made" / "bar.yaml").parent
    run = gw.load(folder / "bar.yaml").static()
    kept = run.save(tmp_path / "bar.nc")
    shutil.rmtree(folder)
    again = gw.load_result(kept)
    assert again.array("bar.right.x") == pytest.approx(run.array("bar.right.x"))


def test_different_file_of_the_same_name_is_not_overwritten(tmp_path):
    models = []
    for folder, size in (("a", 0.1), ("b", 0.2)):
        (tmp_path / folder).mkdir()
        gripped().scaled(size / 0.1).save(tmp_path / folder / "mesh.npz")
        models.append(bar(str(tmp_path / folder / "mesh.npz")))
    both = [model.save(tmp_path / "both" / f"{k}.yaml") for k, model in enumerate(models)]
    sizes = [gw.load(path).mechanism().parts["bar"].mesh.size for path in both]
    assert sizes[1] == pytest.approx(2 * sizes[0])


def test_two_solids_with_one_mesh_share_a_file(tmp_path):
    mesh = gripped()
    model = bar(mesh).solid("other", mesh, material=SOFT, fixed="left", at=(0, 1, 0))
    model.save(tmp_path / "two.yaml")
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["two-bar.npz", "two.yaml"]
    shape = {"box": {"sides": [0.1, 0.02, 0.02], "divisions": [3, 1, 1]}}
    assert gw.Model("b", dimension=3).solid("b", shape, material=SOFT).save(tmp_path / "b.yaml").parent == tmp_path
    assert not (tmp_path / "b-b.npz").exists()


def test_mesh_of_a_contact_surface_is_saved(tmp_path):
    model = gw.Model("ball", dimension=3).body("ball", mass=1.0, inertia=[1e-3] * 3, at=(0, 0, 0.2))
    ground = gw.surfaces.MeshSurface(gw.mesh.box((1.0, 1.0, 0.1), 1).surface())
    model.contact(gw.surfaces.Sphere("ball", 0.05), ground, law=gw.laws.Hertz(stiffness=1e6), name="floor")
    path = model.save(tmp_path / "ball.yaml")
    assert yaml.safe_load(path.read_text())["contacts"][0]["surface"]["mesh"] == "ball-floor.npz"
    assert len(gw.load(path).mechanism().contacts) == len(model.mechanism().contacts)


def test_missing_mesh_file_is_reported(tmp_path):
    path = bar(gripped()).save(tmp_path / "bar.yaml")
    (tmp_path / "bar-bar.npz").unlink()
    with pytest.raises(gw.ModelError, match=r"solid 'bar' field 'mesh': there is no file '.*bar-bar.npz'"):
        gw.load(path).mechanism()
    with pytest.raises(gw.ModelError, match="outside the folder of the file that names it"):
        text = path.read_text().replace("bar-bar.npz", "../elsewhere.npz")
        (tmp_path / "other.yaml").write_text(text)
        gw.load(tmp_path / "other.yaml")
    with pytest.raises(gw.ModelError, match=r"solid 'bar'.*there is no file 'lost.npz'"):
        bar("lost.npz").save(tmp_path / "deep" / "bar.yaml")
