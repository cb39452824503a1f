"""The language of the search box: phrases, exclusions, prefixes and fields, made into a safe FTS5 expression."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LIGATURES = str.maketrans({
    "ſ": "s", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl",
    "ﬅ": "st", "ﬆ": "st", "\u00ad": None, "\u2010": "-", "\u2011": "-",
})  # fmt: skip
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_TERM = re.compile(
    r"""(?P<minus>-)?(?:(?P<field>[a-zA-Z]+):)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))""",
)
_WORD = re.compile(r"[^\W_]+")
FIELDS = ("code", "kind", "year", "book", "concept")
_STOP = """
a about after again all also am an and any are as at be because been before being but by can could did do does for from
had has have he her him his how i if in into is it its may me might must my no not of off on once or our out over shall
she should so some such than that the their them then there they this those to too under until up upon us was we were
what when where which while who whom whose will with would you your
"""
STOP_WORDS = frozenset(_STOP.split())


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase to be found: its folded words, and whether the last one is only a beginning."""

    words: tuple[str, ...]
    prefix: bool = False
    compound: bool = False

    def fts(self) -> str:
        """The term as an FTS5 expression; every word stands in quotation marks, so that no input can be syntax."""
        plain = '"' + " ".join(self.words) + '"' + ("*" if self.prefix else "")
        joined = '"' + "".join(self.words) + '"' + ("*" if self.prefix else "")
        return f"({plain} OR {joined})" if self.compound else plain


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: what must be there, what must not, and the fields that narrow it."""

    wanted: tuple[Term, ...]
    unwanted: tuple[Term, ...]
    fields: tuple[tuple[str, str], ...]

    def match(self, *, every: bool = True) -> str:
        """The FTS5 expression of the words wanted and not, "" if none is wanted.

        Args:
            every: whether all terms must be there; if not, any one that is no stop word will do.
        """
        terms = self.wanted
        if not every:
            terms = tuple(t for t in terms if not all(w in STOP_WORDS for w in t.words)) or terms
        wanted = (" AND " if every else " OR ").join(t.fts() for t in terms)
        return f"({wanted}) NOT ({self.without})" if wanted and self.unwanted else wanted

    @property
    def near(self) -> str:
        """The FTS5 expression of the words wanted close together, "" if there are fewer than two that count."""
        terms = [t for t in self.wanted if not t.compound and not all(w in STOP_WORDS for w in t.words)]
        return f"NEAR({' '.join(t.fts() for t in terms)}, 5)" if len(terms) > 1 else ""

    @property
    def without(self) -> str:
        """The FTS5 expression of the words that must not be there, "" if there are none."""
        return " OR ".join(t.fts() for t in self.unwanted)

    def values(self, field: str) -> tuple[str, ...]:
        """What the query asks of one field."""
        return tuple(v for f, v in self.fields if f == field)


def fold(text: str) -> str:
    """Reading text in the spelling that search looks through.

    Ligatures and the long s are resolved; the joined form of every hyphenated compound (`mis-deal`: `misdeal`) is
    appended, so that either spelling finds it. Case and accents are left to the tokenizer (unicode61).
    """
    plain = text.translate(_LIGATURES)
    joined = dict.fromkeys(m[0].replace("-", "").lower() for m in _COMPOUND.finditer(plain))
    return plain + "\n" + " ".join(joined) if joined else plain


def parse(text: str) -> Query:
    """Read a query: `"quoted phrase"`, `-excluded`, `prefix*`, `field:value`; all else is words.

    Any input is a query: what is not understood is looked for as words, signs are passed over.
    """
    clean = text.encode("utf-8", "ignore").decode().translate(_LIGATURES).replace("“", '"').replace("”", '"')
    wanted: list[Term] = []
    unwanted: list[Term] = []
    fields: list[tuple[str, str]] = []
    for match in _TERM.finditer(clean):
        body = match["phrase"] if match["phrase"] is not None else match["word"]
        field = (match["field"] or "").lower()
        if field in FIELDS and not match["minus"]:
            if body.strip():
                fields.append((field, body.strip().lower()))
            continue
        if match["field"]:
            body = f"{match['field']} {body}"
        if term := _term(body, phrase=match["phrase"] is not None or bool(match["field"])):
            (unwanted if match["minus"] else wanted).append(term)
    return Query(tuple(wanted), tuple(unwanted), tuple(fields))


def words_of(text: str) -> tuple[str, ...]:
    """The folded words of a text, in lower case."""
    return tuple(_WORD.findall(text.translate(_LIGATURES).lower()))


def _term(body: str, *, phrase: bool) -> Term | None:
    words = words_of(body)
    if not words:
        return None
    compound = not phrase and len(words) > 1 and _COMPOUND.fullmatch(body.strip("*.,;:!?()")) is not None
    return Term(words, prefix=not phrase and body.endswith("*"), compound=compound)
