"""Check the citations of a text: do they mean a provision, and do the words quoted beside them stand in it exactly?

A quotation belongs to the only citation of its sentence, if the sentence names no other work; of several citations,
each has its own quotation if it follows that alone in brackets: `“…” (A), but “…” (B)`. A Markdown block quote (`>`) is
a quotation in the sentence that ends before it with a colon, or that begins after it with a bracket or a dash, or is
only a citation. Nothing is called right that was not compared sign by sign; everything else is listed with the reason.
"""

from __future__ import annotations

import difflib
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rapidfuzz import fuzz, process

from extract.text.lines import collapse
from kb.cite.grammar import Reading, readings
from kb.cite.tokens import Token
from kb.read import queries
from kb.read.rows import Statement, UnitRow

THERE, NOT_THERE, NOT_CONFIRMED, NOT_READ = "there exactly", "not there", "not confirmed", "not read"
EXISTS, NONE = "exists", "no such provision"
_UNCLEAR = "it is not clear which law is quoted"
_ALONE = "quoted with no citation beside it: not checked"
_ODD_FORM = "this form of a quotation is not read"
_LIKE = 50  # of 100: below this similarity, no passage is near
# A paragraph, an item of a list, a row of a table.
_PASSAGE = re.compile(
    r"\n[ \t]*(?=\n)|\n(?=[ \t]*(?:[-*+•][ \t]|[|#]|\[\^))|(?<=[.:;?!”\")\]])\n(?=[ \t]*\d{1,3}[.)][ \t])"
)
_BLOCK = re.compile(r"^[ \t]*>.*\n(?:[ \t]*>.*\n)*", re.MULTILINE)
_QUOTATION = re.compile(r"“(?:[^“”]|“[^“”]*”)*”|(?<!\w)\"[^\"]*\"|‘(?:[^‘’]|’(?=\w)|(?<=s)’(?=[^‘’()]*’))*’(?!\w)")
# Quotation marks without a partner, or of another form.
_ODD = re.compile(
    r"[“”„«»‹›‚\"]|``|''|<(?:q|blockquote)\b|&[lr][ds]?quo;|&quot;|&#|\\(?:begin\{quot|enquote)|(?<![\w’'])['‘](?=\w)"
    r"|\A\n*(?: {2,}|\t)[ \t]*(?=\w)"  # an indented paragraph
)
_NOTED = re.compile(r"[.,;:]?(?:\[\^?\w+\]|[¹²³⁴-⁹⁰\d]|<sup|\^)")
_END = re.compile(r"[.?!][”’\"')\]*_]*(?:\[\^?\w+\]|[¹²³⁴-⁹⁰])*\s+(?=[\"“‘'*_]*[A-ZÀ-Þ\d§])")
_ABBREVIATED = re.compile(
    r"\b(?:[A-Za-z]|[A-Z]\w{1,3}|arts?|nos?|par|eds?|vol|cf|esp|viz|ibid|sec|sect|clause|chap|al|op|loc|cit|incl|resp|etc|supra"
    r"|[b-df-hj-np-tv-xz]{2,4})\Z"
)
_OPENED, _CLOSED = re.compile(r"[\s,.*_]*[(\[][\s*_<\[]*"), re.compile(r"[\s.>*_]*[)\]]")
# A Markdown note mark, whose number is no part of a citation; after quoted words it stays: the note may cite them.
_NOTE_MARK = re.compile(r"(?:(?<=[\w)\]])|(?<=[\w)\]][.,;:]))\[\^[^\[\]\s]{1,40}\]")
_OMISSION = re.compile(r"\.\s?\.\s?\.|…|\[[^\]]*\]")
_FIRST = re.compile(r"\[(\w)\]")
_FOLIOS = Statement(str, """
select folio from page where book_id = ?1 and raw_start < ?3 and raw_end > ?2 and folio is not null order by seq
""")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words quoted beside a citation; `law` is the passage most similar to them, `difference` how they differ.

    `only` has the ids of the provisions in which they stand, if they do not stand in all that the citation names.
    """

    words: str
    result: str
    law: str = ""
    difference: str = ""
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found of one citation, or of words that look like one.

    Attributes:
        line: the number of the line on which it begins.
        cited: the citation as it stands in the text.
        result: `exists`, `no such provision`, `not confirmed` or `not read`.
        ids: the ids of the provisions.
        why: the reason, if it is not simply right.
        quotations: the words quoted beside it.
    """

    line: int
    cited: str
    result: str
    ids: tuple[str, ...] = ()
    why: str = ""
    quotations: tuple[Quotation, ...] = ()

    @property
    def right(self) -> bool:
        """Whether it was read, and all words quoted beside it stand there exactly."""
        return self.result == EXISTS and all(quotation.result == THERE for quotation in self.quotations)


