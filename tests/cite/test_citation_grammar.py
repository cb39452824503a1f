"""Reading citations: typed ones, and those of a text."""

import shutil
import sqlite3
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.cite import formats, writing
from kb.cite.grammar import readings
from kb.cite.resolve import LONGEST, resolve
from kb.cite.works import words
from kb.read import queries
from kb.read.store import open_store

HOST = "whist.example"
PAGE = f"https://{HOST}/"
E, A, B = "english-1864", "american-1893", "american-1894"  # the two American codes have the laws of the same numbers
ARNAUD, DESCHAPELLES, DRAYSON = "arnaud-1829", "deschapelles-1839", "drayson-1896"


def laws(code: str, *numbers: int) -> list[str]:
    return [f"{code}/law-{number}" for number in numbers]


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        *((typed, laws(E, 72)) for typed in (
            f"{E}/law-72", "English-1864/Law-72/", f"/{E}/law-72", f"{PAGE}{E}/law-72", f"http://localhost:8001/{E}/law-72?code=1864",
            f"see {PAGE}base/{E}/law-72/evidence.", "1864 law 72", "Law 72, 1864", "1864 law 072", "1864 72",
            "rule 72 of 1864", "1864 § 72", "English club code, law 72", "english laws, 1864, law 72.", "law 72 (1864)",
            "Drayson 72", "Drayson 1896, law 72", "law 72, The Laws of Whist (the English club code, 1864)",
        )),
        *((typed, [f"{E}/law-72/ii"]) for typed in (
            "1864 law 72 (ii)", "law 72 (ii) of the 1864 code", "1864 72 (ii)", "72 (ii)", "English law 72 (2)",
        )),
        ("1864 law 72 (i) and (ii)", [f"{E}/law-72/i", f"{E}/law-72/ii"]),
        ("American laws, 1893, law 30", laws(A, 30)),
        ("American code, 1893, law 30", laws(A, 30)),
        ("American 28", laws(A, 28) + laws(B, 28)),
        ("Arnaud's laws 1829, law 21", laws(ARNAUD, 21)),
        ("Deschapelles art. 94", [f"{DESCHAPELLES}/art-94"]),
        ("art. 94", [f"{DESCHAPELLES}/art-94"]),
        ("arts. 94, 104", [f"{DESCHAPELLES}/art-94", f"{DESCHAPELLES}/art-104"]),
        *((typed, [f"{DESCHAPELLES}/art-b7"]) for typed in ("art. B 7", "article b7", "1839 B7")),
        ("case 93", [f"{DRAYSON}/case-93"]),
        ("Drayson case 93, p. 112", [f"{DRAYSON}/case-93"]),
        ("case 93, decision", [f"{DRAYSON}/case-93/decision"]),
        *((typed, [f"{E}/dummy-1"]) for typed in ("dummy, rule 1", "1864 dummy rule 1")),
        # Several provisions, and several citations.
        *((typed, laws(E, 71, 72)) for typed in (
            "laws 71-2, 1864", "laws 71 to 72 of 1864", "1864 laws 71–72", "1864 laws 71 and 72", "1864 law 71, 72",
            "laws 71 & 72 of 1864", "law 71 and law 72",
        )),
        ("laws 72–3 and 90–91 of 1864", laws(E, 72, 73, 90, 91)),
        ("1893 law 30; 1864 law 72", laws(E, 72) + laws(A, 30)),
        # A search is no citation, even if a heading or a concept has its words.
        *((typed, []) for typed in (
            "three 2", "exposed 1", "test 4 players", "72", "1864", "law", "i", "", "²²²²", "law ²", "civil", "p. 93",
            "2 hearts", "trump card 1864", "“exposed cards” 1864", "“Revoke”", "the laws of whist", "revoke penalty",
            "law of the revoke 72", "1864 law 72 bis", "1864 law 7 2", "1864 law 72 and then some other words",
            "law 5-3, 2", "law 72 " * LONGEST,
        )),
        # Names that do not belong together, and the page of another site.
        *((typed, []) for typed in (
            "Arnaud, English law 72", "American laws, 1862, law 30", "case 93 1829",
            f"https://example.org/{E}/law-72", f"https://{HOST}@example.org/{E}/law-72", f"example.org/{E}/law-72",
        )),
    ],
)  # fmt: skip
def test_typed_text_resolves_to_units(shipped: sqlite3.Connection, typed: str, ids: list[str]) -> None:
    assert [unit.id for unit in resolve(shipped, typed, HOST).units] == ids


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        ("1864 law 72 (ix)", "There is no paragraph ix; the whole provision is shown."),
        ("1864 law 72, decision", "There is no decision;"),
        ("1864 law 999", "There is no law 999 there."),
        ("1864 law 000", "There is no law 0 there."),
        ("1863 law 72", "There is no code or book of 1863 in this library."),
        ("law 999", "There is no law 999."),
        ("1864 laws 1-999", "Only the first 12"),
        ("1864 laws 71, 72 and 173", "There is no law 173 there."),
        ("1894 etiquette 5", "leaves out its rules of etiquette. "),
        ("Arnaud, English law 72", "The names or the year belong to different works."),
        ("https://example.org/english-1864/law-72", "Example.org is not known as an address of this library."),
        *((typed, "") for typed in ("1864 law 72, p. 120", "1839 article A 4", "cavendish on revokes", "72")),
    ],
)
def test_note_says_what_was_not_found(shipped: sqlite3.Connection, typed: str, note: str) -> None:
    actual = resolve(shipped, typed).note
    assert note in actual and bool(note) == bool(actual)


