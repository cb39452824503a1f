"""Citing: quoted words with their hash, whether the citations of a text still hold, and from a citation to its page."""

from __future__ import annotations

import io
import sqlite3
import unicodedata
import zipfile
from dataclasses import asdict
from itertools import product
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import urlencode

import pytest
from click.testing import Result
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from reading_pages import altered, data, get, shown, told
from terminal import whist

from extract.errors import QueryError
from kb.citing import quotation, verification
from kb.citing.finding import in_words
from kb.citing.word import read_word, with_changes
from kb.editorial.provisions import letters
from kb.read import cite, queries

BASE = "https://whist.example"
LAW = "english-1864/law-72/i"
WORDS = "take three tricks"
SIGN = "\ufdfa"  # 15 letters in its compatibility form


W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
BODY = """<w:p><w:r><w:rPr><w:i/></w:rPr><w:t xml:space="preserve">Three are taken: “may either </w:t></w:r>
<w:r><w:rPr><w:b/></w:rPr><w:t>take four</w:t><w:tab/><w:t>tricks</w:t></w:r><w:r><w:t>”</w:t></w:r>
<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t>.</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">See English club code, 1864, law 999, too.</w:t></w:r></w:p>"""
NOTE = '<w:footnote w:id="2"><w:p><w:r><w:t>English club code, 1864, law 72 (i).</w:t></w:r></w:p></w:footnote>'

CITATION = (
    "The Laws of Whist (1864), law 72 (i), reprinted in A. W. Drayson, Whist Laws (New York: Harper & Brothers, 1896), "
    "p. 18"
)


def line(words: str) -> str:
    """The citation with words quoted."""
    return f"{CITATION}: “{words}” <{BASE}/{LAW}> [sha256/16: {letters(words)}]"


LINE = line(WORDS)


def cited(database: Path, *words: str, text: str = "") -> Result:
    return whist("cite", *words, "--db", database, "--base", BASE, said=text)


def answers(conn: sqlite3.Connection, text: str) -> list[verification.CitationVerdict]:
    return verification.verify(conn, text, BASE, 100)[0]


# Quoted words.


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        # A citation carries its words as the edition has them, and the hash of their letters.
        (WORDS, line(WORDS)),
        ("TAKE  three\ntricks.", line(WORDS)),
        ("hand, may either take-three tricks", line("hand, may either take three tricks")),
        # What is no stretch of whole words is not quoted.
        *((typed, "does not have the words") for typed in ("ake three tricks", "take three trick", "", " … ")),
        ("take four tricks", "it reads “take three tricks”"),
        ("the quick brown fox", "quote an unbroken stretch"),
    ],
)
def test_words_are_quoted_as_the_edition_has_them_or_not_at_all(database: Path, typed: str, told: str) -> None:
    result = cited(database, LAW, "--quote", typed)
    assert result.stdout == f"{told}\n" or (isinstance(result.exception, QueryError) and told in str(result.exception))


@given(st.text(max_size=40), st.text(max_size=20))
def test_words_that_are_found_have_the_letters_of_those_wanted(text: str, words: str) -> None:
    found, near = quotation.find(text, words), quotation.nearest(text, words)
    assert found is None or letters(found) == letters(words)
    assert near is None or "".join(near.split()) in "".join(text.split())


# Whether a citation still holds.


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"As the clubs had it ({LINE}), a player might choose.", ("unchanged", WORDS, False, LINE)),
        (LINE.replace(f"“{WORDS}”", '"Take three,\n  tricks"'), ("unchanged", WORDS, False, LINE)),
        (line("talce three triclcs"), ("corrected", WORDS, False, LINE)),
        (LINE.replace("take three", "take five"), ("corrected", WORDS, True, LINE)),
        (LINE.replace(WORDS, "three points"), ("unchanged", "three points", True, line("three points"))),
        (f"“the quick brown fox” <{BASE}/{LAW}>", ("not there", "", False, f"{CITATION} <{BASE}/{LAW}>")),
    ],
)
def test_whether_quoted_words_still_stand_there_is_told(
    conn: sqlite3.Connection, text: str, verdict: tuple[str, str, bool, str]
) -> None:
    (told,) = answers(conn, text)
    assert (told.status, told.now, told.altered, told.citation) == verdict


