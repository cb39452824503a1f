"""The reading room: concordance, cases, borrowings, and reading a code or a unit."""

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from datasette.app import Datasette
from lxml import html
from reading_pages import altered, content, data, get, lines, shown, words

from datasette_plugins.views.works import by_heading
from kb.comparison import borrowing, cases, concordance
from kb.comparison.borrowing import Borrowing
from kb.comparison.tabular import CASE_COLUMNS
from kb.read import commentary, queries, reading
from kb.read.rows import label_end

# A second question on the case, which only the American codes answer; an editor's note on its decision; a test; and a
# footnote to law 71 that is printed after law 77.
MORE = """
    insert into case_question values ('drayson-1896/case-93', 'revoke/correction', 1);
    update answer set state = 'not printed' where question_id = 'revoke/correction' and code_id = 'arnaud-1829';
    update case_outcome set state = 'not printed' where code_id = 'american-1894';
    insert into editor_note select 1, id, book_id, raw_start, raw_end, 'So printed.', 'p. 18'
    from unit where id = 'drayson-1896/case-93/decision';
    insert into unit (id, book_id, kind, label, number, seq, raw_start, raw_end, page, text, confidence, role)
    select 'drayson-1896/test-1', book_id, 'test', 'Test 1', '1', seq + 1000, raw_start, raw_end, page, text, 1, 'case'
    from unit where id = 'drayson-1896/case-93';
    insert into unit (id, book_id, code_id, kind, label, parent_id, heading, seq, raw_start, raw_end, text, confidence,
        role)
    select 'english-1864/law-71/note-1', book_id, code_id, 'footnote', 'Note (a)', 'english-1864/law-71', heading,
        seq + 1000, raw_start, raw_end, text, 1, 'note' from unit where id = 'english-1864/law-77';
"""


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/drayson-1896/case-93", {
            "//section[@class='outcomes']//dd": [
                "(1) Three points or three tricks. (2) Not printed. (Law 21)",
                "(1) Three tricks or three points, at their choice. (2) Not printed. (Law 72 (I))",
                "A takes two tricks, not three. (Law 30, Law 28)",
                "The book that prints it omits such rules.",
            ],
            "//p[@class='editor-note']": ["Editor’s note. So printed. (p. 18)"],
            "//p[@class='editor-note']/ancestor::section/@class": ["attached decision"],
        }),
        ("/drayson-1896/case-93/decision", {"//p[@class='editor-note']": ["Editor’s note. So printed. (p. 18)"]}),
        ("/cases", {
            "//header/p[@class='facts']": [
                "1 case and 1 test, grouped by topic. The facts and the decision are in the editor’s words; the number "
                "leads to the author’s own. Download: CSV."
            ],
            "//section[@class='matter']/h2/small": ["1 case", "1 test"],
        }),
        ("/code/english-1864", {"//ul[contains(@class, 'shelf-links')]/li[2]": ["1 case decided by it"]}),
        ("/code/english-1864/read", {
            "//div[contains(@class, 'provision')]/@id": ["law-71", "law-71.note-1", "law-72", "law-77"],
            "//div[@id='law-71.note-1']//p[@class='from']": ["Note to Law 71"],
            "//div[@id='law-71.note-1']//p[@class='number']/a": [],
        }),
    ],
)  # fmt: skip
async def test_pages_show_questions_notes_and_tests(
    database: Path, tmp_path: Path, path: str, places: dict[str, list[str]]
) -> None:
    assert shown(await get(await altered(database, tmp_path, MORE), path), places) == places


