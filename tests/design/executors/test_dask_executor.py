"""Cluster of two processes: results as without a cluster, killed workers and clients, rejected input."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import gaitwright as gw
from gaitwright.design.executors.dask_executor import DaskExecutor, connect_client, require_same_versions
from gaitwright.design.executors.process_pool import JobCrashed

distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def pendulum() -> gw.Model:
    model = gw.Model("pendulum", parameters={"length": 0.1, "speed": 6.0})
    model.ground_point("O", 0, 0).point("A", "length", 0)
    model.link("arm", "O", "A", length="length", mass=0.1)
    return model.drive.rotation("arm", "speed*t").output("arm.torque")


INVERSE = {"type": "inverse", "until": 0.1, "step": 0.01}


@pytest.fixture(scope="module")
def cluster():
    import dask

    # one crash of a worker is allowed instead of three: a test of repeated crashes should not wait for four new workers
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1, "distributed.admin.log-format": ""}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as found:
        yield found


def test_a_sweep_on_a_cluster_equals_a_local_one(client, tmp_path):
    """Including failed variants and their reasons; the store is the same."""

    def peak(result):
        if result.array("arm.torque").max() > 0.2:
            raise ZeroDivisionError("too heavy")
        return {"peak": float(result.array("arm.torque").max())}

    values = {"length": np.linspace(0.05, 0.6, 12), "speed": [3.0, 6.0]}
    asked = {"analysis": INVERSE, "measures": peak}
    alone = gw.sweep(pendulum(), values, **asked, workers=1)
    assert 0 < (alone["failure"] == "ZeroDivisionError: too heavy").sum() < alone["failure"].size
    told = []
    there = gw.sweep(pendulum(), values, **asked, client=client, progress=told.append, store=tmp_path / "sweep.nc")
    assert there.data.identical(alone.data)
    assert told[-1] == 1.0
    again = gw.sweep(pendulum(), values, **asked, workers=1, store=tmp_path / "sweep.nc")
    assert again["peak"].identical(alone["peak"])


def test_a_sweep_on_a_cluster_uses_generated_programs(client, monkeypatch, tmp_path):
    """The workers run blocks of variants, and analyse failed variants again."""
    monkeypatch.setattr("gaitwright.design.codegen_sweep.BLOCK_VARIANTS", 20)
    values = {"length": np.linspace(-0.01, 0.2, 30), "speed": [3.0, 6.0]}
    asked = {"analysis": INVERSE, "measures": {"peak": "arm.torque.max"}}
    told = []
    store = tmp_path / "sweep.nc"
    there = gw.sweep(pendulum(), values, **asked, client=client, printed=True, progress=told.append, store=store)
    alone = gw.sweep(pendulum(), values, **asked, workers=1, printed=False)
    assert 0 < (alone["failure"] != "").sum() < 20
    assert list(there.data.variables) == list(alone.data.variables) and there["failure"].identical(alone["failure"])
    for name in ("peak", "arm.torque"):
        np.testing.assert_allclose(there[name], alone[name], rtol=1e-11, atol=1e-13)
    assert told[-1] == 1.0
    assert gw.sweep(pendulum(), values, **asked, store=store).data.identical(there.data)


def test_a_search_on_a_cluster_equals_a_local_one(client):
    asked = {"minimise": ["arm.torque.max"], "analysis": INVERSE, "budget": 12, "seed": 3}
    asked["method"] = "differential-evolution"
    bounds = {"length": (0.05, 0.2)}
    there = gw.optimise(pendulum(), bounds, **asked, client=client)
    assert there.search.trials == gw.optimise(pendulum(), bounds, **asked, workers=1).search.trials


def test_designs_on_a_cluster_equal_local_ones_to_rounding(client, monkeypatch):
    """In blocks, including failed designs and derivatives."""
    monkeypatch.setattr("gaitwright.design.batch.cluster_blocks.BLOCK_DESIGNS", 50)
    values = {"length": np.linspace(-0.01, 0.2, 120), "speed": np.linspace(3.0, 6.0, 120)}
    asked = {
        "measures": ["arm.torque.max", "m = 2*arm.torque.mean"],
        "gradient": ["arm.torque.max"],
        "analysis": INVERSE,
    }
    told = []
    there = gw.designs(pendulum(), values, **asked, client=client, progress=told.append)
    alone = gw.designs(pendulum(), values, **asked, workers=1)
    assert 0 < (alone["failure"] != 0).sum() < 20
    for name in ("failure", "reason"):
        assert there[name].identical(alone[name])
    for name in ("arm.torque.max", "m", "arm.torque.max.gradient"):
        np.testing.assert_allclose(there[name], alone[name], rtol=1e-11, atol=1e-13)
    assert told[-1] == 1.0


def test_interrupted_designs_are_resumed(client, monkeypatch, tmp_path):
    monkeypatch.setattr("gaitwright.design.batch.cluster_blocks.BLOCK_DESIGNS", 20)
    values = {"length": np.linspace(-0.01, 0.2, 120), "speed": np.linspace(3.0, 6.0, 120)}
    asked = {"measures": ["arm.torque.max"], "analysis": INVERSE, "store": tmp_path / "designs.nc"}

    def stop(fraction):
        if fraction > 0.4:
            raise KeyboardInterrupt

    first = gw.designs(pendulum(), values, **asked, client=client, progress=stop)
    left = int((first["reason"].sel(code=first["failure"]) == "not computed: interrupted").sum())
    assert 20 <= left < 72
    told = []
    found = gw.designs(pendulum(), values, **asked, client=client, progress=told.append)
    assert told[0] > 0.4 and told[-1] == 1.0 and not (tmp_path / "designs.nc.log").exists()
    alone = gw.designs(pendulum(), values, **{**asked, "store": None}, workers=1)
    np.testing.assert_allclose(found["arm.torque.max"], alone["arm.torque.max"], rtol=1e-11)


def counting(folder: Path, seconds: float):
    """Function of (task, job) that writes a line for each computation."""

    def count(task, job):
        with (folder / "computed").open("a") as file:
            file.write(f"{job}\n")
        time.sleep(seconds)
        return 2 * job

    return count


def computed(folder: Path) -> Counter[str]:
    path = folder / "computed"
    return Counter(path.read_text().split()) if path.exists() else Counter()


def test_a_killed_worker_loses_only_its_current_task(client, tmp_path):
    found = {}
    with DaskExecutor(client, counting(tmp_path, 0.05), None) as pool:
        for k, result in pool.results(range(60)):
            if len(found) == 5:
                victim = next(iter(client.run(os.getpid).values()))
                os.kill(victim, signal.SIGKILL)
            found[k] = result
    assert found == {k: 2 * k for k in range(60)}
    # tasks have at most ten jobs, and the worker was running one of them; it may have held another that was not fetched yet
    assert computed(tmp_path).total() <= 60 + 2 * 10
    assert max(computed(tmp_path).values()) <= 2


def test_only_the_job_that_crashes_its_worker_is_given_up(client):
    def deadly(task, job):
        if job == 7:
            os._exit(1)
        return job

    with DaskExecutor(client, deadly, None) as pool:
        found = dict(pool.results(range(40)))
    assert isinstance(found[7], JobCrashed)
    assert found[7].reason.startswith("worker died, 2 times, and again when it was tried alone")
    assert {k: result for k, result in found.items() if k != 7} == {k: k for k in range(40) if k != 7}


SCRIPT = """
import sys, time
from pathlib import Path
import gaitwright as gw
from distributed import Client

