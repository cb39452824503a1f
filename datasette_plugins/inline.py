"""A paragraph as inline HTML: references and terms become links, doubtful readings and misprints are marked.

This is the only place outside the templates that builds HTML: a code has thousands of runs, and a template takes ten
times as long for each. No white space may be added to that of the runs, since a correction may end in mid-word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from operator import attrgetter

from markupsafe import Markup, escape

from kb.read.reading import Run, Term
from kb.read.rows import CitationRow, EditRow

# An edit with a lower confidence is doubtful, and is marked as such in the text.
DOUBT = 0.8


def inline(runs: Iterable[Run], href: Callable[[str], str], statuses: Mapping[str, str]) -> Markup:
    """Render the runs of a paragraph as HTML.

    Args:
        runs: in the order of the text.
        href: makes the URL of a path of the site.
        statuses: what each status of a reference means, for the title of its mark.
    """
    pieces: list[str] = []
    for link, group in groupby(runs, key=attrgetter("link")):
        members = list(group)
        html = _words(members)
        if isinstance(link, Term):
            html = _term(link, html, href)
        elif link:
            if link.target_id:
                html = f'<a class="ref" href="{escape(href("/" + link.target_id))}">{html}</a>'
            marked = any(run.edit and run.edit.kind == "typo" for run in members)
            html += _reference_mark(link, statuses, marked=marked)
        pieces.append(html)
    return Markup("".join(pieces))


def _term(term: Term, html: str, href: Callable[[str], str]) -> str:
    """A term as a link to its concept; what it means is shown when the reader points at it, taps it or gets to it."""
    address, name = escape(href("/concept/" + term.concept)), f"term-{term.concept}"
    note = f"<b>{escape(term.label)}.</b> {escape(term.note)}"
    return (
        f'<a class="term" href="{address}" aria-describedby="{name}">{html}</a>'
        f'<span class="tip" role="tooltip" id="{name}">{note}</span>'
    )


def _reference_mark(cite: CitationRow, statuses: Mapping[str, str], *, marked: bool) -> str:
    """The mark after a reference that is wrong or uncertain; a misprint within it already has its own mark."""
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
    """An edited run with a mark if it is a misprint, illegible or doubtful; "" if it needs no mark."""
    if edit.kind in ("typo", "illegible"):
        mark = "<i>sic</i>" if edit.kind == "typo" else "illegible"
        return f'<span class="{edit.kind}">{escape(text)}</span>{_sic(edit.note, mark)}'
    if edit.kind == "ocr" and edit.confidence < DOUBT:
        return f'<span class="doubt">{escape(text)}</span>{_sic("The OCR text reads " + edit.before, "?")}'
    return ""


def _sic(title: str, mark: str) -> str:
    return f'<span class="sic" title="{escape(title)}">[{mark}]</span>'
