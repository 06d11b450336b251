"""Stores of many designs: an interrupted or killed computation is resumed, and no design is computed twice."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import gaitwright as gw
from gaitwright._core import output_files
from gaitwright.codegen import chunk_runner
from gaitwright.codegen.c_library import find_compiler
from gaitwright.codegen.measures import DesignMeasures
from gaitwright.design.batch import analysis as module
from gaitwright.design.batch.results import DesignBlock
from gaitwright.design.result_store import ResultStore, _array_from_json

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
COUNT = 300


def four_bar(name: str = "four-bar") -> gw.Model:
    model = gw.Model(name, parameters={"crank": 0.1, "rocker": 0.25})
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", 0.1, 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1)
    model.link("coupler", "A", "B", length=0.3, mass=0.1)
    model.link("rocker", "C", "B", length="rocker", mass=0.1)
    return model.drive.rotation("crank", "2*pi*t")


def values() -> dict[str, np.ndarray]:
    """Values of parameters: some are invalid lengths, some cannot be closed, some reach a dead point."""
    rng = np.random.default_rng(5)
    return {"crank": rng.uniform(-0.01, 0.4, COUNT), "rocker": rng.uniform(0.2, 0.3, COUNT)}


ASKED: dict[str, Any] = {
    "measures": ["crank.torque.max_abs", "swing = rocker.angle.range"],
    "analysis": {"type": "inverse", "until": 1, "step": 0.05},
    "gradient": ["swing"],
    "limits": {"swing": (0.3, None)},
    "minimise": ["crank.torque.max_abs"],
}


def table(store: Path | None, **options: Any) -> xr.Dataset:
    return gw.designs(
        options.pop("model", four_bar()),
        options.pop("values", values()),
        **{**ASKED, "workers": 1, **options},
        store=store,
    ).data


def same(found: xr.Dataset, whole: xr.Dataset) -> None:
    """Compare tables up to rounding: after an interruption designs are grouped into other lanes. The order of codes may
    differ."""
    assert list(found.data_vars) == list(whole.data_vars)
    for name, there in whole.data_vars.items():
        assert found[name].attrs == there.attrs and found[name].dtype == there.dtype
        if there.dtype == float:  # a dead point is located by halving steps, for all lanes together
            near = 0.05 * 2.0**-12 if name == "failed_at" else 1e-12
            np.testing.assert_allclose(found[name], there, rtol=1e-9, atol=near)
    np.testing.assert_array_equal(found["feasible"], whole["feasible"])
    np.testing.assert_array_equal(reasons(found), reasons(whole))


def reasons(data: xr.Dataset) -> np.ndarray:
    return data["reason"].sel(code=data["failure"]).values


@pytest.fixture(scope="module")
def whole() -> xr.Dataset:
    found = table(None)
    assert len(np.unique(found["failure"])) >= 4  # the designs contain all kinds of failures
    return found


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Number of computed designs, in small chunks."""
    places: list[int] = []

    def counted(plan: Any, made: Any, place: np.ndarray) -> Any:
        places.extend(place.tolist())
        return chunk_runner.analyse_chunk(plan, made, place)

    monkeypatch.setattr(chunk_runner, "MAX_OUTPUT_BYTES", 1)
    monkeypatch.setattr(chunk_runner, "MIN_CHUNK_DESIGNS", 32)
    monkeypatch.setattr(module, "MIN_CHUNK_DESIGNS", 32)
    monkeypatch.setattr(module, "analyse_chunk", counted)
    return places


@needs_compiler
def test_an_interrupted_computation_is_resumed(computed: list[int], whole: xr.Dataset, tmp_path: Path):
    path, told = tmp_path / "new" / "designs.nc", []

    def stop(fraction: float) -> None:
        if fraction >= 0.5:
            raise KeyboardInterrupt

    first = table(path, progress=stop)
    missing = int((reasons(first) == "not computed: interrupted").sum())
    assert 0 < missing < COUNT / 2
    assert sorted(file.name for file in path.parent.iterdir()) == ["designs.nc", "designs.nc.log"]
    lines = Path(f"{path}.log").read_bytes().count(b"\n")
    assert lines < COUNT / 32 + 1  # blocks, not designs
    second = table(path, progress=told.append)
    assert sorted(computed) == sorted(set(computed))  # no design is computed twice
    assert told[0] > 0.5 and told[-1] == 1.0
    same(second, whole)
    assert [file.name for file in path.parent.iterdir()] == ["designs.nc"]
    count = len(computed)
    assert table(path).identical(second)
    other = table(path, limits={}, minimise=["swing"], progress=lambda _: pytest.fail("nothing is left"))
    assert len(computed) == count
    same(other, table(None, limits={}, minimise=["swing"]))


