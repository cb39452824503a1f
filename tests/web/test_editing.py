"""The editor at the page: a misread word becomes an entry for errata.toml, and his own server lists what waits."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import unquote

import library
import pytest
from datasette.app import Datasette
from lxml import html
from reading_pages import changed, data, get, shown, started
from terminal import whist

from datasette_plugins.serving import server
from extract.corpus.errata import read_errata
from extract.errors import WhistError
from kb.desk.waiting import LISTS

EVIDENCE = "/english-1864/law-72/evidence"
DRAYSON = library.parse(library.DRAYSON).text
REVOKES = DRAYSON.index("revokes  as")
TJIE = DRAYSON.index("tJie")
EDITOR = ("/editor", *(f"/editor/{name}" for name in LISTS))


@pytest.fixture(scope="module")
def desk(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Datasette:
    """The editor's own server: with suggestions, a doubt of the editor's, and a reading of his."""
    ones = [at for at in range(len(DRAYSON)) if DRAYSON.startswith("revoke", at)]
    rows = [(i, at, at + 6, "revoke", "revok3", i / 100, "model") for i, at in enumerate(ones, 1)]
    rows += [(100 + i, 400 + i, 401 + i, DRAYSON[400 + i], "#", 0.001, "model") for i in range(30)]
    rows.append((200, REVOKES, REVOKES + 7, "revokes", "revoked", 0.5, "editor"))
    script = f"""
        create temporary table made (id, raw_start, raw_end, before, after, confidence, source);
        insert into made values {", ".join(map(str, rows))};
        insert into suggestion (id, book_id, raw_start, raw_end, before, after, confidence, note, source)
        select id, 'drayson-1896', raw_start, raw_end, before, after, confidence, 'it is likelier', source from made;
        update edit set source = 'editor', note = 'misread by the machine' where before = 'tJie';
        insert into basis (file, entry, seq, unit_id, read)
        values ('glosses.toml', 'gloss 7', 0, 'english-1864/law-71', 'It read so.');
    """
    return asyncio.run(started(changed(database, tmp_path_factory.mktemp("desk"), script), edit=True))


def entry(page: html.HtmlElement) -> str:
    return "".join(page.xpath("//details[@id='misread']//pre//text()"))


def accepted(text: str, folder: Path) -> tuple[int, str, str]:
    """What the one reading of an errata.toml says; it must pass all checks of a build."""
    path = folder / "errata.toml"
    path.write_text(text, encoding="utf-8")
    (edit,) = read_errata(path, DRAYSON).edits
    return edit.raw_start, edit.before, edit.after


async def test_each_word_of_the_ocr_text_leads_to_an_entry_that_a_build_takes(
    shared: Datasette, tmp_path: Path
) -> None:
    (scan,) = (await get(shared, f"{EVIDENCE}?pick=1")).xpath("//div[@class='scan']")
    assert scan.text_content() == (await data(shared, f"{EVIDENCE}.json"))["scan"]
    assert len(scan.xpath("./a")) == len(scan.text_content().split())
    for word in scan.xpath("./a")[::3]:
        address = word.get("href").partition("#")[0]
        pointed = await get(shared, address)
        assert pointed.xpath("string(//details[@id='misread']//mark)") == word.text_content()
        assert pointed.xpath("//div[@class='scan']/a[@aria-current='true']/text()") == [word.text_content()]
        written = entry(await get(shared, f"{address}&kind=ocr&read=Quite+%22other%5C"))
        at = int(address.removeprefix(f"{EVIDENCE}?at="))
        assert accepted(written, tmp_path) == (at, word.text_content(), 'Quite "other\\')


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (f"at={REVOKES}", ""), (f"at={REVOKES}&read=revokes&kind=ocr", "is what the scan has"),
        (f"at={REVOKES}&read=&kind=ocr", "Say what the print has here"),
        (f"at={REVOKES}&read=a%E2%80%8Bb&kind=ocr", "no page shows"),
        ("at=0", "No word of this piece stands there"), ("at=10000000", "No word of this piece stands there"),
    ],
)  # fmt: skip
async def test_no_entry_is_made_before_it_is_said_what_is_printed(shared: Datasette, asked: str, told: str) -> None:
    page = await get(shared, f"{EVIDENCE}?{asked}")
    assert entry(page) == "" and told in page.xpath("string(//details//p[@class='warning'])")


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        ("join", ['read = "revoked"', 'kind = "join"']),
        ("speck", ['read = ""']),
        ("furniture", ['read = ""', 'kind = "furniture"']),
        ("typo", ['meant = "revoked"', 'kind = "typo"']),
        ("illegible", ['guess = "revoked"', 'kind = "illegible"']),
        ("nonsense", ['read = "revoked"']),
    ],
)
async def test_the_entry_says_what_kind_of_reading_it_is(
    shared: Datasette, tmp_path: Path, kind: str, lines: list[str]
) -> None:
    page = await get(shared, f"{EVIDENCE}?at={REVOKES + 2}&read=revoked&kind={kind}&reason=seen+in+another+copy")
    text = entry(page)
    assert text.splitlines()[2:] == ["[[reading]]", f"at = {REVOKES}", 'scan = "revokes"', *lines,
                                     'reason = "seen in another copy"']  # fmt: skip
    assert text.startswith("# drayson-1896/errata.toml, english-1864/law-72\n# …") and "many [revokes] as" in text
    assert accepted(text, tmp_path)[:2] == (REVOKES, "revokes")
    (mail,) = page.xpath("//a[starts-with(@href, 'mailto:')]/@href")
    assert unquote(mail).endswith(text)


async def test_a_doubt_of_the_editors_is_a_reading_to_begin_with(desk: Datasette, tmp_path: Path) -> None:
    page = await get(desk, f"{EVIDENCE}?at={REVOKES}")
    assert accepted(entry(page), tmp_path) == (REVOKES, "revokes", "revoked")
    assert "only a guess" in page.xpath("string(//details//p[@class='warning'])")
    said = await get(desk, f"{EVIDENCE}?at={REVOKES}&read=revoked&kind=ocr")
    assert entry(said) == entry(page) and not said.xpath("//details//p[@class='warning']")


# The desk.


async def test_without_edit_the_desk_is_not_there_and_nothing_tells_of_it(shared: Datasette) -> None:
    for path in EDITOR:
        answer = await shared.client.get(path)
        assert answer.status_code == 404 and "There is no page" in answer.text
    for path in ("/", "/sitemap.xml", "/robots.txt", EVIDENCE):
        assert "/editor" not in (await shared.client.get(path)).text


@pytest.mark.parametrize("path", [*EDITOR, f"{EVIDENCE}?at={REVOKES}", "/"])
async def test_no_cache_keeps_a_page_of_the_editors_server_and_no_form_of_it_writes(desk: Datasette, path: str) -> None:
    answer = await desk.client.get(path, headers={"if-none-match": "*"})
    assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store" and "etag" not in answer.headers
    assert "/editor" in answer.text
    assert not html.document_fromstring(answer.text).xpath("//form[@method and @method != 'get']")


TASK = "//ol[contains(@class, 'tasks')]/li[1]/p"


@pytest.mark.parametrize(
    ("path", "places"),
    [
        # What the machine joined is one place.
        (f"/english-1864/law-71/evidence?at={DRAYSON.index('ferent')}", {
            "//details//mark": ["dif- ferent"], "//input[@id='read']/@value": ["different"],
        }),
        # An entry that is there is told, and no second one is made.
        (f"{EVIDENCE}?at={TJIE}&read=them&kind=ocr", {
            "//details//form | //details//pre": [],
            "//details/p[contains(., 'already')]": [
                "The editor has read this place already: the OCR text has tJie, and the is read (misread by the "
                f"machine). If you know better, change that entry, at = {TJIE} in drayson-1896/errata.toml; a second "
                "one would be refused."
            ],
        }),
        ("/editor", {
            "//th/a/@href": list(EDITOR[1:]),
            "//tbody/tr[position() <= 3]/td[last()]": ["38", "1", "1"],
            "//tbody/tr[contains(., 'Stale')]/td[last()]": ["1"],
        }),
        ("/editor/doubts?book=nobody-1900", {"//p[@class='warning']": ["There is no such book; all are shown."]}),
        # Each list tells the place and the next step.
        ("/editor/doubts?book=drayson-1896", {
            f"{TASK}[position() > 2]": [
                "it is likelier", "A reading settles it: find the place in another copy.",
                "Law 72 (II) English club code, 1864, character 407 · evidence",
            ],
        }),
        ("/editor/illegible?book=drayson-1896", {
            f"{TASK}[position() > 1]": [
                "the word cannot be read",
                "If another copy shows what it is, write a reading in the place of the entry.",
                "Law 77 English club code, 1864, character 625 · evidence",
            ],
        }),
        ("/editor/numbering?book=drayson-1896", {
            f"{TASK}[position() > 1]": [
                "73-76 (english-1864 laws, gap): Laws 73 to 76 are left out here.",
                "Look whether the number stands in the scan, misread; if so, add a reading there.",
                "THE REVOKE English club code, 1864, character 10 · evidence",
            ],
        }),
        ("/editor/references?book=drayson-1896", {
            "//ol[contains(@class, 'tasks')]/li/p[2]": [
                "The author means another than he names.", "What it names is not in the library."
            ],
        }),
        ("/editor/stale?book=drayson-1896", {
            TASK: [
                "glosses.toml, gloss 7. Then: It read so. Now: 71. Is when a player, holding one or more cards of the "
                "suit led, plays a card of a different suit.",
                "Judge it again; when all on it is judged: `whist judge --keep-texts --again english-1864/law-71`.",
                "Law 71 English club code, 1864 · evidence",
            ],
        }),
        ("/editor/open", {
            TASK: [
                "Nobody looked for its counterpart in arnaud-1829.", "Link it, or close the cell.",
                "Law 28 American code of 1893 · evidence",
            ],
        }),
    ],
)  # fmt: skip
async def test_what_stands_on_a_page_of_the_editors(desk: Datasette, path: str, places: dict[str, list[str]]) -> None:
    assert shown(await get(desk, path), places) == places


async def test_suggestions_are_paged_the_likeliest_first_each_with_its_entry(desk: Datasette, tmp_path: Path) -> None:
    first, second = [await get(desk, f"/editor/suggestions?book=drayson-1896&page={n}") for n in (1, 2)]
    assert first.xpath("string(//nav[@aria-label='Pages of the list']//b)") == "1"
    assert second.xpath("//ol[contains(@class, 'tasks')]/@start") == ["26"]
    tasks = [task for page in (first, second) for task in page.xpath("//ol[contains(@class, 'tasks')]/li")]
    sure = [float(task.xpath("string(.//p[code])").rpartition("(")[2].partition("%")[0]) for task in tasks]
    assert len(sure) == 38 and sure == sorted(sure, reverse=True)
    for task in tasks:
        assert accepted("".join(task.xpath(".//pre//text()")), tmp_path)[2] in ("revok3", "#")
    for link in tasks[0].xpath(".//a/@href"):
        await get(desk, link)


def test_only_this_machine_can_reach_the_editors_server() -> None:
    for host in ("0.0.0.0", "::", "", "nobody.invalid"):
        with pytest.raises(WhistError, match=r"Others can reach .*; leave --host out"):
            server.listen(host, 0, alone=True)
    with server.listen("localhost", 0, alone=True) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("options", "told"),
    [(["--host", "0.0.0.0"], "Others can reach 0.0.0.0"), (["--url", "https://whist.example"], "no public address")],
)
def test_edit_is_refused_where_others_could_come(database: Path, options: list[str], told: str) -> None:
    result = whist("serve", "--edit", "--port", "8199", "--db", database, *options)
    assert isinstance(result.exception, WhistError) and told in str(result.exception)
