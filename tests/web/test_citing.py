"""Citing: quotations with their hash, verifying the citations of a text, and the page that finds a citation."""

import sqlite3
import unicodedata
from dataclasses import asdict
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import urlencode

import pytest
from click.testing import Result
from datasette.app import Datasette
from hypothesis import given
from hypothesis import strategies as st
from reading_pages import get, shown
from terminal import whist

from extract.errors import QueryError
from kb.citing import extraction, quotation, verification
from kb.citing.finding import in_words
from kb.editorial.provisions import letters
from kb.cite import formats
from kb.read import queries

BASE = "https://whist.example"
LAW = "english-1864/law-72/i"
WORDS = "take three tricks"
SIGN = "\ufdfa"  # 15 letters in its compatibility form


CITATION = (
    "The London clubs, The Laws of Whist (1864), law 72 (i), reprinted in A. W. Drayson, Whist Laws (New York: Harper "
    "& Brothers, 1896), p. 18"
)


def line(words: str) -> str:
    """The citation with a quotation and its hash."""
    return f"{CITATION}: “{words}” <{BASE}/{LAW}> [sha256/16: {letters(words)}]"


LINE = line(WORDS)


def run_cite(database: Path, *words: str, text: str = "") -> Result:
    return whist("cite", *words, "--db", database, "--base", BASE, said=text)


def verify(conn: sqlite3.Connection, text: str) -> list[verification.CitationVerdict]:
    return verification.verify(conn, text, BASE, 100)[0]


# Quoted words.


@pytest.mark.parametrize(
    ("typed", "output"),
    [
        # The quotation is as the edition has it, followed by the hash of its letters.
        (WORDS, line(WORDS)),
        ("TAKE  three\ntricks.", line(WORDS)),
        ("hand, may either take-three tricks", line("hand, may either take three tricks")),
        # Only an unbroken sequence of whole words can be quoted.
        *((typed, "does not have the words") for typed in ("ake three tricks", "take three trick", "", " … ")),
        ("take four tricks", "it reads “take three tricks”"),
        ("the quick brown fox", "quote an unbroken stretch"),
    ],
)
def test_quotation_has_the_words_of_the_edition_or_is_refused(database: Path, typed: str, output: str) -> None:
    result = run_cite(database, LAW, "--quote", typed)
    assert result.stdout == f"{output}\n" or (
        isinstance(result.exception, QueryError) and output in str(result.exception)
    )


@given(st.text(max_size=40), st.text(max_size=20))
def test_found_words_have_the_letters_of_the_quotation(text: str, words: str) -> None:
    assert all(letters(text[start:end]) == letters(words) for start, end in quotation.places(text, words))
    assert all(
        passage in "".join(text.split()) for passage in "".join(quotation.nearest(text, words).split()).split("…")
    )


@pytest.mark.parametrize(
    ("words", "passage"),
    [
        # The first or the last word differs from the text.
        ("the cards have been cut for the next deal", "the cards have been cut for the following deal"),
        ("the cards have been cut for the next", "the cards have been cut for the following"),
        ("every revoke can be claimed", "A revoke cannot be claimed"),
        # A word too many or too few.
        ("the error is rectified indeed", "the error is rectified"),
        ("so a revoke cannot be claimed after cards have been", "A revoke cannot be claimed after the cards have been"),
        # Words left out.
        ("a revoke … for the next deal", "A revoke … for the following deal"),
        ("the quick brown fox", ""),
    ],
)
def test_differing_words_get_the_whole_passage_of_the_text(words: str, passage: str) -> None:
    law = (
        "78. A revoke cannot be claimed after the cards have been cut for the following deal; then the error is "
        "rectified, but not before."
    )
    assert quotation.nearest(law, words) == passage


# Verifying citations.


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"As the clubs had it ({LINE}), a player might choose.", ("unchanged", WORDS, False, LINE)),
        (LINE.replace(f"“{WORDS}”", '"Take three,\n  tricks"'), ("unchanged", WORDS, False, LINE)),
        (line("talce three triclcs"), ("corrected", WORDS, False, LINE)),
        (LINE.replace("take three", "take five"), ("differs", WORDS, True, LINE)),
        (LINE.replace(WORDS, "the quick brown fox"), ("not there", "", True, f"{CITATION} <{BASE}/{LAW}>")),
        (LINE.replace(WORDS, "three points"), ("unchanged", "three points", True, line("three points"))),
        (f"“the quick brown fox” <{BASE}/{LAW}>", ("not there", "", False, f"{CITATION} <{BASE}/{LAW}>")),
        (f"{LAW} [sha256/16: {letters(WORDS)}]", ("unchanged", "", True, f"{CITATION} <{BASE}/{LAW}>")),
    ],
)
def test_verdict_on_quoted_words(conn: sqlite3.Connection, text: str, verdict: tuple[str, str, bool, str]) -> None:
    (result,) = verify(conn, text)
    assert (result.status, result.now, result.altered, result.citation) == verdict