def test_first_and_last_law_are_given_if_a_number_does_not_exist(shipped: sqlite3.Connection) -> None:
    ends = [(first.id, last.id) for first, last in resolve(shipped, "1864 law 999").ends]
    assert ends == [("english-1864/law-1", "english-1864/law-91")]


def test_law_inserted_with_a_letter_is_read(library: Path, tmp_path: Path) -> None:
    copy = tmp_path / "inserted.db"
    shutil.copy(library, copy)
    with sqlite3.connect(copy) as changing:
        changing.execute("update unit set number = '12a', label = 'Law 12a' where id = 'english-1864/law-13'")
    with open_store(copy) as conn:
        for typed in ("1864 law 12a", "English laws, 1864, law 12a", "12a"):
            assert [unit.id for unit in resolve(conn, typed).units] == ["english-1864/law-13"], typed
        assert writing.short(writing.cited(conn, queries.unit(conn, "english-1864/law-13"))).endswith("law 12a")
        ((reading,), _) = readings(conn, "See English laws, 1864, law 12a.")
        assert (reading.items[0].ids, reading.problem) == (("english-1864/law-13",), "")


def test_short_form_of_every_unit_resolves_to_it(shipped: sqlite3.Connection) -> None:
    """Units of a book with the same heading, such as a section and its line in the contents, are all found."""
    units = queries.units(shipped, queries.whole_ids(shipped))
    pinpoints = writing.pinpoints(shipped, units.values())
    wrong = {}
    for unit in units.values():
        line = writing.short(writing.cited(shipped, unit))
        found = [each.id for each in resolve(shipped, line).units]
        if unit.id not in found or {words(pinpoints[i]) for i in found} != {words(pinpoints[unit.id])}:
            wrong[line] = found
    assert len(units) > 1900 and not wrong


def test_every_printed_form_is_read_alone_and_in_a_text(shipped: sqlite3.Connection) -> None:
    """Units of each kind and work, and each 50th; without its permalink, our own forms."""
    units = [*queries.units(shipped, queries.whole_ids(shipped)).values()]
    for unit in [*{(unit.work, unit.kind): unit for unit in units}.values(), *units[::50]]:
        forms = asdict(formats.citations_for(shipped, unit, f"{PAGE}{unit.id}"))
        for style in ("plain", "short", *formats.MANUALS, "markdown"):
            assert unit.id in [each.id for each in resolve(shipped, forms[style], HOST).units], forms[style]
            text = f"The point is old. See {forms[style]}. It goes on.\n\nHoyle (1829), law 7."
            *found, last = readings(shipped, text, HOST)[0]
            assert last.problem and found and not any(reading.problem for reading in found), text
            assert all(unit.id in item.ids for reading in found for item in reading.items), text