@needs_compiler
@pytest.mark.slow
def test_only_damaged_blocks_are_computed_again(
    computed: list[int], whole: xr.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path, log = tmp_path / "designs.nc", tmp_path / "designs.nc.log"
    monkeypatch.setattr(ResultStore, "write_table", lambda *_: None)  # keep the journal
    table(path)
    content = log.read_bytes()
    lines = content.splitlines(keepends=True)
    assert len(lines) > 4
    sizes = [_array_from_json(json.loads(line)["place"]).size for line in lines[1:]]
    recomputed = []
    for damaged in range(len(lines)):
        place = sum(map(len, lines[:damaged])) + len(lines[damaged]) // 2
        log.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        computed.clear()
        with pytest.warns(UserWarning, match="1 line is damaged: what was held there is computed again"):
            same(table(path), whole)
        recomputed.append(len(computed))
    assert recomputed[0] == 0 and recomputed[1:] == sizes


SCRIPT = """
import os, signal, sys
sys.path[:0] = {path!r}
from test_stored_designs import *
chunk_runner.MAX_OUTPUT_BYTES, chunk_runner.MIN_CHUNK_DESIGNS, module.MIN_CHUNK_DESIGNS = 1, 32, 32
def killed(fraction):
    if fraction >= {part}:
        print("far enough", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
table({store!r}, progress=killed, workers={workers})
"""


@needs_compiler
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_computation_is_resumed(workers: int, computed: list[int], whole: xr.Dataset, tmp_path: Path):
    path = tmp_path / "designs.nc"
    for part in (0.4, 0.7):
        script = SCRIPT.format(path=[str(Path(__file__).parent)], part=part, store=str(path), workers=workers)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stdout) == (-signal.SIGKILL, "far enough\n"), done.stderr
        assert not path.exists()
    told: list[float] = []
    same(table(path, progress=told.append), whole)
    assert told[0] > 0.7
    assert len(computed) <= 0.3 * COUNT + 1


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "model": ({"model": four_bar("another")}, "model"),
    "parameters": ({"values": {name: row[:5] for name, row in values().items()}}, "parameters"),
    "analysis": ({"analysis": {"type": "inverse", "until": 1, "step": 0.1}}, "analysis"),
    "measures": ({"measures": ["swing = rocker.angle.max", "crank.torque.max_abs"]}, "measures"),
    "gradient": ({"gradient": []}, "gradient"),
}


@needs_compiler
@pytest.mark.parametrize("change", CHANGES)
def test_a_store_of_another_question_is_refused(change: str, tmp_path: Path):
    few = {name: row[:4] for name, row in values().items()}
    path = tmp_path / "designs.nc"
    before = table(path, values=few)
    options, aspect = CHANGES[change]
    with pytest.raises(gw.ModelError, match=rf"belongs to another set of designs; what differs: {aspect}; expected"):
        table(path, **{"values": few, **options})
    assert table(path, values=few).identical(before)


def test_blocks_are_stored_without_loss(tmp_path: Path):
    rng = np.random.default_rng(0)
    block = DesignBlock(
        np.array([7, 3, 5]), np.array([0, 2, 0]), np.array([np.nan, 0.1 + 0.2, np.nan]), np.array([0, 2]),
        DesignMeasures({"a.b": rng.random(2), ("a.b", "crank"): np.array([np.inf, -0.0])}, {"no": np.array([True, False])}),
    )  # fmt: skip
    with ResultStore.of_table(tmp_path / "designs.nc", "set of designs", {"model": "a"}) as store:
        store.add((7.0,), block.entry())
    with ResultStore.of_table(tmp_path / "designs.nc", "set of designs", {"model": "a"}) as store:
        (found,) = map(DesignBlock.from_entry, store.take_entries())
        assert not store.entries
    for here, there in zip(found[:4], block[:4], strict=True):
        np.testing.assert_array_equal(here, there)
    assert found.measured.numbers.keys() == block.measured.numbers.keys()
    for name, numbers in block.measured.numbers.items():
        assert found.measured.numbers[name].tobytes() == numbers.tobytes()
    np.testing.assert_array_equal(found.measured.wrong["no"], [True, False])


def test_designs_are_stored_one_by_one_without_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "find_compiler", lambda: None)
    few = {name: row[:6] for name, row in values().items()}
    path = tmp_path / "designs.nc"

    def stop(fraction: float) -> None:
        if fraction >= 0.5:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="no C compiler"):
        table(path, values=few, gradient=[], progress=stop)
        told: list[float] = []
        second = table(path, values=few, gradient=[], progress=told.append)
    assert told and told[0] > 0.5
    with pytest.warns(UserWarning, match="no C compiler"):
        same(second, table(None, values=few, gradient=[]))


def test_warning_names_no_file_if_nothing_was_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(output_files, "_replace_file", full)
    with (
        ResultStore.of_table(tmp_path / "s.nc", "set of designs", {}) as store,
        pytest.warns(UserWarning, match="no space left.*; nothing of it is kept"),
    ):
        store.write_table(xr.Dataset({"a": ("design", [1.0])}), True)
    assert not list(tmp_path.iterdir())
