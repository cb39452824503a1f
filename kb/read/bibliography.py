"""The forms of one citation: rendered by CSL styles, and the records that reference managers read.

All are made from one item of CSL-JSON (Citation Style Language 1.0.2). citeproc-py renders it by the styles in
`kb/data`: those of the Citation Style Language project as they are, and two of our own (`plain`, `bluebook`). BibTeX
and RIS, of which a unit needs a dozen fields, are written here.
"""

from __future__ import annotations

import importlib.resources
import json
import re
import threading
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citeproc import CitationStylesStyle

STYLES = Path(str(importlib.resources.files("kb"))) / "data"
# The manuals that a citation can follow; each is a file of `kb/data` and a field of `Citations`.
MANUALS = {"chicago": "Chicago", "mla": "MLA", "oscola": "OSCOLA", "bluebook": "Bluebook"}
Item = Mapping[str, Any]

_TEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}
_BIBTEX = {
    "booktitle": "container-title", "address": "publisher-place", "publisher": "publisher", "pages": "page",
    "url": "URL", "note": "note",
}  # fmt: skip
# What the manuals ask for and citeproc-py 0.11 does not do: a comma or full stop stands before the quotation mark, and
# a title that is quoted has its own quotations in single marks.
_COMMA_FIRST = frozenset(("chicago", "mla", "bluebook"))
_QUOTES_TITLES = frozenset(("chicago", "mla"))
_AFTER_QUOTE = re.compile(r"(’?”)([,.])")
_INITIAL = re.compile(r"\b([^\W\d_])\.\s*")
# What stand for texts in what is rendered once for many items; no book has numbers of so many digits.
_STAND_IN = range(904090409000, 904090409010)
# A title's is of three words, which tell what a style did to its case, and keeps the signs at its ends.
_TITLES = ("title", "title-short", "note")
_CORE = re.compile(r"\w.*\w", re.S)
_CASES = {"ttT": None, "TTT": "title", "tTT": "title", "TtT": "capitalize-first", "ttt": "lowercase"}
_CSL = "{http://purl.org/net/xbiblio/csl}"

# A processor keeps what it is doing in the style itself, and a style takes megabytes.
_rendering = threading.Lock()


def rendered(item: Item) -> tuple[str, str]:
    """The full and the short form of an item in our own style, which has them for a bibliography and for a citation."""
    return by_style(item, "plain", noted=False), by_style(item, "plain", noted=True)


def in_manner_of(item: Item) -> dict[str, str]:
    """An item as each of the `MANUALS` has it: as a note, or in the list of works cited where a style has no notes."""
    return {m: by_style(item, m, noted=_style(m)[0].root.get("class") == "note") for m in MANUALS}


def by_style(item: Item, style: str, *, noted: bool) -> str:
    """An item by a style of `kb/data`; `noted` by its layout for notes, else by that for bibliographies.

    A large style takes 50 ms. But no style looks into an address, a single page or, but for its case, a title: what it
    makes of law 72 it makes of law 80. So these are set aside, and items that differ in nothing else are rendered once.
    """
    item = dict(item)
    if style in _QUOTES_TITLES:
        item["title"] = item["title"].replace("“", "‘").replace("”", "’")
    if style == "oscola":  # its style has no `in` before a book without an author of its own
        item.setdefault("container-author", item["author"])
    masked = item | {"id": "item"}
    aside = {}
    for number, field in zip(_STAND_IN, (*_TITLES, "page", "URL"), strict=False):
        text = item.get(field, "")
        if field in _TITLES:
            masked[field] = _CORE.sub(f"t{number} t{number} T{number}", text)
            aside[field] = re.compile(f"(t){number} (t){number} (t){number}", re.I)
        elif text and (field == "URL" or text.isalnum()):
            masked[field] = str(number)
            aside[field] = re.compile(str(number))
    made = _rendered(style, json.dumps(masked, sort_keys=True), noted)
    for field, stand_in in aside.items():
        for found in tuple(stand_in.finditer(made)):
            made = made.replace(found[0], _cased(item[field], style, "".join(found.groups())))
    return _AFTER_QUOTE.sub(r"\2\1", made) if style in _COMMA_FIRST else made


def _cased(text: str, style: str, letters: str) -> str:
    """A text that was set aside, in the case that a style gave the letters of what stood for it."""
    if case := _CASES.get(letters):
        from citeproc.string import String

        elements = _style(style)[0].root.iter(f"{_CSL}text")
        text = str(next(e for e in elements if e.get("text-case") == case).case(String(text), "en"))
    return _CORE.findall(text)[0] if letters else text


