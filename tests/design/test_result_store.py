"""Stores that are truncated, full, in use or of another question; sweeps and searches that are resumed."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import gaitwright as gw
from gaitwright._core import isolation
from gaitwright.design import result_store as storing
from gaitwright.design.fingerprint import fingerprint
from gaitwright.design.result_store import ResultStore

QUESTION = {"model": "a", "parameters": ["x"]}
INVERSE = {"type": "inverse", "until": 0.1, "step": 0.01}
VALUES = {"crank": [0.08, 0.085, 0.09, 0.095, 0.1, 5.0], "speed": [3.0, 6.0]}


def four_bar(name: str = "four-bar") -> gw.Model:
    model = gw.Model(name, parameters={"crank": 0.1, "speed": 6.0})
    model.ground_point("O", 0, 0).ground_point("C", 0.3, 0).point("A", "crank", 0).point("B", 0.3, 0.25)
    model.link("crank", "O", "A", length="crank", mass=0.1)
    model.link("coupler", "A", "B", length=0.3, mass=0.1)
    model.link("rocker", "C", "B", length=0.25, mass=0.1)
    return model.drive.rotation("crank", "speed*t").output("crank.torque", "rocker.angle")


def peak(run: Any) -> dict[str, float]:
    return {"peak": float(np.abs(run.array("crank.torque")).max())}


# the file -----------------------------------------------------------------------------------------------------------


def fill(path: Path, count: int = 5) -> bytes:
    with ResultStore(path, "sweep", QUESTION) as store:
        for k in range(count):
            store.add((k / 3,), {"numbers": {"y": 0.1 * k}})
    return path.read_bytes()


def test_added_entries_are_read_again(tmp_path: Path):
    fill(tmp_path / "a.log")
    with ResultStore(tmp_path / "a.log", "sweep", QUESTION) as store:
        assert {at: entry["numbers"] for at, entry in store.entries.items()} == {
            (k / 3,): {"y": 0.1 * k} for k in range(5)
        }


def test_a_truncated_file_keeps_its_complete_lines(tmp_path: Path):
    """For every length of the file: entries added later follow the intact ones."""
    whole = fill(tmp_path / "a.log")
    lines = whole.splitlines(keepends=True)
    path = tmp_path / "b.log"
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        kept = max(0, whole[:length].count(b"\n") - 1)
        with ResultStore(path, "sweep", QUESTION) as store:
            assert len(store.entries) == kept
            store.add((9.0,), {"numbers": {}})
        added = storing._checksummed_line('{"at": [9.0], "numbers": {}}', store.seed)
        assert path.read_bytes() == b"".join(lines[: kept + 1]) + added


def test_zeros_after_a_power_failure_are_dropped(tmp_path: Path):
    whole = fill(tmp_path / "a.log")
    (tmp_path / "a.log").write_bytes(whole[:-20] + bytes(20) + b"\n")
    warned = pytest.warns(UserWarning, match="1 line is damaged")
    with warned, ResultStore(tmp_path / "a.log", "sweep", QUESTION) as store:
        assert len(store.entries) == 4


@pytest.mark.parametrize("how", ["changed", "cut", "zeros", "not JSON", "no checksum"])
def test_a_damaged_line_affects_only_itself(how: str, tmp_path: Path):
    path = tmp_path / "a.jsonl"
    with ResultStore(path, "search", {"a": 1}) as store:
        for k in range(5):
            store.add((float(k),), {"energy": 10.0 * k})
    lines = path.read_bytes().split(b"\n")
    if how == "changed":
        lines[2] = lines[2].replace(b"10.0", b"70.0")
    elif how == "cut":
        lines[2] = lines[2][:9]
    elif how == "zeros":
        lines[2] = bytes(len(lines[2]))
    elif how == "not JSON":
        lines[2] = b"[" * 100_000
    else:
        lines[2] = lines[2].partition(b', "check"')[0] + b"}"
    path.write_bytes(b"\n".join(lines))
    warned = pytest.warns(UserWarning, match="1 line is damaged: what was held there is computed again")
    with warned, ResultStore(path, "search", {"a": 1}) as store:
        assert sorted(store.entries) == [(0.0,), (2.0,), (3.0,), (4.0,)]
        assert store.entries[(4.0,)]["energy"] == 40.0
        store.add((1.0,), {"energy": 10.0})
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the user knows
        with ResultStore(path, "search", {"a": 1}) as store:
            assert store.entries[(1.0,)]["energy"] == 10.0 and len(store.entries) == 5


def flipped(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def test_a_flipped_byte_loses_at_most_its_own_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """In head, results, checksums and line breaks; entries added afterwards are read, too."""
    monkeypatch.setattr(storing, "engine_digest", lambda: "this")  # which takes time
    path = tmp_path / "a.log"
    whole = fill(path, 3)
    ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]
    for place in range(len(whole)):
        path.write_bytes(flipped(whole, place))
        line = sum(end < place for end in ends)
        expected = [k for k in range(3) if place in ends or k != line - 1]
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with ResultStore(path, "sweep", QUESTION) as store:
                assert [round(3 * at) for (at,) in store.entries] == expected
                store.add((9.0,), {"numbers": {}})
        if line > 0 or place < 100:  # a head without its checksum is compared as it is
            assert len(told) == (place not in ends)
        with ResultStore(path, "sweep", QUESTION) as store:
            assert len(store.entries) == len(expected) + 1


def test_damaged_head_of_another_question_is_refused(tmp_path: Path):
    path = tmp_path / "a.log"
    damaged = flipped(fill(path), 30)
    path.write_bytes(damaged)
    with (
        pytest.raises(gw.ModelError, match="is no store of sweep of this kind; nothing was changed"),
        ResultStore(path, "sweep", {**QUESTION, "model": "b"}),
    ):
        pass
    assert path.read_bytes() == damaged


def test_log_without_checksums_is_refused(tmp_path: Path):
    """Journals without checksums are from another version of Gaitwright."""
    head = {"gaitwright": "sweep", "format": 1, "question": {**QUESTION, "version of Gaitwright": "0123456789abcdef"}}
    content = f'{json.dumps(head)}\n{{"at": [0.1], "numbers": {{}}}}\n'
    (tmp_path / "a.log").write_text(content)
    with pytest.raises(gw.ModelError, match="belongs to another sweep; what differs: version of Gaitwright; expected"):
        fill(tmp_path / "a.log")
    assert (tmp_path / "a.log").read_text() == content


@pytest.mark.parametrize(
    ("kind", "question", "sentence"),
    [
        ("search", QUESTION, "is no store of search of this kind"),
        ("sweep", {**QUESTION, "model": "b"}, "belongs to another sweep; what differs: model; expected another path"),
        ("sweep", {"model": "b", "parameters": ["y"]}, "another sweep; what differs: model, parameters; expected"),
        (
            "sweep",
            {**QUESTION, "outputs": 1, "model": "b", "parameters": []},
            "what differs: model, parameters, outputs; ",
        ),
    ],
)
def test_a_store_of_another_kind_or_question_is_refused(kind: str, question: Any, sentence: str, tmp_path: Path):
    before = fill(tmp_path / "a.log")
    with pytest.raises(gw.ModelError, match=sentence), ResultStore(tmp_path / "a.log", kind, question):
        pass
    assert (tmp_path / "a.log").read_bytes() == before
    fill(tmp_path / "a.log", 0)  # the lock is released


def test_a_store_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fill(tmp_path / "a.log")
    monkeypatch.setattr(storing, "engine_digest", lambda: "another")
    with pytest.raises(gw.ModelError, match="what differs: version of Gaitwright"):
        fill(tmp_path / "a.log")


@pytest.mark.parametrize("content", [b"text", b"text\n", b"[1]\n", b'{"gaitwright": "sweep"}\n', b"\x89HDF\r\n\x1a\n"])
def test_a_file_that_is_not_a_store_is_not_changed(content: bytes, tmp_path: Path):
    (tmp_path / "a.log").write_bytes(content)
    with pytest.raises(gw.ModelError, match="is no store of sweep of this kind; nothing was changed"):
        fill(tmp_path / "a.log")
    assert (tmp_path / "a.log").read_bytes() == content


def test_a_store_can_be_opened_only_once(tmp_path: Path):
    path = tmp_path / "a.log"
    code = (
        f"import sys; from gaitwright.design.result_store import ResultStore\nwith ResultStore({str(path)!r}, 'sweep', "
        f"{QUESTION}): pass"
    )
    with ResultStore(path, "sweep", QUESTION):
        with pytest.raises(gw.ModelError, match=r"a\.log' is in use; expected one sweep or search at a time"):
            fill(path)
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        assert other.returncode == 1 and "is in use" in other.stderr
    fill(path)


WRITER = """
import sys
from gaitwright.design.result_store import ResultStore
with ResultStore(sys.argv[1], "sweep", {question}) as store:
    for k in range(len(store.entries), 10**6):
        if store.add((float(k),), {{"numbers": {{"y": k / 3}}}}):
            sys.stdout.write(str(k) + chr(10))
            sys.stdout.flush()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_process_killed_at_any_moment_loses_no_reported_entry(tmp_path: Path):
    """Killed five times, each time after another number of entries and while it writes the next ones."""
    path, reported = tmp_path / "a.log", -1
    for count in (1, 7, 150, 2000, 9000):
        command = [sys.executable, "-c", WRITER.format(question=QUESTION), str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            keys = [int(process.stdout.readline()) for _ in range(count)]
            process.kill()
            keys += [int(line) for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
        assert keys == list(range(keys[0], keys[-1] + 1)) and keys[0] in (reported + 1, reported + 2)
        reported = keys[-1]
        with ResultStore(path, "sweep", QUESTION) as store:
            assert len(store.entries) in (reported + 1, reported + 2)  # it may have stored one and not yet reported it
            assert all(store.entries[float(k),]["numbers"]["y"] == k / 3 for k in range(reported + 1))


def test_a_file_system_without_locks_is_used_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "lockf", refuse)
    fill(tmp_path / "a.log")
    with ResultStore(tmp_path / "a.log", "sweep", QUESTION) as store:
        assert len(store.entries) == 5


def test_a_folder_that_cannot_be_created_is_refused(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(gw.GaitwrightError, match=r"a\.log' was not written: "):
        fill(tmp_path / "file" / "a.log")


def test_a_full_disk_does_not_stop_the_computation(tmp_path: Path):
    """Entries that fit are stored, in complete lines; later entries are stored when there is space again."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "a.log"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with ResultStore(path, "sweep", QUESTION) as store:
        store.add((0.0,), {"numbers": {}})
        writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 10, limits[1]))
        try:
            with pytest.warns(
                UserWarning, match=r"a\.log' cannot be written: no file may be that large here; the work goes"
            ):
                assert not store.add((1.0,), {"numbers": {}})
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # one warning only
                assert not store.add((2.0,), {"numbers": {}})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            sys.dont_write_bytecode = writes_bytecode
            isolation.end_helper()  # one that began meanwhile has inherited the limit
        assert store.add((3.0,), {"numbers": {}})
    with ResultStore(path, "sweep", QUESTION) as store:
        assert list(store.entries) == [(0.0,), (3.0,)]


def test_entries_are_stored_without_loss(tmp_path: Path):
    """Numbers to the last bit, also those that are not finite; arrays with type and shape; text; and numbers with the names of
    the fields of an array."""
    numbers = {"a": 0.1 + 0.2, "b": float("nan"), "c": -float("inf"), "d": 5e-324, "e": -0.0}
    arrays = [
        np.random.default_rng(0).random(7)[::2],
        np.zeros((0, 3)),
        np.array([np.nan, -0.0]),
        np.arange(3),
        np.eye(2) > 0,
    ]
    names = {"type": 1.0, "shape": 2.0, "data": 3.0}
    with ResultStore(tmp_path / "a.log", "sweep", QUESTION) as store:
        store.add((1.0,), {"numbers": numbers, "arrays": arrays, "text": "größer", "nothing": None, "names": names})
    with ResultStore(tmp_path / "a.log", "sweep", QUESTION) as store:
        entry = store.get((1.0,))
    assert entry is not None and (entry["text"], entry["nothing"], entry["names"]) == ("größer", None, names)
    assert list(entry["numbers"]) == list(numbers)
    assert np.array([*entry["numbers"].values()]).tobytes() == np.array([*numbers.values()]).tobytes()
    for again, values in zip(entry["arrays"], arrays, strict=True):
        assert (again.dtype, again.shape) == (values.dtype, values.shape)
        assert again.tobytes() == np.ascontiguousarray(values).tobytes()


def written(path: Path) -> xr.Dataset:
    data = xr.load_dataset(path)
    data.attrs.clear()  # identity of the journal
    return data


# sweeps -------------------------------------------------------------------------------------------------------------


def sweep(store: Path | None, **options: Any) -> xr.Dataset:
    model = options.pop("model", None) or four_bar()
    options = {"analysis": INVERSE, "measures": peak, **options}
    return gw.sweep(model, options.pop("values", VALUES), **options, store=store).data


@pytest.fixture(scope="module")
def whole() -> xr.Dataset:
    """Result of the sweep without a store."""
    return sweep(None, workers=1)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_sweep_is_resumed(workers: int, whole: xr.Dataset, tmp_path: Path):
    path, computed = tmp_path / "new" / "sweep.nc", []

    def stop(fraction: float) -> None:
        if fraction >= 0.5:
            raise KeyboardInterrupt

    def counting(model: gw.Model) -> Any:
        return model.inverse(0.1, step=0.01)

    options: dict[str, Any] = {"analysis": counting, "workers": workers}
    first = sweep(path, **options, progress=stop)
    missing = int((first["failure"] == "not computed: interrupted").sum())
    assert 1 <= missing <= 6
    xr.testing.assert_identical(written(path), first)  # to read it while the sweep runs
    assert Path(f"{path}.log").exists()
    second = sweep(path, **options, progress=computed.append)
    assert len(computed) >= missing and computed[0] > 0.5 and computed[-1] == 1.0
    xr.testing.assert_identical(second, sweep(None, analysis=counting, workers=1))
    xr.testing.assert_identical(second, whole)
    assert [file.name for file in path.parent.iterdir()] == ["sweep.nc"]
    third = sweep(path, **options, progress=lambda _: pytest.fail("there is nothing left to do"))
    xr.testing.assert_identical(third, whole)


def two_spans(model: gw.Model) -> Any:
    """Sweep with different times: the variants with the higher speed end earlier."""
    return model.inverse(0.05 if float(str(model.document.parameters["speed"])) > 4.0 else 0.1, step=0.01)


@pytest.mark.slow
def test_only_damaged_lines_of_a_sweep_are_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Also lines that contain the times of other variants; these variants once lost their times or got wrong ones."""
    path, log = tmp_path / "sweep.nc", tmp_path / "sweep.nc.log"
    speed_first = {name: VALUES[name] for name in ("speed", "crank")}
    options: dict[str, Any] = {"analysis": two_spans, "series": ["A.x"], "workers": 1, "values": speed_first}
    whole = sweep(None, **options)
    assert (whole["failure"] == "").sum() >= 6 and np.isnan(whole["A.x"].sel(speed=6.0)).any()
    computed = []
    monkeypatch.setattr(ResultStore, "add", counting_calls(computed))
    monkeypatch.setattr(ResultStore, "write_table", lambda *_: None)  # keep the log
    sweep(path, **options)
    content = log.read_bytes()
    lines = content.splitlines(keepends=True)
    assert len(computed) == 12 and len(lines) == 13
    for damaged in range(13):
        begin = sum(map(len, lines[:damaged]))
        log.write_bytes(flipped(content, begin + len(lines[damaged]) // 2))
        computed.clear()
        with pytest.warns(UserWarning, match="1 line is damaged: what was held there is computed again"):
            xr.testing.assert_identical(sweep(path, **options), whole)
        assert len(computed) == (damaged > 0)
    log.write_bytes(content[:-9])
    computed.clear()
    xr.testing.assert_identical(sweep(path, **options), whole)
    assert len(computed) == 1


def counting_calls(calls: list[Any]) -> Callable[..., bool]:
    add = ResultStore.add

    def counted(self: ResultStore, key: tuple[float, ...], entry: Any) -> bool:
        calls.append(key)
        return add(self, key, entry)

    return counted


def test_entries_whose_shared_array_is_lost_are_computed_again(tmp_path: Path):
    log = tmp_path / "a.log"
    entry = {"time": np.array([0.0, 0.1]), "y": np.array([1.0, 2.0])}

    def opened() -> ResultStore:
        return ResultStore(log, "sweep", QUESTION, shared=["time"])

    with opened() as store:
        for k in range(3):
            store.add((float(k),), entry)
        store.add((9.0,), {**entry, "time": None})
    lines = log.read_bytes().splitlines(keepends=True)
    assert [b'"shared arrays"' in line for line in lines[1:]] == [True, True, False, False]
    log.write_bytes(lines[0] + lines[3] + lines[4])
    with (
        pytest.warns(UserWarning, match="1 result has no time, stored in damaged lines: computed again"),
        opened() as store,
    ):
        assert list(store.entries) == [(9.0,)] and store.entries[9.0,]["time"] is None
        store.add((0.0,), entry)
    with opened() as store:
        assert set(store.entries) == {(2.0,), (9.0,), (0.0,)}
        np.testing.assert_array_equal(store.entries[2.0,]["time"], entry["time"])


SCRIPT = """
import os, signal, sys
sys.path[:0] = {path!r}
from test_result_store import *
def killed(fraction):
    if fraction >= {part}:
        print("far enough", flush=True)
        os.kill(os.getpid(), signal.{how})
sweep({store!r}, progress=killed, workers={workers})
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_sweep_is_resumed(workers: int, whole: xr.Dataset, tmp_path: Path):
    path = tmp_path / "sweep.nc"
    for part in (0.2, 0.6):
        script = SCRIPT.format(
            path=[str(Path(__file__).parent)], part=part, how="SIGKILL", store=str(path), workers=workers
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stdout) == (-signal.SIGKILL, "far enough\n"), done.stderr
        assert not path.exists()
        lines = Path(f"{path}.log").read_bytes().count(b"\n")
        assert lines - 1 >= part * 12
    seen: list[float] = []
    xr.testing.assert_identical(sweep(path, progress=seen.append, workers=1), whole)
    assert seen[0] > 0.6 and len(seen) <= 12 - (lines - 1)


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "model": ({"model": four_bar("another")}, "model"),
    "parameters": ({"values": {**VALUES, "speed": [3.0, 6.0, 9.0]}}, "parameters"),
    "analysis": ({"analysis": {**INVERSE, "step": 0.02}}, "analysis"),
    "series": ({"series": ["A.x"]}, "series"),
    "measures": ({"measures": lambda run: {"peak": 1.0}}, "measures"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_store_of_another_sweep_is_refused(change: str, whole: xr.Dataset, tmp_path: Path):
    path = tmp_path / "sweep.nc"
    options, aspect = CHANGES[change]
    small = {"values": {"crank": [0.1], "speed": [3.0]}, "workers": 1}
    other = {**small, **options}
    if change == "parameters":
        other = {**small, "values": {"crank": [0.1], "speed": [4.0]}}
    sweep(path, **small)
    before = path.read_bytes()
    with pytest.raises(gw.ModelError, match=rf"sweep\.nc' belongs to another sweep; what differs: {aspect}; "):
        sweep(path, **other)
    assert path.read_bytes() == before and not Path(f"{path}.log").exists()


def test_a_file_that_is_not_a_sweep_is_not_changed(tmp_path: Path):
    path = tmp_path / "sweep.nc"
    four_bar().inverse(0.01, step=0.01).save(path)
    for content in (path.read_bytes(), b"text"):
        path.write_bytes(content)
        with pytest.raises(gw.ModelError, match=r"sweep\.nc' is no store of sweep of this kind; nothing was changed"):
            sweep(path)
        assert path.read_bytes() == content


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform == "win32", reason="processes are started, not forked, and know no function written here"
)
def test_only_the_row_that_crashes_its_process_is_lost(tmp_path: Path):
    """Regression: 193 of 200 variants were lost when one process was killed."""
    parent = os.getpid()

    def deadly(run: Any) -> dict[str, float]:
        if os.getpid() != parent and abs(run.array("A.x")[0] - grid[37]) < 1e-12:
            os.kill(os.getpid(), signal.SIGKILL)
        return {"last": float(run.time[-1])}

    grid = np.linspace(0.05, 0.12, 200)
    short = {"type": "kinematic", "until": 0.02, "step": 0.01}
    path = tmp_path / "sweep.nc"
    options: dict[str, Any] = {"analysis": short, "series": [], "measures": deadly, "store": path}
    data = gw.sweep(four_bar(), {"crank": grid}, workers=2, **options)
    assert np.flatnonzero(data["failure"] != "").tolist() == [37]
    assert "process died, and again when it was tried once more: SIGKILL" in str(data["failure"].values[37])
    assert np.isnan(data["last"].values[37]) and (np.delete(data["last"].values, 37) == 0.02).all()
    # a crash is not stored as a result: a second call, in which it does not occur, computes only this variant
    seen: list[float] = []
    again = gw.sweep(four_bar(), {"crank": grid}, workers=1, progress=seen.append, **options)
    assert seen == [1.0] and (again["failure"] == "").all() and not Path(f"{path}.log").exists()


def test_a_full_disk_at_the_end_loses_no_results(whole: xr.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from gaitwright._core import output_files

    path, put = tmp_path / "sweep.nc", output_files._replace_file

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output_files, "_replace_file", full)
    with pytest.warns(
        UserWarning, match=r"sweep\.nc' was not written: there is no space .*; what was computed is in '"
    ):
        xr.testing.assert_identical(sweep(path, workers=1), whole)
    monkeypatch.setattr(output_files, "_replace_file", put)
    xr.testing.assert_identical(
        sweep(path, progress=lambda _: pytest.fail("there is nothing left to do"), workers=1), whole
    )
    xr.testing.assert_identical(written(path), whole)


# searches -----------------------------------------------------------------------------------------------------------


def improve(store: Path | None, **options: Any) -> Any:
    bounds = {"crank": (0.05, 0.12), "speed": (3.0, 9.0)}
    asked: dict[str, Any] = {
        "minimise": ["peak"], "measures": peak, "analysis": INVERSE, "limits": {"rocker.angle": (None, 3.0)},
        "budget": 40, "workers": 1, **options,
    }  # fmt: skip
    return gw.optimise(four_bar(), bounds, store=store, **asked)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, float]]:
    """List of the values that are analysed from now on in this process."""
    from gaitwright.design import trial_search

    seen, assess = [], trial_search.assess_trial

    def noted(aim: Any, values: dict[str, float], strict: bool = False) -> Any:
        seen.append(values)
        return assess(aim, values, strict)

    monkeypatch.setattr(trial_search, "assess_trial", noted)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("method", ["differential-evolution", "cobyqa", "nelder-mead"])
def test_an_interrupted_search_is_resumed(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "trials.jsonl"

    told: list[float] = []

    def stop(fraction: float) -> None:
        told.append(fraction)
        if len(told) == 15:
            raise KeyboardInterrupt

    part = improve(path, method=method, progress=stop)
    assert part.interrupted and len(part.search.trials) in (15, 16)  # the start may lie outside the bounds
    seen = counted(monkeypatch)
    again = improve(path, method=method)
    assert len(again.search.trials) > 20 and len(seen) == len(again.search.trials) - len(part.search.trials)
    alone = improve(None, method=method)
    assert again.search.trials == alone.search.trials and again.values == alone.values


@pytest.mark.slow
def test_a_search_with_processes_stores_its_trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "trials.jsonl"
    first = improve(path, workers=2)
    seen = counted(monkeypatch)
    second = improve(path)
    assert seen == [] and second.search.trials == first.search.trials
    longer = improve(path, budget=50, seed=1)
    assert 0 < len(seen) < 50 and len(longer.search.trials) > 40


def test_trials_of_another_search_are_refused(tmp_path: Path):
    path = tmp_path / "trials.jsonl"
    improve(path, budget=5)
    with pytest.raises(gw.ModelError, match=r"trials\.jsonl' belongs to another search; what differs: limits"):
        improve(path, budget=5, limits={"rocker.angle": (None, 2.9)})


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform == "win32", reason="processes are started, not forked, and know no function written here"
)
def test_a_trial_that_crashes_its_process_is_a_failed_trial():
    parent = os.getpid()

    def deadly(run: Any) -> dict[str, float]:
        if os.getpid() != parent and run.array("A.x")[0] > 0.1:
            os._exit(3)
        return peak(run)

    found = improve(None, measures=deadly, workers=2, budget=24)
    died = [trial for trial in found.search.trials if "process died" in trial.failure]
    assert died and all(trial.values["crank"] > 0.1 for trial in died)
    assert {trial.failure for trial in found.search.trials} == {"", died[0].failure}


def test_a_choice_stores_its_evaluations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from gaitwright.design.question import DesignQuestion

    path, seen, run, ranges = tmp_path / "choice.jsonl", [], DesignQuestion.run, {"speed": (3.0, 30.0)}

    def noted(self: Any, model: gw.Model, progress: Any = None) -> Any:
        seen.append(model.document.parameters["speed"])
        if len(seen) == stop_at:
            raise KeyboardInterrupt
        return run(self, model, progress)

    monkeypatch.setattr(DesignQuestion, "run", noted)
    asked: dict[str, Any] = {
        "target": {"crank.torque.max_abs": 0.1}, "analysis": INVERSE, "limits": {"rocker.angle": 10.0},
    }  # fmt: skip
    stop_at = 0
    alone = gw.choose(four_bar(), ranges, **asked)
    every, stop_at = len(seen), 6
    seen.clear()
    with pytest.raises(KeyboardInterrupt):
        gw.choose(four_bar(), ranges, **asked, store=path)
    stop_at = 0
    seen.clear()
    again = gw.choose(four_bar(), ranges, **asked, store=path)
    assert len(seen) == every - 5 and again.value == alone.value and again.summary() == alone.summary()
    seen.clear()
    looked_up = gw.choose(four_bar(), ranges, **asked, store=path)
    assert seen == [alone.value] and looked_up.summary() == alone.summary()  # analysed again for its run
    with pytest.raises(gw.ModelError, match="belongs to another choice"):
        gw.choose(four_bar(), ranges, **{**asked, "target": {"crank.torque": 0.1}}, store=path)


# fingerprints -------------------------------------------------------------------------------------------------------

LIMIT = 2.0


def limited(run: Any, factor: float = 1.0) -> dict[str, float]:
    return {"x": helper(run) * factor * LIMIT}


def helper(run: Any) -> float:
    return sum({1.0, 2.0, run == "a"})


def made(power: float) -> Callable[[Any], float]:
    return lambda run: run**power


@pytest.mark.slow
def test_fingerprints_are_equal_in_every_process():
    """Sets are ordered otherwise in each, and functions lie elsewhere."""
    folder = str(Path(__file__).parent)
    code = f"import sys; sys.path[:0] = [{folder!r}]\nfrom test_result_store import *\nprint(fingerprint(THINGS))"
    found = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code]
        found.add(subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120).stdout)
    assert len(found) == 1 and len(found.pop()) == 17


THINGS = [limited, made(2), {"a": 1, "b": [np.arange(3.0)]}, {"x", "y", "zz"}, peak, gw.measure_leg, np.sin, gw.Model]


def test_different_functions_have_different_fingerprints(monkeypatch: pytest.MonkeyPatch):
    assert fingerprint(made(2)) == fingerprint(made(2)) != fingerprint(made(3))
    assert fingerprint(lambda run: run + 1) == fingerprint(lambda run: run + 1) != fingerprint(lambda run: run + 2)
    before = fingerprint(limited)
    monkeypatch.setitem(globals(), "LIMIT", 3.0)
    assert fingerprint(limited) != before
    monkeypatch.undo()
    assert fingerprint(limited) == before
    monkeypatch.setitem(globals(), "helper", lambda run: 4.0)
    assert fingerprint(limited) != before
    monkeypatch.undo()
    holder: dict[str, Any] = {}
    holder["itself"] = holder
    fingerprint(holder)