async def test_an_id_that_leads_elsewhere_is_moved_and_its_words_are_compared(database: Path, tmp_path: Path) -> None:
    ds = await altered(database, tmp_path, "insert into moved values ('english-1864/rule-72', 'english-1864/law-72')")
    text = "“take four tricks” <https://old.example/whist/english-1864/rule-72>"
    (found,) = (await data(ds, f"/cite/verify.json?{urlencode({'text': text})}"))["citations"]
    assert (found["status"], found["unit"], found["now"]) == ("moved", "english-1864/law-72", WORDS)
    assert found["citation"].endswith(f"<http://localhost/english-1864/law-72> [sha256/16: {letters(WORDS)}]")


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("“a “b” c” (https://w.example/whist/a-1850/law-1)", ("a-1850/law-1", "a “b” c")),
        ("‘the player’s hand’, a-1850/law-1", ("a-1850/law-1", "the player’s hand")),
        ("«x», a-1850/law-1", ("a-1850/law-1", "x")),
        ('"x" and "y": a-1850/law-1', ("a-1850/law-1", "y")),
        ("he said “x” of a-1850/law-1", ("a-1850/law-1", "")),
        ("x” a-1850/law-1", ("a-1850/law-1", "")),
        ("“x” b-1850/law-2 a-1850/law-1", ("a-1850/law-1", "")),
        # A mark finds its words among other quotations.
        (f"“no” or “{WORDS}” says “the” law at {BASE}/{LAW}, and so on [SHA256/16: {letters(WORDS)}]",
         (LAW, WORDS, letters(WORDS))),
        # No quotation has more than 5000 letters.
        (f"“{SIGN * 333}” or so, {LAW} [sha256/16: {letters(SIGN * 333)}]", (LAW, SIGN * 333, letters(SIGN * 333))),
        (f"“{SIGN * 334}” or so, {LAW} [sha256/16: {letters(SIGN * 334)}]", (LAW, "", letters(SIGN * 334))),
    ],
)  # fmt: skip
def test_the_words_of_a_citation_stand_in_quotation_marks_before_it(text: str, claim: tuple[str, ...]) -> None:
    assert list(verification.claims(text))[-1] == verification.Claim(*claim)


def test_the_work_of_a_check_grows_with_the_text_whatever_its_signs_stand_for(monkeypatch: pytest.MonkeyPatch) -> None:
    normalize = Mock(wraps=unicodedata.normalize)
    monkeypatch.setattr(unicodedata, "normalize", normalize)
    text = ("“" * 60 + SIGN * 200 + "”" * 60 + f"{LAW} [sha256/16: {'0' * 16}] ") * 8
    assert len(list(verification.claims(text))) == 8
    assert sum(len(call.args[1]) for call in normalize.call_args_list) <= len(text)


@given(st.text(max_size=300) | st.text(alphabet="Ll aw7216(i)v,.;“”\n[^]:English code1864and", max_size=120))
def test_any_text_can_be_searched_for_citations(database: Path, text: str) -> None:
    assert all(claim.id in text.lower() for claim in verification.claims(text))
    found = in_words(sqlite3.connect(f"file:{database}?mode=ro", uri=True), text)
    assert all(0 <= citation.start < citation.end <= len(text) for citation in found)


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (
            f"{LINE} and English-1864/Law-72/II; american-1894/law-30/evidence, “x” nobody-1900/law-1.",
            [("unchanged", LAW, WORDS), ("unchanged", "english-1864/law-72/ii", ""),
             ("unchanged", "american-1894/law-30", ""), ("not found", "", "x")],
        ),
        # Citations that name their work in words.
        ("“take three tricks” (English club code, 1864, law 72 (i))", [("unchanged", LAW, WORDS)]),
        ("English club code, 1864, law 72 (i), p. 18: “Take three … from the revoking player”",
         [("unchanged", LAW, "Take three … from the revoking player")]),
        ("English club code, 1864, law 72 (ii) says that “take three tricks”", [("elsewhere", LAW, WORDS)]),
        ("“take four tricks” (English club code, 1864, law 72 (i))", [("differs", LAW, "take four tricks")]),
        ("“the quick brown fox” (English club code, 1864, law 72 (i))", [("not there", LAW, "the quick brown fox")]),
        ("He may “take three tricks”.[^a]\n\n[^a]: English club code, 1864, law 72.",
         [("unchanged", "english-1864/law-72", WORDS)]),
        (f"English club code, 1864, law 72 (i): “{WORDS}” <{BASE}/{LAW}>", [("unchanged", LAW, WORDS)]),
        ("as Drayson has it (Whist Laws, 1896, case 93, p. 18), and", [("unchanged", "drayson-1896/case-93", "")]),
        ("law 72 of the English club code of 1864 says so", [("unchanged", "english-1864/law-72", "")]),
        ("English club code, 1864, laws 71, 72 (i) and 72",
         [("unchanged", unit, "") for unit in ("english-1864/law-71", LAW, "english-1864/law-72")]),
        ("English club code, 1864, law 71; ibid., law 72",
         [("unchanged", unit, "") for unit in ("english-1864/law-71", "english-1864/law-72")]),
        ("English club code, 1864, law 172", [("not found", "", "")]),
        # What names another author, another book or nothing is none of ours.
        ("Cavendish, Laws of Whist (1864), law 72", []),
        ("Hoyle, Games (1829), law 21; law 72 of the Portland rules", []),
        ("Article 5 of the Constitution, and section 72, and law 72", []),
    ],
)  # fmt: skip
def test_every_citation_of_a_text_is_found_and_answered_in_its_order(
    conn: sqlite3.Connection, text: str, verdicts: list[tuple[str, str, str]]
) -> None:
    assert [(v.status, v.unit, v.claim.words) for v in answers(conn, text)] == verdicts