@pytest.mark.parametrize(
    "text",
    [
        "'take four tricks' ({})",
        "> take four tricks\n\n({})",
        "> take four\n> tricks\n\n({})",
        "Penalty: {}: “take four tricks”.",
        "{}: 'take four tricks'.",
        "{} says:\n\n> take four\n> tricks\n\nSo it is.",
        "So they “take four tricks”.[^1]\n\n[^1]: See {}.",
        "> take four\n> tricks\n>\n> — {}",
        "> take four tricks ({}).",
        'He shrugged. Today {} says that "take four tricks".',
    ],
)
def test_altered_quotation_is_noticed_however_it_is_printed(conn: sqlite3.Connection, text: str) -> None:
    (result,) = verify(conn, text.format("English laws, 1864, law 72"))
    assert (result.status, result.claim.words, result.now) == ("differs", "take four tricks", WORDS)


@pytest.mark.parametrize(
    ("text", "said", "right"),
    [
        (f"“{WORDS}” (English laws, 1864, law 72, p. 18)", "unchanged", ""),
        *((f"“{WORDS}” (English laws, 1864, law 72, p. {page})", "wrong page", "it is on p. 18, not on p. ")
          for page in (17, 19, 91)),
        ("“the rest to the revoke” (English laws, 1864, law 72, p. 18)", "wrong page", "it is on p. 19, not on p. 18"),
        *((f"“the rest” (English laws, 1864, law 72, {pages})", "unchanged", "")
          for pages in ("p. 19", "pp. 18–9", "p. 18, 19", "p. 18f.")),
        # A page without `p.`, as Chicago, OSCOLA, the Bluebook and author-date styles write it.
        *((f"“{WORDS}” ({cited})", "wrong page", "it is on p. 18, not on p. 20")
          for cited in (
              "“The Laws of Whist (1864), Law 72,” in Whist Laws, by A. W. Drayson (1864; Harper & Brothers, 1896), 20",
              "‘The Laws of Whist (1864), Law 72’ in AW Drayson, Whist Laws (Harper & Brothers 1896) 20",
              "The Laws of Whist (1864), Law 72, reprinted in A. W. Drayson, Whist Laws 20 (1896)",
              "Drayson 1896, 20", "Drayson 1896: 20", "A. W. Drayson, Whist Laws 20 (1896)")),
        (f"“{WORDS}” (Drayson 1896, 18)", "unchanged", ""),
        ("law 71 (1864)", "unchanged", ""),
        # What has no number is cited by its heading, which is no quotation.
        *((f"“when able to do so” ({cited})", "unchanged", "")
          for cited in ("B. M. Arnaud, “Definition of ‘Revoke,’” in An Epitome of Whist (1829)",
                        "Epitome of Whist 1829, definition of “Revoke”")),
        ("“9 to 8” (W. Pole, “‘Odds Table 1’, Row 1,” in Evolution of Whist (1895))", "unchanged", ""),
        # Without a quotation, any page of the provision will do.
        ("English laws, 1864, law 72, p. 19", "unchanged", ""),
        ("English laws, 1864, law 72, p. 20", "wrong page", "it is on p. 18–19, not on p. 20"),
        # The omission may change the sense.
        ("“party revoking can … score that game” (Arnaud, law 21)", "unchanged", "the words left out include “not”"),
        # The number of a page may be inferred.
        ("“three points” (Arnaud 1829, law 21, p. 20)", "page doubtful", "it seems to be on p. [18], not on p. 20: "),
        # The year is that of another work.
        ("English club code (1862), law 72, p. 18", "other year", "the work here is of 1864, in a book of 1896, not "),
        ("English club code 1862, law 71, p. 20", "wrong page", "is on p. 18, not on p. 20; the work here is of 1864"),
        ("Drayson, Whist Laws (1894), case 93", "other year", "the work here is of 1896, not of 1894"),
        ("Drayson (1894, p. 18): “take four tricks”", "not checked", "the work here is of 1896, not of 1894"),
        ("“take four tricks” (English club code of 1862, law 72)", "not checked", "of 1864, in a book of 1896, not of"),
        ("English club code, 1864, law 72, reprinted in Drayson, 1896", "unchanged", ""),
        ("In 1862 law 72 of the English club code of 1864", "unchanged", ""),
    ],
)  # fmt: skip
def test_other_page_or_year_is_noticed(conn: sqlite3.Connection, text: str, said: str, right: str) -> None:
    (result,) = verify(conn, text)
    remarks = "; ".join(map(str, result.remarks))
    assert (result.result, right in remarks) == (said, True)


