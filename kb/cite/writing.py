"""Name a unit within its work, in words: its pinpoint follows legal use (law 72 (ii); article 94 (2))."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from extract.corpus.domain import Domain, Noun
from extract.text.lines import listed
from kb.read import queries
from kb.read.domain import domain
from kb.read.rows import AuthorRow, BookRow, CodeRow, UnitRow


@dataclass(frozen=True, slots=True)
class Cited:
    """A unit with what its citation needs: its code and book, its ancestors, and the units it explains.

    `speaks_of` is its code, or that of the provisions it explains; `noun` is that code's word for a provision.
    """

    unit: UnitRow
    book: BookRow
    authors: tuple[AuthorRow, ...]
    code: CodeRow | None = None
    noun: Noun = field(default_factory=lambda: Domain().provision)
    domain: Domain = field(default_factory=Domain)
    parents: tuple[UnitRow, ...] = ()
    explains: tuple[UnitRow, ...] = ()
    speaks_of: CodeRow | None = None

    @property
    def by(self) -> list[dict[str, str]]:
        """Its authors as CSL names: the body behind its code, or the authors of its book."""
        return self.writers if self.code is None else given_by(self.code, self.book, self.writers)

    @property
    def writers(self) -> list[dict[str, str]]:
        """The authors of its book as CSL names."""
        return names(self.authors)


def given_by(code: CodeRow, book: BookRow, writers: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the author of a code as CSL names: the body behind it, or the authors of its book if it is theirs."""
    families = {name.get("family") or name["literal"] for name in writers}
    return writers if code.authority in {book.author, *families} else [{"literal": code.authority.removeprefix("the ")}]


def names(authors: Iterable[AuthorRow]) -> list[dict[str, str]]:
    """Return authors as CSL names."""
    return [_name(author) for author in authors]


def cited(conn: sqlite3.Connection, unit: UnitRow) -> Cited:
    """Gather what the citation of a unit needs."""
    book = next(b for b in queries.books(conn) if b.id == unit.book_id)
    codes = {c.id: c for c in queries.codes(conn)}
    explains = tuple(queries.explains(conn, unit.id))
    speaks_of = next((codes[u.code_id] for u in (unit, *explains) if u.code_id), None)
    about = domain(conn)
    return Cited(
        unit,
        book,
        tuple(queries.authors(conn, book.id)),
        codes.get(unit.code_id or ""),
        about.noun(speaks_of.provision if speaks_of else ""),
        about,
        queries.ancestors(conn, [unit])[unit.id],
        explains,
        speaks_of,
    )


def titled(this: Cited) -> str:
    """Return the title of a unit with its code, or the code it explains: `The Laws of Whist (1864), law 72 (ii)`."""
    where = pinpoint(this)
    if this.code:
        return f"{titled_code(this.code)}, {where}"
    return f"{where} of {titled_code(this.speaks_of)}" if this.unit.kind == "commentary" and this.speaks_of else where


def short(this: Cited) -> str:
    """Return a short form for use beside the text: `English code 1864, law 72 (ii)`."""
    return f"{dated(this.code or this.book)}, {pinpoint(this)}"


def dated(work: CodeRow | BookRow) -> str:
    """Return the short title of a work with its year."""
    return work.short if str(work.year) in work.short else f"{work.short} {work.year}"


def pinpoints(conn: sqlite3.Connection, units: Iterable[UnitRow]) -> dict[str, str]:
    """Return the pinpoints of units by id: `law 72 (ii)`; that of a commentary does not name what it explains."""
    wanted = list(units)
    above = queries.ancestors(conn, wanted)
    codes = {c.id: c for c in queries.codes(conn)}
    books = {b.id: b for b in queries.books(conn)}
    about, found = domain(conn), {}
    for u in wanted:
        code = codes.get(u.code_id or "")
        noun = about.noun(code.provision if code else "")
        found[u.id] = pinpoint(Cited(u, books[u.book_id], (), code, noun, about, above[u.id]))
    return found


def pinpoint(this: Cited) -> str:
    """Name a unit within its work: `law 72 (ii)`, `case 93, decision`, `commentary on articles 1, 2 and 3`."""
    unit, number = this.unit, _number(this.unit)
    around = this.parents[0] if this.parents else None
    match unit.kind:
        case "law":
            return this.noun.place(number)
        case "subclause" | "decision" | "footnote" | "note" if around:
            above = pinpoint(replace(this, unit=around, parents=this.parents[1:]))
            if unit.kind == "subclause":
                return f"{above} ({number})"
            return f"{above}, {unit.kind}" + (f" {number}" if number and unit.kind != "decision" else "")
        case "commentary" if this.explains:
            numbers = [_number(u) for u in this.explains]
            one = len(numbers) == 1
            return f"commentary on {this.noun.place(numbers[0]) if one else f'{this.noun.several} {listed(numbers)}'}"
        case "definition":
            return f"definition of “{unit.label.strip(' .—-')}”"
    if number and unit.role in ("provision", "case", "maxim"):
        return this.domain.noun_of_kind(unit.kind).place(number)
    if around and around.kind == "table":
        return f"“{_label(around)}”, {_label(unit).lower()}"
    return f"“{_label(unit)}”"


def title(unit: UnitRow, parent: UnitRow | None = None) -> str:
    """Name a unit where its work is already named: `Law 72 (II)`, `Case 93, decision`, `Law 3, note *`."""
    label = " ".join(unit.label.split()).strip() or unit.kind.replace("_", " ").capitalize()
    if parent and unit.kind in ("footnote", "note"):
        return f"{' '.join(parent.label.split()).rstrip('.')}, {label[0].lower()}{label[1:]}"
    return label


def _label(unit: UnitRow) -> str:
    return " ".join(unit.label.split()).strip(" .")


def titled_code(code: CodeRow) -> str:
    """Add the year to a title, in its brackets if it has any: `The Laws of Whist (the English club code, 1864)`."""
    if str(code.year) in code.title:
        return code.title
    return f"{code.title[:-1]}, {code.year})" if code.title.endswith(")") else f"{code.title} ({code.year})"


def _number(unit: UnitRow) -> str:
    number = unit.number or ""
    return number.upper() if re.fullmatch(r"[a-z]\d+", number) else number


def _name(author: AuthorRow) -> dict[str, str]:
    """Return an author as a CSL name; a name without parts (of a body, a pen name) is literal."""
    return {"family": author.family, "given": author.given} if author.given else {"literal": author.family}
