"""A paragraph as running text in HTML: references as links, doubts and misprints marked.

It is the one place where HTML is put together beside the templates: a code has thousands of runs, and a template takes
ten times as long for each. White space has no place here but that of the runs, for a correction may end in mid-word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from operator import attrgetter

from markupsafe import Markup, escape

from kb.read.reading import Run
from kb.read.rows import CitationRow, EditRow

# Below this an edit is doubtful, and the reader is told so beside the text.
DOUBT = 0.8


def inline(runs: Iterable[Run], href: Callable[[str], str], statuses: Mapping[str, str]) -> Markup:
    """The runs of a paragraph as HTML.

    Args:
        runs: in the order of the text.
        href: makes the address of a path of the site.
        statuses: what each status of a reference that leads nowhere means, for its title.
    """
    pieces: list[str] = []
    for cite, group in groupby(runs, key=attrgetter("cite")):
        held = list(group)
        words = _words(held)
        if cite is None:
            pieces.append(words)
            continue
        marked = any(run.edit and run.edit.kind == "typo" for run in held)
        if cite.target_id:
            words = f'<a class="ref" href="{escape(href("/" + cite.target_id))}">{words}</a>'
        pieces += (words, _sign(cite, statuses, marked=marked))
    return Markup("".join(pieces))


def _sign(cite: CitationRow, statuses: Mapping[str, str], *, marked: bool) -> str:
    """What stands behind a reference that is wrong or not certain; a misprint within it is marked by itself."""
    if cite.status == "dangling" and not cite.target_id:
        return _sic(statuses[cite.status], "not found")
    if cite.status == "slip" and cite.target_id and not marked:
        return _sic("the author’s own slip", "<i>sic</i>")
    if cite.status == "ambiguous" and (cite.target_id or not marked):
        return _sic("it is not certain which is meant" if cite.target_id else statuses[cite.status], "?")
    return ""


def _words(runs: Iterable[Run]) -> str:
    pieces: list[str] = []
    plain: list[str] = []
    for run in runs:
        if run.edit is None or not (marked := _marked(run.text, run.edit)):
            plain.append(run.text)
        else:
            pieces += (escape("".join(plain)), marked)
            plain = []
    return "".join((*pieces, escape("".join(plain))))


def _marked(text: str, edit: EditRow) -> str:
    """A run that an edit has made, with the sign of what is not certain, "" if it needs none."""
    if edit.kind in ("typo", "illegible"):
        sign = "<i>sic</i>" if edit.kind == "typo" else "illegible"
        return f'<span class="{edit.kind}">{escape(text)}</span>{_sic(edit.note, sign)}'
    if edit.kind == "ocr" and edit.confidence < DOUBT:
        return f'<span class="doubt">{escape(text)}</span>{_sic("The OCR text reads " + edit.before, "?")}'
    return ""


def _sic(title: str, sign: str) -> str:
    return f'<span class="sic" title="{escape(title)}">[{sign}]</span>'