@lru_cache(maxsize=1024)
def _rendered(name: str, of: str, noted: bool) -> str:
    from citeproc import Citation, CitationItem, CitationStylesBibliography, Locator, formatter
    from citeproc.source.json import CiteProcJSON

    item = json.loads(of)
    style, mark = _style(name)
    item = _with_initials(item, mark) if mark is not None else item
    source = CiteProcJSON([item])
    if "container-author" in item:  # citeproc-py 0.11 looks for names under the hyphenated name of their variable
        source[item["id"]]["container-author"] = source[item["id"]]["container_author"]
    # Chicago and OSCOLA give the page of a part as a locator only.
    page = {"locator": Locator("page", item["page"])} if "page" in item else {}
    citation = Citation([CitationItem(item["id"], **page)])
    with _rendering:
        bibliography = CitationStylesBibliography(style, source, formatter.plain)
        bibliography.register(citation)
        return str(bibliography.cite(citation, lambda _: None) if noted else bibliography.bibliography()[0])


@cache
def _style(name: str) -> tuple[CitationStylesStyle, str | None]:
    """A style, read once.

    Returns:
        The style, and the sign it sets after initials if it leaves names that are written out as they are: citeproc-py
        0.11 does not know `initialize="false"`, so that the names are set for it beforehand.
    """
    from citeproc import CitationStylesStyle  # 0.1 s, needed by few commands

    style = CitationStylesStyle(str(STYLES / f"{name}.csl"), validate=False)
    mark = None
    if any(element.get("initialize") == "false" for element in style.root.iter(f"{_CSL}name")):
        mark = style.root.attrib.pop("initialize-with", None)
    return style, mark


def _with_initials(item: Item, mark: str) -> Item:
    """An item whose authors' initials end as a style wants them; names that are written out stay."""
    changed = dict(item)
    for role in ("author", "container-author"):
        names = [dict(name) for name in item.get(role, ())]
        for name in names:
            if "given" in name:
                name["given"] = _INITIAL.sub(lambda initial: initial[1] + mark, name["given"]).strip()
        if names:
            changed[role] = names
    return changed


def bibtex(item: Item) -> str:
    """A BibTeX entry; a name in a second pair of braces is a body's, and stays whole."""
    fields = {
        "author": _names(item, "author"),
        "title": _tex(item["title"]),
        "bookauthor": _names(item, "container-author"),
        "year": str(_year(item, "issued")),
    }
    fields |= {name: item[key] if name == "url" else _tex(item[key]) for name, key in _BIBTEX.items() if key in item}
    if "original-date" in item:
        fields["note"] += f"; first published {_year(item, 'original-date')}"
    body = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@incollection{{{item['id'].replace('/', ':')},\n" + ",\n".join(body) + "\n}\n"


def ris(item: Item) -> str:
    """An RIS record of type CHAP, lines ended as the format demands (CR LF)."""
    lines = [
        ("TY", "CHAP"),
        *(("AU", _inverted(name)) for name in item["author"]),
        # The author of a book of which a part is cited: A2 would make an editor of him (Zotero, EndNote).
        *(("C2", _inverted(name)) for name in item.get("container-author", ())),
        ("TI", item["title"]),
        ("ST", item["title-short"]),
        ("T2", item["container-title"]),
        ("PY", str(_year(item, "issued"))),
        ("CY", item["publisher-place"]),
        ("PB", item["publisher"]),
        ("SP", item.get("page", "")),
        ("N1", f"first published {_year(item, 'original-date')}" if "original-date" in item else ""),
        ("UR", item["URL"]),
        ("ID", item["id"]),
    ]
    record = "".join(f"{tag}  - {' '.join(value.split())}\r\n" for tag, value in lines if value)
    return f"{record}ER  - \r\n"


def markdown(text: str, url: str) -> str:
    """A link of Markdown."""
    escaped = re.sub(r"([\\\[\]])", r"\\\1", text)
    return f"[{escaped}]({url})"


def _year(item: Item, date: str) -> int:
    return int(item[date]["date-parts"][0][0])


def _inverted(name: Mapping[str, str]) -> str:
    return name["literal"] if "literal" in name else f"{name['family']}, {name['given']}"


def _names(item: Item, role: str) -> str:
    names = item.get(role, ())
    return " and ".join(f"{{{_tex(n['literal'])}}}" if "literal" in n else _tex(_inverted(n)) for n in names)


def _tex(text: str) -> str:
    return "".join(_TEX.get(c, c) for c in text)