def verify(conn: sqlite3.Connection, text: str, host: str = "") -> list[Verdict]:
    """Check all citations of a text, in order; empty if it has none. `host` is that of the library's permalinks."""
    without_notes = _NOTE_MARK.sub(lambda mark: " " * len(mark[0]), text)
    marked, made, start = _with_marks(conn, without_notes + "\n", host), list[tuple[int, Verdict]](), 0
    for end in (*(match.start() for match in _PASSAGE.finditer(marked)), len(marked)):
        made += ((start + at, verdict) for at, verdict in _checked(conn, marked[start:end], host))
        start = end
    cited = any(verdict.why not in (_ALONE, _ODD_FORM) for _, verdict in made)
    return [replace(verdict, line=text.count("\n", 0, at) + 1) for at, verdict in made] if cited else []


def _with_marks(conn: sqlite3.Connection, text: str, host: str) -> str:
    """A text of the same length in which block quotes are in quotation marks, in one paragraph with their citations."""
    for block in _BLOCK.finditer(text):
        said = re.sub(r"(?m)^([ \t]*)>", r"\1 ", block[0])
        ends = (
            m.start() for m in re.finditer(r"\s(?=[(\[—–]|--)", said) if _is_citation(conn, said[m.start() :], host)
        )
        end = next(ends, len(said) - 1)
        marks = ("“", "”") if not _QUOTATION.fullmatch(said[:end].strip()) else (" ", " ")
        before, after = text[: block.start()], text[block.end() :]
        if before.rstrip().endswith(":"):
            before = before.rstrip() + " " * (len(before) - len(before.rstrip()))
        beside = re.match(r"\s*(?P<next>\S[^\n]*(?:\n[^\n]*\S[^\n]*)*)", after)
        if beside and (beside["next"][0] in "([—–" or _is_citation(conn, beside["next"], host)):
            at = beside.start("next")
            after = " " * (at - 1) + "—" * (at > 0) + after[at:]
        text = f"{before}{marks[0]}{said[1:end]}{marks[1]}{said[end + 1 :]}{after}"
    return text


def _is_citation(conn: sqlite3.Connection, text: str, host: str) -> bool:
    """Whether a text is one citation and nothing else."""
    found, _ = readings(conn, text, host)
    return len(found) == 1 and not re.search(r"\w", text[: found[0].start] + text[found[0].end :])


def _checked(conn: sqlite3.Connection, text: str, host: str) -> list[tuple[int, Verdict]]:
    """The verdicts on a passage in order, each with its offset."""
    found, names = readings(conn, text, host)
    marked = list(_QUOTATION.finditer(text))
    quotations = [quoted for quoted in marked if not any(_is_title(text, quoted, reading) for reading in found)]
    inside = [reading for reading in found if any(_overlap(quoted, reading) for quoted in quotations)]
    made: list[tuple[int, Verdict]] = []
    for start, end in pairwise(_sentences(text, quotations, found)):
        cited = [reading for reading in found if start <= reading.start < end and reading not in inside]
        own = [quoted for quoted in quotations if start <= quoted.start() < end]
        others = [name for name in names if start <= name.start < end]
        others = [name for name in others if not any(quoted.start() < name.start < quoted.end() for quoted in own)]
        of = {quoted: _source(text, quoted, cited, own, others) for quoted in own}
        for reading in cited:
            words = [_words(quoted) for quoted in own if of[quoted] == reading]
            made.append((reading.start, _verdict(conn, _shown(text, reading), reading, words)))
        for quoted in (quoted for quoted in own if of[quoted] is None):
            if cited or " " in _words(quoted):
                why = _UNCLEAR if cited else _ALONE
                made.append((quoted.start(), Verdict(0, collapse(quoted[0]), NOT_CONFIRMED, why=why)))
            made += (
                (reading.start, Verdict(0, _shown(text, reading), NOT_READ, why="it stands within quoted words"))
                for reading in inside if _overlap(quoted, reading)
            )  # fmt: skip
    for quoted in marked:
        text = text[: quoted.start()] + " " * len(quoted[0]) + text[quoted.end() :]
    for mark in _ODD.finditer(text):
        shown = collapse(text[mark.start() : mark.start() + 40])
        made.append((mark.start(), Verdict(0, shown, NOT_CONFIRMED, why=_ODD_FORM)))
    return sorted(made, key=lambda pair: pair[0])