@pytest.mark.parametrize(
    ("text", "unit", "clues"),
    [
        # Other units that have the words are named, first those with the same characters.
        ("“renounce in error may be corrected” (1864 law 72)", "american-1893/law-28", "also in american-1894/law-28"),
        ("“cannot be corrected; but it stands” (1864 law 72)", "american-1893/law-28", ""),
        ("“a renounce in error may be corrected” (1864 law 999)", "",
         "these words stand in american-1893/law-28, american-1894/law-28"),
        # If none has them, the work may have similar ones.
        ("“holding two or more cards of the suit led” (1864 law 77)", "english-1864/law-77",
         "similar words are in english-1864/law-71: “holding one or more cards of the suit led”"),
        ("“a new deal” (1864 law 999)", "", ""),
    ],
)  # fmt: skip
def test_other_places_of_the_words_are_named(conn: sqlite3.Connection, text: str, unit: str, clues: str) -> None:
    (result,) = verify(conn, text)
    assert (result.unit, clues in map(str, result.remarks), bool(result.leads)) == (unit, bool(clues), bool(clues))


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("“a “b” c” (https://w.example/whist/a-1850/law-1)", ("a-1850/law-1", "a “b” c")),
        ("‘the player’s hand’, a-1850/law-1", ("a-1850/law-1", "the player’s hand")),
        *((f"{quoted}, a-1850/law-1", ("a-1850/law-1", "x")) for quoted in ("«x»", "»x«", "„x“", "‚x‘")),
        ('"x" and "y": a-1850/law-1', ("a-1850/law-1", "y")),
        ("he said “x” of a-1850/law-1", ("a-1850/law-1", "")),
        ("‘the players’ hands’ (a-1850/law-1)", ("a-1850/law-1", "the players’ hands")),
        ("“he says ‘x’ (a-1850/law-1)”", ("a-1850/law-1", "x")),
        ('a-1850/law-1 says that "x"', ("a-1850/law-1", "x")),
        ("x” a-1850/law-1", ("a-1850/law-1", "")),
        ("“x” b-1850/law-2 a-1850/law-1", ("a-1850/law-1", "")),
        # A hash identifies its words among several quotations.
        (f"“no” or “{WORDS}” says “the” law at {BASE}/{LAW}, and so on [SHA256/16: {letters(WORDS)}]",
         (LAW, WORDS, letters(WORDS))),
        # No quotation has more than 5000 characters.
        (f"“{'a' * 4900}” or so, {LAW} [sha256/16: {letters('a' * 4900)}]", (LAW, "a" * 4900, letters("a" * 4900))),
        (f"“{'a' * 5001}” or so, {LAW} [sha256/16: {letters('a' * 5001)}]", (LAW, "", letters("a" * 5001))),
    ],
)  # fmt: skip
def test_citation_is_paired_with_its_quotation(text: str, claim: tuple[str, ...]) -> None:
    found = list(extraction.claims(text))[-1]
    assert (found.id, found.words, found.letters) == (*claim, "", "")[:3]


def test_claims_normalises_each_character_at_most_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    normalize = Mock(wraps=unicodedata.normalize)
    monkeypatch.setattr(unicodedata, "normalize", normalize)
    text = ("“" * 60 + SIGN * 200 + "”" * 60 + f"{LAW} [sha256/16: {'0' * 16}] ") * 8
    assert len(list(extraction.claims(text))) == 8
    assert sum(len(call.args[1]) for call in normalize.call_args_list) <= 2 * len(text)