@pytest.fixture(scope="module")
def annotated(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Datasette:
    """The small library with editor's notes on law 77 and on a wrong reference in the decision."""
    script = """
        insert into editor_note select 1, id, book_id, raw_start, raw_end, 'Law 76 is lost.', 'p. 18'
        from unit where id = 'english-1864/law-77';
        insert into edit select 99, book_id, raw_start, raw_end, raw, raw, 'typo', 'editor', 1, 'read Law 71', ''
        from citation where status = 'slip';
    """
    return asyncio.run(altered(database, tmp_path_factory.mktemp("noted"), script))


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("/concordance", {
            "//thead//th": ["1864 English club code", "1829 Arnaud’s laws", "1893 = American code of 1893",
                            "1894 American code"],
            "//thead//a/@href": ["/code/english-1864", "/concordance?by=arnaud-1829", "/concordance?by=american-1893",
                                 "/concordance?by=american-1894"],
            "//tr[@id='law-71']/td": ["", "", "none"],
            "//tr[@id='law-72']/td": ["1829 21+I: paragraph I: a broader rule",
                                      "1893 30≠I: paragraph I: a different rule", "1894 30≠: a different rule"],
            "//tr[@id='law-77']/td[@class='blank']": ["", "", ""],
            "//section[@id='without']//dd//a/@href": ["/american-1893/law-28", "/american-1894/law-28"],
        }),
        ("/concordance?by=arnaud-1829&against=english-1864", {
            "//thead//th": ["1829 Arnaud’s laws", "1864 English club code"],
            "//select[@id='against']/option[@selected]/@value": ["english-1864"],
        }),
        ("/cases", {
            "//section[@class='matter']/@id": ["on-revoke"],
            "//section[@class='matter']/h2": ["Revoke 1 case"],
            "//p[@class='facts']/a[.='CSV']/@href": ["/cases.csv"],
            "//section[@class='matter']//li/p": [
                "Case 93 p. 18", "A claims a revoke; Y denies it.", "The revoke stands.",
                "Law 72 English club code, 1864", "In 1893 A takes two tricks, not three.",
            ],
        }),
        ("/drayson-1896/case-93", {
            "//section[@class='outcomes']//p/a/@href": ["/compare/revoke/penalty"],
            "//section[@class='outcomes']//dt": [
                "Arnaud’s laws, 1829: same result", "English club code, 1864: decided under this code",
                "American code of 1893: different result", "American code, 1894: unclear",
            ],
            "//section[@class='outcomes']//dd": [
                "Three points or three tricks. (Law 21)",
                "Three tricks or three points, at their choice. (Law 72 (I))",
                "A takes two tricks, not three. (Law 30)", "Two tricks. (Law 30)",
            ],
        }),
        ("/code/english-1864/read", {
            "//p[@class='editor-note'][ancestor::div[@id='law-77']]": ["Editor’s note. Law 76 is lost. (p. 18)"],
            "//div[@class='explained']/div[@class='units']/div/@id": ["law-72"],
            "//div[@class='explained']/div[@class='comments']/details/div": [
                "Decision. — The revoke stands (Law 72) and Law 77[sic], not Law 999[not found]."
            ],
            # The references in a commentary are links.
            "//div[@class='comments']//a[@class='ref']/@href": ["/english-1864/law-72", "/english-1864/law-77"],
            "//nav[@class='numbers']//span[@class='nos']/a": ["71", "72", "77"],
            "//nav[@class='numbers']//a/@href": ["#from-law-71", "#law-71", "#law-72", "#law-77"],
            "//article//h2/a[@class='top']/@href": ["#main"],
        }),
        ("/english-1864/law-72", {
            "//dl[@class='answers']//a/@href": ["/compare/revoke/penalty"],
            "//aside[@class='margin']//details[@class='comment']/summary": ["Case 93, decision"],
        }),
        ("/code/english-1864", {
            "//ul[contains(@class, 'shelf-links')]//a/@href": [
                "/concordance?by=english-1864", "/cases?code=english-1864",
                "/borrowings/english-1864",
            ],
        }),
        ("/code/arnaud-1829", {
            "//ul[contains(@class, 'shelf-links')]/li": [
                "Concordance its numbers in the other codes", "Cases none was decided by this code",
                "Shared rules what it has in common with other codes",
            ],
        }),
        ("/book/drayson-1896", {
            "//p[contains(., 'could not be')]": [
                "2 of its 5 references could not be resolved, or lead to the wrong place."
            ],
        }),
        ("/english-1864/law-72?scan=1", {
            "//figure/figcaption | //p[contains(., 'characters 137')]": [
                "A. W. Drayson, Whist Laws and Whist Decisions, 1896, page 18; characters 137 to 578 of its OCR text."
            ],
        }),
        ("/borrowings", {
            "//table[contains(@class, 'borrowed')]//thead//th": [
                "1829 Arnaud’s laws", "1864 English club code", "1893 American code of 1893"
            ],
            "//table[contains(@class, 'borrowed')]//tbody/tr/th": [
                "English club code, 1864", "American code of 1893", "American code, 1894"
            ],
            "//table[contains(@class, 'borrowed')]//tbody/tr/td": ["·", "", "", "", "", "", "", "", "100"],
            "//ul[contains(@class, 'owes')]/li": [
                "American code, 1894: 100 % of its 2 provisions have the same rule in American code of 1893 "
                "(2 in nearly the same words)"
            ],
        }),
        ("/borrowings/american-1893", {
            "//h2": ["Shared with later codes", "Families 2 rules found in more than one code"],
            "//section[@class='kin']//p[@class='by']": [
                f"Law {n} American code, 1894: nearly the same words" for n in (28, 30)
            ],
        }),
        ("/compare", {"//main//a/@href[. = '/borrowings']": ["/borrowings"]}),
        ("/concordance.json", {
            "by": "english-1864",
            "codes": ["arnaud-1829", "american-1893", "american-1894"],
            "provisions.*.number": ["71", "72", "77"],
            # “none” (the editor found no counterpart) differs from “not judged”.
            "provisions.*.cells.*.state": [
                ["not judged", "not judged", "none"], ["linked", "linked", "linked"],
                ["not judged", "not judged", "not judged"],
            ],
            # The link of a paragraph is listed under its law.
            "provisions.1.cells.arnaud-1829.counterparts": [{
                "id": "arnaud-1829/law-21", "number": "21",
                "ties": [{"here": "english-1864/law-72/i", "there": "arnaud-1829/law-21", "relation": "narrower",
                          "judged": True}],
            }],
            # A link between whole laws takes precedence over links of their paragraphs.
            "provisions.1.cells.american-1894.counterparts.*.ties.*.here": [["english-1864/law-72"]],
            "without": {
                "arnaud-1829": [], "american-1893": [{"id": "american-1893/law-28", "state": "none"}],
                "american-1894": [{"id": "american-1894/law-28", "state": "not judged"}],
            },
        }),
        # Links that are only proposed give no counterpart.
        ("/concordance.json?by=american-1894", {
            "provisions.*.number": ["28", "30"],
            "provisions.*.cells.american-1893.state": ["not judged", "linked"],
            "provisions.1.cells.english-1864.counterparts.*.number": ["72"],
        }),
        ("/concordance.json?by=english-1864&against=english-1864", {
            "codes": ["arnaud-1829", "american-1893", "american-1894"],
            "notes": ["A code cannot be set against itself; all the others are shown."],
        }),
        ("/drayson-1896/case-93.json", {
            "questions": ["revoke/penalty"], "outcomes.*.state": ["same", "decided", "otherwise", "open"],
        }),
        ("/drayson-1896/case-93/decision.json", {"digest.decision": "The revoke stands."}),
        ("/drayson-1896/case-93/fn-1.json", {"digest": None}),
        ("/code/english-1864/read.json", {
            "editor_notes.*.text": ["Law 76 is lost."],
            "commentary.*.id": ["drayson-1896/case-93/decision"], "commentary.*.explains": [["english-1864/law-72"]],
        }),
        ("/borrowings/american-1893.json", {
            "borrowings": [{
                "code": "american-1894", "source": "american-1893", "provisions": 2, "same": 2, "equivalent": 0,
                "part": 0, "nearest": 2, "share": 1.0,
            }],
            "families": [
                {"codes": 2, "members": ["american-1893/law-28", "american-1894/law-28"]},
                {"codes": 2, "members": ["american-1893/law-30", "american-1894/law-30"]},
            ],
        }),
    ],
)  # fmt: skip
async def test_content_of_pages_and_json(annotated: Datasette, path: str, places: dict[str, object]) -> None:
    assert await content(annotated, path, places) == places


