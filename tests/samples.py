"""Small books made for tests: printed pages of prose with the furniture that real ones have."""

import hashlib
import random
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from extract.clean.clean import Cleaned, clean
from extract.clean.spaces import space_edits
from extract.corpus.book import Book, load_book
from extract.edition import make_edition
from extract.errors import EditError
from extract.model import Edit, Edition, Page, Unit
from extract.text.source import Layout
from extract.text.textlayer import TextLayer, check_edits

BOOKS = ("arnaud-1829", "deschapelles-1839", "drayson-1896", "pole-1895")
LAYOUTS: tuple[Layout, ...] = ("lines", "markdown", "single-line")

WORDS = [
    "the", "player", "who", "has", "revoked", "shall", "forfeit", "three", "tricks", "to", "his",
    "adversaries", "when", "a", "card", "is", "exposed", "upon", "table", "during", "deal", "or", "in",
    "play", "of", "hand", "partner", "may", "not", "consult", "with", "him", "but", "either", "them",
    "claim", "new", "before", "trump", "been", "turned", "up", "and", "any", "bystander", "names", "suit",
    "should", "pay", "stakes", "that", "side", "whose", "he", "seen", "unless", "both", "parties", "agree",
    "let", "game", "proceed",
]  # fmt: skip
BLOTS = {"E": "F", "O": "0", "I": "1", "S": "8", "R": "K", "T": "I", "L": "I", "A": "Λ"}
FIGURES = {"0": "oO", "1": "iIl", "2": "z", "3": "8", "4": "q", "5": "S", "6": "G", "7": "?", "8": "S", "9": "g"}


@dataclass(frozen=True, slots=True)
class Sheets:
    """A scan of printed pages, with the spans of furniture, headings and page bodies, and each body's true folio."""

    scan: str
    furniture: tuple[tuple[int, int], ...]
    headings: tuple[tuple[int, int], ...]
    bodies: tuple[tuple[int, int, int], ...]


def prose(noise: random.Random, words: int) -> str:
    """Sentences of about twelve words."""
    chosen = [noise.choice(WORDS[:5]), *noise.choices(WORDS, k=words - 1)]
    for i in range(0, words, 12):
        chosen[i] = chosen[i].capitalize()
        if i:
            chosen[i - 1] += "."
    return " ".join(chosen) + "."


def broken(text: str, width: int = 45) -> list[str]:
    """Text broken into lines."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def smudge(text: str, marks: Mapping[str, Sequence[str]], noise: random.Random, p: float) -> str:
    """Text with each letter that has a look-alike misread with probability `p`."""
    return "".join(noise.choice(marks[c]) if c in marks and noise.random() < p else c for c in text)


def sheets(
    pages: int,
    *,
    first: int = 1,
    heads: Sequence[str] = ("LAWS OF WHIST.", "OF THE REVOKE."),
    headings: Sequence[str] = (),
    lost: float = 0.0,
    garbled: float = 0.0,
    inline: bool = False,
    seed: int = 1,
) -> Sheets:
    """Print pages: left and right running head, folio, body; here and there a heading in the text.

    Args:
        pages: how many.
        first: the folio of the first.
        heads: running heads of left and right pages; none if empty.
        headings: headings set in the text, one every third page.
        lost: probability that a page has lost its folio; the last one keeps it.
        garbled: probability that a letter of a head or a figure of a folio is misread.
        inline: whether the scan has no line breaks.
        seed: of the noise.
    """
    noise = random.Random(seed)
    scan = ""
    furniture: list[tuple[int, int]] = []
    titles: list[tuple[int, int]] = []
    bodies: list[tuple[int, int, int]] = []
    left = list(headings)
    gap, below = (" ", " ") if inline else (" \n\n\n", " \n\n\n")
    for number in range(first, first + pages):
        head = smudge(heads[number % 2], BLOTS, noise, garbled) if heads else ""
        gone = noise.random() < lost and number < first + pages - 1
        folio = "" if gone else smudge(str(number), FIGURES, noise, garbled)
        ornaments = [x for x in ((folio, head) if number % 2 == 0 else (head, folio)) if x]
        for i, ornament in enumerate(ornaments):
            if inline and i:
                furniture[-1] = (furniture[-1][0], len(scan) + len(ornament))
            else:
                furniture.append((len(scan), len(scan) + len(ornament)))
            scan += ornament + below
        begin = len(scan)
        body = broken(prose(noise, 170))
        middle = len(body) // 2
        for i, line in enumerate(body):
            if i == middle and left and number % 3 == 0:
                scan = scan.rstrip() + (" " if inline else "\n\n")
                titles.append((len(scan), len(scan) + len(left[0])))
                scan += left.pop(0) + (" " if inline else "\n\n")
            scan += line + (" " if inline else " \n")
        bodies.append((begin, len(scan.rstrip()), number))
        scan = scan.rstrip() + gap
    return Sheets(scan, tuple(furniture), tuple(titles), tuple(bodies))


def lost_to(sheet: Sheets, edits: Sequence[Edit]) -> list[str]:
    """The texts of deletions that took more than furniture."""
    real = {i for a, b in sheet.furniture for i in range(a, b)}
    taken = {i for e in edits for i in range(e.raw_start, e.raw_end)}
    return [e.before for e in edits if any(i in taken - real for i in range(e.raw_start, e.raw_end))]


def found_of(sheet: Sheets, edits: Sequence[Edit]) -> float:
    """The share of the furniture that was found."""
    taken = {i for e in edits for i in range(e.raw_start, e.raw_end)}
    return sum(set(range(a, b)) <= taken for a, b in sheet.furniture) / len(sheet.furniture)


def folios_right(sheet: Sheets, pages: Sequence[Page]) -> float:
    """The share of pages whose middle lies on a page of the right folio."""
    right = 0
    for begin, end, number in sheet.bodies:
        middle = (begin + end) // 2
        page = next((p for p in pages if p.raw_start <= middle < p.raw_end), None)
        right += page is not None and page.folio == str(number)
    return right / len(sheet.bodies)


PREFACE = """[book]
title = "A Small Book"
short = "Small Book"
year = 1850
place = "London"
publisher = "Nobody"
note = ""
sha256 = "{sha256}"
layout = "{layout}"
[[book.author]]
given = "N."
family = "N."
"""


def make_book(folder: Path, scan: str, layout: Layout, plan: str, errata: str | None = None) -> Book:
    """Write the folder of a book and read it.

    Args:
        folder: the folder; its name becomes the book's id.
        scan: the scan.
        layout: its layout.
        plan: the codes and parts, as TOML.
        errata: the editor's file, if any.
    """
    folder.mkdir(parents=True, exist_ok=True)
    data = scan.encode()
    (folder / "scan.txt").write_bytes(data)
    preface = PREFACE.format(sha256=hashlib.sha256(data).hexdigest(), layout=layout)
    (folder / "book.toml").write_text(preface + plan, encoding="utf-8")
    if errata is not None:
        (folder / "errata.toml").write_text(errata, encoding="utf-8")
    return load_book(folder)


def edition_of(folder: Path, scan: str, plan: str, layout: Layout = "lines", errata: str | None = None) -> Edition:
    """Write the folder of a book and make its edition."""
    return make_edition(make_book(folder, scan, layout, plan, errata))


def copy_files(corpus: Path, folder: Path, *names: str) -> Path:
    """Copy files of a library and folders of its books into a folder, and return it."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (shutil.copytree if (corpus / name).is_dir() else shutil.copy)(corpus / name, folder / name)
    return folder