@given(st.text(max_size=300) | st.text(alphabet="Ll aw7216(i)v,.;“”\n[^]:English code1864and", max_size=120))
def test_any_text_can_be_searched_for_citations(database: Path, text: str) -> None:
    assert all(claim.id in text.lower() for claim in extraction.claims(text))
    found = in_words(sqlite3.connect(f"file:{database}?mode=ro", uri=True), text)
    assert all(0 <= citation.at[0] < citation.at[1] <= len(text) for citation in found)


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
        ("English club code, 1864, law 72 (ii): “take four tricks from the revoking player”",
         [("elsewhere", LAW, "take four tricks from the revoking player")]),
        ("Drayson, case 93: “The revoke stands”",
         [("unchanged", "drayson-1896/case-93/decision", "The revoke stands")]),
        ("“take four tricks” (English club code, 1864, law 72 (i))", [("differs", LAW, "take four tricks")]),
        ("“the quick brown fox” (English club code, 1864, law 72 (i))", [("not there", LAW, "the quick brown fox")]),
        ("He may “take three tricks”.[^a]\n\n[^a]: English club code, 1864, law 72.",
         [("unchanged", "english-1864/law-72", WORDS)]),
        (f"English club code, 1864, law 72 (i): “{WORDS}” <{BASE}/{LAW}>", [("unchanged", LAW, WORDS)]),
        # The title of the citation is no quotation, even if a permalink follows it.
        ("He may “take three tricks”.[^a]\n\n"
         f"[^a]: “The Laws of Whist (1864), Law 72 (I),” in Whist Laws, by A. W. Drayson, 1896, {BASE}/{LAW}.",
         [("unchanged", LAW, WORDS)]),
        # A footnote belongs to the sentence of its mark.
        ("They “take four tricks” when asked.[^a]\n\n[^a]: English club code, 1864, law 72.",
         [("differs", "english-1864/law-72", "take four tricks")]),
        ("as Drayson has it (Whist Laws, 1896, case 93, p. 19), and", [("unchanged", "drayson-1896/case-93", "")]),
        ("law 72 of the English club code of 1864 says so", [("unchanged", "english-1864/law-72", "")]),
        # The name of the next kind of provision does not belong to the one before.
        ("English club code, 1864, law 71, p. 18 and laws 72, 77",
         [("unchanged", f"english-1864/law-{n}", "") for n in (71, 72, 77)]),
        ("law 71, Drayson, p. 18, and case 93",
         [("unchanged", "english-1864/law-71", ""), ("unchanged", "drayson-1896/case-93", "")]),
        ("English club code, 1864, laws 71, 72 (i) and 72",
         [("unchanged", unit, "") for unit in ("english-1864/law-71", LAW, "english-1864/law-72")]),
        ("English club code, 1864, law 71; ibid., law 72",
         [("unchanged", unit, "") for unit in ("english-1864/law-71", "english-1864/law-72")]),
        # `Ibid.` is the same provision or the same page, or another in the same work.
        ("By 1864 law 72. They “take three tricks” (ibid.), or “deduct four points from his score” (Ibid., p. 18).",
         [("unchanged", "english-1864/law-72", ""), ("unchanged", "english-1864/law-72", WORDS),
          ("differs", "english-1864/law-72", "deduct four points from his score")]),
        ("“Take three tricks” (Drayson 1896, 18), “or deduct three” (ibid.), “the rest to the revoke” (ibid., 20).",
         [("unchanged", LAW, "Take three tricks"), ("unchanged", LAW, "or deduct three"),
          ("wrong page", "english-1864/law-72/iv", "the rest to the revoke")]),
        ("“Take three tricks” (1864 law 72). “Or deduct three” (ibid., 72).",
         [("unchanged", "english-1864/law-72", "Take three tricks"), ("not checked", "", "Or deduct three")]),
        ("1864 law 72; Hoyle 1829, p. 3: “a word”; “another” (ibid.).", [("unchanged", "english-1864/law-72", "")]),
        ("English club code, 1864, law 172", [("not found", "", "")]),
        # A sentence's only quotation belongs to its only citation, wherever it is; a letter is not a paragraph number.
        ("By 1864 law 72 the others ‘take four tricks’. No “fox” here.",
         [("differs", "english-1864/law-72", "take four tricks")]),
        ("In 1864 law 72 they “take three tricks”. In 1864 law 71 it is “not so”.",
         [("unchanged", "english-1864/law-72", WORDS), ("not there", "english-1864/law-71", "not so")]),
        ("1864 law 72 (a)", [("not found", "", "")]),
        # A citation ends with its bracket and its sentence, and before a quotation.
        ('"Take three tricks" (English club code, law 72).\nEnglish club: "so" (English club code, law 71).',
         [("unchanged", "english-1864/law-72", "Take three tricks"), ("not there", "english-1864/law-71", "so")]),
        ('English club code, law 77: "a new deal"', [("differs", "english-1864/law-77", "a new deal")]),
        ("London clubs. “The Laws of Whist (1864), Law 72.” 1864. Whist Laws, by A. W. Drayson, 1896, p. 18",
         [("unchanged", "english-1864/law-72", "")]),
        # Without a number, the words quoted are searched for in the book.
        ("Drayson, Whist Laws, p. 18: “take three tricks”", [("unchanged", LAW, WORDS)]),
        ("Drayson (1896, p. 19): “take three tricks”", [("wrong page", LAW, WORDS)]),
        ("Drayson (1896, p. 18): “take or leave four tricks”", [("not there", "", "take or leave four tricks")]),
        ("Drayson, Whist Laws, p. 18; Hoyle, Games, p. 18", [("not checked", "", "")]),
        # If only the sentence names the author, the words decide.
        ("Drayson has “take three tricks” (law 72)", [("unchanged", "english-1864/law-72", WORDS)]),
        ("Drayson has “take three tricks” (p. 18)", [("unchanged", LAW, WORDS)]),
        ("Drayson has “take four tricks” (law 72)", [("not checked", "", "take four tricks")]),
        ("Of Drayson\n\n[^1]: Hoyle, Games (1829), “takes three tricks”, law 72", []),
        ("Drayson likes law 72 (p. 18). So it is “take three tricks” (law 72)", []),
        # Citations of another author, of another book or of no work are ignored.
        ("Cavendish, Laws of Whist (1864), law 72", []),
        ("Clay, Laws of Whist, 1864, law 72.", []),
        ("Hoyle, Games (1829), law 21; law 72 of the Portland rules", []),
        ("Article 5 of the Constitution, and section 72, and law 72", []),
    ],
)  # fmt: skip
def test_citations_of_a_text_are_found_and_verified_in_order(
    conn: sqlite3.Connection, text: str, verdicts: list[tuple[str, str, str]]
) -> None:
    assert [(v.result, v.unit, v.claim.words) for v in verify(conn, text)] == verdicts


