"""The forms of one citation: rendered by a CSL style, and the records that reference managers read.

All are made from one item of CSL-JSON (Citation Style Language 1.0.2). citeproc-py renders it by the style in
`kb/data/citation.csl`; BibTeX and RIS, of which a unit needs a dozen fields, are written here.
"""

from __future__ import annotations

import importlib.resources
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citeproc import CitationStylesStyle

STYLE = Path(str(importlib.resources.files("kb"))) / "data" / "citation.csl"
Item = Mapping[str, Any]

_TEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}
_BIBTEX = {
    "booktitle": "container-title", "address": "publisher-place", "publisher": "publisher", "pages": "page",
    "url": "URL", "note": "note",
}  # fmt: skip

_thread = threading.local()


def rendered(item: Item) -> tuple[str, str]:
    """The full and the short form of an item, as the style has them for a bibliography and for a citation."""
    from citeproc import Citation, CitationItem, CitationStylesBibliography, formatter  # 0.1 s, needed by few commands
    from citeproc.source.json import CiteProcJSON

    source = CiteProcJSON([item])
    if "container-author" in item:  # citeproc-py 0.11 looks for names under the hyphenated name of their variable
        source[item["id"]]["container-author"] = source[item["id"]]["container_author"]
    bibliography = CitationStylesBibliography(_style(), source, formatter.plain)
    citation = Citation([CitationItem(item["id"])])
    bibliography.register(citation)
    return str(bibliography.bibliography()[0]), str(bibliography.cite(citation, lambda _: None))


def _style() -> CitationStylesStyle:
    """The style, read once in each thread: a processor keeps what it is doing in the style itself."""
    from citeproc import CitationStylesStyle

    if not hasattr(_thread, "style"):
        _thread.style = CitationStylesStyle(str(STYLE), validate=False)
    style: CitationStylesStyle = _thread.style
    return style


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
        *(("A2", _inverted(name)) for name in item.get("container-author", ())),
        ("TI", item["title"]),
        ("ST", item["title-short"]),
        ("T2", item["container-title"]),
        ("PY", str(_year(item, "issued"))),
        ("CY", item["publisher-place"]),
        ("PB", item["publisher"]),
        ("SP", item.get("page", "")),
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
