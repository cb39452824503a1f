"""Citations: every style, the records for reference managers, and the way from each of them back to the unit."""

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.corpus.domain import Noun
from kb.citing.finding import in_words
from kb.cite import formats, writing
from kb.read import queries
from kb.read.domain import domain
from kb.read.lookup import tokens
from kb.read.rows import AuthorRow, UnitRow
from kb.read.written import LONGEST, UNITS, resolve

PAGE = "https://whist.example/"
PROVISION = "english-1864/law-72"
STYLES = ("plain", "chicago", "mla", "oscola", "bluebook", "short")


def citations(conn: sqlite3.Connection, unit_id: str) -> formats.Citations:
    return formats.citations_for(conn, queries.unit(conn, unit_id), PAGE + unit_id)


LAW, ARNAUD, LEAGUE = "english-1864/law-72/ii", "arnaud-1829/law-21", "american-1893/law-30"
ITS_BIBTEX = r"""@incollection{english-1864:law-72:ii,
  author = {{The London clubs}},
  title = {The Laws of Whist (1864), law 72 (ii)},
  bookauthor = {Drayson, A. W.},
  year = {1896},
  booktitle = {Whist Laws and Whist Decisions},
  address = {New York},
  publisher = {Harper \& Brothers},
  pages = {18},
  url = {https://whist.example/english-1864/law-72/ii},
  note = {first published 1864}
}
"""
ITS_RIS = """TY  - CHAP
AU  - The London clubs
C2  - Drayson, A. W.
TI  - The Laws of Whist (1864), law 72 (ii)
ST  - English club code 1864, law 72 (ii)
T2  - Whist Laws and Whist Decisions
PY  - 1896
CY  - New York
PB  - Harper & Brothers
SP  - 18
N1  - first published 1864
UR  - https://whist.example/english-1864/law-72/ii
ID  - english-1864/law-72/ii
ER  -
"""
ITS_CSL = {
    "id": LAW, "type": "chapter", "title": "The Laws of Whist (1864), law 72 (ii)",
    "title-short": "English club code 1864, law 72 (ii)", "container-title": "Whist Laws and Whist Decisions",
    "container-title-short": "Whist Laws", "author": [{"literal": "The London clubs"}],
    "publisher": "Harper & Brothers", "publisher-place": "New York", "issued": {"date-parts": [[1896]]},
    "note": "law 72 (ii)", "URL": PAGE + LAW, "container-author": [{"family": "Drayson", "given": "A. W."}],
    "page": "18", "original-date": {"date-parts": [[1864]]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("unit_id", "style", "line"),
    [
        (LAW, "plain", "The London clubs, The Laws of Whist (1864), law 72 (ii), reprinted in A. W. Drayson, Whist "
         "Laws (New York: Harper & Brothers, 1896), p. 18"),
        (ARNAUD, "plain", "Laws of Whist (1829), law 21, in E. M. Arnaud, Epitome (Edinburgh: Oliver & "
         "Boyd, 1829), p. [18]"),
        ("drayson-1896/case-93/decision", "plain", "A. W. Drayson, Whist Laws (New York: Harper & Brothers, 1896), "
         "case 93, decision, p. 18"),
        ("arnaud-1829/def-revoke", "plain", "Laws of Whist (1829), definition of “Revoke”, in E. M. Arnaud, Epitome "
         "(Edinburgh: Oliver & Boyd, 1829), p. [18]"),
        (LAW, "short", "English club code 1864, law 72 (ii)"),
        (LEAGUE, "short", "American code of 1893, law 30"),
        (LAW, "chicago", "The London clubs, “The Laws of Whist (1864), Law 72 (ii),” in Whist Laws and Whist "
         f"Decisions, by A. W. Drayson (1864; Harper & Brothers, 1896), 18, {PAGE}{LAW}."),
        (LAW, "mla", "The London clubs. “The Laws of Whist (1864), Law 72 (ii).” 1864. Whist Laws and Whist Decisions, "
         f"by A. W. Drayson, Harper & Brothers, 1896, p. 18, {PAGE}{LAW}."),
        (LAW, "oscola", "The London clubs, ‘The Laws of Whist (1864), Law 72 (ii)’ in AW Drayson, Whist Laws and Whist "
         f"Decisions (Harper & Brothers 1896) 18 <{PAGE}{LAW}>."),
        (LAW, "bluebook", "The London clubs, The Laws of Whist (1864), Law 72 (ii), reprinted in A. W. Drayson, Whist "
         f"Laws and Whist Decisions 18 (1896), {PAGE}{LAW}."),
        (LAW, "csl", json.dumps([ITS_CSL], indent=2)),
        (LAW, "bibtex", ITS_BIBTEX),
        (LAW, "ris", ITS_RIS.replace("ER  -", "ER  - ").replace("\n", "\r\n")),
        (LAW, "markdown", "[The London clubs, The Laws of Whist (1864), law 72 (ii), reprinted in A. W. Drayson, Whist "
         f"Laws (New York: Harper & Brothers, 1896), p. 18]({PAGE}{LAW})"),
        # The code and its book have the same author.
        (ARNAUD, "chicago", "E. M. Arnaud, “Laws of Whist (1829), Law 21,” in An Epitome of the Game of "
         f"Whist (Oliver & Boyd, 1829), [18], {PAGE}{ARNAUD}."),
        (ARNAUD, "oscola", "EM Arnaud, ‘Laws of Whist (1829), Law 21’ in EM Arnaud, An Epitome of the Game "
         f"of Whist (Oliver & Boyd 1829) [18] <{PAGE}{ARNAUD}>."),
        (ARNAUD, "bluebook", "E. M. Arnaud, Laws of Whist (1829), Law 21, in An Epitome of the Game of "
         f"Whist [18] (1829), {PAGE}{ARNAUD}."),
        # A given name in full is not shortened to an initial.
        (LEAGUE, "chicago", "American Whist League, “The Laws of Whist (1893), Law 30,” in The Theory of "
         "the Modern Scientific Game of Whist, by William Pole (1893; G. W. Carleton, 1895), 18, "
         f"{PAGE}{LEAGUE}."),
        (LEAGUE, "oscola", "American Whist League, ‘The Laws of Whist (1893), Law 30’ in William Pole, "
         "The Theory of the Modern Scientific Game of Whist (G W Carleton 1895) 18 "
         f"<{PAGE}{LEAGUE}>."),
    ],
)  # fmt: skip
def test_citation_in_each_style(conn: sqlite3.Connection, unit_id: str, style: str, line: str) -> None:
    assert getattr(citations(conn, unit_id), style) == line


def item(**changes: Any) -> dict[str, Any]:
    return {
        "id": "b-1850/law-1", "type": "chapter", "title": "law 1", "title-short": "Laws 1850, law 1",
        "author": [{"family": "Pole", "given": "William"}], "container-title": "Laws", "container-title-short": "Laws",
        "publisher": "Nobody", "publisher-place": "London", "issued": {"date-parts": [[1850]]}, "note": "law 1",
        "URL": "https://whist.example/b-1850/law-1#a_b%20c", **changes,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("manual", "quoted"),
    [
        ("chicago", "“Definition of ‘Deal,’” in"),
        ("mla", "“Definition of ‘Deal.’” Laws"),
        ("oscola", "‘Definition of “Deal”’ in"),
        ("bluebook", "Definition of “Deal,” in"),
    ],
)
def test_quotation_within_a_title_has_the_other_quotation_marks(manual: str, quoted: str) -> None:
    assert quoted in bibliography.by_manual(item(title="definition of “Deal”"))[manual]


def test_family_names_of_several_words_and_names_of_bodies(conn: sqlite3.Connection) -> None:
    """A family name of several words stays whole; a body is named without its article."""
    cited = writing.cited(conn, queries.unit(conn, LAW))
    made = formats.citations(replace(cited, authors=(AuthorRow("de la Rue", "Warren"), AuthorRow("Cavendish", ""))), PAGE)
    assert "in Warren de la Rue and Cavendish, Whist Laws" in made.plain
    assert "bookauthor = {de la Rue, Warren and {Cavendish}}" in made.bibtex
    assert "C2  - de la Rue, Warren\r\nC2  - Cavendish\r\n" in made.ris
    club = replace(cited, code=replace(cited.code, authority="the Portland Club"))
    assert writing.csl(club, PAGE)["author"] == [{"literal": "Portland Club"}]


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1))
def test_any_title_gives_valid_bibtex_and_ris(title: str) -> None:
    entry = bibliography.bibtex(item(title=title))
    (inner,) = re.findall(r"^  title = \{(.*)\},$", entry, re.M)
    plain = re.sub(r"\\(?:textbackslash|textasciitilde|textasciicircum|\^)\{\}|\\[&%$#_{}]", "", inner)
    assert not set(plain) & set("&%$#_{}\\~^")
    assert "url = {https://whist.example/b-1850/law-1#a_b%20c}" in entry, "an address is not escaped"
    record = bibliography.ris(item(title=title)).split("\r\n")
    assert record[-2:] == ["ER  - ", ""] and [line[:2] for line in record].count("TI") == bool(title.strip())