# Citations of a text: what each means, or None if it is not read.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Neighbours keep their own work, year and number.
        ("1893 law 30 and 1864 law 72.", [laws(A, 30), laws(E, 72)]),
        ("Arnaud's law 21 and English law 72 differ.", [laws(ARNAUD, 21), laws(E, 72)]),
        ("Compare law 72 of 1864 with American law 30 of 1893.", [laws(E, 72), laws(A, 30)]),
        ("English laws, 1864, law 72, American laws, 1893, law 30.", [laws(E, 72), laws(A, 30)]),
        ("Law 72 of 1864 (law 30 of 1893) governs.", [laws(E, 72), laws(A, 30)]),
        ("English laws, 1864, law 71 and law 72.", [laws(E, 71), None]),
        ("Case 93 and law 72 of 1864.", [None, laws(E, 72)]),
        ("law 72, American laws, 1893, law 30", [None]),
        ("By law 72, Arnaud says, he may.", [None]),
        ("English and American law 30", [None]),
        ("1864 law 72; law 30.", [laws(E, 72), None]),
        ("English laws, 1864. Law 72 is long.", [None]),
        ("Laws 72 and 73 of the English and 30 of the American laws.", [None]),
        ("Law 72 of the English and American laws; law 30 of 1893 and 1894.", [None, None]),
        ("English laws, 1864, law 72 (American laws, 1893, law 30) governs.", [laws(E, 72), laws(A, 30)]),
        # A back-reference is not followed.
        ("Law 72 of the English laws of 1864 (cf. American laws, 1893, law 30) governs. Ibid., law 29.",
         [laws(E, 72), laws(A, 30), None]),
        ("By 1864 law 72. *Ibid.*, law 73. Op. cit., 12.", [laws(E, 72), None, None, None]),
        # Titles.
        ("By the American code, 1893, law 30, it is so.", [laws(A, 30)]),
        ("The English club code, law 72: it is so.", [laws(E, 72)]),
        ("American laws of 1862, law 30.", [None]),
        # Lists, ranges and amounts.
        ("English laws, 1864, law 72 (i) & (ix).", [[f"{E}/law-72/i", ""]]),
        ("1864 laws 72-3", [laws(E, 72, 73)]),
        ("Laws 7, 8, or 9 of 1864 and 3 points.", [laws(E, 7, 8, 9)]),
        ("By English laws, 1864, law 72, 3 points are scored.", [laws(E, 72)]),
        ("By English laws, 1864, laws 72 and 73, 3 points are scored.", [laws(E, 72, 73)]),
        ("By 1864 law 72—3 tricks; by law 73 of 1864 and 2 points; law 74 of 1864 (a rule).",
         [laws(E, 72), laws(E, 73), laws(E, 74)]),
        *((f"English laws, 1864, {text}", [None]) for text in (
            "law 72, 73 apply.", "laws 72 and 3 guilders", "law 72.5", "laws 75-72", "law 72—3", "laws 72; 73",
            "law 72-ix", "law 72:ii", "law 72.ii", "law 72/ii", "law 72, ii.", "law 72 i–iii", "law 72, ii and iii",
            "law 72 (i, ii)", "law 72, (ix)", "laws 72, 73 and (iii)", "law 72 (i) to iii", "law 72 (i)–(iii)",
            "laws 72 until 74", "law 72, at 99", "laws 72, 73, 74 plus 200", "laws 72 and, perhaps, 200",
            "laws 72 as well as 200", "laws 72 … 200", "laws 72 . . . 200", "laws 72 / 73", "laws 72 + 73",
            "law 72 bis", "law 7 2", "law 72 No. 3", "law 72 I.", "law 72 c.", "laws 72, 73 and p. 12", "law 72 ff.",
            "laws 72 et seq.", "law 72, n. 3", "law 72 [i]", "72 and more",
            "laws 72-", "law 72′", "law 72, second part", "law 72, paragraph three",
        )),
        *((text, [None]) for text in (
            "Whist Laws and Whist Decisions 1896, case 93, 112.", "law 72 of 1864, (ii)", f"{E}/law-72.ii",
            f"{E}/law-72–74", f"{PAGE}{E}/law-72, 74",
        )),
        # Another author, another book, or none.
        *((text, [None]) for text in (
            "Cavendish, Laws of Whist (1864), law 72", "Clay, Laws of Whist, 1864, law 72.",
            "Hoyle, Games (1829), law 21", "Portland club laws, 1864, law 72", "1864 law 72 of the Portland Club",
            "1864 law 72 (Hoyle)", "law 72 of the Portland rules", "Hoyle's 1864 law 72", "treaty of 1864, article 5",
            "Article 5 of the Constitution", "Constitution of 1864, article 5", "Drayson 1896, 18",
            "Drayson, Whist Laws, p. 18", "law 72", "§ 72", "art. 94", "72nd law", "Law seventy-two", "art. V.",
            "section 5", "law~178",
        )),
        # What is no citation.
        ("In case I revoke, a test of 4 players in 1864 deals with the law as 3 clubs had it.", []),
        ("To test 4 players", []),
        # What stands around a citation.
        ("In 1864 law 72 I find", [laws(E, 72)]),
        ("In the laws of 1864, law 72, and so on", [laws(E, 72)]),
        ("See, e.g., 1864, § 72, and so on", [laws(E, 72)]),
        ("as Drayson has it (Whist Laws and Whist Decisions, 1896, case 93, p. 112), and", [[f"{DRAYSON}/case-93"]]),
        (f"{E}/law-72 and https://whist.example/{A}/law-30.", [laws(E, 72), laws(A, 30)]),
        (f"[law 72]({PAGE}{E}/law-72)", [laws(E, 72)]),
        (f"English laws, 1864, law 72 <{PAGE}{A}/law-30>", [None]),
        (f"http://[::1]:80/{E}/law-72", [None]),
        *((f"[1864 law 72]({place}{E}/law-72)", [None]) for place in (
            "http://example.org/", "//example.org/", "https://localhost:80@example.org/x/",
        )),
    ],
)  # fmt: skip
def test_citations_of_a_text(shipped: sqlite3.Connection, text: str, expected: list[list[str] | None]) -> None:
    found = [
        None if reading.problem else [unit for item in reading.items for unit in item.ids or ("",)]
        for reading in readings(shipped, text, HOST)[0]
    ]
    assert found == expected


@given(st.text(max_size=300) | st.text(alphabet="Ll aw7216(i)v,.;“”\n[^]:English code1864and§-", max_size=120))
def test_any_text_can_be_read(library: Path, text: str) -> None:
    with open_store(library) as conn:
        assert all(0 <= reading.start < reading.end <= len(text) for reading in readings(conn, text)[0])
        resolve(conn, text)


def test_long_tail_of_a_number_is_read_at_once(shipped: sqlite3.Connection) -> None:
    for tail in (". ", "and. ", ",;-", "(i", "1864 and "):
        assert len(readings(shipped, f"1864 law 72 {tail * 5000}")[0]) == 1
