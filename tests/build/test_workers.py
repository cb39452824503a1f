"""Processes that are killed, clusters that are not there: each is reported in a sentence."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from extract.errors import WhistError
from kb.build.workers import cluster, workers


def die(job: int) -> int:
    if job == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def test_a_killed_process_is_reported_in_a_sentence() -> None:
    with pytest.raises(WhistError, match="was killed"), workers(2) as pool:
        list(pool.map(die, range(4)))


def test_what_a_job_raises_ends_the_work() -> None:
    with pytest.raises(ValueError, match="invalid literal"), workers(1) as pool:
        pool.submit(int, "no number").result()


def test_a_parent_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, signal, sys, time\nfrom kb.build.workers import workers\n"
        "with workers(1) as pool:\n"
        "    pathlib.Path(sys.argv[1]).write_text(str(pool.submit(os.getpid).result()))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "pid"], check=False)
    process = Path("/proc") / (tmp_path / "pid").read_text()
    until = time.monotonic() + 10
    while process.exists() and "zombie" not in (process / "status").read_text() and time.monotonic() < until:
        time.sleep(0.05)
    assert not process.exists() or "zombie" in (process / "status").read_text()


def test_a_scheduler_that_is_not_there_is_told() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(WhistError, match="No Dask scheduler answers"), cluster("tcp://127.0.0.1:1"):
        pass


@pytest.mark.parametrize("address", ["no address", "localhost", "tcp://", "http://127.0.0.1:1"])
def test_what_is_no_address_is_told_before_a_client_is_made(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "Client", lambda *_, **__: pytest.fail("it ends in a traceback, when collected"))
    with pytest.raises(WhistError, match="No Dask scheduler answers"), cluster(address):
        pass


@pytest.fixture(scope="module")
def dask() -> Iterator[str]:
    """The address of a cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, worker_dashboard_address=None
    ) as local:
        yield local.scheduler_address


def test_dask_logs_no_traceback_of_what_is_told_in_a_sentence(dask: str) -> None:
    log = logging.getLogger("distributed.client")
    with cluster(dask):
        assert not log.isEnabledFor(logging.ERROR)
    assert log.isEnabledFor(logging.ERROR)


def test_a_job_that_kills_the_workers_of_a_cluster_is_given_up(dask: str) -> None:
    with pytest.raises(WhistError, match="was killed"), cluster(dask) as executor:
        [future.result() for future in [executor.submit(die, job) for job in range(4)]]