def render(matter: Sequence[str], layout: Layout) -> str:
    """Print headings (in capitals) and paragraphs as a scan of a layout has them."""
    if layout == "single-line":
        return " ".join(matter)
    if layout == "markdown":
        return "\n\n".join(matter) + "\n"
    return "\n\n".join(x if x.isupper() else " \n".join(broken(x)) for x in matter) + "\n"


def shown(units: Sequence[Unit], *kinds: str) -> list[tuple[str, str]]:
    """The ids and texts of units of some kinds (default: all), with white space as single blanks."""
    return [(u.id, " ".join(u.text.split())) for u in units if not kinds or u.kind in kinds]


def cleaned(
    scan: str, furniture: Sequence[Edit] = (), *, readings: Sequence[Edit] = (), **more: Any
) -> tuple[Cleaned, TextLayer]:
    """Clean a scan as a build does, and return the scan as it is read then.

    Args:
        scan, furniture, readings, more: as for `extract.clean.clean.clean`.
    """
    found = clean(scan, furniture, readings=readings, **more)
    spaces = space_edits(found.stream, (), ())
    return found, TextLayer(scan, check_edits(scan, [*furniture, *readings, *found.edits, *spaces]))


# The plan of a small book of laws, without and with a code.
LAWS_PLAN = """
[[part]]
id = "laws"
begins = "WHIST LAWS"
grammar = "series"
[[part.series]]
label = "{n}."
kind = "law"
slug = "law"
name = "Law"
"""
CLUB = (
    """
[[code]]
id = "club-1850"
title = "Laws"
short = "Laws"
year = 1850
authority = "the club"
"""
    + LAWS_PLAN
    + 'code = "club-1850"\n'
)


def make_club(corpus: Path) -> Book:
    """Write a very small book of 29 laws into a corpus, and read it."""
    laws = [f"{n}. If a player revoke, his adversaries may take three tricks from him." for n in range(1, 30)]
    return make_book(corpus / "club-1850", render(["WHIST LAWS", *laws], "lines"), "lines", CLUB)


def undo(reading: str, edits: Iterable[Edit]) -> str:
    """Restore the scan from its reading text and the edits, character for character.

    Args:
        reading: the whole reading text, as `TextLayer.reading`.
        edits: all edits of the book, sorted.
    Raises:
        EditError: an edit's `after` is not at its place in the reading text.
    """
    pieces: list[str] = []
    at = shift = 0
    for edit in sorted(edits):
        begins = edit.raw_start + shift
        if reading[begins : begins + len(edit.after)] != edit.after:
            raise EditError(
                f"The reading text does not read {edit.after!r} at {begins}; it was changed since the build."
            )
        pieces += (reading[at:begins], edit.before)
        at = begins + len(edit.after)
        shift += len(edit.after) - len(edit.before)
    pieces.append(reading[at:])
    return "".join(pieces)
