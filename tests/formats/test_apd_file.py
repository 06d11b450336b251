"""Pressure images of platforms as text."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitwright._core.errors import ModelError
from gaitwright.formats.apd_file import PressureImage, read_apd, write_apd

TEXT = """[General]
Description=pedcad Importfile
UnitDistance=mm
UnitPressure=N/cm2

[Technical]
StartSensX=3
StartSensY=4
SensCountX=2
SensCountY=3
LDistX=8.5
LDistY=5

[Data]
-1\t1.5\t2.0
0.5\t-1\t10
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "picture.apd"
    path.write_text(text)
    return path


def test_image_is_read(tmp_path: Path):
    found = read_apd(written(tmp_path, TEXT))
    assert found.pressure.tolist() == [[0.0, 15000.0, 20000.0], [5000.0, 0.0, 100000.0]]
    assert found.pitch == pytest.approx((8.5e-3, 5e-3)) and found.first == (3, 4)
    assert found.force == pytest.approx(140000.0 * 8.5e-3 * 5e-3)
    assert found.told["general"]["description"] == "pedcad Importfile"


def test_written_image_is_read_back(tmp_path: Path):
    values = np.round(np.random.default_rng(1).uniform(-1e5, 3e5, (30, 12)), -1).clip(0.0)
    path = write_apd(PressureImage(values, (5e-3, 4e-3), (2, 1)), tmp_path / "own.apd")
    again = read_apd(path)
    assert (
        again.pressure == pytest.approx(values) and again.pitch == pytest.approx((5e-3, 4e-3)) and again.first == (2, 1)
    )


WRONG: dict[str, tuple[Any, Any, str]] = {
    "no table": ("[Data]", "[Date]", r"'Data'.*is missing"),
    "ragged": ("0.5\t-1\t10", "0.5\t-1", r"'Data'.*rows of 2 to 3"),
    "word": ("1.5", "much", r"'Data'.*not a number"),
    "infinite": ("1.5", "inf", r"'Data'.*not a number"),
    "count": ("SensCountX=2", "SensCountX=7", r"says 7 sensors, the table has 2"),
    "unit": ("N/cm2", "psi", r"'UnitPressure'.*is not a unit"),
    "pitch": ("LDistX=8.5", "LDistX=", r"'ldistx'.*not a number"),
    "zero": ("LDistX=8.5", "LDistX=0", r"'LDistX'.*no distance"),
}


@pytest.mark.parametrize(("old", "new", "said"), WRONG.values(), ids=WRONG)
def test_invalid_file_reports_its_problem(old: str, new: str, said: str, tmp_path: Path):
    with pytest.raises(ModelError, match=said):
        read_apd(written(tmp_path, TEXT.replace(old, new)))
    with pytest.raises(ModelError):
        read_apd(tmp_path / "none.apd")