# The command.


def test_the_command_cites_in_every_style_verifies_and_marks_what_is_wrong(
    database: Path, conn: sqlite3.Connection
) -> None:
    made = asdict(cite.citations_for(conn, queries.unit(conn, LAW), f"{BASE}/{LAW}"))
    styles = ("plain", "chicago", "mla", "oscola", "bluebook", "short", "bibtex", "ris", "csl")
    wrong = "“Take four tricks” (English club code, 1864, law 72 (i)); English club code, 1864, law 172.\n"
    marked = wrong.replace("Take four tricks", "{~~Take four tricks~>take three tricks~~}")
    for text, asked, code, *parts in (
        *(("", (LAW, "--style", style), 0, made[style].split("\r")[0]) for style in styles),
        (LINE, ("--verify", "-"), 0, f"unchanged: {LAW} “take three tricks”\n"),
        (LINE.replace("three", "four"), ("--verify", "-"), 1, "reads “take three tricks”", "was altered"),
        (f"{LAW} english-1864/law-172", ("--verify", "-", "--json"), 1, '"status": "not found"'),
        (wrong, ("--verify", "-", "--marked"), 1, marked.removesuffix(".\n"), "law 172{>>there is no", "<<}.\n"),
    ):
        result = cited(database, *asked, text=text)
        assert result.exit_code == code and all(part in result.stdout for part in parts), asked


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "Name one provision"),
        ((LAW, "--verify", "-"), 2, "Name one provision"),
        ((LAW, "--style", "mla", "--quote", "x"), 2, "--quote needs a provision"),
        (("--verify", "-"), 0, "No citations found"),
    ],
)
def test_what_cannot_be_asked_is_told(database: Path, words: tuple[str, ...], code: int, message: str) -> None:
    told = cited(database, *words, text="no citation")
    assert told.exit_code == code and message in told.stderr


# In a Word document.


def document(body: str = BODY) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>')
        archive.writestr("word/footnotes.xml", f'<w:footnotes xmlns:w="{W}">{NOTE}</w:footnotes>')
    return out.getvalue()


def words_of(data: bytes, *, accepted: bool) -> str:
    """The text of the parts when all tracked changes are accepted, or rejected."""
    told = ""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in ("word/document.xml", "word/footnotes.xml"):
            tree = etree.fromstring(archive.read(name))
            etree.strip_elements(tree, f"{{{W}}}{'del' if accepted else 'ins'}", with_tail=False)
            told += "".join(e.text or "" for e in tree.iter(f"{{{W}}}t", f"{{{W}}}delText"))
    return told


def test_words_that_differ_and_remarks_are_tracked_changes(database: Path, tmp_path: Path) -> None:
    thesis, checked = tmp_path / "thesis.docx", tmp_path / "checked.docx"
    thesis.write_bytes(document())
    done = cited(database, "--verify", str(thesis), "--out", str(checked))
    assert done.exit_code == 1 and "differs: " in done.stdout and "not found: " in done.stdout
    made = checked.read_bytes()
    accepted = words_of(made, accepted=True)
    assert words_of(made, accepted=False) == words_of(document(), accepted=False)
    assert "“may either take three tricks”" in accepted and "law 999 [there is no such provision" in accepted
    with zipfile.ZipFile(checked) as archive:
        tree = etree.fromstring(archive.read("word/document.xml"))
        assert archive.read("[Content_Types].xml") == b"<Types/>"
    assert tree.xpath("//w:ins/@w:id | //w:del/@w:id", namespaces={"w": W})
    assert tree.xpath("//w:del//w:rPr/w:b", namespaces={"w": W}), "what goes keeps its looks"


def test_any_stretch_of_text_and_notes_can_be_changed_and_the_change_taken_back() -> None:
    read = read_word(document())
    assert "“may either take four\ttricks”[^footnote2]." in read.text
    assert read.text.endswith("\n\n[^footnote2]: English club code, 1864, law 72 (i).")
    end = verification.Change(len(read.text) - 3, len(read.text) - 1, words="END")
    for start, length in product(range(20, 60, 3), (0, 1, 9, 60)):
        change = verification.Change(start, start + length, **{"words" if length else "remark": "NEW"})
        made = with_changes(read, [change, end], "2026-01-01T00:00:00Z")
        assert words_of(made, accepted=False) == words_of(document(), accepted=False), change
        assert "NEW" in words_of(made, accepted=True) and "END" in words_of(made, accepted=True), change


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (b"\xff\xfe\x00", "UTF-8"),
        (b"PK\x03\x04nothing", "Word document"),
        (document(body="<w:p>"), "Word document"),
    ],
)
def test_a_file_that_is_neither_text_nor_word_document_is_told(
    database: Path, tmp_path: Path, file: bytes, message: str
) -> None:
    (tmp_path / "thesis").write_bytes(file)
    result = cited(database, "--verify", str(tmp_path / "thesis"))
    assert isinstance(result.exception, QueryError) and message in str(result.exception)


