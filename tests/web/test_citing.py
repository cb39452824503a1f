"""Citing: quoted words with their hash, whether the citations of a text still hold, and from a citation to its page."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner, Result
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from datasette_plugins.command import cli
from extract.errors import QueryError
from kb.citing import quotation, verification
from kb.citing.finding import in_words
from kb.editorial.provisions import letters
from kb.read import cite, queries

BASE = "https://whist.example"
LAW = "english-1864/law-72/i"
WORDS = "take three tricks"


@pytest.fixture
def later(database: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The small library after a release in which an id was changed."""
    path = tmp_path / "later.db"
    shutil.copy(database, path)
    with sqlite3.connect(path) as conn:
        conn.execute("insert into moved values ('english-1864/rule-72', 'english-1864/law-72')")
        conn.commit()
        yield conn
    conn.close()


def quoted(conn: sqlite3.Connection, words: str, unit_id: str = LAW) -> quotation.Quoted:
    unit = queries.unit(conn, unit_id)
    return quotation.quoted(unit, cite.plain(cite.cited(conn, unit)), f"{BASE}/{unit_id}", words)


def answers(conn: sqlite3.Connection, text: str) -> list[verification.CitationVerdict]:
    return verification.verify(conn, text, BASE, 100)[0]


def answer(conn: sqlite3.Connection, text: str) -> verification.CitationVerdict:
    (found,) = answers(conn, text)
    return found


# Quoted words.


def test_a_citation_carries_its_words_and_the_hash_of_their_letters(conn: sqlite3.Connection) -> None:
    made = quoted(conn, WORDS)
    assert made.letters == letters(WORDS)
    assert made.line == (
        "The Laws of Whist (1864), law 72 (i), reprinted in A. W. Drayson, Whist Laws (New York: Harper & Brothers, "
        f"1896), p. 18: “take three tricks” <{BASE}/{LAW}> [sha256/16: {letters(WORDS)}]"
    )


@pytest.mark.parametrize("typed", ["TAKE  three tricks", "take\nthree tricks.", "hand, may either take-three tricks"])
def test_words_are_quoted_as_the_edition_has_them(conn: sqlite3.Connection, typed: str) -> None:
    assert quoted(conn, typed).words in ("take three tricks", "hand, may either take three tricks")


@pytest.mark.parametrize("typed", ["ake three tricks", "take three trick", "take tricks", "", " … "])
def test_what_is_no_stretch_of_whole_words_is_not_quoted(conn: sqlite3.Connection, typed: str) -> None:
    with pytest.raises(QueryError, match="does not have the words"):
        quoted(conn, typed)


def test_words_that_are_not_there_are_answered_with_those_that_are(conn: sqlite3.Connection) -> None:
    with pytest.raises(QueryError, match="it reads “take three tricks”"):
        quoted(conn, "take four tricks")
    with pytest.raises(QueryError, match="quote an unbroken stretch"):
        quoted(conn, "the quick brown fox")


@given(st.text(max_size=40), st.text(max_size=20))
def test_words_that_are_found_have_the_letters_of_those_wanted(text: str, words: str) -> None:
    found = quotation.find(text, words)
    assert found is None or letters(found) == letters(words)
    near = quotation.nearest(text, words)
    assert near is None or "".join(near.split()) in "".join(text.split())


# Whether a citation still holds.


def test_a_citation_just_made_is_unchanged(conn: sqlite3.Connection) -> None:
    told = answer(conn, f"As the clubs had it ({quoted(conn, WORDS).line}), a player might choose.")
    assert (told.status, told.unit, told.now, told.altered) == ("unchanged", LAW, WORDS, False)
    assert told.claim == verification.Claim(LAW, WORDS, letters(WORDS))


def test_other_signs_and_line_ends_in_a_quotation_change_nothing(conn: sqlite3.Connection) -> None:
    line = quoted(conn, WORDS).line.replace("“take three tricks”", '"Take three,\n  tricks"')
    assert (answer(conn, line).status, answer(conn, line).altered) == ("unchanged", False)


