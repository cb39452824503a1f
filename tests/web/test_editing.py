"""Editing: a page turns a misread word into an entry for errata.toml, and the editor's own server lists open tasks."""

import asyncio
from pathlib import Path
from urllib.parse import unquote

import library
import pytest
from datasette.app import Datasette
from lxml import html
from reading_pages import changed, data, get, shown, started, words
from terminal import refusal

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
    """The editor's own server, with suggestions of the model, and a doubt and a reading of the editor."""
    starts = [at for at in range(len(DRAYSON)) if DRAYSON.startswith("revoke", at)]
    rows = [(i, at, at + 6, "revoke", "revok3", i / 100, "model") for i, at in enumerate(starts, 1)]
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


def parse_reading(text: str, folder: Path) -> tuple[int, str, str]:
    """Parse an errata.toml with one reading, which must pass all checks of a build: its start, old and new text."""
    path = folder / "errata.toml"
    path.write_text(text, encoding="utf-8")
    (edit,) = read_errata(path, DRAYSON).edits
    return edit.raw_start, edit.before, edit.after


async def test_words_of_the_ocr_text_link_to_entries_that_a_build_accepts(shared: Datasette, tmp_path: Path) -> None:
    page = await get(shared, f"{EVIDENCE}?pick=1")
    (scan,) = page.xpath("//div[@class='scan']")
    assert scan.text_content() == (await data(shared, f"{EVIDENCE}.json"))["scan"]
    assert len(scan.xpath("./a")) == len(scan.text_content().split())
    (lead,) = page.xpath("//p[@class='lead']")
    assert words(lead).startswith("Click the word that is misread in the OCR text.")
    for word in scan.xpath("./a")[::3]:
        address = word.get("href").partition("#")[0]
        selected = await get(shared, address)
        assert selected.xpath("string(//details[@id='misread']//mark)") == word.text_content()
        assert selected.xpath("//div[@class='scan']/a[@aria-current='true']/text()") == [word.text_content()]
        text = entry(await get(shared, f"{address}&kind=ocr&read=Quite+%22other%5C"))
        start = int(address.removeprefix(f"{EVIDENCE}?at="))
        assert parse_reading(text, tmp_path) == (start, word.text_content(), 'Quite "other\\')


@pytest.mark.parametrize(
    ("query", "warning"),
    [
        (f"at={REVOKES}", ""), (f"at={REVOKES}&read=revokes&kind=ocr", "is what the scan has"),
        (f"at={REVOKES}&read=&kind=ocr", "Say what the print has here"),
        (f"at={REVOKES}&read=a%E2%80%8Bb&kind=ocr", "invisible character"),
        ("at=0", "There is no word of this text there"), ("at=10000000", "There is no word of this text there"),
    ],
)  # fmt: skip
async def test_no_entry_is_made_without_a_valid_reading(shared: Datasette, query: str, warning: str) -> None:
    page = await get(shared, f"{EVIDENCE}?{query}")
    assert entry(page) == "" and warning in page.xpath("string(//details//p[@class='warning'])")


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
async def test_entry_has_the_kind_of_the_reading(
    shared: Datasette, tmp_path: Path, kind: str, lines: list[str]
) -> None:
    page = await get(shared, f"{EVIDENCE}?at={REVOKES + 2}&read=revoked&kind={kind}&reason=seen+in+another+copy")
    text = entry(page)
    assert text.splitlines()[2:] == ["[[reading]]", f"at = {REVOKES}", 'scan = "revokes"', *lines,
                                     'reason = "seen in another copy"']  # fmt: skip
    assert text.startswith("# drayson-1896/errata.toml, english-1864/law-72, page 18\n") and "many [revokes] as" in text
    assert parse_reading(text, tmp_path)[:2] == (REVOKES, "revokes")
    (mail,) = page.xpath("//a[starts-with(@href, 'mailto:')]/@href")
    assert unquote(mail).endswith(text)


async def test_doubt_of_the_editor_prefills_the_entry(desk: Datasette, tmp_path: Path) -> None:
    page = await get(desk, f"{EVIDENCE}?at={REVOKES}")
    assert parse_reading(entry(page), tmp_path) == (REVOKES, "revokes", "revoked")
    assert "only a guess" in page.xpath("string(//details//p[@class='warning'])")
    confirmed = await get(desk, f"{EVIDENCE}?at={REVOKES}&read=revoked&kind=ocr")
    assert entry(confirmed) == entry(page) and not confirmed.xpath("//details//p[@class='warning']")


# The pages of the editor's server.


async def test_without_edit_the_editor_pages_are_404_and_not_linked(shared: Datasette) -> None:
    for path in EDITOR:
        answer = await shared.client.get(path)
        assert answer.status_code == 404 and "There is no page" in answer.text
    for path in ("/", "/sitemap.xml", "/robots.txt", EVIDENCE):
        assert "/editor" not in (await shared.client.get(path)).text


@pytest.mark.parametrize("path", [*EDITOR, f"{EVIDENCE}?at={REVOKES}", "/"])
async def test_pages_of_the_editors_server_are_not_cached_and_have_no_post_form(desk: Datasette, path: str) -> None:
    answer = await desk.client.get(path, headers={"if-none-match": "*"})
    assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store" and "etag" not in answer.headers
    assert "/editor" in answer.text
    assert not html.document_fromstring(answer.text).xpath("//form[@method and @method != 'get']")


