"""The tutorial, followed from top to bottom: every piece runs and prints what the page says, and the pictures are its own."""

import re
from pathlib import Path

import pytest

from gaitwright.gallery import follow, steps

DOCS = Path(__file__).parent.parent / "docs"
TEXT = (DOCS / "tutorial.md").read_text()
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
OPEN = re.compile(r"(?<=open: ).*?(?= and \d+ more;)")
NOISE = 1e-6
"""Below this, a number is what rounding left."""


def tidy(text: str) -> str:
    """Lines joined, and open joints in the order of their names: those that are open by the same distance come in any."""
    return OPEN.sub(lambda found: ", ".join(sorted(found[0].split(", "))), " ".join(text.split()))


def same(ours: str, shown: str) -> bool:
    """The same words and numbers; rounding may differ from one machine to the other."""

    def close(a: float, b: float) -> bool:
        return a == pytest.approx(b, rel=2e-3, abs=1.1e-4 if abs(b) > NOISE else NOISE)

    texts = tidy(ours), tidy(shown)
    words = [NUMBER.sub("#", text) for text in texts]
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in texts]
    return words[0] == words[1] and all(close(a, b) for a, b in zip(*numbers, strict=True))


def test_numbers_are_compared():
    assert same("drawn within 11.88 mm, closed to 3e-14 mm", "drawn within 11.9 mm, closed  to 1e-13 mm")
    assert same("open: 'A' by 2 mm, 'B' by 2 mm and 2 more;", "open: 'B' by 2 mm, 'A' by 2 mm and\n2 more;")
    assert not same("step 0.3348 m", "step 0.3448 m") and not same("1 drive", "1 drives") and not same("1e-3", "1e-9")


def test_the_tutorial_does_what_it_says(tmp_path):
    pieces = steps(TEXT)
    assert len(pieces) >= 10 and len(pieces) == TEXT.count("```python")
    for piece, printed in zip(pieces, follow(pieces, tmp_path), strict=True):
        assert same(printed, piece.shown), f"{piece.code}\nprints\n{printed}"
    shown = re.findall(r"\(tutorial/([^)]+)\)", TEXT)
    assert shown and all((tmp_path / name).is_file() for name in shown), "its pictures are made by its code"
    for name in ("my-leg.html", "legs.html", "machine.html"):
        assert (tmp_path / name).stat().st_size > 100_000
    for name in shown:
        assert (DOCS / "tutorial" / name).stat().st_size < 100_000
