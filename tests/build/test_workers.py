"""Processes that are killed, clusters that are not there: each is reported in a sentence."""

from __future__ import annotations

import logging
import os
import signal

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


def test_a_scheduler_that_is_not_there_is_told() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(WhistError, match="No Dask scheduler answers"), cluster("tcp://127.0.0.1:1"):
        pass


@pytest.mark.parametrize("address", ["no address", "tcp://", "http://127.0.0.1:1"])
def test_what_is_no_address_is_told_before_a_client_is_made(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "Client", lambda *_, **__: pytest.fail("it ends in a traceback, when collected"))
    with pytest.raises(WhistError, match="No Dask scheduler answers"), cluster(address):
        pass


def test_a_job_that_kills_the_workers_of_a_cluster_is_given_up_in_a_sentence_and_without_a_traceback() -> None:
    distributed = pytest.importorskip("distributed")
    log = logging.getLogger("distributed.client")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "worker_dashboard_address": None}
    with distributed.LocalCluster(**settings) as local:
        with pytest.raises(WhistError, match="was killed"), cluster(local.scheduler_address) as executor:
            assert not log.isEnabledFor(logging.ERROR)
            [future.result() for future in [executor.submit(die, job) for job in range(4)]]
        assert log.isEnabledFor(logging.ERROR)
