"""Soak test with random edits: the text stays valid YAML, undo restores it, memory does not grow."""

from __future__ import annotations

import gc
import json
import math
import os
import random
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from gaitwright._core.errors import GaitwrightError
from gaitwright.cli.command_schema import describe_analyses
from gaitwright.studio import results
from gaitwright.studio.draft import DocumentDraft
from gaitwright.studio.model_editor import ModelEditor
from gaitwright.studio.runs import FINAL_STATES, RunManager

FOLDER = Path(__file__).parents[2] / "examples"
JANSEN = (FOLDER / "jansen.yaml").read_text()
EXAMPLES = [
    path for path in sorted(FOLDER.glob("*.yaml")) if path.stem != "soft_cantilever"
]  # excluded because it is slow


def some_edit(sheet, dice):
    """Random command of a user, valid or not."""
    draft = DocumentDraft(sheet.document.tree)
    points = [*draft.points, *draft.ground] or ["A"]
    links = [entry for *_, entry in draft.entries("links") if "name" in entry] or [{"name": "none"}]
    place = [round(dice.uniform(-0.5, 0.5), 4), round(dice.uniform(-0.6, 0.4), 4)]
    return dice.choice([
        {"do": "add-point", "at": place, "ground": dice.random() < 0.3},
        {"do": "move-point", "name": dice.choice(points), "to": place, "lengths": dice.choice(["follow", "keep"])},
        {"do": "add-link", "from": dice.choice(points), "to": dice.choice(points)},
        {"do": "add-body", "points": dice.sample(points, min(3, len(points)))},
        {"do": "add-spring", "a": dice.choice(points), "b": dice.choice(points)},
        {"do": "add-slider", "point": dice.choice(points), "type": dice.choice(["slot", "prismatic"])},
        {"do": "add-force", "at": dice.choice(points), "value": [0, -1]},
        {"do": "set-length", "name": dice.choice(links)["name"], "length": dice.uniform(0.1, 0.5)},
        {"do": "rename", "kind": "point", "name": dice.choice(points), "to": f"P{dice.randrange(1000)}"},
        {"do": "rename", "kind": "element", "name": dice.choice(links)["name"], "to": f"k{dice.randrange(1000)}"},
        {"do": "delete", "points": [dice.choice(points)]},
        {"do": "delete", "elements": [["links", dice.randrange(len(links))]]},
        {"do": "copy", "by": [0.1, 0], "points": [dice.choice(points)], "elements": [["links", dice.randrange(len(links))]]},
        {"do": "mirror", "x": 0, "points": [dice.choice(points)], "elements": [["links", dice.randrange(len(links))]]},
        {"do": "set", "path": ["links", 0, "mass"], "value": dice.choice([0.1, "2*0.05", -1])},
        {"do": "set-parameter", "name": "turns_per_second", "value": dice.uniform(0.5, 2)},
    ])  # fmt: skip


WILD = [0, -1, 1e300, 1e-300, 1e17, "1/0", "sqrt(-1)", "t", "x", None, True, [], {}, [1, 2], "5 mm", "3 kg", math.inf, math.nan,
        "abs(sin(20*t))/0.001", "", "A", "ground", "L2.B"]  # fmt: skip


def places(value, path=()):
    if path:
        yield list(path)
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(entry, (*path, key))


@pytest.mark.parametrize("count", [5, pytest.param(60, marks=pytest.mark.slow)])
def test_any_text_is_shown_or_refused_with_a_sentence(tmp_path, count):
    dice, fine = random.Random(count), 0
    for k in range(count):
        path = tmp_path / f"{k}.yaml"
        path.write_text(dice.choice(EXAMPLES).read_text())
        sheet = ModelEditor(path)
        for _ in range(4):
            where = dice.choice(list(places(sheet.document.tree.data)))
            wild = {"do": "set", "path": where, "value": dice.choice(WILD)}
            with suppress(GaitwrightError):
                sheet.edit(wild if dice.random() < 0.5 else some_edit(sheet, dice))
            json.dumps(sheet.state(), allow_nan=False)
            with suppress(GaitwrightError):
                json.dumps(sheet.show(), allow_nan=False)
                fine += 1
    assert fine > count


LONG = int(os.environ.get("STUDIO_EDITS", "400"))
"""Edits of the long soak: 10,000 take minutes and are started manually."""


@pytest.mark.parametrize("count", [40, pytest.param(LONG, marks=pytest.mark.slow)])
def test_random_edits(tmp_path, count):
    """The editor is restarted regularly, as by a user: growth with the drawing is no leak."""
    path, dice = tmp_path / "leg.yaml", random.Random(count)
    path.write_text(JANSEN)
    sheet, done, sizes = ModelEditor(path), 0, []
    for k in range(count):
        if k % 40 == 0:
            sheet.type(JANSEN)
        if k % 100 == 0 and count >= LONG:
            sheet.document.history.past.clear()
            gc.collect()
            sizes.append(len(gc.get_objects()))
        before = sheet.document.text
        try:
            sheet.edit(some_edit(sheet, dice))
        except GaitwrightError:
            assert sheet.document.text == before
            continue
        done += 1
        assert sheet.document.tree is not None
        if k % 5 == 0 and sheet.document.text != before:
            after = sheet.document.text
            sheet.undo()
            assert sheet.document.text == before
            sheet.redo()
            assert sheet.document.text == after
        if k % 10 == 0:
            sheet.show()
    assert done > 0.5 * count
    assert not sizes or sizes[-1] < 1.2 * sizes[1]


RUNS = int(os.environ.get("STUDIO_RUNS", "4"))
"""Runs of the soak: 200 take minutes and are started manually."""


@pytest.mark.slow
def test_many_runs_leave_nothing_behind(tmp_path):
    """Runs are started, cancelled, read and deleted: threads, children, folders and objects do not accumulate."""
    kept = RunManager(tmp_path / "runs", describe_analyses())
    short = (FOLDER / "pendulum.yaml").read_text().partition("analysis:")[0]
    short += "analysis: {type: forward, until: 0.1, step: 1e-3}\n"
    sizes, threads = [], []
    try:
        for k in range(RUNS):
            name = kept.start({"command": "run", "text": short, "name": f"run {k}"})["id"]
            if k % 4 == 3:
                kept.cancel(name)
            end = time.monotonic() + 120
            while (run := kept.get(name))["state"] not in FINAL_STATES:
                assert time.monotonic() < end, run
                time.sleep(0.02)
            assert run["state"] == ("done" if k % 4 != 3 else run["state"])
            if run["state"] == "done":
                assert results.list_outputs(kept, name)
            kept.delete(name)
            gc.collect()
            sizes.append(len(gc.get_objects()))
            threads.append(threading.active_count())
    finally:
        kept.shutdown()
    assert threads[-1] <= threads[0] + 1 and sizes[-1] < 1.1 * sizes[0]
    assert kept.list() == []