def test_words_that_read_otherwise_now_are_told(conn: sqlite3.Connection) -> None:
    old = (
        quoted(conn, WORDS)
        .line.replace(WORDS, "talce three triclcs")
        .replace(letters(WORDS), letters("talce three triclcs"))
    )
    told = answer(conn, old)
    assert (told.status, told.now, told.altered) == ("corrected", WORDS, False)
    assert told.citation == quoted(conn, WORDS).line


def test_a_quotation_altered_since_it_was_made_is_told(conn: sqlite3.Connection) -> None:
    told = answer(conn, quoted(conn, WORDS).line.replace("take three", "take five"))
    assert (told.status, told.now, told.altered) == ("corrected", WORDS, True)
    told = answer(conn, quoted(conn, WORDS).line.replace(WORDS, "three points"))
    assert (told.status, told.altered) == ("unchanged", True)


def test_words_of_which_nothing_is_left_are_told(conn: sqlite3.Connection) -> None:
    told = answer(conn, f"“the quick brown fox” <{BASE}/{LAW}>")
    assert (told.status, told.now) == ("not there", "") and told.citation.endswith(f"p. 18 <{BASE}/{LAW}>")


def test_an_id_that_leads_elsewhere_is_moved_and_its_words_are_compared(later: sqlite3.Connection) -> None:
    told = answer(later, "“take three tricks” <https://old.example/whist/english-1864/rule-72>")
    assert (told.status, told.unit, told.now) == ("moved", "english-1864/law-72", WORDS)
    assert told.citation.endswith(f"<{BASE}/english-1864/law-72> [sha256/16: {letters(WORDS)}]")
    assert answer(later, "“take four tricks” english-1864/rule-72").now == WORDS


def test_what_is_not_there_is_not_found_and_the_nearest_named(conn: sqlite3.Connection) -> None:
    told = answer(conn, "see english-1864/law-172.")
    assert (told.status, told.unit, told.claim.id) == ("not found", "", "english-1864/law-172")
    assert "english-1864/law-72" in told.nearest


def test_every_citation_of_a_text_is_answered_in_its_order(conn: sqlite3.Connection) -> None:
    text = (
        f"{quoted(conn, WORDS).line} and English-1864/Law-72/II; american-1894/law-30/evidence, “x” nobody-1900/law-1."
    )
    assert [(v.claim.id, v.status) for v in answers(conn, text)] == [
        (LAW, "unchanged"),
        ("english-1864/law-72/ii", "unchanged"),
        ("american-1894/law-30", "unchanged"),
        ("nobody-1900/law-1", "not found"),
    ]
    assert [v.claim.words for v in answers(conn, text)] == [WORDS, "", "", "x"]


def test_no_more_citations_are_looked_at_than_asked(conn: sqlite3.Connection) -> None:
    verdicts, note = verification.verify(conn, f"{LAW} " * 4, BASE, 3)
    assert len(verdicts) == 3 and note == "Only the first 3 citations were looked at."
    assert verification.verify(conn, f"{LAW} " * 3, BASE, 3)[1] == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("“a “b” c” (https://w.example/whist/a-1850/law-1)", "a “b” c"),
        ("‘the player’s hand’, a-1850/law-1", "the player’s hand"),
        ("«x», a-1850/law-1", "x"),
        ('"x" and "y": a-1850/law-1', "y"),
        ("he said “x” of a-1850/law-1", ""),
        ("x” a-1850/law-1", ""),
        ("“x” b-1850/law-2 a-1850/law-1", ""),
    ],
)
def test_the_words_of_a_citation_stand_in_quotation_marks_before_it(text: str, words: str) -> None:
    assert list(verification.claims(text))[-1] == verification.Claim("a-1850/law-1", words)