# The lists as CSV


CODES = "Write one of these, or a year: arnaud-1829, english-1864, american-1893, american-1894"
COMPARED = "/compare/revoke/penalty"


@pytest.mark.parametrize("form", ["", ".json", ".csv"])
@pytest.mark.parametrize(
    ("path", "query", "told"),
    [
        ("/concordance", "by=english-1864&against=english-1865", f"There is no code english-1865. {CODES}."),
        ("/concordance", "by=nonsense", f"There is no code nonsense. {CODES}."),
        ("/cases", "code=9", f"There is no code 9. {CODES}."),
        ("/cases", "code=1864&code=1893", f"There is no code 1864, 1893. {CODES}."),
        ("/cases", "otherwise=nonsense", f"There is no code nonsense. {CODES}, any."),
        ("/cases", "law=bezique", "There is no law bezique. Write 1864 law 72."),
        ("/cases", "law=law+72&code=arnaud-1829", "There is no law law 72. Write 1864 law 72."),
        ("/compare/revoke", "code=nonsense", f"There is no code nonsense. {CODES}."),
        (COMPARED, "code=1870", f"There is no code 1870. {CODES}."),
        ("/ruling/revoke/penalty", "code=1863", f"There is no code 1863. {CODES}."),
        ("/english-1864/law-72", "code=1863", f"There is no code 1863. {CODES}."),
    ],
)
async def test_wrong_filter_is_not_found_in_every_form(
    annotated: Datasette, path: str, query: str, told: str, form: str
) -> None:
    if form == ".csv" and path.startswith(("/ruling", "/english")):
        return  # it has no such form
    response = await annotated.client.get(f"{path}{form}?{query}")
    if form == ".json":
        text = response.json()["error"]
    else:
        text = words(html.document_fromstring(response.text).find(".//main")).replace(" in the library", "")
    assert response.status_code == 404 and told in text


