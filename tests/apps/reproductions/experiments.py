"""Checks common to all experiments, and cached runs of the long experiments that several tests read."""

from __future__ import annotations

import functools
import importlib
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from gaitwright_apps.reproductions import EXPERIMENTS, cfrp_beam
from gaitwright_apps.reproductions.experiments import FAIL, NOT_REPRODUCIBLE, Experiment

LONG: dict[str, dict[str, Any]] = {
    "cfrp-beam": {"setup": replace(cfrp_beam.UPRIGHT_SETUP, step=2e-5), "readings": [], "neighbours": []},
    "foot": {"quick": True},
    "horse-leg": {},
    "slider-crank": {},
    "walking-legs": {},
}
"""Experiments that take seconds, with the arguments of their runs: one without its comparison beams and with longer
steps, one without large meshes, which do not affect its checks."""


RUN = {name: importlib.import_module(EXPERIMENTS[name]).run for name in LONG}
"""The original functions, before a test replaces one of them."""


@functools.cache
def ran(name: str) -> Any:
    """Return a run of an experiment in LONG, cached per process for tests that only read its results."""
    return RUN[name](**LONG[name])


FIELDS = {"id", "paper", "quantity", "published", "computed", "unit", "tolerance", "verdict", "why", "kind"}


def require_sound(found: Experiment, out: Path) -> None:
    """Require that the checks are complete, none fails, reasons are meaningful, the files exist and the JSON file
    agrees."""
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