def test_the_work_of_a_check_grows_with_the_text_whatever_its_signs_stand_for(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    normalize = unicodedata.normalize

    def counted(form: Any, text: str) -> str:
        nonlocal read
        read += len(text)
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", counted)
    sign = "\ufdfa"  # 15 letters in its compatibility form
    text = ("“" * 60 + sign * 200 + "”" * 60 + f"{LAW} [sha256/16: {'0' * 16}] ") * 8
    assert len(list(verification.claims(text))) == 8 and read <= len(text)
    for length, words in ((333, sign * 333), (334, "")):
        marked = f"“{sign * length}” or so, {LAW} [sha256/16: {letters(sign * length)}]"
        assert [claim.words for claim in verification.claims(marked)] == [words], (
            "no quotation has more than 5000 letters"
        )


def test_a_mark_finds_its_words_among_other_quotations(conn: sqlite3.Connection) -> None:
    text = f"“no” or “{WORDS}” says “the” law at {BASE}/{LAW}, and so on [SHA256/16: {letters(WORDS)}]"
    assert answer(conn, text).claim == verification.Claim(LAW, WORDS, letters(WORDS))


@given(st.text(max_size=300))
def test_any_text_can_be_searched_for_citations(text: str) -> None:
    assert all(claim.id in text.lower() for claim in verification.claims(text))


# Citations that name their work in words.


def said(conn: sqlite3.Connection, text: str) -> list[tuple[str, str, str]]:
    return [(v.status, v.unit, v.claim.words) for v in answers(conn, text)]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("as Drayson has it (Whist Laws, 1896, case 93, p. 18), and", ["drayson-1896/case-93"]),
        ("See English club code, 1864, law 72 (ii).", ["english-1864/law-72/ii"]),
        ("law 72 of the English club code of 1864 says so", ["english-1864/law-72"]),
        ("1864, l. 72 § 2", ["english-1864/law-72/ii"]),
        ("Drayson, case 93, decision", ["drayson-1896/case-93/decision"]),
        ("English club code, 1864, laws 71, 72 (i) and 72", ["english-1864/law-71", LAW, "english-1864/law-72"]),
        ("English club code, 1864, law 71; ibid., law 72", ["english-1864/law-71", "english-1864/law-72"]),
        ("English club code, 1864, law 172", [""]),
        # What names another author, another book or nothing is none of ours.
        ("Cavendish, Laws of Whist (1864), law 72", []),
        ("Hoyle, Games (1829), law 21; law 72 of the Portland rules", []),
        ("Article 5 of the Constitution, and section 72, and law 72", []),
        (f"English club code, 1864, law 72 (i): “{WORDS}” <{BASE}/{LAW}>", [LAW]),
    ],
)
def test_a_citation_is_found_by_the_words_that_name_its_work(
    conn: sqlite3.Connection, text: str, units: list[str]
) -> None:
    assert [unit for _, unit, _ in said(conn, text)] == units


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("“take three tricks” (English club code, 1864, law 72 (i))", ("unchanged", LAW, WORDS)),
        ("English club code, 1864, law 72 (i), p. 18: “Take three … from the revoking player”",
         ("unchanged", LAW, "Take three … from the revoking player")),
        ("English club code, 1864, law 72 (ii) says that “take three tricks”", ("elsewhere", LAW, WORDS)),
        ("“take four tricks” (English club code, 1864, law 72 (i))", ("differs", LAW, "take four tricks")),
        ("“the quick brown fox” (English club code, 1864, law 72 (i))", ("not there", LAW, "the quick brown fox")),
        ("He may “take three tricks”.[^a]\n\n[^a]: English club code, 1864, law 72.",
         ("unchanged", "english-1864/law-72", WORDS)),
    ],
)  # fmt: skip
def test_the_words_quoted_are_looked_for_where_they_are_said_to_stand(
    conn: sqlite3.Connection, text: str, verdict: tuple[str, str, str]
) -> None:
    assert said(conn, text) == [verdict]


def test_a_text_comes_back_with_what_is_wrong_marked(conn: sqlite3.Connection, database: Path) -> None:
    text = "“Take four tricks” (English club code, 1864, law 72 (i)); English club code, 1864, law 172.\n"
    marked = whist(database, "--verify", "-", "--marked", text=text).stdout
    assert (
        marked.startswith("“{~~Take four tricks~>take three tricks~~}” (English") and "law 172{>>there is no" in marked
    )
    undone = re.sub(r"\{~~(.*?)~>.*?~~\}|\{>>.*?<<\}", r"\1", marked)
    assert undone == text


