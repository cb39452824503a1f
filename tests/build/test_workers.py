"""A crew does every job once, whatever becomes of those who do it."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from extract.errors import WhistError
from kb.build.workers import Crew, cluster


def die_once(job: tuple[int, Path]) -> int:
    """Be killed at the first try of every tenth job, in the midst of the others; then square."""
    number, folder = job
    mark = folder / str(number)
    if number % 10 == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.01)
    return number * number


def die(job: int) -> int:
    if job == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def fail(job: int) -> int:
    raise WhistError(f"Job {job} is not what it must be.")


def test_a_killed_process_is_replaced_and_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    jobs = [(number, tmp_path) for number in range(40)]
    with Crew(count=2) as crew:
        done = list(crew.each(die_once, jobs))
        assert sorted(done) == [((n, tmp_path), n * n) for n, _ in jobs]
        assert sorted(result for _, result in crew.each(abs, range(5))) == [0, 1, 2, 3, 4]
    assert len(list(tmp_path.iterdir())) == 4


def test_a_job_that_kills_again_and_again_is_given_up() -> None:
    with pytest.raises(WhistError, match="was killed"), Crew(count=2) as crew:
        list(crew.each(die, range(4)))


def test_what_a_job_raises_ends_the_work() -> None:
    with pytest.raises(WhistError, match="Job 0"), Crew(count=1) as crew:
        list(crew.each(fail, [0]))


def test_a_crew_without_work_has_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.build.workers.workers", None)
    with Crew() as crew:
        assert list(crew.each(abs, [])) == []


def test_jobs_are_asked_for_as_hands_are_free() -> None:
    asked = 0

    def jobs() -> Iterator[int]:
        nonlocal asked
        while asked < 1000:
            asked += 1
            yield asked

    with ThreadPoolExecutor(2) as threads, Crew(threads) as crew:
        come = crew.each(abs, jobs())
        begun = asked
        next(come)
        assert 0 < begun <= asked < 200
        assert len(list(come)) == 999


def test_an_executor_that_is_broken_is_told() -> None:
    from concurrent.futures.process import BrokenProcessPool

    class Broken(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(BrokenProcessPool())
            return future

    with pytest.raises(WhistError, match="was killed"), Crew(Broken()) as crew:
        list(crew.each(abs, [1]))


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


def test_a_killed_worker_of_a_cluster_is_replaced_and_nothing_is_lost_or_doubled(dask: str, tmp_path: Path) -> None:
    jobs = [(number, tmp_path) for number in range(30)]
    with cluster(dask) as executor, Crew(executor) as crew:
        assert sorted(crew.each(die_once, jobs)) == [((n, tmp_path), n * n) for n, _ in jobs]
    assert len(list(tmp_path.iterdir())) == 3


def test_dask_logs_no_traceback_of_what_is_told_in_a_sentence(dask: str) -> None:
    log = logging.getLogger("distributed.client")
    with cluster(dask):
        assert not log.isEnabledFor(logging.ERROR)
    assert log.isEnabledFor(logging.ERROR)


def test_a_job_that_kills_the_workers_of_a_cluster_is_given_up(dask: str) -> None:
    with pytest.raises(WhistError, match="was killed"), cluster(dask) as executor, Crew(executor) as crew:
        list(crew.each(die, range(4)))
