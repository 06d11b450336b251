"""Command `gait`: outputs, and one sentence for each bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calling import call
from gait.lower_body_trial import with_all_markers
from gait.person import standing
from gait.synthetic import LENGTH, STRIDE, WEIGHT
from gaitwright.formats.trc_file import read_trc, write_trc

WRITTEN = {
    "gait.html", "summary.json", "events.csv", "table.csv", "angles.mot", "moments.sto", "forces_measured.mot", "curves.csv",
    "cycles.nc", "series.nc", "markers.trc",
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return with_all_markers(3.0).save(tmp_path_factory.mktemp("walk"))


@pytest.mark.slow
def test_files_give_a_report(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "subject.yaml").write_text(f"mass: {WEIGHT / 9.81}\nheight: 175 cm\nsex: male\n")
    out = tmp_path / "out"
    done = call("gait", files[0], "--forces", files[1], "--subject", tmp_path / "subject.yaml", "--out", out, "--json")
    answer = json.loads(done.stdout)
    assert {path.name for path in out.iterdir()} >= WRITTEN
    assert set(answer) >= {
        "quality",
        "events",
        "cycles",
        "moments",
        "forces",
        "subject",
        "methods",
        "versions",
        "files",
    }
    assert answer["cycles"]["table"]["speed"]["both"]["mean"] == pytest.approx(LENGTH / STRIDE, rel=2e-3)
    assert json.loads((out / "summary.json").read_text())["cycles"] == answer["cycles"]
    page = (out / "gait.html").read_text()
    for word in ("Quality of the data", "Spatio-temporal table", "Ankle power", "Vertical force", "Centre of pressure"):
        assert word in page


def _other_labels(files: tuple[Path, Path], folder: Path) -> list:
    read = read_trc(files[0])
    labels = [label.replace("Knee", "Kneee") for label in read.labels]
    return [write_trc(folder / "odd.trc", labels, read.points, 150.0, read.unit), "--mass", 70, "--height", 1.75]


def _without_knees(files: tuple[Path, Path], folder: Path) -> list:
    read = read_trc(files[0])
    kept = [k for k, label in enumerate(read.labels) if "Knee" not in label]
    path = write_trc(folder / "less.trc", [read.labels[k] for k in kept], read.points[:, kept], 150.0, read.unit)
    return [path, "--mass", 70, "--height", 1.75]


def _someone_else(files: tuple[Path, Path], folder: Path) -> list:
    small = standing()
    path = small.save(folder / "static.trc", points=0.8 * small.points)
    return [files[0], "--static", path, "--mass", 70, "--height", 1.75]


def _cut(files: tuple[Path, Path], folder: Path) -> list:
    path = folder / "cut.c3d"
    path.write_bytes(b"\x02\x50" + bytes(100))
    return [path]


def _map(text: str) -> object:
    def made(files: tuple[Path, Path], folder: Path) -> list:
        (folder / "map.yaml").write_text(text)
        return [files[0], "--markers", folder / "map.yaml"]

    return made


def _of(*options: object) -> object:
    return lambda files, folder: [files[0], *options]


BAD = {
    "height": (_of("--mass", 70, "--height", 190), "nobody is 190 m tall"),
    "only mass": (_of("--mass", 70), "--height"),
    "no such file": (lambda files, folder: [folder / "none.trc"], "none.trc"),
    "ending": (lambda files, folder: [folder / "walk.xyz"], "hold no markers"),
    "static of someone else": (_someone_else, "is of someone else"),
    "cut file": (_cut, "cut.c3d"),
    "map of no marker": (_map("right_heel: R.Hel"), "did you mean 'R.Heel'?"),
    "map that is none": (_map("- 1\n"), "names no markers"),
    "sides": (_of("--mass", 70, "--height", 1.75, "--marker-sides", "upside-down"), "is no treatment of"),
    "method": (_of("--mass", 70, "--height", 1.75, "--kinematics", "guess"), "is no method"),
    "cut-off": (_of("--mass", 70, "--height", 1.75, "--cutoff", 90), "half the rate"),
    "foot": (
        _of("--mass", 70, "--height", 1.75, "--foot", "nowhere/foot.yaml"),
        "a folder that Foot.save or gaitwright foot",
    ),
    "pressure without a foot": (_of("--pressure", "step.apd"), "--foot"),
    "tissue": (_of("--tissue", "jelly"), "is no method for the tissue"),
    "side of no pressure": (_of("--pressure-side", "left"), "--pressure"),
    "sex": (_of("--mass", 70, "--height", 1.75, "--sex", "other"), "is not known to the tables"),
}


@pytest.mark.parametrize(
    ("make", "said"),
    [(_other_labels, "did you mean 'R.Kneee'?"), (_without_knees, "has no markers of the thighs; it has R.ASIS")],
)
def test_trial_without_knees_gives_the_table_and_the_reason(
    make, said: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    done = call("gait", *make(files, tmp_path), "--out", tmp_path / "out")
    assert "doubtful: there are no joint angles and moments: trial" in done.stdout and said in done.stdout
    assert "--static" in done.stdout and "--markers" in done.stdout and "stride length     1.3    1.3" in done.stdout
    assert said.replace("'", "&#39;") in (tmp_path / "out" / "gait.html").read_text()


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_sentence(name: str, files: tuple[Path, Path], tmp_path: Path) -> None:
    make, said = BAD[name]
    done = call("gait", *make(files, tmp_path), "--out", tmp_path / "out", code=2)  # type: ignore[operator]
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: ") and said in lines[0], done.stderr
    assert not (tmp_path / "out").exists()