@pytest.mark.parametrize("path", ["/cases.csv?law=law+28", "/concordance.csv?by=1864&against=english-1864"])
async def test_file_without_place_for_notes_is_not_given(annotated: Datasette, path: str) -> None:
    assert (await annotated.client.get(path)).status_code == 404


@pytest.mark.parametrize(
    ("path", "takes"),
    [
        ("/cases", "code, law, otherwise"), ("/concordance", "by, against"), ("/borrowings", "none"),
        ("/concepts", "none"),
        ("/compare/revoke", "code"), (COMPARED, "code"), ("/search", "q, code, kind, book, year, page"),
    ],
)  # fmt: skip
async def test_list_for_programs_refuses_arguments_that_it_does_not_know(
    annotated: Datasette, path: str, takes: str
) -> None:
    for form in (".json",) if path in ("/search", "/concepts") else (".json", ".csv"):
        response = await annotated.client.get(f"{path}{form}?cod=x")
        assert response.status_code == 400 and f"This list takes {takes}." in response.text
    assert (await annotated.client.get(f"{path}?cod=x")).status_code == 200


@pytest.mark.parametrize(
    ("by_id", "by_year"),
    [
        ("/cases.csv?code=arnaud-1829", "/cases.csv?code=1829"),
        ("/cases.csv?otherwise=american-1894", "/cases.csv?otherwise=1894"),
        ("/concordance.csv?by=english-1864&against=arnaud-1829", "/concordance.csv?by=1864&against=1829"),
    ],
)
async def test_code_is_named_by_id_or_year(annotated: Datasette, by_id: str, by_year: str) -> None:
    one, other = [(await annotated.client.get(path)).text for path in (by_id, by_year)]
    assert one == other and one != (await annotated.client.get(by_id.partition("?")[0])).text