def slow(result):
    with Path({folder!r}, "computed").open("a") as file:
        file.write(str(result.array("arm.torque")[0]) + chr(10))
    time.sleep(0.3)
    return {{"peak": float(result.array("arm.torque").max())}}

if __name__ == "__main__":
    model = gw.Model("pendulum", parameters={{"length": 0.1}})
    model.ground_point("O", 0, 0).point("A", "length", 0)
    model.link("arm", "O", "A", length="length", mass=0.1)
    model.drive.rotation("arm", "6*t").output("arm.torque")
    with Client({address!r}) as client:
        data = gw.sweep(model, {{"length": [0.1 + 0.01 * k for k in range(16)]}}, analysis={analysis!r}, measures=slow,
                        client=client, store={folder!r} + "/sweep.nc")
    print(int((data["failure"] == "").sum()))
"""


def test_a_killed_client_resumes_from_its_store(cluster, client, tmp_path):
    script, log = tmp_path / "script.py", tmp_path / "sweep.nc.log"
    script.write_text(SCRIPT.format(folder=str(tmp_path), address=cluster.scheduler_address, analysis=INVERSE))
    first = subprocess.Popen([sys.executable, str(script)])
    until = time.monotonic() + 60
    while (not log.exists() or log.read_text().count("\n") < 6) and first.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    first.kill()
    first.wait()
    while any(client.processing().values()) and time.monotonic() < until:  # workers finish their current task
        time.sleep(0.05)
    before = computed(tmp_path)
    kept = log.read_text().count("\n") - 1  # the first line is the head with the question
    assert 5 <= kept <= before.total() < 16
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["16"], done.stderr
    assert computed(tmp_path).total() - before.total() == 16 - kept  # no stored variant is computed again
    assert len(computed(tmp_path)) == 16


ALONE = """
import time
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None)
    print(cluster.scheduler_address, flush=True)
    time.sleep(60)
