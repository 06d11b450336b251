"""Subjects and their segments: masses add up, units are read, and implausible sizes are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright._core.errors import ModelError
from gaitwright.gait.subject import SEXES, SegmentMass, combine_masses, segment_tables

LEG = ("thigh", "shank", "foot")


@pytest.mark.parametrize("table", ["de_leva", "winter"])
@pytest.mark.parametrize("sex", [*SEXES, None])
def test_segment_masses_add_up(sex: str | None, table: str) -> None:
    """To the mass of the person: to 0.1 %, the precision of the tables."""
    subject = gw.gait.Subject(80.0, 1.8, sex, table)
    whole = 2 * sum(subject.share(kind).mass for kind in LEG) + subject.share("pelvis").mass + subject.upper_body().mass
    assert whole == pytest.approx(80.0, rel=2e-3)


@pytest.mark.parametrize(
    ("sex", "kind", "mass", "centre", "length", "long"),
    [
        ("male", "thigh", 0.1416, 0.4095, 0.4222, 0.149), ("female", "thigh", 0.1478, 0.3612, 0.3685, 0.162),
        ("male", "shank", 0.0433, 0.4395, 0.4403, 0.102), ("female", "foot", 0.0129, 0.4014, 0.2283, 0.139),
    ],
)  # fmt: skip
def test_segment_parameters_equal_the_published_ones(
    sex: str, kind: str, mass: float, centre: float, length: float, long: float
) -> None:
    """De Leva 1996, Table 4, at the mean height of the table."""
    share = gw.gait.Subject(100.0, segment_tables()["de_leva"][sex]["height"], sex).share(kind)
    assert (share.mass, share.centre, share.length) == pytest.approx((100 * mass, centre, length))
    assert share.gyration[1] == long


def test_upper_body_is_near_the_values_of_winter() -> None:
    """Head, arms and trunk with pelvis: 0.626 of the distance from hips to shoulders (Winter 2009, Table 4.1, GTR-SJC); de
    Leva's heads and arms differ (60 % of the mass, not 68), so within 30 mm."""
    subject = gw.gait.Subject(73.0, 1.741, "male")
    share, upper = subject.share("pelvis"), subject.upper_body()
    pelvis = SegmentMass(share.mass, np.array([0, (1 - share.centre) * share.length, 0]), share.inertia(share.length))
    whole = combine_masses(pelvis, upper._replace(centre=upper.centre + np.array([0, share.length, 0])))
    assert whole.centre[1] == pytest.approx(0.626 * subject.above_hips("shoulders"), abs=0.03)
    radius = np.sqrt(whole.inertia[2, 2] / whole.mass)
    assert radius == pytest.approx(0.496 * subject.above_hips("shoulders"), rel=0.15)


@pytest.mark.parametrize(
    "text", ["mass: 72.2\nheight: 1.75", "mass: 72.2 kg\nheight: 175 cm", "mass: 72200 g\nheight: 1750mm"]
)
def test_units_are_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "subject.yaml"
    path.write_text(text + "\nsex: male\n")
    found = gw.gait.Subject.read(path)
    assert (found.mass, found.height, found.sex) == (pytest.approx(72.2), pytest.approx(1.75), "male")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mass: 72\nheight: 190", r"nobody is 190 m tall.*1\.9 m is 190 cm"),
        ("mass: 5\nheight: 1.75", r"nobody of 1\.75 m has a mass of 5 kg"),
        ("height: 1.75", "mass.* is missing"),
        ("mass: 72", "height.* is missing"),
        ("mass: 72 cm\nheight: 1.7", "is not a mass"),
        ("mass: 72\nheight: tall", "is not a length"),
        ("mass: 72\nheight: 1.7\nsex: man", "did you mean 'male'|is not known to the tables"),
        ("mass: 72\nheight: 1.7\ntable: winters", "did you mean 'winter'"),
        ("mass: 72\nhight: 1.7", "did you mean 'height'"),
        ("mass: -72\nheight: 1.7", "is not positive"),
        ("- 72", "has no mass and height"),
        ("mass: [", "is not valid YAML"),
    ],
)
def test_bad_subjects_are_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "subject.yaml"
    path.write_text(text)
    with pytest.raises(ModelError, match=says):
        gw.gait.Subject.read(path)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no file"):
        gw.gait.Subject.read(tmp_path / "nobody.yaml")