@pytest.mark.parametrize(
    ("path", "columns", "lines_of_it"),
    [
        ("/concordance.csv?by=english-1864&against=arnaud-1829", concordance.COLUMNS, [
            {"provision": "english-1864/law-71", "state": "not judged", "other_number": ""},
            {"number": "72", "part": "english-1864/law-72/i", "other_number": "21", "relation": "narrower"},
            {"provision": "english-1864/law-77", "state": "not judged"},
        ]),
        # Provisions of the other code without a link come last.
        ("/concordance.csv?by=english-1864&against=american-1893", concordance.COLUMNS, [
            {"number": "71"}, {"number": "72", "relation": "differs"}, {"number": "77"},
            {"provision": "", "other_provision": "american-1893/law-28", "state": "none"},
        ]),
        ("/cases.csv?otherwise=any", CASE_COLUMNS, [
            {"outcome": "same"}, {"outcome": "decided", "rests_on": "english-1864/law-72/i"},
            {"outcome": "otherwise", "result": "A takes two tricks, not three."}, {"outcome": "open"},
        ]),
        ("/borrowings.csv", borrowing.COLUMNS, [
            {"code": "english-1864", "source_year": "1829", "share": "0.0000"},
            {"code": "american-1894", "source_year": "1893", "share": "1.0000"},
        ]),
    ],
)  # fmt: skip
async def test_csv_rows(
    shared: Datasette, path: str, columns: tuple[str, ...], lines_of_it: list[dict[str, str]]
) -> None:
    rows = await lines(shared, path)
    assert tuple(rows[0]) == columns
    assert [{name: row[name] for name in line} for row, line in zip(rows, lines_of_it, strict=True)] == lines_of_it


# The cases


@pytest.mark.parametrize(
    ("query", "total", "notes"),
    [
        ("", 1, 0), ("law=1864+law+72", 1, 0), ("law=english-1864/law-72/ii", 1, 0), ("law=1864+law+71", 0, 0),
        ("code=english-1864", 1, 0), ("code=1864", 1, 0), ("code=1829", 0, 0), ("law=law+28", 0, 1),
        ("otherwise=any", 1, 0), ("otherwise=american-1893", 1, 0), ("otherwise=american-1894", 0, 0),
        ("otherwise=1893", 1, 0), ("otherwise=any&law=1864+law+71", 0, 0),
    ],
)  # fmt: skip
async def test_cases_are_filtered_by_provision_code_and_outcome(
    shared: Datasette, query: str, total: int, notes: int
) -> None:
    found = await data(shared, f"/cases.json?{query}")
    assert (found["total"], len(found["notes"])) == (total, notes)
    page = await get(shared, f"/cases?{query}")
    assert len(page.xpath("//section[@class='matter']//li")) == total
    assert len(page.xpath("//p[@class='warning']")) == notes


def test_case_decided_by_no_law_comes_last(conn: sqlite3.Connection) -> None:
    (case,) = cases.cases(conn)
    matters = cases.by_matter(conn, [replace(case, topic=None, on=()), case])
    assert [m.topic and m.topic.id for m in matters] == ["revoke", None]


# Reading a code


@pytest.mark.parametrize(
    ("form", "typed", "to"),
    [("", "72 (ii)", "/code/english-1864/read#law-72.ii"), ("", "law 72", "/code/english-1864/read#law-72"),
     ("", "1864 law 71", "/code/english-1864/read#law-71"), (".json", "72", "/english-1864/law-72.json")],
)  # fmt: skip
async def test_number_redirects_to_its_place(shared: Datasette, form: str, typed: str, to: str) -> None:
    response = await shared.client.get(f"/code/english-1864/read{form}", params={"number": typed})
    assert (response.status_code, response.headers["location"]) == (302, to)
    place = to.partition("#")[2]
    assert not place or (await get(shared, to)).xpath(f"//*[@id='{place}']")


@pytest.mark.parametrize("typed", ["999", "x" * 300, "american-1894/law-28", "<b>"])
async def test_reports_a_number_that_the_code_does_not_have(shared: Datasette, typed: str) -> None:
    page = await get(shared, f"/code/english-1864/read?number={quote(typed)}")
    assert "is no number of this code" in words(page.xpath("//p[@class='warning']")[0])
    assert page.xpath("//article//div[@id='law-72']")


