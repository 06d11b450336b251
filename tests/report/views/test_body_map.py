"""Body map: every region of the body has a shape, the figure is symmetric, and colours follow shares."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgba

from gaitwright.report.views.body_map import DISCOMFORT_COLOURS, FIGURE_SPACING_CM, draw_body_map, region_outlines
from gaitwright.wear.body_regions import body_regions


def test_every_region_is_drawn_in_its_view():
    drawn = {(shape.region, shape.view) for shape in region_outlines()}
    assert {(region.name, region.view) for region in body_regions().values()} <= drawn


def test_figures_are_symmetric_and_complete():
    for view, middle in (("front", 0.0), ("back", FIGURE_SPACING_CM)):
        points = np.concatenate([shape.outline - [middle, 0.0] for shape in region_outlines() if shape.view == view])
        mirrored = points * [-1.0, 1.0]
        gaps = np.linalg.norm(points[:, None] - mirrored[None], axis=2).min(axis=1)
        assert gaps.max() < 1e-9
        assert points[:, 1].min() == 0.0
        assert 140.0 < points[:, 1].max() < 160.0


def test_colours_and_labels_follow_shares():
    figure = draw_body_map({"thigh": 1.0, "calf": 0.0, "sole": None}, at_least={"calf"})
    ax = figure.axes[0]
    texts = {text.get_text() for text in ax.texts}
    assert {"thigh\n100 %", "calf\nat least 0 %", "sole\nnot known", "front", "back"} <= texts
    faces = {tuple(np.round(to_rgba(patch.get_facecolor()), 2)) for patch in ax.patches}
    for colour in (DISCOMFORT_COLOURS[0], DISCOMFORT_COLOURS[-1]):
        assert tuple(np.round(to_rgba(colour), 2)) in faces
    assert any(patch.get_hatch() for patch in ax.patches)


def test_only_one_leg_is_coloured():
    """In the front view the right hand is on the viewer's left; in the back view it is on the right."""
    for side, sign in (("right", 1.0), ("left", -1.0)):
        ax = draw_body_map({"calf": 1.0}, sides={"calf": {side}}).axes[0]
        full = [
            patch
            for patch in ax.patches
            if np.allclose(patch.get_facecolor(), to_rgba(DISCOMFORT_COLOURS[-1]), atol=0.01)
        ]
        assert len(full) == 1
        assert np.sign(full[0].get_path().vertices[:, 0].mean() - FIGURE_SPACING_CM) == sign
