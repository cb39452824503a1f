"""The page of a law or any other unit, its evidence, codes and books, and the reading text that they show."""

import asyncio
import io
import sqlite3
from pathlib import Path
from urllib.parse import quote

import pytest
from datasette.app import Datasette
from lxml import etree
from reading_pages import altered, content, data, get, words

from extract.tei import NAMESPACE, SCHEMA, validate
from kb.comparison.counterparts import lines
from kb.read import commentary, queries, reading
from kb.read.excerpt import excerpt
from kb.read.rows import label_end

LAW = "/english-1864/law-72"
# Editor's notes on law 77 and on a decision, and a misprint in a reference; a second question on the case, which only
# the American codes answer; a footnote to law 71 that is printed after law 77; a law with a title.
MORE = """
    insert into editor_note select 1, id, book_id, raw_start, raw_end, 'Law 76 is lost.', 'p. 18'
    from unit where id = 'english-1864/law-77';
    insert into editor_note select 2, id, book_id, raw_start, raw_end, 'So printed.', 'p. 18'
    from unit where id = 'drayson-1896/case-93/decision';
    insert into edit select 99, book_id, raw_start, raw_end, raw, raw, 'typo', 'editor', 1, 'read Law 71', ''
    from citation where status = 'slip';
    insert into case_question values ('drayson-1896/case-93', 'revoke/correction', 1);
    update answer set state = 'not printed' where question_id = 'revoke/correction' and code_id = 'arnaud-1829';
    update case_outcome set state = 'not printed' where code_id = 'american-1894';
    insert into unit (id, book_id, code_id, kind, label, parent_id, heading, seq, raw_start, raw_end, text, confidence,
        role)
    select 'english-1864/law-71/note-1', book_id, code_id, 'footnote', 'Note (a)', 'english-1864/law-71', heading,
        seq + 1000, raw_start, raw_end, text, 1, 'note' from unit where id = 'english-1864/law-77';
    update unit set title = 'The price of a revoke' where id = 'english-1864/law-72';
"""
ODDS = {
    "//table//th": ["Odds", "Of winning", "1"],
    "//table//td": ["", "9 to 8", "against"],
    "//table//tbody//th/a/@href": ["/pole-1895/odds-table-1/1"],
}
SOUGHT = "Whist+Laws+and+Whist+Decisions+A.+W.+Drayson+1896"


