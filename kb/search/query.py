"""The query language: words, "quoted phrases", -excluded, prefix*, and filters (`code:1864`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from extract.language.folding import COMPOUND, STOP_WORDS, plain, words_of
from extract.language.misspelling import spellings

FIELDS = ("code", "kind", "book", "year", "concept")
MOST_LETTERS, MOST_TERMS = 2000, 30
"""So much of a query is read, which bounds its cost."""
_FILTER = re.compile(rf"\b(?:{'|'.join(FIELDS)}):(?:\"[^\"]*\"|\S*)", re.IGNORECASE)
_TERM = re.compile(r'(?P<minus>-)?(?:(?P<field>[a-zA-Z]+):)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase to find: its folded words, and whether it is quoted, excluded, or the beginning of a word."""

    words: tuple[str, ...]
    phrase: bool = False
    minus: bool = False
    prefix: bool = False
    compound: bool = False

    def fts(self, known: Mapping[str, int]) -> str:
        """Return the term as an FTS5 expression, in which every word is quoted, so that no input is read as syntax.

        Args:
            known: the words of the library; other spellings of a word (`honor`, `honour`) among them match too.
        """
        one = '"' + " ".join(self.words) + '"' + "*" * self.prefix
        if self.phrase:
            return f"{{text}} : {one}"
        others = spellings(self.words[0], known) if len(self.words) == 1 and not self.prefix else ()
        joined = ("".join(self.words),) if self.compound else ()
        return "(" + " OR ".join((one, *(f'"{other}"' for other in (*joined, *others)))) + ")"


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: its terms, and the values of its filters by field; `cut` is whether a part was left out."""

    terms: tuple[Term, ...] = ()
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cut: bool = False

    @property
    def wanted(self) -> tuple[Term, ...]:
        """The terms to find: those that are not mere words of grammar, or all if there are no others."""
        wanted = tuple(term for term in self.terms if not term.minus)
        telling = tuple(t for t in wanted if t.phrase or t.prefix or not STOP_WORDS.issuperset(t.words))
        return telling or wanted

    def match(self, known: Mapping[str, int], *, every: bool) -> str:
        """Return the FTS5 expression of the query; "" if it wants no words.

        Args:
            known: as for `Term.fts`.
            every: whether a result must have all terms, or any one of them.
        """
        wanted = (" AND " if every else " OR ").join(term.fts(known) for term in self.wanted)
        without = " OR ".join(term.fts(known) for term in self.terms if term.minus)
        return f"({wanted}) NOT ({without})" if wanted and without else wanted


def without_filters(text: str) -> str:
    """Return a query without its filters: the words that are asked."""
    return " ".join(_FILTER.sub(" ", text).split())


def parse(text: str, given: Mapping[str, Sequence[str]] | None = None) -> Query:
    """Parse a query; any input is valid, and unknown syntax is searched for as words.

    Args:
        text: the query.
        given: further values of filters, by field.
    """
    clean = plain(text[:MOST_LETTERS].encode("utf-8", "ignore").decode()).replace("“", '"').replace("”", '"')
    filters = {name: list(values) for name, values in (given or {}).items() if values}
    terms: list[Term] = []
    for match in _TERM.finditer(clean):
        name, phrase = (match["field"] or "").lower(), match["phrase"]
        body = phrase if phrase is not None else match["word"]
        if name in FIELDS and not match["minus"]:
            filters.setdefault(name, []).append(body.strip().lower())
        elif words := words_of(f"{match['field'] or ''} {body}"):
            whole = phrase is None and not match["field"]
            compound = whole and len(words) > 1 and COMPOUND.fullmatch(body.strip("*.,;:!?()")) is not None
            terms.append(Term(words, phrase is not None, bool(match["minus"]), whole and body.endswith("*"), compound))
    cut = len(text) > MOST_LETTERS or len(terms) > MOST_TERMS
    return Query(tuple(terms[:MOST_TERMS]), {name: tuple(dict.fromkeys(v)) for name, v in filters.items()}, cut)