# The pages.


@pytest.mark.parametrize(
    ("typed", "status", "told"),
    [
        ("The Laws of Whist (1864), law 72 (ii)", 302, "/english-1864/law-72/ii"),
        ("https://whist.example/English-1864/Law-72/", 302, "/english-1864/law-72"),
        ("law 28", 200, "american-1894/law-28"),
        ("1864 law 72 (ix)", 200, "paragraph ix"),
        ("x" * 300, 404, "names no provision here"),
        ("english-1864/law-172", 404, "english-1864/law-72"),
    ],
)
@pytest.mark.parametrize("form", ["", ".json"])
async def test_a_citation_leads_to_its_provision_or_what_it_may_mean_is_told(
    ds: Datasette, typed: str, status: int, told: str, form: str
) -> None:
    response = await ds.client.get(f"/cite{form}?{urlencode({'q': typed})}")
    assert response.status_code == status
    location = response.headers.get("location")
    assert location == told + form if location else told in response.text.replace(typed, "")


async def test_the_page_answers_for_each_citation_and_gives_back_what_was_typed(ds: Datasette) -> None:
    typed = f"{LINE}\n“take four tricks” {LAW}, english-1864/law-172 <b>"
    query = urlencode({"text": typed.replace("\n", "\r\n")})
    page = await get(ds, f"/cite/verify?{query}")
    places = {
        "//ol[@class='verdicts']/li/*[1]": [f"Holds {LAW}", f"Reads otherwise {LAW}", "Not found english-1864/law-172"],
        "//ol[@class='verdicts']/li[contains(., 'read “take three tricks”.')]/*[1]": [f"Reads otherwise {LAW}"],
        "//ol[@class='verdicts']/li[3]//a/@href[. = '/english-1864/law-72']": ["/english-1864/law-72"],
    }
    assert shown(page, places) == places
    assert page.xpath("string(//form[@action='/cite/verify'][.//button]//textarea)") == typed


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (f"{LINE} “take four tricks” {LAW}, english-1864/law-172", {
            "citations.*.status": ["unchanged", "differs", "not found"],
            "citations.0.words": WORDS,
            "citations.0.letters": letters(WORDS),
            "marked": f"{LINE} “{{~~take four tricks~>take three tricks~~}}” {LAW}, english-1864/law-172{{>>there is "
            f"no such provision; nearest: english-1864/law-72, english-1864/law-71, {LAW}<<}}",
        }),
        # What was left out is told.
        (f"{LAW} " * 101, {
            "citations.*.id": [LAW] * 100, "notes": ["Only the first 100 citations were looked at."],
        }),
        ("a" * 4001, {
            "notes": [
                "Only the first 4000 characters were read; `whist cite --verify` reads whole books.",
                f"No citation was found; one names its work and a number, or has an id such as {LAW}.",
            ],
        }),
    ],
    ids=["verdicts", "many", "long"],
)  # fmt: skip
async def test_the_data_tell_of_each_citation_and_what_was_left_out(
    ds: Datasette, text: str, places: dict[str, object]
) -> None:
    assert told(await data(ds, f"/cite/verify.json?{urlencode({'text': text})}"), places) == places


async def test_crawlers_are_kept_from_what_readers_check(ds: Datasette) -> None:
    assert "Disallow: /cite" in (await ds.client.get("/robots.txt")).text


async def test_a_page_shows_every_style_as_text_that_can_be_selected(ds: Datasette, conn: sqlite3.Connection) -> None:
    made = cite.citations_for(conn, queries.unit(conn, LAW), f"http://localhost/{LAW}")
    places = {
        "//*[contains(@class, 'copy')]/@data-name": [
            "citation", "permalink", "Chicago citation", "MLA citation", "OSCOLA citation", "Bluebook citation",
            "short citation", "BibTeX record", "RIS record", "CSL-JSON record", "Markdown link",
        ],
        "//*[contains(@class, 'copy')][contains(@data-name, ' citation')]": [
            made.chicago, made.mla, made.oscola, made.bluebook, made.short,
        ],
        "//meta[@name='citation_title']/@content": ["The Laws of Whist (1864), law 72 (i)"],
    }  # fmt: skip
    assert shown(await get(ds, f"/{LAW}"), places) == places
