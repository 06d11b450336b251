"""Fuzz CSV and MOT tables: each gives a series or a one-sentence error that does not quote the file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.model.io.files import load

pytestmark = pytest.mark.fuzz

TIMES = np.arange(24) / 60.0
ROWS = [(f"{t:.3f}", f"{np.sin(9 * t):.6f}", f"{40 * np.cos(5 * t):.4f}") for t in TIMES]
CSV = "time,knee,hip\n" + "\n".join(",".join(row) for row in ROWS) + "\n"
GERMAN = "Zeit;Knie\n" + "\n".join(f"{a};{b}".replace(".", ",") for a, b, _ in ROWS) + "\n"
MOT = f"walk\nversion=1\nnRows={len(ROWS)}\nnColumns=3\ninDegrees=yes\nendheader\ntime\tknee\thip\n"
MOT += "\n".join("\t".join(row) for row in ROWS) + "\n"
TABLES = [(CSV, ".csv", "knee"), (GERMAN, ".csv", None), (MOT, ".mot", "hip")]
CHOICES: dict[str, list[Any]] = {
    "cutoff": [None, 6.0, 1e-9, 1e9, 29.0],
    "periodic": [None, True],
    "outside": [None, "hold"],
}


@pytest.mark.parametrize(
    "named", ["../secret.csv", "{outside}/secret.csv", "link.csv", "/dev/zero", "/dev/stdin", "pipe", "."]
)
def test_nothing_outside_the_folder_is_read(named: str, tmp_path: Path) -> None:
    """Parent folders, absolute paths, links, devices and pipes are refused, and no message reveals their contents."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.csv").write_text("time,hush\n0,1\n1,2\n2,3\n3,4\n")
    (home / "link.csv").symlink_to(tmp_path / "secret.csv")
    os.mkfifo(home / "pipe")
    model = home / "model.yaml"
    model.write_text(f"gaitwright: 1\nseries: {{knee: {{file: {named.format(outside=tmp_path)}}}}}\n")
    with pytest.raises(ModelError) as refused:
        load(model)
    assert "hush" not in str(refused.value)
