"""Citations: the plain line, and forms that their readers accept."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import replace
from typing import Any

import pytest
from citeproc import CitationStylesStyle
from hypothesis import given
from hypothesis import strategies as st

from extract.corpus.domain import Noun
from kb.read import bibliography, cite, queries
from kb.read.domain import domain
from kb.read.rows import AuthorRow, UnitRow

PAGE = "https://whist.example/"


def citations(conn: sqlite3.Connection, unit_id: str) -> cite.Citations:
    return cite.citations_for(conn, queries.unit(conn, unit_id), PAGE + unit_id)


@pytest.mark.parametrize(
    ("unit_id", "line"),
    [
        ("english-1864/law-72/ii", "The Laws of Whist (1864), law 72 (ii), reprinted in A. W. Drayson, Whist Laws "
         "(New York: Harper & Brothers, 1896), p. 18"),
        ("arnaud-1829/law-21", "Laws of Whist (1829), law 21, in E. M. Arnaud, Epitome (Edinburgh: Oliver & Boyd, "
         "1829), p. 18"),
        ("drayson-1896/case-93/decision", "A. W. Drayson, Whist Laws (New York: Harper & Brothers, 1896), "
         "case 93, decision, p. 18"),
        ("arnaud-1829/def-revoke", "Laws of Whist (1829), definition of “Revoke”, in E. M. Arnaud, Epitome "
         "(Edinburgh: Oliver & Boyd, 1829), p. 18"),
    ],
)  # fmt: skip
def test_plain(conn: sqlite3.Connection, unit_id: str, line: str) -> None:
    assert citations(conn, unit_id).plain == line


def test_short_names_the_year_once(conn: sqlite3.Connection) -> None:
    assert citations(conn, "english-1864/law-72").short == "English club code 1864, law 72"
    assert citations(conn, "american-1893/law-30").short == "American code of 1893, law 30"


def test_bibtex_is_balanced_and_escaped(conn: sqlite3.Connection) -> None:
    entry = citations(conn, "english-1864/law-72/ii").bibtex
    assert entry.startswith("@incollection{english-1864:law-72:ii,")
    assert r"Harper \& Brothers" in entry and entry.count("{") == entry.count("}")
    assert f"url = {{{PAGE}english-1864/law-72/ii}}" in entry and "{pages}" not in entry


def test_ris_has_its_tags_in_order_and_ends_its_lines(conn: sqlite3.Connection) -> None:
    record = citations(conn, "english-1864/law-72").ris
    lines = record.split("\r\n")
    assert lines[0] == "TY  - CHAP" and lines[-2:] == ["ER  - ", ""]
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines[:-1])
    assert "C2  - Drayson, A. W." in lines and "SP  - 18" in lines


def test_csl_is_json_with_both_dates(conn: sqlite3.Connection) -> None:
    (item,) = json.loads(citations(conn, "english-1864/law-72").csl)
    assert item["issued"] == {"date-parts": [[1896]]} and item["original-date"] == {"date-parts": [[1864]]}
    assert item["container-author"] == [{"family": "Drayson", "given": "A. W."}] and item["type"] == "chapter"


def test_markdown_is_a_link(conn: sqlite3.Connection) -> None:
    law = citations(conn, "english-1864/law-72")
    assert law.markdown == f"[{law.plain}]({PAGE}english-1864/law-72)"
    assert bibliography.markdown("a [sic] b", "https://w") == r"[a \[sic\] b](https://w)"


def item(**changes: Any) -> dict[str, Any]:
    return {
        "id": "b-1850/law-1", "type": "chapter", "title": "law 1", "title-short": "Laws 1850, law 1",
        "author": [{"family": "Pole", "given": "William"}], "container-title": "Laws", "container-title-short": "Laws",
        "publisher": "Nobody", "publisher-place": "London", "issued": {"date-parts": [[1850]]}, "note": "law 1",
        "URL": "https://whist.example/b-1850/law-1#a_b%20c", **changes,
    }  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["plain", "bluebook"])
def test_our_own_styles_are_valid_csl(name: str) -> None:
    CitationStylesStyle(str(bibliography.STYLES / f"{name}.csl"), validate=True)


@pytest.mark.parametrize(
    ("manual", "line"),
    [
        ("chicago", "The London clubs, “The Laws of Whist (1864), Law 72 (ii),” in Whist Laws and Whist Decisions, by "
         "A. W. Drayson (1864; Harper & Brothers, 1896), 18, "),
        ("mla", "The London clubs. “The Laws of Whist (1864), Law 72 (ii).” 1864. Whist Laws and Whist Decisions, by "
         "A. W. Drayson, Harper & Brothers, 1896, p. 18, "),
        ("oscola", "The London clubs, ‘The Laws of Whist (1864), Law 72 (ii)’ in AW Drayson, Whist Laws and Whist "
         "Decisions (Harper & Brothers 1896) 18 <"),
        ("bluebook", "The London clubs, The Laws of Whist (1864), Law 72 (ii), reprinted in A. W. Drayson, Whist Laws "
         "and Whist Decisions 18 (1896), "),
    ],
)  # fmt: skip
def test_each_manual_has_a_law_in_its_own_manner(conn: sqlite3.Connection, manual: str, line: str) -> None:
    url = f"{PAGE}english-1864/law-72/ii"
    assert getattr(citations(conn, "english-1864/law-72/ii"), manual) == f"{line}{url}{'>' if '<' in line else ''}."


@pytest.mark.parametrize("manual", bibliography.MANUALS)
def test_no_manual_gives_a_law_to_the_author_of_the_book_that_prints_it(conn: sqlite3.Connection, manual: str) -> None:
    for unit_id, by in (("american-1893/law-30", "American Whist League"), ("english-1864/law-72", "The London clubs")):
        assert getattr(citations(conn, unit_id), manual).startswith(by)


@pytest.mark.parametrize(
    ("manual", "begins"),
    [
        ("chicago", "E. M. Arnaud, “Laws of Whist (1829), Law 21,” in An Epitome of the Game of Whist ("),
        ("mla", "Arnaud, E. M. “Laws of Whist (1829), Law 21.” An Epitome of the Game of Whist, "),
        ("oscola", "EM Arnaud, ‘Laws of Whist (1829), Law 21’ in EM Arnaud, An Epitome of the Game of Whist ("),
        ("bluebook", "E. M. Arnaud, Laws of Whist (1829), Law 21, in An Epitome of the Game of Whist 18 (1829)"),
    ],
)
def test_an_author_of_both_the_code_and_its_book_is_named_as_the_manual_has_it(
    conn: sqlite3.Connection, manual: str, begins: str
) -> None:
    assert getattr(citations(conn, "arnaud-1829/law-21"), manual).startswith(begins)


def test_names_that_are_written_out_are_not_cut_to_initials(conn: sqlite3.Connection) -> None:
    law = citations(conn, "american-1893/law-30")
    assert "by William Pole" in law.chicago and "by William Pole" in law.mla and "in William Pole" in law.oscola


def test_a_quotation_in_a_title_has_the_other_marks() -> None:
    told = bibliography.in_manner_of(item(title="definition of “Deal”"))
    assert "“Definition of ‘Deal,’” in" in told["chicago"]
    assert "“Definition of ‘Deal.’” Laws" in told["mla"]
    assert "‘Definition of “Deal”’ in" in told["oscola"]
    assert "Definition of “Deal,” in" in told["bluebook"]


@pytest.mark.parametrize("unit_id", ["arnaud-1829/law-21", "english-1864/law-72/ii", "american-1893/law-30"])
def test_no_title_of_a_law_leaves_out_its_code(conn: sqlite3.Connection, unit_id: str) -> None:
    this = citations(conn, unit_id)
    (record,) = json.loads(this.csl)
    code = queries.codes(conn)[[c.id for c in queries.codes(conn)].index(unit_id.partition("/")[0])]
    assert record["title"].startswith(f"{code.title} ({code.year}), law ")
    assert f"title = {{{record['title']}}}" in this.bibtex and f"TI  - {record['title']}\r\n" in this.ris


def test_a_commentary_says_of_which_code_are_the_laws_it_explains(conn: sqlite3.Connection) -> None:
    this = cite.cited(conn, queries.unit(conn, "drayson-1896/case-93/decision"))
    comment = cite.csl(replace(this, unit=replace(this.unit, kind="commentary")), PAGE)
    assert comment["title"] == "commentary on law 72 of The Laws of Whist (1864)"


def test_a_family_name_of_several_words_stays_whole(conn: sqlite3.Connection) -> None:
    this = cite.cited(conn, queries.unit(conn, "english-1864/law-72"))
    this = replace(this, authors=(AuthorRow("de la Rue", "Warren"), AuthorRow("Cavendish", "")))
    citations = cite.citations(this, PAGE)
    assert "in Warren de la Rue and Cavendish, Whist Laws" in citations.plain
    assert "bookauthor = {de la Rue, Warren and {Cavendish}}" in citations.bibtex
    assert "C2  - de la Rue, Warren\r\nC2  - Cavendish\r\n" in citations.ris


def test_a_body_that_gave_a_code_stays_one_name(conn: sqlite3.Connection) -> None:
    law = citations(conn, "english-1864/law-72")
    (author,) = json.loads(law.csl)[0]["author"]
    assert list(author) == ["literal"]
    assert f"author = {{{{{author['literal']}}}}}" in law.bibtex and f"AU  - {author['literal']}\r\n" in law.ris


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1))
def test_no_title_breaks_a_record(title: str) -> None:
    entry = bibliography.bibtex(item(title=title))
    (line,) = [line for line in entry.split("\n") if line.startswith("  title = ")]
    inner = line.removeprefix("  title = {").removesuffix("},")
    plain = re.sub(r"\\(?:textbackslash|textasciitilde|textasciicircum|\^)\{\}|\\[&%$#_{}]", "", inner)
    assert not set(plain) & set("&%$#_{}\\~^")
    record = bibliography.ris(item(title=title)).split("\r\n")
    assert record[-2:] == ["ER  - ", ""] and [line[:2] for line in record].count("TI") == bool(title.strip())


def test_what_stands_in_a_title_is_rendered_as_it_stands() -> None:
    title = "“A & B”, <b>law</b> 1.."
    assert bibliography.rendered(item(title=title))[0] == f"William Pole, Laws (London: Nobody, 1850), {title}"


def test_the_address_of_a_bibtex_entry_is_not_escaped() -> None:
    assert "url = {https://whist.example/b-1850/law-1#a_b%20c}" in bibliography.bibtex(item())


def test_commentary_has_the_word_of_the_code_it_explains(conn: sqlite3.Connection) -> None:
    this = cite.cited(conn, queries.unit(conn, "drayson-1896/case-93/decision"))
    assert cite.pinpoint(replace(this, unit=replace(this.unit, kind="commentary"))) == "commentary on law 72"


def test_a_row_is_cited_with_its_table(conn: sqlite3.Connection) -> None:
    row = queries.unit(conn, "pole-1895/odds-table-1/1")
    table = queries.unit(conn, row.parent_id or "")
    assert cite.pinpoint(cite.cited(conn, row)) == f"“{table.label}”, {row.label.lower()}"


def test_every_unit_can_be_cited(conn: sqlite3.Connection) -> None:
    lines = {}
    for book in queries.books(conn):
        for unit in queries.units_of_book(conn, book.id):
            line = citations(conn, unit.id).plain
            assert str(book.year) in line and "None" not in line
            lines.setdefault(line, []).append(unit.id)
    assert {k: v for k, v in lines.items() if len(v) > 1} == {}


def unit(conn: sqlite3.Connection, **changes: Any) -> UnitRow:
    """Law 72 of the small library with changes; its role is that of its kind."""
    law = replace(queries.unit(conn, "english-1864/law-72"), **changes)
    return replace(law, role=domain(conn).roles[law.kind])


def test_titles_where_the_work_is_named_already(conn: sqlite3.Connection) -> None:
    law = unit(conn, label="  Law  72. ")
    assert cite.title(law) == "Law 72."
    assert cite.title(unit(conn, label=" ", kind="index_entry")) == "Index entry"
    note = unit(conn, label="Note *", kind="footnote")
    assert cite.title(note, law) == "Law 72, note *"
    assert cite.title(replace(note, kind="note"), law) == "Law 72, note *"
    assert cite.title(replace(note, kind="decision"), law) == "Note *"
    assert cite.title(note) == "Note *"


@pytest.mark.parametrize(
    ("kind", "number", "expected"),
    [
        ("law", "72", "law 72"),
        ("law", "c2", "law C2"),
        ("case", "93", "case 93"),
        ("test", "4", "test 4"),
        ("maxim", "12", "maxim 12"),
        ("etiquette", "3", "etiquette 3"),
        ("dummy", "1", "dummy, rule 1"),
        ("maxim", None, "“Of. Play”"),
        ("section", None, "“Of. Play”"),
    ],
)
def test_a_unit_is_named_within_its_work(
    conn: sqlite3.Connection, kind: str, number: str | None, expected: str
) -> None:
    this = cite.cited(conn, unit(conn))
    changed = unit(conn, kind=kind, number=number, label=" Of.  Play. ", parent_id=None)
    assert cite.pinpoint(replace(this, unit=changed, parents=())) == expected


def test_what_stands_in_another_unit_is_named_after_it(conn: sqlite3.Connection) -> None:
    this = cite.cited(conn, unit(conn))
    case, decision = unit(conn, kind="case", number="93"), unit(conn, kind="decision", number="93")
    note, paragraph = unit(conn, kind="footnote", number="*"), unit(conn, kind="subclause", number="ii")
    assert cite.pinpoint(replace(this, unit=decision, parents=(case,))) == "case 93, decision"
    assert cite.pinpoint(replace(this, unit=note, parents=(decision, case))) == "case 93, decision, footnote *"
    assert cite.pinpoint(replace(this, unit=replace(note, number=None), parents=(case,))) == "case 93, footnote"
    assert cite.pinpoint(replace(this, unit=paragraph, parents=(unit(conn),))) == "law 72 (ii)"
    row, table = unit(conn, kind="table_row", label="Row 1"), unit(conn, kind="table", label="The Match.")
    assert cite.pinpoint(replace(this, unit=row, parents=(table,))) == "“The Match”, row 1"


def test_commentary_names_all_that_it_explains(conn: sqlite3.Connection) -> None:
    this = replace(cite.cited(conn, unit(conn)), noun=Noun(singular="article"))
    laws = tuple(unit(conn, number=n) for n in ("94", "95", "c2"))
    comment = replace(this, unit=unit(conn, kind="commentary"), parents=())
    assert cite.pinpoint(replace(comment, explains=laws[:1])) == "commentary on article 94"
    assert cite.pinpoint(replace(comment, explains=laws)) == "commentary on articles 94, 95 and C2"


def test_signs_of_other_alphabets_stand_as_they_are(conn: sqlite3.Connection) -> None:
    this = cite.cited(conn, unit(conn))
    page = cite.citations(replace(this, book=replace(this.book, title="Décisions “neuves”")), PAGE)
    assert "Décisions “neuves”" in page.csl


def test_a_body_is_named_without_its_article(conn: sqlite3.Connection) -> None:
    (item,) = json.loads(citations(conn, "english-1864/law-72").csl)
    assert item["author"] == [{"literal": "The London clubs"}]
    this = cite.cited(conn, unit(conn))
    code = replace(this.code, authority="the Portland Club") if this.code else None
    assert cite.csl(replace(this, code=code), PAGE)["author"] == [{"literal": "Portland Club"}]


ALIKE = ["english-1864/law-72", "english-1864/law-72/ii", "drayson-1896/case-93/decision", "arnaud-1829/def-revoke",
         "arnaud-1829/section-laws"]  # fmt: skip


@pytest.mark.parametrize("unit_id", ALIKE)
def test_what_is_rendered_once_for_many_items_is_what_each_style_says(
    conn: sqlite3.Connection, unit_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = queries.unit(conn, unit_id)
    item = cite.csl(cite.cited(conn, found), f"http://whist.example/{found.id}")
    forms = [("plain", False), *((style, style != "mla") for style in ("plain", *bibliography.MANUALS))]
    paged = [item | {"page": page} for page in ("7", "103", "103-104", "xii")]
    paged += [item | {"title": title} for title in ("“Of the deal”", "“calling honours”, row 3", "(the lead)", "A")]
    once = [bibliography.by_style(this, style, noted=noted) for this in paged for style, noted in forms]
    monkeypatch.setattr(bibliography, "_STAND_IN", ())
    assert once == [bibliography.by_style(this, style, noted=noted) for this in paged for style, noted in forms]
    assert str(904090409) not in "".join(once)
