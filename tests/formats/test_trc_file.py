"""Markers in .trc: written and read back, and common defects of such files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from gaitwright._core.errors import ModelError
from gaitwright.formats.trc_file import read_trc, write_trc

HEAD = (
    "PathFileType\t4\t(X/Y/Z)\tx.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n100\t100\t{frames}\t2\tmm\n"
)
LABELS = "Frame#\tTime\t{a}\t\t\t{b}\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"


def written(path: Path, rows: str, a: str = "R.Heel", b: str = "L.Heel", frames: int = 2) -> Path:
    path.write_text(HEAD.format(frames=frames) + LABELS.format(a=a, b=b) + rows)
    return path


places = st.one_of(st.just(np.nan), st.floats(-1e4, 1e4).filter(lambda x: x == 0 or abs(x) > 1e-6))


@settings(max_examples=25, deadline=None)
@given(points=arrays.arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 4), st.just(3)), elements=places))
def test_written_markers_are_read_back(points: np.ndarray, tmp_path_factory: pytest.TempPathFactory) -> None:
    points[(points == 0).all(axis=2)] = np.nan  # three zeros are a gap
    labels = [f"M {k}" for k in range(points.shape[1])]
    path = write_trc(tmp_path_factory.mktemp("trc") / "x.trc", labels, points, rate=120.0, unit="mm")
    found = read_trc(path)
    assert (found.labels, found.rate, found.unit) == (labels, 120.0, "mm")
    assert found.points == pytest.approx(points, rel=1e-8, nan_ok=True)
    assert found.times == pytest.approx(np.arange(len(points)) / 120, abs=1e-8)
    assert not [note for note in found.notes if "zero" not in note]


ONE, TWO = "1\t0\t1\t2\t3\t4\t5\t6\n", "2\t0.01\t7\t8\t9\t10\t11\t12\n"


@pytest.mark.parametrize(
    ("rows", "names", "expected", "note"),
    [
        (ONE + "2\t0.01\t7\t8\t9\n", {}, [[7, 8, 9], [None] * 3], None),
        (ONE + "2\t0.01\t7\t8\t9\t\t\t\n", {}, [[7, 8, 9], [None] * 3], None),
        (ONE + "2\t0.01\t7\t8\t9\t0\t0\t0\n", {}, [[7, 8, 9], [None] * 3], "taken as gaps"),
        (ONE + "2\t0.01\tNaN\tnan\t\t10\t11\t12\n", {}, [[None] * 3, [10, 11, 12]], None),
        (ONE + "2\t0,01\t7,5\t8\t9\t10\t11\t12\n", {}, [[7.5, 8, 9], [10, 11, 12]], None),
        (ONE + TWO, {"b": "R.Heel"}, [[7, 8, 9], [10, 11, 12]], "'R.Heel' occurs twice"),
        (ONE + TWO, {"frames": 300}, [[7, 8, 9], [10, 11, 12]], "300 frames, but there are 2"),
        (ONE + TWO + "3\t0.02\t7\t8", {"frames": 3}, [[7, 8, 9], [10, 11, 12]], "cut: its last line, 9"),
        (ONE + TWO.strip() + "\t13\t14\t15\n", {}, [[7, 8, 9], [10, 11, 12], [13, 14, 15]], None),
    ],
    ids=["short-row", "empty", "zeros", "nan", "comma", "duplicate", "count", "cut", "unnamed"],
)  # fmt: skip
def test_common_defects_are_handled(rows: str, names: dict, expected: list, note: str | None, tmp_path: Path) -> None:
    found = read_trc(written(tmp_path / "x.trc", rows, **names))
    assert len(found.points) == 2 and len(set(found.labels)) == len(expected)
    assert found.points[1] == pytest.approx(np.array(expected, dtype=float), nan_ok=True)
    assert [one for one in found.notes if note and note in one] if note else not found.notes


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"hello", "no line that begins with Frame#"),
        (b"\x00\x01\x02\xff", "is not a text file"),
        ((HEAD + LABELS).format(a="A", b="B", frames=1).encode(), "has no frames"),
        ((HEAD + LABELS + "1\t0\tabc\n").format(a="A", b="B", frames=1).encode(), "line 7 .* no number"),
    ],
)
def test_invalid_trc_file_has_a_message(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "x.trc").write_bytes(content)
    with pytest.raises(ModelError, match=says):
        read_trc(tmp_path / "x.trc")