@pytest.mark.parametrize(
    ("text", "unchecked"),
    [
        ("1864 law 72 tells what “the players” may “take”.", True),
        ("Here 1864 laws 71 and 72 name “the players”.", True),
        (f"“All this is not to be found there”, but “{WORDS}” (1864 law 72).", True),
        # Its sentence has no quotation, or only that of another citation or of its title.
        ("“Take?” Yes, 1864 law 72.\n\n“Take” it.", False),
        (f"“{WORDS}” ({LAW}), as 1864 law 72 does.", False),
        ("The London clubs, “The Laws of Whist (1864), law 72,” in Whist Laws, by A. W. Drayson", False),
    ],
)
def test_unchecked_quotation_is_reported(database: Path, conn: sqlite3.Connection, text: str, unchecked: bool) -> None:
    assert any(verdict.claim.unread for verdict in verify(conn, text)) == unchecked
    result = run_cite(database, "--verify", "-", text=text)
    assert ("was not checked" in result.stdout, result.exit_code) == (unchecked, int(unchecked))


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("By 1864 law 72 a revoke", "1864 law 72"),
        ("See 1864 law 72. A revoke", "1864 law 72"),
        ("In 1864 law 72 I find", "1864 law 72"),
        ("A. W. Drayson, case 93", "A. W. Drayson, case 93"),
        ("1864, law 72 II", "1864, law 72 II"),
        # Nor is the name of the next work, or a quotation.
        ("1864, law 72 (i)). By the English club", "1864, law 72 (i)"),
        ("(Arnaud 1829, law 32). Arnaud has it.", "Arnaud 1829, law 32"),
        ("(Arnaud 1829, law 32), Arnaud has it.", "Arnaud 1829, law 32"),
        ('English club code, law 999: "a new deal"', "English club code, law 999"),
        ("law 72, in “Whist Laws” (1896), p. 18", "law 72, in “Whist Laws” (1896), p. 18"),
        ("(law 72) of the English club code", "law 72) of the English club code"),
    ],
)
def test_what_follows_a_citation_is_not_part_of_it(conn: sqlite3.Connection, text: str, cited: str) -> None:
    assert [v.claim.cited for v in verify(conn, text)] == [cited]


# The command.


