"""The measurement of large libraries reads the logs of its builds: stages, and what stopped runs have left."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
from scale import editions_of, stages

STOPPED = """\
   9.0 s  book-0001 made: 1 of 3 books
  30.0 s  book-0002 made: 2 of 3 books
"""
WHOLE = """\
   1.0 s  book-0001 as it was: 1 of 3 books
  12.5 s  book-0003 made: 3 of 3 books
  13.0 s  links and answers
  20.0 s  database
  22.5 s  some/shelf-3.db: 1.0 MB
Built some/shelf-3.db (1.0 MB).
peak of the driver: 120 MB
"""


def test_stages_last_until_the_next_begins() -> None:
    assert stages(WHOLE) == {"editions": 13.0, "links and answers": 7.0, "database": 2.5}


@pytest.mark.parametrize(
    ("logs", "seconds"),
    [
        ([], 0.0),
        ([STOPPED], 30.0),
        ([STOPPED, STOPPED], 60.0),
        ([STOPPED, WHOLE], 42.5),
        ([STOPPED, WHOLE, WHOLE], 42.5),
    ],
)
def test_the_seconds_of_stopped_runs_count_once(logs: list[str], seconds: float) -> None:
    assert editions_of(logs) == seconds