def _overlap(quoted: re.Match[str], reading: Reading) -> bool:
    return quoted.start() < reading.end and reading.start < quoted.end()


def _is_title(text: str, quoted: re.Match[str], reading: Reading) -> bool:
    """Whether quoted words are a title or a heading in a citation: none of them is outside of it."""
    start, end = max(quoted.start(), reading.start), min(reading.end, quoted.end())
    beyond = text[quoted.start() : start] + text[end : quoted.end()]
    return bool(reading.items) and _overlap(quoted, reading) and not re.search(r"\w", beyond)


def _sentences(text: str, quotations: Sequence[re.Match[str]], found: Sequence[Reading]) -> list[int]:
    """The offsets between sentences; within quotation marks, brackets and citations none ends."""
    whole = [*(quoted.span() for quoted in quotations), *((reading.start, reading.end) for reading in found)]
    starts = [0]
    for end in _END.finditer(text):
        inside = any(a <= end.start() and end.end() <= b for a, b in whole)
        bracket = text.count("(", starts[-1], end.start()) > text.count(")", starts[-1], end.end())
        short = end[0][0] == "." and _ABBREVIATED.search(text, max(0, end.start() - 8), end.start())
        if not (inside or bracket or short):
            starts.append(end.end())
    return [*starts, len(text)]


def _source(
    text: str, quoted: re.Match[str], cited: Sequence[Reading], own: Sequence[re.Match[str]], others: Sequence[Token]
) -> Reading | None:
    """The citation of a sentence to which quoted words belong beyond doubt.

    Args:
        cited, own, others: the citations of the sentence, its quotations, and the names of works beside them.
    """
    if _NOTED.match(text, quoted.end()) or not cited:
        return None
    source = cited[0]
    if len({reading.items for reading in cited}) > 1:
        pairs = {
            each: reading for each in own for reading in cited
            if _OPENED.fullmatch(text, each.end(), reading.start) and _CLOSED.match(text, reading.end)
        }  # fmt: skip
        if not len(pairs) == len(own) == len(cited):
            return None
        source = pairs[quoted]
    works = {*source.works, *(unit.partition("/")[0] for item in source.items for unit in item.ids)}
    return None if any(name.works and works.isdisjoint(name.works) for name in others) else source


def _words(quoted: re.Match[str]) -> str:
    """Quoted words without their marks and without emphasis."""
    return collapse(re.sub(r"(?<!\w)[*_]+(?=\w)|(?<=[\w.,])[*_]+(?!\w)", "", quoted[0][1:-1]))


def _shown(text: str, reading: Reading) -> str:
    said = collapse(text[reading.start : reading.end])
    return said + ")" * max(0, said.count("(") - said.count(")"))


def _verdict(conn: sqlite3.Connection, shown: str, reading: Reading, words: Sequence[str]) -> Verdict:
    """The verdict on one citation with the words quoted beside it."""
    unsaid = tuple(Quotation(each, NOT_CONFIRMED) for each in words)
    if reading.problem:
        return Verdict(0, shown, NOT_READ, why=reading.problem, quotations=unsaid)
    known = [(item, tuple(i for i in item.ids if queries.find_unit(conn, i))) for item in reading.items]
    for item, ids in known:
        if not ids:
            return Verdict(0, shown, NONE, why=f"there is no {item.name}", quotations=unsaid)
        if len(ids) > 1:
            return Verdict(0, shown, NOT_CONFIRMED, ids, f"it may be {', '.join(ids)}", unsaid)
    units = [queries.unit(conn, unit_id) for _, (unit_id,) in known]
    texts = {unit.id: [part.text for part in (unit, *_decision(conn, unit))] for unit in units}
    fault = _wrong_page(conn, units, reading.page) if reading.page else ""
    result = NOT_CONFIRMED if fault else EXISTS
    return Verdict(0, shown, result, tuple(texts), fault, tuple(_compared(each, texts) for each in words))


def _decision(conn: sqlite3.Connection, unit: UnitRow) -> list[UnitRow]:
    return [child for child in queries.children(conn, unit.id) if child.kind == "decision"]