def test_markup_and_punctuation_in_a_title_are_kept() -> None:
    full, _ = bibliography.rendered(item(title="“A & B”, <b>law</b> 1.."))
    assert full == "William Pole, Laws (London: Nobody, 1850), “A & B”, <b>law</b> 1.."
    assert bibliography.markdown("a [sic] b", "https://w") == r"[a \[sic\] b](https://w)"


def unit(conn: sqlite3.Connection, **changes: Any) -> UnitRow:
    """Law 72 of the small library with some fields changed; its role follows from its kind."""
    law = replace(queries.unit(conn, "english-1864/law-72"), **changes)
    return replace(law, role=domain(conn).roles[law.kind])


@pytest.mark.parametrize(
    ("changes", "parent", "title"),
    [
        ({"label": "  Law  72. "}, None, "Law 72."),
        ({"label": " ", "kind": "index_entry"}, None, "Index entry"),
        ({"label": "Note *", "kind": "footnote"}, "Law  72. ", "Law 72, note *"),
        ({"label": "Note *", "kind": "note"}, "Law 72", "Law 72, note *"),
        ({"label": "Note *", "kind": "decision"}, "Law 72", "Note *"),
        ({"label": "Note *", "kind": "footnote"}, None, "Note *"),
    ],
)
def test_title_of_a_unit_within_its_work(
    conn: sqlite3.Connection, changes: dict[str, str], parent: str | None, title: str
) -> None:
    assert writing.title(unit(conn, **changes), unit(conn, label=parent) if parent else None) == title


