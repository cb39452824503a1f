"""What our own pages and README give as examples is answered rightly."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from datasette_plugins.command import cli
from kb.dispute.settlement import settle
from kb.read.domain import domain
from kb.read.store import open_store

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DECIDED = {
    "The dealer showed one of my cards while dealing. Must he deal again?": {
        "arnaud-1829": "law-2", "deschapelles-1839": "art-32", "english-1864": "law-38", "american-1893": "law-15",
        "american-1894": "law-15",
    },
    "I led when it was my partner’s turn. What can the other side demand?": {
        "arnaud-1829": "law-17", "deschapelles-1839": "art-82", "english-1864": "law-62|law-63",
        "american-1893": "law-24", "american-1894": "law-24",
    },
    "Fourth hand played before second.": {
        "arnaud-1829": "law-19", "deschapelles-1839": "art-84", "english-1864": "law-68", "american-1893": "law-26",
        "american-1894": "law-26",
    },
}  # fmt: skip


def test_the_examples_of_the_pages_are_decided_by_the_right_laws(library: Path) -> None:
    with open_store(library) as conn:
        examples = domain(conn).examples.dispute
        assert set(examples) == set(DECIDED)
        for told in examples:
            (issue,) = settle(conn, told).heard
            assert {o.code: o.decided for o in issue.opinions} == dict.fromkeys(DECIDED[told], True)
            wrong = [
                o.findings[0].id
                for o in issue.opinions
                if o.findings[0].id.partition("/")[2] not in DECIDED[told][o.code].split("|")
            ]
            assert wrong == []


@pytest.mark.parametrize("line", re.findall(r"^    \$ whist (dispute .*)$", README, re.MULTILINE))
def test_the_readme_shows_what_the_command_answers(library: Path, line: str) -> None:
    said = CliRunner().invoke(cli, [*shlex.split(line), "--db", str(library)]).output
    shown = README.partition(f"$ whist {line}\n")[2].partition("\n**")[0]
    assert shown.split()
    assert " ".join(shown.split()) in " ".join(said.split())
