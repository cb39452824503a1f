"""Codes of unnumbered paragraphs: they are compared as numbered ones are."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import boat_club
import pytest
from click.testing import CliRunner

import datasette_plugins
from datasette_plugins.command import cli
from kb.build.database import build

THESAURUS = '[[concept]]\nid = "boat"\nlabel = "Boat"\nnote = ""\nvariants = ["boats"]\n'
TOPICS = '[[topic]]\nid = "boats"\nlabel = "Boats"\nnote = ""\nconcepts = ["boat"]\n'


@pytest.fixture(scope="module")
def unnumbered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The by-laws of two clubs of which the second took over the first's, printed without numbers, built."""
    folder = tmp_path_factory.mktemp("unnumbered")
    corpus = folder / "corpus"
    corpus.mkdir()
    boat_club.write(corpus)
    (corpus / "thesaurus.toml").write_text(THESAURUS, encoding="utf-8")
    (corpus / "topics.toml").write_text(TOPICS, encoding="utf-8")
    scan = re.sub(r"(?m)^\d+\. ", "", boat_club.scan(boat_club.RIVERSIDE))
    for name, code in (("riverside-1871", "riverside-club-1871"), ("millpond-1888", "millpond-club-1888")):
        (corpus / name / "scan.txt").write_text(scan, encoding="utf-8")
        book = corpus / name / "book.toml"
        text = re.sub(r'sha256 = "\w+"', f'sha256 = "{sha256(scan.encode()).hexdigest()}"', book.read_text("utf-8"))
        text = text[: text.index('grammar = "series"')]
        part = f'grammar = "paragraphs"\nkind = "law"\nslug = "by-law"\ncode = "{code}"\n'
        book.write_text(text + part, encoding="utf-8")
    with ThreadPoolExecutor(1) as pool:
        build(corpus, folder / "rowing.db", executor=pool, progress=lambda _: None)
    return folder / "rowing.db"


def test_a_topic_is_compared_by_the_command(unnumbered: Path) -> None:
    done = CliRunner().invoke(cli, ["compare", "boats", "--db", str(unnumbered)])
    assert done.exit_code == 0, done.exception
    assert "after sunset" in done.output


async def test_a_topic_is_compared_on_its_page(unnumbered: Path) -> None:
    site = datasette_plugins.instance(unnumbered)
    await site.invoke_startup()
    answer = await site.client.get("/compare/boats")
    assert answer.status_code == 200
    assert "/riverside-club-1871/by-law-" in answer.text
