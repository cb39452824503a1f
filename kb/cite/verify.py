"""Check the citations of a text: do they mean a provision, and do the words quoted beside them stand in it exactly?

A quotation belongs to the only citation of its sentence, or to the one that it directly precedes or follows; a block
(`>`, or an indented paragraph) and the mark of a Markdown footnote count as beside. Of several citations in a sentence,
it belongs to one that follows it alone in brackets, or that is directly before it, if those before have their own
quotations and a semicolon parts them. Nothing is called right that was not compared sign by sign: what is not read, a
quotation that may belong to several citations or to none, one with an omission or a bracket, and quotation marks that
do not match are listed.
"""

from __future__ import annotations

import difflib
import html
import re
import sqlite3
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rapidfuzz import fuzz

from extract.text.lines import collapse
from kb.cite.grammar import Reading, readings
from kb.cite.works import Table, table, words
from kb.read import queries
from kb.read.rows import Statement, UnitRow, as_tuple

THERE, NOT_THERE, NOT_CONFIRMED, NOT_READ = "there exactly", "not there", "not confirmed", "not read"
_UNCLEAR = "it is not clear which law is quoted"
EXISTS, NONE = "exists", "no such provision"
_LIKE = 50  # of 100: below this similarity, no passage is near
# Other ways to write quotation marks, blanks and the sign for a section, each with ours.
_SIGNS = (
    (re.compile(r"\\(?=[\[\]&%#])"), ""),
    (re.compile(r"<q>|``|\\enquote\{(?=[^{}]*\})"), "“"),
    (re.compile(r"</q>|(?<!')''(?!')"), "”"),
    (re.compile(r"</?(?:i|em|b|strong|a|span|cite|small|u|sup)\b[^>]*>", re.IGNORECASE), ""),
    (re.compile(r"(?<=[\w.])~(?=[\w\d])"), " "),
    (re.compile(r"\\(?:emph|textit|textsc)\{([^{}]*)\}"), r"\1"),
)
_LAYOUT = re.compile(r"<blockquote[^>]*>?|\\begin\{quot\w*\}?", re.IGNORECASE)
_PAIRS = "|".join((
    r"“(?:[^“”]|“[^“”]*”)*”",
    r"(?<!\w)\"(?!\s)[^\"]*\"",
    r"«[^«»]*»|»[^«»]*«|„[^„“”]*[“”]|‚[^‚‘’]*‘",
    r"‘(?:[^‘’\n]|’(?=\w)|(?<=s)’(?=[^‘’()]*’)|\n(?!\n))*’(?!\w)",
    r"(?<![\w'])'(?=\w)(?:[^'\n]|'(?=\w)|\n(?!\n))*'(?!\w)",
))  # fmt: skip
_QUOTATION = re.compile(_PAIRS)
_MARK = re.compile(r"[“”„«»\"]|‘(?!\w{1,4}\b)|``|(?<![\w'’])'(?!(?:tis|twas|twere|em|til|tother)\b)[^\W\d_]{3}")
_BLOCK = re.compile(r"^[ \t]*>[ \t]?(?P<block>.*(?:\n[ \t]*>.*)*)", re.MULTILINE)
# A paragraph whose lines are all indented, unless it begins as a list, a note or a quotation in quotation marks.
_INDENTED = re.compile(
    r"(?:\A|(?<=\n))(?:[ \t]*\n|\A)(?P<block>(?![ \t]*(?:[-*+•|>“\"‘«„]|\(?\w{1,3}[.)]\s|\[\^))"
    r"(?:(?: {2}|\t).*\S.*(?:\n|\Z))+)"
    r"(?=[ \t]*(?:\n|\Z))"
)
_IN_BRACKETS = re.compile(r"[\s,.*_]*(?P<open>[(\[])[\s*_<\[]*")
_QUOTED_THEN = r"[”\"’'»“]\s*[.,]?\s*;"  # the other citation has its own words: `A says “…”; B says “…”`
_SIGNED = re.compile(r"[\s>*_]*(?:\n|[—–―(\[]|--?\s)[\s>*_(<\[—–―-]*\Z")
_END = re.compile(
    r"\n\s*\n|\n[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+|\|[ \t]*\n(?=[ \t]*\|)"
    r"|[.?!][”’\"')\]*_»]*(?:\[\^?\w+\]|<sup>\w+</sup>|\^\w+\^|[¹²³⁴-⁹⁰]+)*\s+(?=[\"“‘'(\[*_«„]*[A-ZÀ-Þ\d§])"
)
_ABBREVIATED = re.compile(
    r"(?:\b[A-Za-z]|\b(?:art|arts|no|nos|par|ed|eds|vol|co|mr|mrs|dr|st|cf|esp|viz|ibid|ll|sec|cl|pp|al|cit|op|loc"
    r"|incl|resp|gen|col|[b-df-hj-np-tv-xz]{2,4}))\Z",
    re.I,
)
_BEFORE = re.compile(
    r"[\s,.(<\[_*—–-]*(?:(?:see|in|by|under|cf|from|at)\b[\s.]*(?:the\s+)?)?[\s(<\[*_]*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s,)\]>*_]*(?::|—|(?:says|said|reads|provides|rules|states|stated|has|had|orders)\b(?:\s+that\b)?[\s,:]*)?\s*",
    re.IGNORECASE,
)
_NOTE = re.compile(r"^[ \t]*\[\^(?P<name>[\w-]{1,40})\]:", re.MULTILINE)
_NOTE_MARK = r"\[\^{}\](?!:)"
_OMISSION = re.compile(r"\.\s?\.\s?\.|…|\[[^\]]*\]")
_FIRST = re.compile(r"\[(\w)\]")
_PRINTED = Statement(as_tuple, """
select folio, inferred from page where book_id = ?1 and raw_start < ?3 and raw_end > ?2 order by seq
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


@dataclass(slots=True)
class _Quoted:
    """A quotation in a text: its span with its marks, that of its words, and the citations it is beside.

    It is `doubtful` if its sentence also names another work, without a number.
    """

    start: int
    end: int
    inner: tuple[int, int]
    beside: list[int] = field(default_factory=list)
    doubtful: bool = False

    @property
    def of(self) -> int | None:
        """The citation that it belongs to beyond doubt."""
        return self.beside[0] if len(self.beside) == 1 and not self.doubtful else None


def verify(conn: sqlite3.Connection, text: str, host: str = "") -> list[Verdict]:
    """Check all citations of a text, in order; empty if it has none. `host` is that of the library's permalinks."""
    text = plain_signs(text)
    quoted = _quotations(text)
    found = readings(conn, text, host)
    titles, cited, within = _apart(found, quoted, text)
    quoted = [one for one in quoted if one not in titles]
    _pair(text, cited, quoted, table(conn))
    made: list[tuple[int, Verdict]] = [
        (reading.start, Verdict(_line(text, reading.start), text[reading.start : reading.end], NOT_READ,
                                why="it stands within quoted words"))
        for one, reading in within if one.of is None
    ]  # fmt: skip
    for n, reading in enumerate(cited):
        words = [_words(text, one) for one in quoted if one.of == n]
        made.append((reading.start, _verdict(conn, text, reading, words)))
    sentences = _sentences(text, quoted)
    with_citation = {_sentence(sentences, reading.start) for reading in cited}
    for one in quoted:
        long = bool(cited) and len(_words(text, one).split()) > 1
        if one.of is None and (one.beside or long or _sentence(sentences, one.start) in with_citation):
            why = _UNCLEAR if one.beside else "quoted with no citation beside it: not checked"
            said = collapse(text[one.start : one.end])
            made.append((one.start, Verdict(_line(text, one.start), said, NOT_CONFIRMED, why=why)))
    if cited:
        made += [
            (
                at,
                Verdict(
                    _line(text, at), collapse(text[at : at + 40]), NOT_CONFIRMED, why="its quotation marks do not match"
                ),
            )
            for at in _unmatched(text, quoted, titles)
        ]
        made += [
            (
                m.start(),
                Verdict(_line(text, m.start()), m[0], NOT_CONFIRMED, why="this form of a quotation is not read"),
            )
            for m in _LAYOUT.finditer(text)
        ]
    return [verdict for _, verdict in sorted(made, key=lambda pair: pair[0])]


def plain_signs(text: str) -> str:
    """A text with the quotation marks and blanks of HTML and LaTeX written as ours."""
    text = html.unescape(text).replace("\u00a0", " ").replace("\u202f", " ")
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    return text


def stands(words: str, text: str) -> bool:
    """Whether whole words stand in a text exactly; only white space and the shape of quotation marks may differ.

    A first letter in brackets may have the other case; a comma or full stop may go before the closing quotation mark.
    """
    text, words = _even(text), _even(words)
    options = [words]
    if first := _FIRST.match(words):
        options = [letter + words[first.end() :] for letter in (first[1].lower(), first[1].upper())]
    options += [option[:-1] for option in options if option[-1:] in (".", ",")]
    for option in options:
        if not any(map(str.isalnum, option)) or _OMISSION.search(option):
            continue
        at = text.find(option)
        while at >= 0:
            before, after = text[:at][-1:], text[at + len(option) :][:1]
            if not (before.isalnum() and option[0].isalnum()) and not (after.isalnum() and option[-1].isalnum()):
                return True
            at = text.find(option, at + 1)
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
    flat = collapse(text)
    found = fuzz.partial_ratio_alignment(words.lower(), flat.lower(), score_cutoff=_LIKE) if words and flat else None
    if found is None or found.dest_end <= found.dest_start:
        return ""
    # A passage of some words more or less may be more similar than the stretch of equal length.
    every = [m.span() for m in re.finditer(r"\S+", flat)]
    first = next(n for n, (_, end) in enumerate(every) if end > found.dest_start)
    last = next(n for n, (_, end) in enumerate(every) if end >= found.dest_end)
    passages = (
        flat[every[a][0] : every[b][1]]
        for a in range(max(0, first - 3), min(first + 3, last + 1))
        for b in range(max(a, last - 3), min(last + 4, len(every)))
    )
    best = max(passages, key=lambda passage: fuzz.ratio(words, passage))
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


def _quotations(text: str) -> list[_Quoted]:
    """The quotations of a text, without those in others."""
    found = []
    for block in _BLOCK.finditer(text):
        found.append(_Quoted(*block.span(), block.span("block")))
    for block in _INDENTED.finditer(text):
        if not any(one.start < block.end("block") and block.start("block") < one.end for one in found):
            found.append(_Quoted(*block.span("block"), block.span("block")))
    for match in _QUOTATION.finditer(text):
        if not any(one.start <= match.start() < one.end for one in found):
            found.append(_Quoted(*match.span(), (match.start() + 1, match.end() - 1)))
    return sorted(found, key=lambda one: one.start)


def _apart(
    found: Sequence[Reading], quoted: Sequence[_Quoted], text: str
) -> tuple[list[_Quoted], list[Reading], list[tuple[_Quoted, Reading]]]:
    """The quotations that are titles or headings in citations, the citations, and those within quoted words."""
    titles = [
        one for one in quoted
        if text[one.start] not in "> \t" and any(
            (reading.start <= one.start + 1 and one.end <= reading.end + 3)
            or (one.start < reading.start and reading.end < one.end and _only(text, one, reading))
            for reading in found if reading.items
        )
    ]  # fmt: skip
    rest = [one for one in quoted if one not in titles]
    cited, within = [], []
    for reading in found:
        around = next((one for one in rest if one.inner[0] <= reading.start and reading.end <= one.inner[1]), None)
        if around and text[around.start] in "> \t" and _SIGNED.search(text, around.inner[0], reading.start):
            signed = _SIGNED.search(text, around.inner[0], reading.start)
            if signed and not text[reading.end : around.end].strip(" \n>*_.)]"):
                around.inner = (around.inner[0], signed.start())
                around = None
        if around is None:
            cited.append(reading)
        else:
            within.append((around, reading))
    return titles, cited, within


def _only(text: str, one: _Quoted, reading: Reading) -> bool:
    """Whether a quotation has nothing but a citation."""
    return not text[one.inner[0] : reading.start].strip(" ‘'") and not text[reading.end : one.inner[1]].strip(" ,.)’'")


def _words(text: str, one: _Quoted) -> str:
    inner = re.sub(r"\n[ \t]*>", "\n", text[slice(*one.inner)])
    return collapse(re.sub(r"(?<!\w)[*_]+(?=\w)|(?<=[\w.,])[*_]+(?!\w)", "", inner))


def _sentences(text: str, quoted: Sequence[_Quoted]) -> list[int]:
    """The offsets at which sentences begin; a full stop within quoted words ends none."""
    starts = [0]
    for end in _END.finditer(text):
        inside = any(one.inner[0] <= end.start() < one.inner[1] - 1 and end.end() <= one.inner[1] for one in quoted)
        paragraph = text[text.rfind("\n\n", 0, end.start()) + 1 : end.start()]
        bracket = "\n" not in end[0] and paragraph.rfind("(") > paragraph.rfind(")")
        short = bracket or (end[0][0] == "." and _ABBREVIATED.search(text, max(0, end.start() - 8), end.start()))
        if not inside and not (short and "\n\n" not in end[0]):
            starts.append(end.end())
    return starts


def _sentence(starts: Sequence[int], at: int) -> int:
    """The number of the sentence in which an offset is."""
    return bisect_right(starts, at)


def _pair(text: str, cited: Sequence[Reading], quoted: Sequence[_Quoted], known: Table) -> None:
    """Note for each quotation the citations that it is beside."""
    starts = _sentences(text, quoted)
    notes = _notes(text)
    sentences = [_sentence(starts, reading.start) for reading in cited]
    for one in quoted:
        own = _sentence(starts, one.start)
        same = [n for n, sentence in enumerate(sentences) if sentence == own]
        after = [n for n, r in enumerate(cited) if r.start >= one.end and _BEFORE.fullmatch(text, one.end, r.start)]
        before = [n for n, r in enumerate(cited) if r.end <= one.start and _AFTER.fullmatch(text, r.end, one.start)]
        block = text[one.start] in "> \t"
        inside = [n for n, r in enumerate(cited) if block and one.start <= r.start and r.end <= one.end]
        near = [n for n in (*before[-1:], *after[:1]) if n in same or _joined(text, cited[n], one)]
        marked = [note for note, mark in notes if mark >= one.end and not text[one.end : mark].strip(" \n.,;:”’)")]
        noted = [
            n
            for n, r in enumerate(cited)
            if any(note <= r.start and "\n\n" not in text[note : r.start] for note in marked)
        ]
        beside = list(dict.fromkeys(inside or (noted if marked else near or same)))
        if len(beside) == 1:
            places = (own,) if marked else (own, sentences[beside[0]])
            around = {n for n, sentence in enumerate(sentences) if sentence in places} | {*beside}
            if len(around) > 1 and not _own(text, cited, one, beside[0], before, starts):
                beside = sorted(around)
            sentence = _outside(cited, text, _start(starts, one.start), one.start)
            sentence += " " + _outside(cited, text, one.end, _stop(text, starts, one.end))
            bracketed = cited[beside[0]].start >= one.end and _own(text, cited, one, beside[0], before, starts)
            one.doubtful = not (marked or bracketed) and _names_another(known, sentence, cited[beside[0]])
        one.beside = beside


def _outside(cited: Sequence[Reading], text: str, start: int, end: int) -> str:
    """A stretch of a text without the citations in it."""
    inside = [(r.start, r.end) for r in cited if start <= r.start and r.end <= end]
    borders = [start, *(border for span in inside for border in span), end]
    return " ".join(text[a:b] for a, b in zip(borders[::2], borders[1::2], strict=True))


def _start(starts: Sequence[int], at: int) -> int:
    return starts[max(0, _sentence(starts, at) - 1)]


def _stop(text: str, starts: Sequence[int], at: int) -> int:
    following = _sentence(starts, at)
    return starts[following] if following < len(starts) else len(text)


def _names_another(known: Table, sentence: str, reading: Reading) -> bool:
    """Whether a sentence names a work, or the year of one, that a citation in it cannot mean."""
    own = set(reading.works) | {unit.partition("/")[0] for item in reading.items for unit in item.ids}
    said = words(sentence)
    years = {year for work in known.works.values() for year in work.years}
    years -= {year for work in own & known.works.keys() for year in known.works[work].years}
    return not years.isdisjoint(said) or any(
        own.isdisjoint(works) and name == said[at : at + len(name)]
        for name, works in known.names.items() for at in range(len(said))
    )  # fmt: skip


def _own(
    text: str, cited: Sequence[Reading], one: _Quoted, n: int, before: Sequence[int], starts: Sequence[int]
) -> bool:
    """Whether a citation among others is that of a quotation beyond doubt."""
    reading = cited[n]
    if reading.start >= one.end:
        opened = _IN_BRACKETS.fullmatch(text, one.end, reading.start)
        closing = text.find(")" if opened and opened["open"] == "(" else "]", reading.end)
        return bool(opened) and not before and not any(reading.end <= r.start < closing for r in cited)
    if before != [n] or ")" in text[reading.end + _unclosed(text[reading.start : reading.end]) : one.start]:
        return False
    others = [r for m, r in enumerate(cited) if m != n]
    last = max((r.end for r in others if r.end <= reading.start), default=0)
    first = min((r.start for r in others if r.start >= one.end), default=len(text))
    gaps = ((last, reading.start, _QUOTED_THEN), (one.end, first, ";"))
    return all(_sentence(starts, a) != _sentence(starts, b) or _parted(text, a, b, sign) for a, b, sign in gaps)


def _parted(text: str, start: int, end: int, sign: str) -> bool:
    """Whether a sign outside brackets is between two offsets, or nothing of the text is beyond them."""
    outside = re.sub(r"\([^()]*\)", "", text[start:end])
    return start == 0 or end == len(text) or (bool(re.search(sign, outside)) and not set("()") & set(outside))


def _unclosed(cited: str) -> int:
    return max(0, cited.count("(") - cited.count(")"))


def _joined(text: str, reading: Reading, one: _Quoted) -> bool:
    """Whether a citation of another sentence is directly beside a quotation, or beyond the end of its paragraph."""
    gap = text[one.end : reading.start] if reading.start >= one.end else text[reading.end : one.start]
    return text[one.start] in "> \t" or not re.search(r"\n\s*\n|\n[ \t]*(?:[-*+•]|\d+[.)])\s", gap)


def _notes(text: str) -> list[tuple[int, int]]:
    """The offsets of the text of each Markdown footnote, and of its mark."""
    found = []
    for note in _NOTE.finditer(text):
        if mark := re.search(_NOTE_MARK.format(re.escape(note["name"])), text):
            found.append((note.end(), mark.start()))
    return found


def _unmatched(text: str, quoted: Sequence[_Quoted], titles: Sequence[_Quoted]) -> Iterator[int]:
    """The offsets of quotation marks that belong to no quotation."""
    covered = [(one.start, one.end) for one in (*quoted, *titles)]
    for mark in _MARK.finditer(text):
        if not any(start <= mark.start() < end for start, end in covered):
            yield mark.start()


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _verdict(conn: sqlite3.Connection, text: str, reading: Reading, words: Sequence[str]) -> Verdict:
    """The verdict on one citation with the words quoted beside it."""
    line, cited = _line(text, reading.start), collapse(text[reading.start : reading.end])
    cited += ")" * _unclosed(cited)
    if reading.problem:
        return Verdict(
            line, cited, NOT_READ, why=reading.problem, quotations=tuple(Quotation(w, NOT_CONFIRMED) for w in words)
        )
    ids: list[str] = []
    for item in reading.items:
        known = [unit_id for unit_id in item.ids if queries.find_unit(conn, unit_id)]
        if len(known) != 1:
            why = f"it may be {', '.join(known)}" if known else f"there is no {item.name}"
            result = NOT_CONFIRMED if known else NONE
            return Verdict(line, cited, result, tuple(known), why, tuple(Quotation(w, NOT_CONFIRMED) for w in words))
        ids += known
    units = [queries.unit(conn, unit_id) for unit_id in ids]
    texts = {unit.id: list(_texts(conn, unit)) for unit in units}
    checked = tuple(_compared(each, texts) for each in words)
    pages = _wrong_page(conn, units, reading.page) if reading.page else ""
    return Verdict(line, cited, NOT_CONFIRMED if pages else EXISTS, tuple(ids), pages, checked)


def _compared(words: str, texts: Mapping[str, Sequence[str]]) -> Quotation:
    """Compare quoted words with the texts of all provisions of a citation, by their ids."""
    found = compare(words, [each for own in texts.values() for each in own])
    having = tuple(i for i, own in texts.items() if any(stands(words, each) for each in own))
    return replace(found, only=having) if 0 < len(having) < len(texts) else found


def _texts(conn: sqlite3.Connection, unit: UnitRow) -> Iterator[str]:
    """The text of a unit, and that of the decision of a case."""
    yield unit.text
    for child in queries.children(conn, unit.id):
        if child.kind == "decision":
            yield child.text


def _wrong_page(conn: sqlite3.Connection, units: Sequence[UnitRow], cited: str) -> str:
    """Why the page of a citation is not right; "" if it is one on which the provision stands."""
    shown: list[str] = []
    for unit in units:
        parts = [unit, *queries.continued(conn, unit.id)]
        parts += [child for child in queries.children(conn, unit.id) if child.kind == "decision"]
        for part in parts:
            shown += [folio for folio, _ in _PRINTED(conn, unit.book_id, part.raw_start, part.raw_end) if folio]
    wanted = re.findall(r"\d+|[ivxlc]+", cited.lower().replace("ff", "").replace("f", ""))
    if not shown or (all(number in shown for number in wanted[:1]) and _short_range(wanted, shown)):
        return ""
    return f"it is on p. {', '.join(dict.fromkeys(shown))}, not on p. {cited}"


def _short_range(wanted: Sequence[str], shown: Sequence[str]) -> bool:
    """Whether the last page of a range is right, too, which may be shortened (`252-3`)."""
    first, last = wanted[0], wanted[-1]
    return first[: max(0, len(first) - len(last))] + last in shown
