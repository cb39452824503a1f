"""The query language of the search box: phrases, exclusions, prefixes and fields, turned into safe FTS5 expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from extract.language.folding import COMPOUND, STOP_WORDS, plain, words_of
from extract.language.lexicon import word_set
from extract.model import Span

_TERM = re.compile(
    r"""(?P<minus>-)?(?:(?P<field>[a-zA-Z]+):)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))""",
)
FIELDS = ("code", "kind", "year", "book", "concept")
OPERATORS = ("AND", "OR", "NOT")
NO_OR = "OR was left out: results have all of the words, or else some of them."
# Only so much of a query is read, which bounds its cost.
MOST_LETTERS, MOST_TERMS, MOST_FIELDS = 2000, 200, 20
# A prefix may match a large part of all words, and a repeated word is looked up again.
MOST_PREFIXES, MOST_ALIKE = 6, 8
_CLIPPED = word_set("clipped")


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase to find: its folded words, and whether the last one is only a prefix.

    The parts of a `compound` may also be joined in the text. A `quoted` term is searched for in the reading text only.
    `also` has other spellings of a single word. `span` is the place of the term in `Query.text`.
    """

    words: tuple[str, ...]
    prefix: bool = False
    compound: bool = False
    quoted: bool = False
    also: tuple[str, ...] = ()
    span: Span = field(default=Span(0, 0), compare=False, repr=False)

    def fts(self) -> str:
        """The term as an FTS5 expression; every word is in quotation marks, so that no input is read as syntax."""
        plain = '"' + " ".join(self.words) + '"' + ("*" if self.prefix else "")
        joined = ['"' + "".join(self.words) + '"' + ("*" if self.prefix else "")] if self.compound else []
        ways = [f"{{text}} : {plain}" if self.quoted else plain, *joined, *(f'"{other}"' for other in self.also)]
        return f"({' OR '.join(ways)})" if len(ways) > 1 else ways[0]

    @property
    def idle(self) -> bool:
        """Whether it has only stop words, and is neither quoted nor a prefix."""
        return not (self.quoted or self.prefix) and all(w in STOP_WORDS or w in _CLIPPED for w in self.words)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: the terms wanted and unwanted, the fields that filter the results and those that exclude some.

    `notes` state in sentences what was ignored. `text` is the query that was parsed, with ligatures and typographic
    quotation marks replaced.
    """

    wanted: tuple[Term, ...]
    unwanted: tuple[Term, ...]
    fields: tuple[tuple[str, str], ...]
    excluded: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    text: str = field(default="", compare=False, repr=False)

    def match(self, *, every: bool = True) -> str:
        """The FTS5 expression for the terms wanted and unwanted; "" if none is wanted.

        Args:
            every: whether a result must have all terms that are `sought`, or any one of them.
        """
        wanted = (" AND " if every else " OR ").join(t.fts() for t in self.sought)
        return f"({wanted}) NOT ({self.without})" if wanted and self.unwanted else wanted

    @property
    def sought(self) -> tuple[Term, ...]:
        """The terms that are searched for: those that are not just stop words, or all if there are no others."""
        return tuple(t for t in self.wanted if not t.idle) or self.wanted

    @property
    def words(self) -> tuple[str, ...]:
        """All words wanted, in order."""
        return tuple(w for t in self.wanted for w in t.words)

    @property
    def without(self) -> str:
        """The FTS5 expression for the unwanted terms; "" if there are none."""
        return " OR ".join(t.fts() for t in self.unwanted)

    def values(self, field: str) -> tuple[str, ...]:
        """The values that the query wants of a field."""
        return tuple(v for f, v in self.fields if f == field)

    def refused(self, field: str) -> tuple[str, ...]:
        """The values that the query excludes of a field."""
        return tuple(v for f, v in self.excluded if f == field)


def parse(text: str) -> Query:
    """Parse a query: `"quoted phrase"`, `-excluded`, `prefix*`, `field:value`, `-field:value`; all else is words.

    `NOT x` means `-x`, and AND and OR are left out, unless the whole query is in capitals. Any input is a valid query:
    unknown syntax is searched for as words, and punctuation is ignored. Whatever exceeds `MOST_LETTERS`, `MOST_TERMS`
    or another limit is ignored and reported in the notes.
    """
    clean = plain(text[:MOST_LETTERS].encode("utf-8", "ignore").decode()).replace("“", '"').replace("”", '"')
    terms: list[tuple[bool, Term]] = []
    fields: list[tuple[bool, str, str]] = []
    notes: list[str] = []
    start = None  # the place of a NOT before the term
    for match in _TERM.finditer(clean):
        if match[0] in OPERATORS and not clean.isupper():
            start = match.start() if match[0] == "NOT" else None
            notes += [NO_OR] if match[0] == "OR" else []
            continue
        body = match["phrase"] if match["phrase"] is not None else match["word"] or ""
        field, minus = (match["field"] or "").lower(), bool(match["minus"]) or start is not None
        begin, start = match.start() if start is None else start, None
        if body.endswith(":") and body[:-1].lower() in FIELDS and not field:
            field, body = body[:-1].lower(), ""
        if field in FIELDS:
            if not (value := body.strip().lower()):
                notes.append(f"Nothing stands after “{field}:”; it was left out.")
            elif sum(name == field for _, name, _ in fields) == MOST_FIELDS:
                notes.append(f"Only the first {MOST_FIELDS} conditions with “{field}:” were read.")
            else:
                fields.append((minus, field, value))
            continue
        if match["field"]:
            body = f"{match['field']} {body}"
        term = _term(body, phrase=match["phrase"] is not None or bool(match["field"]))
        if term:
            term = replace(term, quoted=match["phrase"] is not None, span=Span(begin, match.end()))
        if term and not (bound := _bound(term, [t for _, t in terms])):
            terms.append((minus, term))
        elif term:
            notes.append(bound)
    if len(text) > MOST_LETTERS:
        notes.append(f"Only the first {MOST_LETTERS} letters of the query were read.")
    return Query(
        tuple(t for minus, t in terms if not minus),
        tuple(t for minus, t in terms if minus),
        tuple((f, v) for minus, f, v in fields if not minus),
        tuple((f, v) for minus, f, v in fields if minus),
        tuple(dict.fromkeys(notes)),
        clean,
    )


def rewritten(text: str, changes: Iterable[tuple[Span, str]]) -> str:
    """A query with other words in place of some spans, which do not overlap."""
    for span, words in sorted(changes, reverse=True):
        text = text[: span.start] + words + text[span.end :]
    return text


def loosened(query: Query) -> Iterable[tuple[str, str]]:
    """What a query that found nothing may do without, in words, each with the query without it."""
    phrases = [(t.span, " ".join(t.words)) for t in query.wanted if t.quoted]
    for what, changes in (("quotation marks", phrases), ("excluded words", [(t.span, "") for t in query.unwanted])):
        if changes and (left := " ".join(rewritten(query.text, changes).split())):
            yield what, left


def quoted(query: Query, terms: Iterable[Term]) -> str:
    """A query with some of its terms in quotation marks, so that they are searched for literally."""
    return rewritten(query.text, ((t.span, f'"{query.text[t.span.start : t.span.end]}"') for t in terms))


def _bound(term: Term, before: Sequence[Term]) -> str:
    """The note that a term exceeds a limit; "" if it does not."""
    if len(before) == MOST_TERMS:
        return f"Only the first {MOST_TERMS} words and phrases were looked for."
    if term.prefix and sum(t.prefix for t in before) == MOST_PREFIXES:
        return f"Only the first {MOST_PREFIXES} beginnings of words (such as rev*) were looked for."
    if before.count(term) == MOST_ALIKE:
        return f"A word given more than {MOST_ALIKE} times counts as given {MOST_ALIKE} times."
    return ""


def _term(body: str, *, phrase: bool) -> Term | None:
    words = words_of(body)
    if not words:
        return None
    compound = not phrase and len(words) > 1 and COMPOUND.fullmatch(body.strip("*.,;:!?()")) is not None
    return Term(words, prefix=not phrase and body.endswith("*"), compound=compound)
