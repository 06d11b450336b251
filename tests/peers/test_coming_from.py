"""Documentation page for users of other programs: its scripts run there, and give the same results as ours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "coming-from.md"
TEXT = PAGE.read_text()
CLOSE = {"Exudyn": 1e-4, "MuJoCo": 2e-3, "OpenSim": 1e-5}
"""rad; a fixed step of order 2, a soft loop at small steps of order 1, an adaptive method."""
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


def script(heading: str, language: str) -> str:
    part = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", part, re.DOTALL)[0]


@pytest.fixture(scope="module")
def ours() -> float:
    names: dict = {}
    exec(compile(script("Here", "python"), "ours", "exec"), names)
    return float(names["run"].array("crank.angle")[-1])


@pytest.mark.slow
@pytest.mark.parametrize("program", CLOSE)
def test_scripts_of_other_programs_give_same_motion(program, ours, tmp_path, monkeypatch):
    pytest.importorskip(program.lower(), reason=f"{program} is not installed: pip install 'gaitwright[bench]'")
    monkeypatch.chdir(tmp_path)  # OpenSim writes a log into the working directory
    names: dict = {}
    exec(compile(script(program, "py"), program, "exec"), names)
    assert float(names["angle"]) == pytest.approx(ours, abs=CLOSE[program])