CASE, DECISION = {"kind": "case", "number": "93"}, {"kind": "decision", "number": "93"}
ROW, TABLE = {"kind": "table_row", "number": "1", "label": "Row 1"}, {"kind": "table", "label": "The Match."}


@pytest.mark.parametrize(
    ("changes", "parents", "expected"),
    [
        ({"number": "c2"}, [], "law C2"),
        ({"kind": "test", "number": "4"}, [], "test 4"),
        ({"kind": "maxim", "number": "12"}, [], "maxim 12"),
        ({"kind": "dummy", "number": "1"}, [], "dummy, rule 1"),
        ({"kind": "maxim", "number": None, "label": " Of.  Play. "}, [], "“Of. Play”"),
        ({"kind": "section", "label": "Of Play"}, [], "“Of Play”"),
        (DECISION, [CASE], "case 93, decision"),
        ({"kind": "footnote", "number": "*"}, [DECISION, CASE], "case 93, decision, footnote *"),
        ({"kind": "footnote", "number": None}, [CASE], "case 93, footnote"),
        ({"kind": "subclause", "number": "ii"}, [{}], "law 72 (ii)"),
        (ROW, [TABLE], "“The Match”, row 1"),
    ],
)
def test_pinpoint_of_a_unit(
    conn: sqlite3.Connection, changes: dict[str, str], parents: list[dict[str, str]], expected: str
) -> None:
    cited = replace(writing.cited(conn, unit(conn)), parents=tuple(unit(conn, **parent) for parent in parents))
    assert writing.pinpoint(replace(cited, unit=unit(conn, **changes))) == expected