"""


def test_a_lost_scheduler_keeps_finished_variants():
    process = subprocess.Popen(
        [sys.executable, "-c", ALONE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        told = []

        def tell(part):
            told.append(part)
            if part > 0.1:
                process.kill()

        def slow(result):
            time.sleep(0.05)
            return {"peak": float(result.array("arm.torque").max())}

        values = {"length": np.linspace(0.1, 0.2, 100)}
        with (
            connect_client(process.stdout.readline().strip()) as client,
            pytest.warns(UserWarning, match=r"the scheduler at .* was lost.*; what was computed is kept"),
        ):
            data = gw.sweep(pendulum(), values, analysis=INVERSE, measures=slow, client=client, progress=tell)
    finally:
        process.kill()
        process.communicate()
    good = data["failure"].values == ""
    assert 10 <= good.sum() < 100
    assert np.isfinite(data["peak"].values[good]).all()
    assert all(str(why).startswith("not computed: the scheduler at") for why in data["failure"].values[~good])


def test_an_invalid_client_is_refused():
    with pytest.raises(
        gw.ModelError, match=r"'client': is no client of a cluster .*got 'tcp://.*dask.distributed.Client"
    ):
        gw.sweep(pendulum(), {"length": [0.1, 0.2]}, analysis=INVERSE, client="tcp://127.0.0.1:8786")
    with pytest.raises(gw.ModelError, match=r"'scheduler': is no address \(got 'nonsense://x'\)"):
        connect_client("nonsense://x")


def test_an_unreachable_scheduler_is_reported(monkeypatch):
    monkeypatch.setattr("gaitwright.design.executors.dask_executor.CONNECT_TIMEOUT_SECONDS", 0.5)
    with pytest.raises(
        gw.ModelError, match=r"does not answer within 0.5 s \(got 'tcp://127.0.0.1:9'\).*dask scheduler"
    ):
        connect_client("tcp://127.0.0.1:9")


@pytest.mark.parametrize(
    ("python", "packages", "said"),
    [
        ("3.12.1.final.0", {"gaitwright": None}, "the worker at tcp://w:1 has no package gaitwright"),
        ("3.12.1.final.0", {"gaitwright": "0.0.9"}, "has gaitwright 0.0.9 where this process has 0.1.0"),
        ("3.12.1.final.0", {"numba": "0.60"}, "has numba 0.60 where this process has 0.61"),
        ("3.11.9.final.0", {}, "has Python 3.11 where this process has 3.12"),
    ],
)
def test_workers_with_other_versions_are_refused(python, packages, said):
    own = {"gaitwright": "0.1.0", "numba": "0.61", "numpy": "2.1"}
    here = {"host": {"python": "3.12.3.final.0"}, "packages": own}
    there = {"host": {"python": python}, "packages": {**own, **packages}}
    with pytest.raises(gw.ModelError, match=said):
        require_same_versions({"client": here, "workers": {"tcp://w:1": there}})
    require_same_versions({"client": here, "workers": {"tcp://w:1": here}})