@pytest.mark.parametrize(("length", "opens"), [(10, 1), (60, 2), (5000, 4)])
def test_long_commentary_is_cut_between_paragraphs_without_loss(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, length: int, opens: int
) -> None:
    monkeypatch.setattr(commentary, "OPENING", length)
    law = queries.unit(conn, "english-1864/law-72")
    (comment,) = commentary.commentaries(conn, [law])
    assert len(comment.opening) == opens and (*comment.opening, *comment.rest) == reading.passage(conn, law).paragraphs
    assert comment.words_left == sum(len(p.text.split()) for p in comment.rest)


def test_nested_units_stay_under_their_heading(conn: sqlite3.Connection) -> None:
    law, other = (queries.unit(conn, f"english-1864/law-{n}") for n in (71, 77))
    note = replace(law, id="english-1864/law-71/note-1", kind="note", parent_id=law.id)
    ((_, _, units),) = by_heading(conn, [law, note, other])
    assert [u.id for u in units] == [law.id, note.id, other.id]


async def test_topics_and_concepts_have_pages_in_a_library_without_codes(database: Path, tmp_path: Path) -> None:
    bare = await altered(database, tmp_path, "delete from code; update unit set code_id = null;")
    assert [(await bare.client.get(f"/compare/{name}")).status_code for name in ("revoke", "penalty")] == [200, 200]


# Shared rules, and the families of provisions


async def test_without_borrowings_the_page_says_so_and_nothing_links_to_it(database: Path, tmp_path: Path) -> None:
    bare = await altered(database, tmp_path, "delete from borrowing; delete from family;")
    assert "No code of this library shares a rule with an earlier one." in (await bare.client.get("/borrowings")).text
    for page in ("/sitemap.xml", "/compare", "/code/american-1894"):
        assert "/borrowings" not in (await bare.client.get(page)).text


def test_chief_source_is_nearest_to_most_provisions_or_shares_most_rules() -> None:
    found = [Borrowing("c", "a", 9, 5, 0, 0, 1), Borrowing("c", "b", 9, 4, 0, 0, 3), Borrowing("d", "a", 9, 0, 2, 0, 0),
             Borrowing("d", "b", 9, 0, 3, 0, 0), Borrowing("e", "a", 9, 0, 0, 4, 0)]  # fmt: skip
    assert {code: b.source for code, b in borrowing.chief(found).items()} == {"c": "b", "d": "b"}


# Reading a unit


def test_passages_match_unit_text_and_scan_fetched_alone_or_with_the_book(
    conn: sqlite3.Connection,
) -> None:
    for book in queries.books(conn):
        source = reading.source(conn, book.id, 0, 10_000)
        for unit in queries.units_of_book(conn, book.id):
            unit_text = reading.passage(conn, unit)
            assert unit_text.text == " ".join(unit.text.split()), unit.id
            assert reading.read(source, unit) == unit_text
            runs = [run for paragraph in unit_text.paragraphs for run in paragraph.runs]
            end = runs[-1].raw_start - unit.raw_start + len(runs[-1].raw)
            assert "".join(run.raw for run in runs) == unit_text.scan[:end]


def test_paragraphs_belong_to_their_clause_and_run_over_page_breaks(conn: sqlite3.Connection) -> None:
    unit_text = reading.passage(conn, queries.unit(conn, "english-1864/law-72"))
    assert [(p.unit_id.rpartition("/")[2], p.opens) for p in unit_text.paragraphs] == [
        ("law-72", False), ("i", True), ("ii", True), ("iv", True),
    ]  # fmt: skip
    assert "a player cannot add one or two" in unit_text.paragraphs[3].text


@pytest.mark.parametrize(
    ("text", "number", "end"),
    [
        ("Articles 1, 2, and 3. Four persons", "1", 0),
        ("Articles 4 and 5. Thus", "4", 0),
        ("B 4, 5, and 6. As the defender", "b4", 0),
        ("Article 9. The right", "9", 11),
        ("72. The penalty", "72", 4),
        ("12a.—Any candidate", "12a", 5),
        ("5th of May", "5", 0),
        ("4, the adversaries", "4", 1),
    ],
)
def test_list_of_numbers_is_not_a_label(text: str, number: str, end: int) -> None:
    assert label_end(text, number) == end