def test_commentary_is_cited_by_the_provisions_it_explains(conn: sqlite3.Connection) -> None:
    cited = writing.cited(conn, queries.unit(conn, "drayson-1896/case-93/decision"))
    commentary = replace(cited, unit=replace(cited.unit, kind="commentary"))
    assert writing.csl(commentary, PAGE)["title"] == "commentary on law 72 of The Laws of Whist (1864)"
    commentary_on_three = replace(
        commentary, noun=Noun(singular="article"), explains=tuple(unit(conn, number=n) for n in ("94", "95", "c2"))
    )
    assert writing.pinpoint(commentary_on_three) == "commentary on articles 94, 95 and C2"


@pytest.mark.parametrize(
    ("unit_id", "changes"),
    [
        (LAW, {"page": "103-104", "title": "“calling honours”, row 3"}),
        (LAW, {"title": "“Of the deal”"}),
        ("drayson-1896/case-93/decision", {"page": "xii", "title": "(the lead)"}),
        ("arnaud-1829/def-revoke", {"page": "7", "title": "A"}),
    ],
)  # fmt: skip
def test_rendering_with_placeholders_equals_direct_rendering(
    conn: sqlite3.Connection, unit_id: str, changes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    item = writing.csl(writing.cited(conn, queries.unit(conn, unit_id)), PAGE + unit_id) | changes
    with_placeholders = bibliography.rendered(item), bibliography.by_manual(item)
    monkeypatch.setattr(bibliography, "_STAND_IN", ())
    assert with_placeholders == (bibliography.rendered(item), bibliography.by_manual(item))


# The fields of a Zotero book section into which Zotero imports the tags of RIS and the fields of BibTeX.
RIS_FIELDS = {
    "AU": "author", "C2": "bookAuthor", "TI": "title", "ST": "shortTitle", "T2": "bookTitle", "PY": "date",
    "CY": "place", "PB": "publisher", "SP": "pages", "N1": "first", "UR": "url", "ID": "itemID",
}  # fmt: skip
BIBTEX_FIELDS = {
    "author": "author", "bookauthor": "bookAuthor", "title": "title", "booktitle": "bookTitle", "year": "date",
    "address": "place", "publisher": "publisher", "pages": "pages", "url": "url", "note": "first",
}  # fmt: skip


def test_bibtex_and_ris_records_keep_every_field(shipped: sqlite3.Connection) -> None:
    """Both records have the values of the CSL item, in the fields that Zotero imports them into."""
    for (unit_id,) in shipped.execute("select id from unit where continues is null order by id").fetchall()[::97]:
        cited = citations(shipped, unit_id)
        (item,) = json.loads(cited.csl)
        first_year = item.get("original-date", {"date-parts": [[""]]})["date-parts"][0][0]
        expected = {
            "author": _named(item["author"]), "bookAuthor": _named(item.get("container-author", ())),
            "title": item["title"], "bookTitle": item["container-title"],
            "date": str(item["issued"]["date-parts"][0][0]), "place": item["publisher-place"],
            "publisher": item["publisher"], "pages": item.get("page", ""), "url": item["URL"],
            "first": f"first published {first_year}" if first_year else "",
        }  # fmt: skip
        assert "None" not in cited.plain and "\\u" not in cited.csl, "signs stand as they are"
        record = [line.split("  - ", 1) for line in cited.ris.split("\r\n")[1:-2]]
        assert {f: " and ".join(value for tag, value in record if RIS_FIELDS[tag] == f) for f in expected} == expected
        entry = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", cited.bibtex, re.M))
        imported = {BIBTEX_FIELDS[name]: re.sub(r"[{}]|\\(?=[&%$#_])", "", value) for name, value in entry.items()}
        assert {field: imported.get(field, "") for field in expected} == expected


def _named(names: Sequence[dict[str, str]]) -> str:
    return " and ".join(n.get("literal") or f"{n['family']}, {n['given']}" for n in names)


# From a citation back to its unit.


def unit_ids(shipped: sqlite3.Connection, text: str) -> list[str]:
    return [unit.id for unit in resolve(shipped, text).units]


def test_short_form_of_every_unit_resolves_to_it(shipped: sqlite3.Connection) -> None:
    """Units with the same short form, such as a heading and its line in the contents, are all found."""
    units = queries.units(shipped, UNITS(shipped))
    short_forms = {i: writing.short(writing.cited(shipped, unit)) for i, unit in units.items()}
    by_tokens = defaultdict(set)
    for i, line in short_forms.items():
        by_tokens[tuple(tokens(line))].add(i)
    wrong = {
        i: found
        for i, line in short_forms.items()
        if set(found := unit_ids(shipped, line)) != by_tokens[tuple(tokens(line))]
    }
    assert len(short_forms) > 2500 and not wrong


def test_citation_in_any_style_resolves_alone_and_in_a_footnote(shipped: sqlite3.Connection) -> None:
    """Try a unit of each kind and work, and each 100th; in footnotes without front matter and indexes."""
    units = [*queries.units(shipped, UNITS(shipped)).values()]
    for unit in [*{(unit.work, unit.kind): unit for unit in units}.values(), *units[::100]]:
        for style, citation in asdict(formats.citations_for(shipped, unit, f"{PAGE}{unit.id}")).items():
            assert unit.id in unit_ids(shipped, citation), style
            bare = re.sub(r",? ?\]?[<(]?https?://\S+", "", citation).rstrip(" .,<")
            assert style in ("bibtex", "ris", "csl", "url") or unit.id in unit_ids(shipped, bare), (style, bare)
            if style in STYLES and unit.role not in ("entry", "front", "heading"):
                text = f"The point is old.[^1] It goes on.\n\n[^1]: See {bare}.\n\n[^2]: Hoyle, Games (1829), law 7."
                page = unit.page if style != "short" and (unit.page or "").isdecimal() else ""
                assert [(unit.id in found.meant, found.page) for found in in_words(shipped, text)] == [(True, page)], (
                    bare
                )


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (f"see {PAGE}base/{PROVISION}.", [PROVISION]),
        (f"{PROVISION}/ii", [f"{PROVISION}/ii"]),
        ("“take three tricks from the revoking player” English laws, 1864, law 72 (i)", [f"{PROVISION}/i"]),
        ("English laws, 1864, law 72 (i): “take three tricks” [sha256/16: 61bb77e9ec70a316]", [f"{PROVISION}/i"]),
        # The words quoted may be the heading of the unit, too.
        ("“Revoke” Arnaud, Epitome of the Game of Whist (1829), definition of “Revoke”", ["arnaud-1829/def-revoke"]),
        ("law 72, The Laws of Whist (the English club code, 1864)", [PROVISION]),
        ("DRAYSON, Whist Laws and Whist Decisions (1896), case 93, decision", ["drayson-1896/case-93/decision"]),
        ("art. 94", ["deschapelles-1839/art-94"]),
        # A search is not a citation, even if a heading has its words.
        ("trump card 1864", []),
        ("“exposed cards” 1864", []),
        ("the laws of whist", []),
        ("", []),
        ("law 72 " * LONGEST, []),
    ],
)
def test_pasted_citation_resolves_to_its_units(shipped: sqlite3.Connection, typed: str, expected: list[str]) -> None:
    assert unit_ids(shipped, typed) == expected