def _compared(words: str, texts: Mapping[str, Sequence[str]]) -> Quotation:
    """Compare quoted words with the texts of all provisions of a citation, by their ids."""
    found = compare(words, [each for own in texts.values() for each in own])
    having = tuple(i for i, own in texts.items() if any(stands(words, each) for each in own))
    return replace(found, only=having) if 0 < len(having) < len(texts) else found


def _wrong_page(conn: sqlite3.Connection, units: Sequence[UnitRow], page: str) -> str:
    """Why the page of a citation is not right; "" if the provision stands on it. A range may be short: `252-3`."""
    parts = [part for u in units for part in (u, *queries.continued(conn, u.id), *_decision(conn, u))]
    shown = dict.fromkeys(
        folio for part in parts for folio in _FOLIOS(conn, part.book_id, part.raw_start, part.raw_end)
    )
    first, *rest = re.findall(r"\d+|[ivxlc]+", page.lower())
    wanted = {first, *(first[: max(0, len(first) - len(last))] + last for last in rest)}
    return f"it is on p. {', '.join(shown)}, not on p. {page}" if shown and not wanted <= shown.keys() else ""


def stands(words: str, text: str) -> bool:
    """Whether whole words stand in a text exactly; only white space and the shape of quotation marks may differ.

    A first letter in brackets may have the other case; a comma or full stop may go before the closing quotation mark.
    """
    text, words = _even(text), _even(words)
    first = _FIRST.match(words)
    wanted = [letter + words[first.end() :] for letter in (first[1].lower(), first[1].upper())] if first else [words]
    for each in (*wanted, *(each[:-1] for each in wanted if each[-1:] in (".", ","))):
        before, after = (r"(?<![^\W_])" if sign.isalnum() else "" for sign in (each[:1], each[-1:]))
        whole = re.search(before + re.escape(each) + after.replace("<", ""), text)
        if whole and not _OMISSION.search(each) and any(map(str.isalnum, each)):
            return True
    return False


def _even(text: str) -> str:
    """A text with single blanks and straight quotation marks."""
    for curly, straight in (("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"')):
        text = text.replace(curly, straight)
    return " ".join(text.split())


def compare(words: str, texts: Sequence[str]) -> Quotation:
    """Compare quoted words with the texts of a law (its own, and those of its parts)."""
    if any(stands(words, text) for text in texts):
        return Quotation(words, THERE)
    changed = _OMISSION.search(_FIRST.sub(r"\1", words, count=1) if _FIRST.match(words) else words)
    if changed:
        return Quotation(words, NOT_CONFIRMED, _around(words, texts), "it has an omission or a bracket")
    near = max((nearest(words, text) for text in texts), key=lambda passage: fuzz.ratio(words, passage), default="")
    return Quotation(words, NOT_THERE, near, difference(words, near) if near else "")


def _around(words: str, texts: Sequence[str]) -> str:
    """What the law has from the first to the last piece of a quotation with omissions; all of it, if none is clear."""
    pieces = [piece for piece in map(str.strip, _OMISSION.split(words)) if any(map(str.isalnum, piece))]
    for text in map(_even, texts):
        ends = [text.find(_even(piece)) for piece in pieces]
        if pieces and min(ends) >= 0 and ends == sorted(ends):
            return text[ends[0] : ends[-1] + len(_even(pieces[-1]))]
    return " ".join(map(collapse, texts))


def nearest(words: str, text: str) -> str:
    """The passage of a text, in whole words, that is most similar to some words; "" if none is similar."""
    law, size = text.split(), len(words.split())
    passages = [
        " ".join(law[start:end]) for start in range(len(law))
        for end in range(start + max(1, size - 3), min(start + size + 3, len(law)) + 1)
    ]  # fmt: skip
    found = process.extractOne(words, passages, scorer=fuzz.ratio, score_cutoff=_LIKE)
    best = found[0] if found else ""
    return best.rstrip(".,;:") if words[-1:].isalnum() else best


def difference(words: str, law: str) -> str:
    """How quoted words differ from a passage of the law, word by word."""
    a, b = law.split(), words.split()
    told = []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        has, says = " ".join(a[i:j]), " ".join(b[k:m])
        if kind == "replace":
            told.append(f"“{has}”, not “{says}”")
        elif kind == "delete" and i > 0 and j < len(a):
            told.append(f"“{has}” is left out")
        elif kind == "insert":
            told.append(f"“{says}” is not in it")
    return "; ".join(told)