@given(st.text(alphabet="Ll aw7216(i)v,.;“”\n[^]:English code1864and", max_size=120))
def test_no_text_breaks_the_search_for_citations(database: Path, text: str) -> None:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as conn:
        found = list(in_words(conn, text))
    assert all(0 <= c.start < c.end <= len(text) for c in found)


# The command.


def whist(database: Path, *words: str, text: str = "") -> Result:
    return CliRunner().invoke(cli, ["cite", *words, "--db", str(database), "--base", BASE], input=text)


@pytest.mark.parametrize("style", ["plain", "chicago", "mla", "oscola", "bluebook", "short", "bibtex", "ris", "csl"])
def test_the_command_knows_every_style(database: Path, conn: sqlite3.Connection, style: str) -> None:
    made = cite.citations_for(conn, queries.unit(conn, LAW), f"{BASE}/{LAW}")
    assert whist(database, LAW, "--style", style).stdout.startswith(getattr(made, style).split("\r")[0])


def test_the_command_quotes_and_verifies(database: Path, conn: sqlite3.Connection) -> None:
    made = whist(database, LAW, "--quote", WORDS)
    assert made.stdout == quoted(conn, WORDS).line + "\n"
    told = whist(database, "--verify", "-", text=made.stdout)
    assert (told.exit_code, told.stdout) == (0, f"unchanged: {LAW} “take three tricks”\n")
    told = whist(database, "--verify", "-", text=made.stdout.replace("three", "four"))
    assert told.exit_code == 1 and "reads “take three tricks”" in told.stdout and "was altered" in told.stdout
    data = json.loads(whist(database, "--verify", "-", "--json", text=f"{LAW} english-1864/law-172").stdout)
    assert [c["status"] for c in data["citations"]] == ["unchanged", "not found"]


def test_a_text_without_citations_is_told(database: Path) -> None:
    told = whist(database, "--verify", "-", text="no citation")
    assert told.exit_code == 0 and "No citation was found" in told.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Name one provision"),
        ((LAW, "--verify", "-"), "Name one provision"),
        (("--verify", "-", "--quote", "x"), "--quote goes with a provision"),
        ((LAW, "--style", "mla", "--quote", "x"), "--quote goes with a provision"),
    ],
)
def test_what_cannot_be_asked_together_is_told(database: Path, words: tuple[str, ...], message: str) -> None:
    told = whist(database, *words)
    assert told.exit_code == 2 and message in told.stderr


def test_a_file_that_is_no_text_is_told(database: Path, tmp_path: Path) -> None:
    (tmp_path / "scan").write_bytes(b"\xff\xfe\x00")
    told = whist(database, "--verify", str(tmp_path / "scan"))
    assert isinstance(told.exception, QueryError) and "UTF-8" in str(told.exception)


# The pages.


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("1864 law 72 (ii)", "/english-1864/law-72/ii"),
        ("The Laws of Whist (1864), law 72 (ii)", "/english-1864/law-72/ii"),
        ("Drayson case 93, decision", "/drayson-1896/case-93/decision"),
        ("https://whist.example/English-1864/law-72/", "/english-1864/law-72"),
    ],
)
async def test_a_citation_leads_to_its_provision(ds: Datasette, typed: str, path: str) -> None:
    for form in ("", ".json"):
        response = await ds.client.get(f"/cite{form}?{urlencode({'q': typed})}")
        assert (response.status_code, response.headers["location"]) == (302, path + form)


async def test_a_citation_that_may_mean_several_lists_them(ds: Datasette) -> None:
    page = html.document_fromstring((await ds.client.get("/cite?q=law+28")).text)
    links = page.xpath("//ul[contains(@class, 'candidates')]//a/@href")
    assert links == ["/american-1893/law-28", "/american-1894/law-28"]
    data = (await ds.client.get("/cite.json?q=law+28")).json()
    assert [c["id"] for c in data["candidates"]] == ["american-1893/law-28", "american-1894/law-28"]


async def test_what_was_read_otherwise_than_typed_is_told_before_it_is_led_to(ds: Datasette) -> None:
    response = await ds.client.get("/cite.json?q=1864+law+72+(ix)")
    assert response.status_code == 200 and "paragraph ix" in response.json()["notes"][0]


