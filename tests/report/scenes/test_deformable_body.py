"""Deforming bodies: validation, exaggeration of displacements, and colours of pictures at expected positions."""

import numpy as np
import pytest
from PIL import Image

from gaitwright.report.renderers.planar_renderer import save_planar_png
from gaitwright.report.renderers.software_renderer import Camera, PolygonBuffer
from gaitwright.report.renderers.spatial_deformable import paint_deforming_body
from gaitwright.report.renderers.spatial_renderer import save_spatial_gif, save_spatial_png
from gaitwright.report.scenes.deformable_body import (
    CutPlane,
    DeformationDisplay,
    DeformingBody,
    cut_coordinate,
    displayed_field_scale,
    peak_field_frame,
)
from gaitwright.report.scenes.nodal_field import SEQUENTIAL_COLOURS, NodalField
from gaitwright.report.scenes.planar_scene import PlanarScene
from gaitwright.report.scenes.spatial_scene import SpatialScene
from made_up_solids import bent, brick, disc, press, skin, squeezed

CUBE, CELLS = brick(1, 1, 1)
FACES = skin(CELLS)
STILL = np.tile(CUBE, (2, 1, 1))


def cube(points=STILL, faces=FACES, fields=(), **options):
    return DeformingBody("cube", points, faces, fields, **options)


def scene(*bodies, showing=None, n=2):
    return SpatialScene("s", np.arange(n), deforming=list(bodies), showing=showing or DeformationDisplay())


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: cube(STILL[0]), r"points of deforming body 'cube' have shape \(8, 3\); expected \(n_times, n, 2\) or"),
        (lambda: cube(STILL * np.nan), "points of deforming body 'cube' contains NaN"),
        (
            lambda: cube(faces=FACES[:, :2]),
            r"faces of deforming body 'cube' have shape \(12, 2\); expected \(n, 3\) or",
        ),
        (lambda: cube(faces=FACES + 1), "faces of deforming body 'cube' name a node that does not exist; there are 8"),
        (lambda: cube(faces=FACES + 0.5), "name a node that does not exist"),
        (lambda: cube(cells=CELLS - 1), "cells of deforming body 'cube' name a node that does not exist"),
        (lambda: cube(cells=CELLS[:, :3]), r"expected \(n, 4\) or \(n, 10\)"),
        (lambda: cube(STILL[..., :2], cells=CELLS), "lies in the plane and has cells; expected faces alone"),
        (lambda: cube(edges=[[0, 8]]), "edges of deforming body 'cube' name a node"),
        (lambda: cube(reference=CUBE[:5]), r"reference of deforming body 'cube' has shape \(5, 3\); expected \(8, 3\)"),
        (
            lambda: cube(fields=[NodalField("u", "m", np.ones((2, 7)))]),
            r"field 'u' .* shape \(2, 7\); expected \(2, 8\)",
        ),
        (lambda: cube(fields=[NodalField("u", "m", np.ones((2, 8)))] * 2), "has two fields 'u'"),
        (lambda: scene(cube(), n=3), r"'cube' has 2 frame\(s\) but the scene has 3 times"),
        (lambda: PlanarScene("s", [0, 1], deforming=[cube()]), "points of 3 coordinates; expected 2"),
        (
            lambda: scene(cube(), showing=DeformationDisplay("stress")),
            "no field 'stress' to show; expected one of none",
        ),
        (lambda: scene(cube(), showing=DeformationDisplay(exaggeration=2)), "no deforming body has a reference"),
        (
            lambda: scene(cube(), showing=DeformationDisplay(cut=CutPlane("x"))),
            "nothing can be cut: no deforming body has cells",
        ),
        (lambda: DeformationDisplay(exaggeration=-1), "exaggerated by -1; expected 0 or more"),
        (lambda: CutPlane("w"), "across axis 'w'; expected x, y or z"),
        (lambda: CutPlane("x", np.nan), "a cut is at nan"),
    ],
)
def test_wrong_bodies_are_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        wrong()


def test_clamped_body_is_exaggerated_at_its_place():
    bar = bent(2).deforming[0]
    large = bar.at(6, 10.0)
    np.testing.assert_allclose(large - bar.rest, 10 * (bar.points[6] - bar.rest), atol=1e-15)
    assert np.ptp(bar.extent(10.0)[:, 1, 2]) == pytest.approx(10 * np.ptp(bar.box[:, 1, 2]), rel=1e-9)
    np.testing.assert_array_equal(bar.at(6), bar.points[6])


def test_only_the_deformation_of_a_moving_body_is_exaggerated():
    """The same bar moves along x by 3 m: this rigid motion must not be exaggerated."""
    bar = bent(2, travel=3.0).deforming[0]
    for frame in (6, 20):
        shift = bar.at(frame, 10.0).mean(axis=0) - bar.points[frame].mean(axis=0)
        np.testing.assert_allclose(shift, 0.0, atol=1e-12)
        assert np.abs(bar.at(frame, 10.0) - bar.points[frame]).max() > 5 * np.abs(bar.offsets(frame)).max()


