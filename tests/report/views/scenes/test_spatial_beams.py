"""Spatial beams in pictures: a closed surface with the width and height of the section, coloured by the requested quantity."""

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.report.views.scenes.spatial_mechanism import build_spatial_scene


@pytest.fixture(scope="module")
def run():
    model = gw.Model("blade", dimension=3).ground_point("A", 0, 0, 0).point("B", 0.4, 0, 0).point("C", 0.8, 0, 0)
    section = {"youngs_modulus": 70e9, "poissons_ratio": 0.3, "density": 1600.0, "normal": [0, 0, 1]}
    model.beam("blade", "A", "B", elements=3, width=0.03, height=0.004, **section)
    model.beam("rod", "B", "C", elements=2, diameter=0.01, **section)
    model.joint("fixed", a="ground.A", b="blade.start").joint("fixed", a="blade.end", b="rod.start")
    return model.static()


def bodies(run, **options):
    scene = build_spatial_scene(run.mechanism, run.motion, **options)
    return {body.name: body for body in scene.deforming}


def test_the_surface_has_the_size_of_the_section_and_is_closed(run):
    found = bodies(run)
    np.testing.assert_allclose(np.ptp(found["blade"].rest, axis=0), [0.4, 0.03, 0.004], atol=1e-12)
    np.testing.assert_allclose(np.ptp(found["rod"].rest, axis=0), [0.4, 0.01, 0.01], atol=1e-12)
    for body in found.values():
        assert body.closed
        a, b, c = np.moveaxis(body.rest[body.faces], 1, 0)
        outward = (np.einsum("fi,fi->f", np.cross(b - a, c - a), a - body.rest.mean(axis=0)) > 0).all()
        assert outward, body.name


def test_colours(run):
    assert [field.name for field in bodies(run)["blade"].fields][:2] == ["bending moment", "torque"]
    (field,) = bodies(run, colour="normal_stress")["blade"].fields
    assert field.name == "normal stress" and np.abs(field.values).max() == pytest.approx(
        run.array("blade.max_stress")[0]
    )
    with pytest.raises(gw.ModelError, match="no quantity 'hue' along a beam of space"):
        bodies(run, colour="hue")


def test_shapes_are_plotted_in_the_plane_of_largest_extent(run, tmp_path):
    figure = run.plot_shapes(path=tmp_path / "shapes.png")
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x (m)", "z (m)")
    assert run.plot_along("blade", "bending_moment_3").axes[0].get_ylabel() == "bending moment 3 (N m)"