@pytest.fixture(scope="module")
def more(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Datasette:
    """The small library with `MORE`."""
    return asyncio.run(altered(database, tmp_path_factory.mktemp("more"), MORE))


@pytest.mark.parametrize(
    ("path", "places"),
    [
        (LAW, {
            "//h1": ["Law 72. The price of a revoke"],
            "//title": ["The price of a revoke (English club code, 1864, Law 72) — The Law Library of Whist"],
            "//meta[@name='description'][starts-with(@content, 'The price of a revoke. The penalty')]/@name": [
                "description"
            ],
            "//a[@class='partnumber']": ["I.", "II.", "IV."],
            "//*[a[@class='partnumber'][. = 'II.']]": [
                "II.Can be claimed for as many revokes as occur during the hand ;"
            ],
            "//a[@rel='prev' or @rel='next']/@href": ["/english-1864/law-71", "/english-1864/law-77"],
            # A line for each code, by year; what is only proposed says so.
            "//dl[@class='lines']/dt": ["1829", "1864", "1893", "1894"],
            "//dl[@class='lines']/dd": [
                "A broader rule (proposed by the machine): law 21. The penalty for a revoke takes place of every other "
                "score, and is three points, or three… compare texts",
                "this law",
                "A different rule: law 30. three against two compare texts",
                "A different rule: law 30. Three tricks against two. compare texts",
            ],
            "//dl[@class='lines']//a[contains(@href, 'collate')]/@href": [
                f"/collate?u=english-1864/law-72&u={other}"
                for other in ("arnaud-1829/law-21", "american-1893/law-30", "american-1894/law-30")
            ],
            # Every link with the editor's reason is folded below.
            "//details[@id='links']//p[@class='relation']": [
                "a broader rule. Proposed by the machine, strength 64 %.",
                "To paragraph I: a different rule. three against two",
                "a different rule. Three tricks against two.",
            ],
            "//*[@class='relation']/b[not(@title)] | //a[@href='/about#links']/@href": ["/about#links"],
            "//dl[@class='answers']//a/@href": ["/compare/revoke/penalty"],
            "//section[h2[@id='cases-h']]//a/@href": ["/drayson-1896/case-93"],
            "//details[@class='comment']/summary": ["Case 93, decision, A. W. Drayson"],
            "//section[h2[@id='citedby-h']]//p[@class='head']/a/@href": ["/english-1864/law-77"],
            "//main//p[contains(., '“tJie”')]": ["the [?]: the OCR text reads “tJie”; certain to 62 %."],
            "//p[contains(., 'characters 137')]": [
                "A. W. Drayson, Whist Laws and Whist Decisions, 1896, page 18; characters 137 to 578 of its OCR text."
            ],
            "//a[. = 'The evidence']/@href": [f"{LAW}/evidence"],
        }),
        # A code without a counterpart is told by its answer to the question: an answer, or no rule and what is near.
        ("/english-1864/law-71", {
            "//p[@class='gloss']": [
                "In plain words. A revoke is playing another suit though able to follow. (editor’s paraphrase)"
            ],
            "//dl[@class='lines']/dd": [
                "What is a revoke? Not following suit when able. definition of “Revoke”",
                "this law",
                "No rule; see law 28: it does not say what a revoke is.",
                "No rule.",
            ],
        }),
        (f"{LAW}?code=1893", {
            "//dd[em[@class='status']]/a[1]/@href": ["/american-1893/law-30?code=american-1893"],
            "//header//input[@name='code']/@value": ["american-1893"],
        }),
        ("/english-1864/law-72/ii", {"//h1": ["Law 72 (II). The price of a revoke"]}),
        ("/english-1864/law-77", {
            # Each number of a list leads to its own target; nothing is known of it in the other codes.
            "//div[@class='text']//a[@class='ref']": ["71", "72"],
            "//div[@class='text']//a[@class='ref']/@href": ["/english-1864/law-71", "/english-1864/law-72"],
            "//span[@class='illegible']": ["nnw"],
            "//*[@id='codes-h']": [],
            # A term is explained where it comes first.
            "//a[@class='term']": ["penalty", "mis-deal", "revoke"],
            "//a[@class='term']/@href": ["/concept/penalty", "/concept/misdeal", "/concept/revoke"],
            "//a[@aria-describedby = //span[@role='tooltip'][2]/@id]": ["mis-deal"],
            "//span[@role='tooltip'][2]": ["misdeal. A deal that is lost."],
        }),
        ("/drayson-1896/case-93", {
            "//main//*[@class='sic']": ["[sic]", "[sic]", "[not found]"],
            "//section[@class='digest']//dd": [
                "A claims a revoke; Y denies it.", "The revoke stands.", "Law 72 English club code, 1864"
            ],
            "//section[@class='outcomes']//p/a/@href": ["/compare/revoke/penalty", "/compare/revoke/correction"],
            "//section[@class='outcomes']//dt": [
                "Arnaud’s laws, 1829: same result", "English club code, 1864: decided under this code",
                "American code of 1893: different result", "American code, 1894: not printed",
            ],
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
        ("/english-1864/law-72/evidence", {
            "//p[@class='lead'][contains(., 'OCR text')][contains(., 'not their picture')]/@class": ["lead"],
            "//div[@class='scan']/a/@href": ["#n1", "#n2"],
            "//tr/@id": ["n2", "n1"],
            "//tr[@id='n2']/td": [
                "tJie", "the", "misread letters", "a rule", "62 %", "tJie reads the in 14 other places", "550"
            ],
        }),
        # A table shows its rows under its column heads: on its own page, on the page of a row and in the book.
        *((path, ODDS) for path in ("/pole-1895/odds-table-1", "/pole-1895/odds-table-1/1", "/book/pole-1895")),
        # The author of a code is the body that issued it; its year in citations is that of the book.
        *(
            (path, {
                "//meta[@name='author']/@content": [author], "//meta[@name='citation_author']/@content": [turned],
                "//meta[@name='citation_date']/@content": ["1896"],
            })
            for path, author, turned in (
                ("/english-1864/law-72/ii", "The London clubs", "The London clubs"),
                ("/drayson-1896/case-93", "A. W. Drayson", "Drayson, A. W."),
            )
        ),
        ("/code/english-1864", {
            "//div[@class='group']//a/@href": [f"/english-1864/law-{n}" for n in (71, 72, 77)],
            "//ul[contains(@class, 'shelf-links')]/li[2]": ["1 case decided by it"],
            "//p[@class='note']": [
                "The code of the Portland and Arlington clubs.", "Not printed here: cases. Why."
            ],
        }),
        ("/code/arnaud-1829", {
            "//ul[contains(@class, 'shelf-links')]/li[2]": [
                "Cases that it decides otherwise all were decided by another code",
            ],
        }),
        ("/code/english-1864/read", {
            "//div[contains(@class, 'provision')]/@id": ["law-71", "law-71.note-1", "law-72", "law-77"],
            "//div[@id='law-71.note-1']//p[@class='from']": ["Note to Law 71"],
            "//div[@id='law-71.note-1']//p[@class='number']/a": [],
            "//p[@class='editor-note'][ancestor::div[@id='law-77']]": ["Editor’s note. Law 76 is lost. (p. 18)"],
            "//div[@class='explained']/div[@class='units']/div/@id": ["law-72"],
            "//div[@class='explained']/div[@class='comments']/details/div": [
                "Decision. — The revoke stands (Law 72) and Law 77[sic], not Law 999[not found]."
            ],
            "//div[@class='comments']//a[@class='ref']/@href": ["/english-1864/law-72", "/english-1864/law-77"],
            "//nav[@class='numbers']//span[@class='nos']/a": ["71", "72", "77"],
            "//nav[@class='numbers']//a/@href": ["#from-law-71", "#law-71", "#law-72", "#law-77"],
            "//article//h2/a[@class='top']/@href": ["#main"],
        }),
        ("/book/drayson-1896", {
            "//p[contains(., 'could not be')]": [
                "2 of its 5 references could not be resolved, or lead to the wrong place."
            ],
            "//p[starts-with(normalize-space(), 'Search for this book in')]/a/@href": [
                f"https://search.worldcat.org/search?q={SOUGHT}", f"https://archive.org/search?query={SOUGHT}"
            ],
        }),
        (f"{LAW}.json", {
            "title": "The price of a revoke (English club code, 1864, Law 72)",
            "unit.id": "english-1864/law-72", "unit.title": "The price of a revoke", "unit.page": "18",
            "codes.*.state": ["linked", "this", "linked", "linked"],
            "codes.0.counterparts.*.unit.url": ["http://localhost/arnaud-1829/law-21"],
            "related.*.other": ["american-1893/law-30", "american-1894/law-30", "arnaud-1829/law-21"],
            "answers": [{"question": "revoke/penalty", "label": "What does it cost?",
                         "summary": "Three tricks or three points, at their choice."}],
            "precedents": ["drayson-1896/case-93"], "commentary": ["drayson-1896/case-93/decision"],
            "children.*.id": [f"english-1864/law-72/{part}" for part in ("i", "ii", "iv")],
            "corrections": {"ocr": 1}, "citations.short": "English club code 1864, law 72",
        }),
        ("/english-1864%2Flaw-72.json", {"unit.id": "english-1864/law-72"}),
        ("/english-1864/law-71.json", {"codes.2.answer.state": "silent", "codes.2.question": "revoke/definition"}),
        ("/drayson-1896/case-93/decision.json", {
            "case.decision": "The revoke stands.",
            "case.outcomes.*.state": ["same", "decided", "otherwise", "not printed"],
        }),
        ("/drayson-1896/case-93/fn-1.json", {"case": None}),
        ("/english-1864/law-77.json", {"editor_notes.*.text": ["Law 76 is lost."]}),
        ("/code/english-1864/read.json", {
            "editor_notes.*.text": ["Law 76 is lost."],
            "commentary": {"english-1864/law-72": ["drayson-1896/case-93/decision"]},
        }),
        ("/book/drayson-1896.json", {
            "codes": ["english-1864", "american-1894"], "audit.0.finding": "gap",
        }),
    ],
)  # fmt: skip
async def test_content_of_pages_and_json(more: Datasette, path: str, places: dict[str, object]) -> None:
    assert await content(more, path, places) == places


async def test_year_with_two_codes_names_none(tmp_path: Path, database: Path) -> None:
    ds = await altered(database, tmp_path, "update code set year = 1893 where id = 'american-1894'")
    for path in ("/1893/30", "/code/1893", "/code/1893/read"):
        assert (await ds.client.get(path)).status_code == 404, path


def test_code_without_question_or_link_has_no_counterpart_or_was_not_compared(
    database: Path, tmp_path: Path, conn: sqlite3.Connection
) -> None:
    law = queries.unit(conn, "english-1864/law-71")
    with sqlite3.connect(":memory:") as bare:
        conn.backup(bare)
    bare.executescript("delete from deciding; delete from answer")
    assert {line.code: line.state for line in lines(bare, law, ())} == {
        "arnaud-1829": "not judged", "english-1864": "this", "american-1893": "not judged", "american-1894": "none",
    }  # fmt: skip


async def test_evidence_shows_the_whole_ocr_text(shared: Datasette) -> None:
    page = await get(shared, f"{LAW}/evidence")
    for mark in page.xpath("//span[@class='tip'] | //div[@class='scan']//sup"):
        mark.drop_tree()
    (scan,) = page.xpath("//div[@class='scan']")
    assert scan.text_content() == (await data(shared, f"{LAW}/evidence.json"))["scan"]


@pytest.mark.parametrize(
    ("form", "typed", "to"),
    [
        ("", "72 (ii)", "/code/english-1864/read#law-72.ii"), ("", "law 72", "/code/english-1864/read#law-72"),
        ("", "1864 law 71", "/code/english-1864/read#law-71"), (".json", "72", "/english-1864/law-72.json"),
        *(("", typed, None) for typed in ("999", "x" * 300, "american-1894/law-28", "<b>")),
    ],
)  # fmt: skip
async def test_number_leads_to_its_place_or_is_said_not_to_be_there(
    shared: Datasette, form: str, typed: str, to: str | None
) -> None:
    response = await shared.client.get(f"/code/english-1864/read{form}", params={"number": typed})
    assert response.headers.get("location") == to and response.status_code == (302 if to else 200)
    page = await get(shared, to.replace(".json", "") if to else f"/code/english-1864/read?number={quote(typed)}")
    told = [words(told) for told in page.xpath("//p[@class='warning']")]
    assert bool(told) != bool(to) and all("is no number of this code" in each for each in told)
    assert page.xpath(f"//*[@id='{(to or '').partition('#')[2] or 'main'}']")


# The text


def test_text_of_a_unit_is_the_same_alone_or_with_its_book(conn: sqlite3.Connection) -> None:
    for book in queries.books(conn):
        units = queries.units_of_book(conn, book.id)
        for unit, text in zip(units, reading.passages(conn, units), strict=True):
            assert text == reading.passage(conn, unit) and text.text == " ".join(unit.text.split()), unit.id
    paragraphs = reading.passage(conn, queries.unit(conn, LAW[1:])).paragraphs
    assert [(p.unit_id.rpartition("/")[2], p.opens) for p in paragraphs] == [
        ("law-72", False), ("i", True), ("ii", True), ("iv", True),
    ]  # fmt: skip
    assert "a player cannot add one or two" in paragraphs[3].text, "it runs over a page break"


@pytest.mark.parametrize(("length", "opens"), [(10, 1), (60, 2), (5000, 4)])
def test_long_commentary_is_cut_between_paragraphs_without_loss(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, length: int, opens: int
) -> None:
    monkeypatch.setattr(commentary, "OPENING", length)
    text = reading.passage(conn, queries.unit(conn, "english-1864/law-72"))
    comment = commentary.beside(text.unit, text.paragraphs, ())
    assert len(comment.opening) == opens and (*comment.opening, *comment.rest) == text.paragraphs
    assert comment.words_left == sum(len(p.text.split()) for p in comment.rest)


@pytest.mark.parametrize(
    ("text", "number", "end"),
    [
        ("Articles 1, 2, and 3. Four persons", "1", 0), ("Articles 4 and 5. Thus", "4", 0),
        ("B 4, 5, and 6. As the defender", "b4", 0), ("Article 9. The right", "9", 11), ("72. The penalty", "72", 4),
        ("12a.—Any candidate", "12a", 5), ("5th of May", "5", 0), ("4, the adversaries", "4", 1),
    ],
)  # fmt: skip
def test_list_of_numbers_is_not_a_label(text: str, number: str, end: int) -> None:
    assert label_end(text, number) == end


def tei(conn: sqlite3.Connection, unit_id: str) -> etree._ElementTree:
    """A unit as TEI, which is valid."""
    document = excerpt(conn, queries.unit(conn, unit_id), lambda path: f"https://example.org{path}")
    validate(tree := etree.parse(io.BytesIO(document)))
    return tree


def test_every_unit_is_valid_tei_without_dangling_pointers(conn: sqlite3.Connection) -> None:
    outside = set()
    for (unit_id,) in conn.execute("select id from unit where continues is null"):
        tree = tei(conn, unit_id)
        pointers = " ".join(tree.xpath("//@target | //@resp"))
        unresolved = {*pointers.split()} - {f"#{xml_id}" for xml_id in tree.xpath("//@xml:id")}
        assert not [pointer for pointer in unresolved if pointer.startswith("#")], unit_id
        outside |= unresolved
    assert "https://example.org/english-1864/law-72" in outside


@pytest.mark.parametrize(
    ("unit", "places"),
    [
        ("arnaud-1829/def-revoke", {
            "//t:choice/t:sic/text()": ["Revohe"], "//t:choice/t:corr[@resp='#rule'][@cert='high']/text()": ["Revoke"],
        }),
        (LAW[1:], {
            "//t:p/@xml:id": [f"english-1864.law-72.{paragraph}" for paragraph in ("i", "ii", "iv")],
            "//t:titleStmt/t:author/text()": ["A. W. Drayson"],
            "//t:bibl[@type='scan']/t:idno/text()": ["0" * 64],
            "//t:listBibl/t:bibl/t:author/text()": ["The London clubs"],
            "//t:licence/@target": ["https://creativecommons.org/publicdomain/zero/1.0/"],
        }),
    ],
)  # fmt: skip
def test_tei_of_a_unit(conn: sqlite3.Connection, unit: str, places: dict[str, list[str]]) -> None:
    tree = tei(conn, unit)
    assert {place: tree.xpath(place, namespaces={"t": NAMESPACE}) for place in places} == places


async def test_site_serves_tei_and_its_schema(shared: Datasette) -> None:
    response = await shared.client.get(f"{LAW}.tei.xml")
    assert response.headers["content-type"].startswith("application/tei+xml")
    assert "http://localhost/schemas/whist-tei.rng" in response.text.partition("<TEI")[0]
    assert (await shared.client.get("/schemas/whist-tei.rng")).text == SCHEMA.read_text("utf-8")
