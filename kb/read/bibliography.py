"""The forms of one citation: rendered by CSL styles, and the records that reference managers read.

All are made from one item of CSL-JSON (Citation Style Language 1.0.2). citeproc-py renders it with the styles in
`kb/data`: those of the Citation Style Language project, unchanged, and two of our own (`plain`, `bluebook`). BibTeX
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
# The manuals that a citation can follow; each is a style in `kb/data` and a field of `Citations`.
MANUALS = {"chicago": "Chicago", "mla": "MLA", "oscola": "OSCOLA", "bluebook": "Bluebook"}
Item = Mapping[str, Any]

_TEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}
_BIBTEX = {
    "booktitle": "container-title", "address": "publisher-place", "publisher": "publisher", "pages": "page",
    "url": "URL",
}  # fmt: skip
# The manuals require two things that citeproc-py 0.11 does not do: a comma or full stop goes before the closing
# quotation mark, and quotations within a quoted title have single marks.
_COMMA_FIRST = frozenset(("chicago", "mla", "bluebook"))
_QUOTES_TITLES = frozenset(("chicago", "mla"))
_AFTER_QUOTE = re.compile(r"(’?”)([,.])")
# A page, in brackets if its number is inferred; the styles treat a range in ways of their own.
_ONE_PAGE = re.compile(r"\[?[^\W_]+\]?")
_INITIAL = re.compile(r"\b([^\W\d_])\.\s*")
# Placeholders for fields, so that one rendering serves many items; no book has numbers of so many digits.
_STAND_IN = range(904090409000, 904090409010)
# A title's placeholder has three words, which show how a style changed its case; punctuation at its ends stays.
_TITLES = ("title", "title-short", "note")
_CORE = re.compile(r"\w(?:.*\w)?", re.S)
_CASES = {"ttT": None, "TTT": "title", "tTT": "title", "TtT": "capitalize-first", "ttt": "lowercase"}
_CSL = "{http://purl.org/net/xbiblio/csl}"

# citeproc-py keeps its state in the style; a style takes megabytes, so threads share it and take turns.
_rendering = threading.Lock()


def rendered(item: Item) -> tuple[str, str]:
    """Return the full and the short form of an item in our own style: its bibliography and its citation layout."""
    return by_style(item, "plain", noted=False), by_style(item, "plain", noted=True)


def by_manual(item: Item) -> dict[str, str]:
    """Render an item in each of the `MANUALS`: as a note, or as a bibliography entry if the style has no notes."""
    return {m: by_style(item, m, noted=_style(m)[0].root.get("class") == "note") for m in MANUALS}


def by_style(item: Item, style: str, *, noted: bool) -> str:
    """Render an item in a style of `kb/data`, with its layout for notes (`noted`) or for bibliographies.

    A large style takes 50 ms. But no style looks into a URL, a single page number or, except for its case, a title: it
    renders law 72 as it renders law 80. So placeholders replace these fields, and items that differ in nothing else are
    rendered once.
    """
    item = dict(item)
    if style in _QUOTES_TITLES:
        item["title"] = item["title"].replace("“", "‘").replace("”", "’")
    if style == "oscola":  # its style has no `in` before a book without an author of its own
        item.setdefault("container-author", item["author"])
    masked = item | {"id": "item"}
    placeholders = {}
    for number, field in zip(_STAND_IN, (*_TITLES, "page", "URL"), strict=False):
        text = item.get(field, "")
        if field in _TITLES:
            masked[field] = _CORE.sub(f"t{number} t{number} T{number}", text)
            placeholders[field] = re.compile(f"(t){number} (t){number} (t){number}", re.I)
        elif text and (field == "URL" or _ONE_PAGE.fullmatch(text)):
            masked[field] = _CORE.sub(str(number), text)
            placeholders[field] = re.compile(str(number))
    result = _rendered(style, json.dumps(masked, sort_keys=True), noted)
    for field, stand_in in placeholders.items():
        for found in tuple(stand_in.finditer(result)):
            result = result.replace(found[0], _cased(item[field], style, "".join(found.groups())))
    return _AFTER_QUOTE.sub(r"\2\1", result) if style in _COMMA_FIRST else result


def _cased(text: str, style: str, letters: str) -> str:
    """Return the text that a placeholder replaced, in the case that a style gave the placeholder's `letters`."""
    if case := _CASES.get(letters):
        from citeproc.string import String

        elements = _style(style)[0].root.iter(f"{_CSL}text")
        text = str(next(e for e in elements if e.get("text-case") == case).case(String(text), "en"))
    found: str = _CORE.findall(text)[0]
    return found


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
    # Chicago and OSCOLA print the page of a part only if it is a locator.
    page = {"locator": Locator("page", item["page"])} if "page" in item else {}
    citation = Citation([CitationItem(item["id"], **page)])
    with _rendering:
        bibliography = CitationStylesBibliography(style, source, formatter.plain)
        bibliography.register(citation)
        return str(bibliography.cite(citation, lambda _: None) if noted else bibliography.bibliography()[0])


@cache
def _style(name: str) -> tuple[CitationStylesStyle, str | None]:
    """Load a style, once.

    Returns:
        The style, and the mark it sets after initials if it does not shorten names that are written out, else None:
        citeproc-py 0.11 does not know `initialize="false"`, so initials must be marked before rendering.
    """
    from citeproc import CitationStylesStyle  # 0.1 s, needed by few commands

    style = CitationStylesStyle(str(STYLES / f"{name}.csl"), validate=False)
    mark = None
    if any(element.get("initialize") == "false" for element in style.root.iter(f"{_CSL}name")):
        mark = style.root.attrib.pop("initialize-with", None)
    return style, mark


def _with_initials(item: Item, mark: str) -> Item:
    """Return an item with the style's mark after its authors' initials; names that are written out stay."""
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
    """Return a BibTeX entry; a second pair of braces keeps the name of a body whole."""
    fields = {
        "author": _names(item, "author"),
        "title": _tex(item["title"]),
        "bookauthor": _names(item, "container-author"),
        "year": str(_year(item, "issued")),
    }
    fields |= {name: item[key] if name == "url" else _tex(item[key]) for name, key in _BIBTEX.items() if key in item}
    if "original-date" in item:
        fields["note"] = f"first published {_year(item, 'original-date')}"
    body = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@incollection{{{item['id'].replace('/', ':')},\n" + ",\n".join(body) + "\n}\n"


def ris(item: Item) -> str:
    """Return an RIS record of type CHAP, with the line ends that the format requires (CR LF)."""
    lines = [
        ("TY", "CHAP"),
        *(("AU", _inverted(name)) for name in item["author"]),
        # The author of the book that contains the cited part: Zotero and EndNote take A2 for an editor.
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
    record = "".join(f"{tag}  - {' '.join(value.split())}\r\n" for tag, value in lines if value.strip())
    return f"{record}ER  - \r\n"


def markdown(text: str, url: str) -> str:
    """Return a Markdown link."""
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