def test_cite_command_formats_and_verifies(database: Path, conn: sqlite3.Connection) -> None:
    citations = asdict(formats.citations_for(conn, queries.unit(conn, LAW), f"{BASE}/{LAW}"))
    styles = ("plain", "chicago", "mla", "oscola", "bluebook", "short", "bibtex", "ris", "csl")
    wrong = "“Take four tricks” (English club code, 1864, law 72 (i)); English club code, 1864, law 172.\n"
    for text, arguments, code, *parts in (
        *(("", (LAW, "--style", style), 0, citations[style].split("\r")[0]) for style in styles),
        (LINE, ("--verify", "-"), 0, f"unchanged: {LAW} “take three tricks”\n"),
        (LAW, ("--verify", "-"), 0, f"unchanged: {LAW} (no quotation)\n"),
        (LINE.replace("three", "four"), ("--verify", "-"), 1, "it reads “take three tricks”", "was altered"),
        (f"{LAW} english-1864/law-172", ("--verify", "-", "--json"), 1, '"status": "not found"', f'"id": "{LAW}"'),
        (wrong, ("--verify", "-"), 1, "  it reads “take three tricks”", "law 172\n  there is no such provision"),
    ):
        result = run_cite(database, *arguments, text=text)
        assert result.exit_code == code and all(part in result.stdout for part in parts), arguments


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ((), 2, "Name one provision"),
        ((LAW, "--verify", "-"), 2, "Name one provision"),
        ((LAW, "--style", "mla", "--quote", "x"), 2, "--quote needs a provision"),
        (("--verify", "-"), 0, "No citations found"),
    ],
)
def test_cite_command_explains_unusable_input(database: Path, args: tuple[str, ...], code: int, message: str) -> None:
    result = run_cite(database, *args, text="no citation")
    assert result.exit_code == code and message in result.stderr


def test_file_that_is_not_text_is_refused(database: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").write_bytes(b"\xff\xfe\x00")
    result = run_cite(database, "--verify", str(tmp_path / "thesis"))
    assert isinstance(result.exception, QueryError) and "UTF-8" in str(result.exception)


# The pages.


@pytest.mark.parametrize(
    ("typed", "status", "expected"),
    [
        ("The Laws of Whist (1864), law 72 (ii)", 302, "/english-1864/law-72/ii"),
        ("https://whist.example/English-1864/Law-72/", 302, "/english-1864/law-72"),
        ("law 28", 200, "american-1894/law-28"),
        ("1864 law 72 (ix)", 200, "paragraph ix"),
        ("x" * 300, 404, "names no provision here"),
        ("english-1864/law-172", 404, "english-1864/law-72"),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".json"])
async def test_cite_page_redirects_to_the_provision_or_shows_what_was_meant(
    shared: Datasette, typed: str, status: int, expected: str, suffix: str
) -> None:
    response = await shared.client.get(f"/cite{suffix}?{urlencode({'q': typed})}")
    assert response.status_code == status
    location = response.headers.get("location")
    assert location == expected + suffix if location else expected in response.text.replace(typed, "")


@pytest.mark.parametrize("path", ["/cite", "/search"])
async def test_page_links_the_first_and_last_law_if_a_number_does_not_exist(shared: Datasette, path: str) -> None:
    page = (await shared.client.get(f"{path}?q=1864+law+999")).text
    found = [page.find(text) for text in ("There is no law 999 there.", "/english-1864/law-71", "/english-1864/law-77")]
    assert 0 < found[0] < found[1] < found[2] and "have some of them" not in page


async def test_page_shows_every_citation_style_as_text(shared: Datasette, conn: sqlite3.Connection) -> None:
    citations = formats.citations_for(conn, queries.unit(conn, LAW), f"http://localhost/{LAW}")
    places = {
        "//*[contains(@class, 'copy')]/@data-name": [
            "citation", "permalink", "Chicago citation", "MLA citation", "OSCOLA citation", "Bluebook citation",
            "short citation", "BibTeX record", "RIS record", "CSL-JSON record", "Markdown link",
        ],
        "//*[contains(@class, 'copy')][contains(@data-name, ' citation')]": [
            citations.chicago, citations.mla, citations.oscola, citations.bluebook, citations.short,
        ],
        "//meta[@name='citation_title']/@content": ["The Laws of Whist (1864), law 72 (i)"],
    }  # fmt: skip
    assert shown(await get(shared, f"/{LAW}"), places) == places
