"""Run the tutorial from top to bottom: every step runs and prints the output on the page, and its pictures are up to
date."""

import re
from pathlib import Path

import pytest

from gaitwright_apps.gallery import find_tutorial_steps, run_tutorial_steps
from shown import same

DOCS = Path(__file__).parent.parent / "docs"
TEXT = (DOCS / "tutorial.md").read_text()


@pytest.mark.slow
def test_tutorial_prints_its_output(tmp_path):
    pieces = find_tutorial_steps(TEXT)
    assert len(pieces) >= 10 and len(pieces) == TEXT.count("```python")
    for piece, printed in zip(pieces, run_tutorial_steps(pieces, tmp_path), strict=True):
        assert same(printed, piece.shown), f"{piece.code}\nprints\n{printed}"
    shown = re.findall(r"\(tutorial/([^)]+)\)", TEXT)
    assert shown and all((tmp_path / name).is_file() for name in shown), "its pictures are made by its code"
    for name in ("my-leg.html", "legs.html", "machine.html"):
        assert (tmp_path / name).stat().st_size > 100_000
    for name in shown:
        assert (DOCS / "tutorial" / name).stat().st_size < 100_000