def test_the_box_of_the_scene_grows_with_the_exaggeration():
    bar = bent(2).deforming[0]
    small, large = (scene(bar, showing=DeformationDisplay(exaggeration=k), n=25).bounds() for k in (1.0, 50.0))
    assert large[1][2] > 0.15 > 0.05 > small[1][2]


def test_quadratic_elements_are_split():
    bar = bent(1).deforming[0]
    assert bar.faces.shape[1] == 3 and bar.cells.shape[1] == 4 and bar.closed
    assert len(bar.edges) < len(np.unique(np.sort(bar.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)), axis=0))
    assert not bar.cell_sides.all()


def test_first_field_is_shown_by_default():
    ball = squeezed(2, 3)
    names = [displayed_field_scale([ball], DeformationDisplay(name)) for name in (None, "contact pressure", "")]
    assert [scale and scale.name for scale in names] == ["von Mises stress", "contact pressure", None]
    assert (
        cut_coordinate([ball], CutPlane("z")) == pytest.approx(0.0)
        and cut_coordinate([ball], CutPlane("z", 0.01)) == 0.01
    )


def test_still_picture_shows_the_frame_with_the_largest_value():
    ball = squeezed(2, 21)
    assert [peak_field_frame([ball], DeformationDisplay(name)) for name in (None, "")] == [10, 0]


# Pictures -----------------------------------------------------------------------------------------------------------


def pixels(path):
    return np.asarray(Image.open(path).convert("RGB")).astype(int)


def near(picture, colour, distance=60):
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return np.abs(picture - wanted).sum(axis=2) < distance


def hot_inside():
    """A ball with a field that is largest in its centre."""
    still = squeezed(6, 1)
    hot = NodalField("heat", "K", [np.exp(-(np.linalg.norm(still.rest, axis=1) ** 2) / 0.0006)])
    return DeformingBody("ball", still.rest[None], skin(still.cells), [hot], still.cells)


def test_painted_polygons_have_the_field_colours():
    """Polygons of the picture below: the centre is bright, and the half before the cut is removed."""
    ball, green, wide = hot_inside(), [], []  # green is strongest in yellow
    for cut in (None, CutPlane("x")):
        camera, paint = Camera(scene(ball, showing=DeformationDisplay(cut=cut, edges=False), n=1)), PolygonBuffer()
        paint_deforming_body(paint, camera, ball, 0, "#000000", displayed_field_scale([ball], DeformationDisplay()))
        green.append(np.concatenate(paint.fills)[:, 1].max())
        wide.append(np.ptp(np.concatenate(paint.polygons)[..., 0]))
    assert green[0] < 0.5 and green[1] > 0.85
    assert wide[1] < 0.95 * wide[0]


@pytest.mark.slow
def test_picture_is_coloured_by_the_field_and_a_cut_shows_the_inside(tmp_path):
    """Yellow is visible only in the section, and in the colour bar."""
    ball, counts = hot_inside(), []
    for cut in (None, CutPlane("x"), CutPlane("y")):
        one = scene(ball, showing=DeformationDisplay(cut=cut, edges=False), n=1)
        picture = pixels(save_spatial_png(one, tmp_path / "a.png", labels=False))
        counts.append(near(picture[:, :900], SEQUENTIAL_COLOURS[-1]).sum())
        assert near(picture[:, :900], SEQUENTIAL_COLOURS[0], 120).sum() > 20_000
        assert near(picture[:, 950:], SEQUENTIAL_COLOURS[-1]).sum() > 50, "the colour bar"
    assert counts[0] == 0 and counts[1] > 300 and counts[2] > 300


@pytest.mark.slow
def test_edges_ghosts_and_bodies_without_field_are_drawn(tmp_path):
    one = press(4, 3)
    one.deforming.append(cube(0.02 * np.tile(CUBE, (3, 1, 1)) + [0.12, 0, 0.03]))
    plain = pixels(save_spatial_png(one, tmp_path / "a.png", 1, ghosts=2))
    one.showing = DeformationDisplay(edges=False)
    bare = pixels(save_spatial_png(one, tmp_path / "b.png", 1, ghosts=2))
    assert (np.abs(plain - bare).max(axis=2) > 25).sum() > 2000
    one.showing = DeformationDisplay("")
    bare = pixels(save_spatial_png(one, tmp_path / "c.png", 1))
    assert not near(bare, SEQUENTIAL_COLOURS[-1]).any() and near(plain, SEQUENTIAL_COLOURS[-1]).any()


@pytest.mark.slow
def test_planar_disc_is_coloured_at_its_contact(tmp_path):
    blue, first = "#055ca2", disc(5, 3)
    columns = []
    for frame in (0, 2):
        picture = pixels(save_planar_png(first, tmp_path / "a.png", frame, labels=False, ghosts=1))
        rows, where = np.nonzero(near(picture[:, :950], blue))
        columns.append(where.mean())
        assert rows.mean() > 0.5 * picture.shape[0], "at the floor"
    assert columns[1] - columns[0] > 300, "it rolls to the right"


@pytest.mark.slow
def test_gif_of_a_deforming_body(tmp_path):
    with Image.open(save_spatial_gif(press(3, 5), tmp_path / "a.gif", max_frames=4, width=300)) as gif:
        assert gif.n_frames == 4