TASK = "//ol[contains(@class, 'tasks')]/li[1]/p"


@pytest.mark.parametrize(
    ("path", "places"),
    [
        # A word that the machine joined counts as one.
        (f"/english-1864/law-71/evidence?at={DRAYSON.index('ferent')}", {
            "//details//mark": ["dif- ferent"], "//input[@id='read']/@value": ["different"],
        }),
        # An existing entry is reported, and no second one is made.
        (f"{EVIDENCE}?at={TJIE}&read=them&kind=ocr", {
            "//details//form | //details//pre": [],
            "//details/p[contains(., 'already')]": [
                "The editor has already decided on this place: the OCR text has tJie, which is read as the (misread "
                f"by the machine). To correct that, change the entry with at = {TJIE} in drayson-1896/errata.toml; a "
                "second entry would be refused."
            ],
        }),
        ("/editor", {
            "//th/a/@href": list(EDITOR[1:]),
            "//tbody/tr[position() <= 2]/td[last()]": ["39", "1"],
            "//tbody/tr[contains(., 'Stale')]/td[last()]": ["1"],
        }),
        ("/editor/doubts?book=nobody-1900", {"//p[@class='warning']": ["There is no such book; all are shown."]}),
        # Each list gives the place and the next step.
        ("/editor/doubts?book=drayson-1896", {
            f"{TASK}[position() > 2]": [
                "it is likelier", "Find the place in another copy, then add one of the entries.",
                "If the print has revoked:", "If the scan is right; it is then never suggested again:",
                "Law 72 (II) English club code, 1864, p. 18, character 407 · evidence",
            ],
        }),
        ("/editor/illegible?book=drayson-1896", {
            f"{TASK}[position() > 1]": [
                "the word cannot be read",
                "If another copy shows the word, replace the entry with a reading.",
                "Law 77 English club code, 1864, p. 19, character 625 · evidence",
            ],
        }),
        ("/editor/numbering?book=drayson-1896", {
            f"{TASK}[position() > 1]": [
                "73-76 (english-1864 laws, gap): Laws 73 to 76 are left out here.",
                "If the scan has the number, misread, add a reading; if the print has none, add it to omits in "
                "book.toml.",
                "THE REVOKE English club code, 1864, p. 18, character 10 · evidence",
            ],
        }),
        ("/editor/stale?book=drayson-1896", {
            TASK: [
                "glosses.toml, gloss 7. Then: It read so. Now: 71. Is when a player, holding one or more cards of the "
                "suit led, plays a card of a different suit.",
                "Judge all entries on it again, then run `whist judge --keep-texts --again english-1864/law-71`.",
                "Law 71 English club code, 1864 · evidence",
            ],
        }),
        ("/editor/open", {
            TASK: [
                "Nobody has looked for its counterpart in arnaud-1829.", "Link it, or add a [[closed]] entry.",
                "Law 28 American code of 1893 · evidence",
            ],
        }),
    ],
)  # fmt: skip
async def test_content_of_the_editor_pages(desk: Datasette, path: str, places: dict[str, list[str]]) -> None:
    assert shown(await get(desk, path), places) == places


async def test_doubtful_words_are_paged_with_entries_likeliest_first(desk: Datasette, tmp_path: Path) -> None:
    first, second = [await get(desk, f"/editor/doubts?book=drayson-1896&page={n}") for n in (1, 2)]
    assert first.xpath("string(//nav[@aria-label='Pages of the list']//b)") == "1"
    assert second.xpath("//ol[contains(@class, 'tasks')]/@start") == ["26"]
    tasks = [task for page in (first, second) for task in page.xpath("//ol[contains(@class, 'tasks')]/li")]
    assert len(tasks) == 39 and "%" not in "".join(task.text_content() for task in tasks)
    readings = [parse_reading(task.xpath("string(.//pre[1])"), tmp_path)[2] for task in tasks]
    assert readings == ["revoked"] + ["revok3"] * 8 + ["#"] * 30
    for task in tasks:
        (tmp_path / "errata.toml").write_text(task.xpath("string(.//pre[2])"), encoding="utf-8")
        (confirmed,) = read_errata(tmp_path / "errata.toml", DRAYSON).confirmed
        assert DRAYSON[confirmed.start : confirmed.end] == task.xpath("string(.//mark)")
    for link in tasks[0].xpath(".//a/@href"):
        await get(desk, link)


def test_editors_server_listens_only_on_this_machine() -> None:
    for host in ("0.0.0.0", "::", "", "nobody.invalid"):
        with pytest.raises(WhistError, match=r"Others can reach .*; leave --host out"):
            server.listen(host, 0, alone=True)
    with server.listen("localhost", 0, alone=True) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("options", "message"),
    [(["--host", "0.0.0.0"], "Others can reach 0.0.0.0"), (["--url", "https://whist.example"], "no public address")],
)
def test_edit_is_refused_at_public_addresses(database: Path, options: list[str], message: str) -> None:
    assert message in refusal("serve", "--edit", "--port", "8199", "--db", database, *options)
