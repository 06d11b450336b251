"""What must hold for every experiment."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from gaitwright.papers.check import FAIL, NOT_REPRODUCIBLE, Experiment

FIELDS = {"id", "paper", "quantity", "published", "computed", "unit", "tolerance", "verdict", "why", "kind"}


def require_sound(found: Experiment, out: Path) -> None:
    """Checks are complete, none fails, each reason is a reason; files are there; the JSON file says the same."""
    checks = list(by_id(found).values())
    assert not [check for check in checks if check["verdict"] == FAIL]
    assert all(set(check) == FIELDS for check in checks)
    names = [check["id"] for check in checks]
    assert len(set(names)) == len(names)
    for check in checks:
        assert check["paper"] == found.paper and check["quantity"]
        assert isinstance(check["published"], float) and isinstance(check["computed"], float)
        if check["verdict"] == NOT_REPRODUCIBLE:
            assert len(check["why"].split()) > 3
    files = found.write(out)
    read = json.loads((out / f"{found.name}.json").read_text())
    assert read["paper"] == found.paper
    assert [check["id"] for check in read["checks"]] == names
    pictures = [path for path in files.values() if path.suffix == ".png"]
    assert len(pictures) >= 4 and all(path.stat().st_size > 10_000 for path in pictures)


def by_id(found: Experiment) -> dict[str, dict]:
    return {check["id"]: check for check in map(asdict, found.judged())}