@pytest.mark.parametrize("typed", ["a fine game", "1864 law 999", "english-1864/law-172", "x" * 300, "<b>"])
async def test_what_means_no_provision_is_not_found(ds: Datasette, typed: str) -> None:
    for form in ("", ".json"):
        response = await ds.client.get(f"/cite{form}?{urlencode({'q': typed})}")
        assert (
            response.status_code == 404
            and "names no provision here" in response.text
            and "<b>" not in response.text[:60]
        )
    assert ("english-1864/law-72" in response.json()["nearest"]) == (typed == "english-1864/law-172")


async def test_the_page_answers_for_each_citation(ds: Datasette, conn: sqlite3.Connection) -> None:
    text = f"{quoted(conn, WORDS).line}\r\n“take four tricks” {LAW}, english-1864/law-172 <b>"
    query = urlencode({"text": text})
    page = html.document_fromstring((await ds.client.get(f"/cite/verify?{query}")).text)
    said = [" ".join(li.text_content().split()) for li in page.xpath("//ol[@class='verdicts']/li")]
    assert [line.partition(" english")[0] for line in said] == ["Holds", "Reads otherwise", "Not found"]
    assert "The words read “take three tricks”." in said[1] and "law-72" in said[2]
    assert page.xpath("string(//textarea)") == text.replace("\r", "") and page.xpath(
        "//form[@action='/cite/verify']//button"
    )
    data = (await ds.client.get(f"/cite/verify.json?{query}")).json()
    assert [c["status"] for c in data["citations"]] == ["unchanged", "differs", "not found"]
    assert "“{~~take four tricks~>take three tricks~~}”" in data["marked"]
    assert data["citations"][0]["words"] == WORDS and data["citations"][0]["letters"] == letters(WORDS)


async def test_the_page_says_what_it_left_out(ds: Datasette) -> None:
    data = (await ds.client.get(f"/cite/verify.json?text={'a' * 4001}")).json()
    assert len(data["notes"]) == 2 and "4000" in data["notes"][0] and "No citation" in data["notes"][1]
    many = (await ds.client.get(f"/cite/verify.json?{urlencode({'text': f'{LAW} ' * 101})}")).json()
    assert len(many["citations"]) == 100 and many["notes"] == ["Only the first 100 citations were looked at."]


async def test_crawlers_are_kept_from_the_answers(ds: Datasette) -> None:
    assert "Disallow: /cite" in (await ds.client.get("/robots.txt")).text


async def test_a_page_shows_every_style_as_text_that_can_be_selected(ds: Datasette, conn: sqlite3.Connection) -> None:
    page = html.document_fromstring((await ds.client.get(f"/{LAW}")).text)
    made = cite.citations_for(conn, queries.unit(conn, LAW), f"http://localhost/{LAW}")
    told = {e.get("data-name"): e.text_content() for e in page.xpath("//*[contains(@class, 'copy')]")}
    for manual, name in (("chicago", "Chicago"), ("mla", "MLA"), ("oscola", "OSCOLA"), ("bluebook", "Bluebook")):
        assert told[f"{name} citation"] == getattr(made, manual)
    assert len(told) == 11 and None not in told, "a button without a name of its own"


async def test_the_head_of_a_page_names_who_gave_the_code_and_who_printed_it(ds: Datasette) -> None:
    page = html.document_fromstring((await ds.client.get("/english-1864/law-72/ii")).text)
    meta = {m.get("name"): m.get("content") for m in page.xpath("//meta[starts-with(@name, 'citation_')]")}
    assert meta["citation_title"] == "The Laws of Whist (1864), law 72 (ii)"
    assert meta["citation_author"] == "The London clubs"
    linked = json.loads(page.xpath("string(//script[@type='application/ld+json'])"))
    assert linked["name"] == meta["citation_title"]
    assert linked["author"] == [{"@type": "Organization", "name": "The London clubs"}]
    assert linked["isPartOf"][1]["author"] == [{"@type": "Person", "name": "A. W. Drayson"}]
