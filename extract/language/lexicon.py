"""The lexicon: general English, the period's spellings, the terms of a library's subject; and word frequencies.

Sources and licences are in data/README.md. The frequencies of words and of pairs of words are the lists that come
with symspellpy (Google Books n-grams).
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from extract.numbering.numerals import is_roman

COMMON = 70
"""Up to this SCOWL size a word is always accepted; a rarer one must be in use in the book."""
_OWN_SIZE = 35
_MOST_SIZES = 100_000  # words whose sizes are cached; visitors may type any
_OWN_LIST = "period.txt"
NOTE_MARK = r"(?:\[\w{1,3}\]|\{\d{1,4}\}|\^\d{1,3}|[¹²³⁰⁴-⁹]{1,3}|(?<=[^\W\d_]{2}[.,;:!?])\d{1,3})"
"""The mark of a note after a word (`it.[62]`, `it^2`, `it²`, `it{2}`, `it.6`): it counts as punctuation."""
_EDGE = re.compile(rf"^(?:\{{\d{{1,4}}\}}|[\W_])+|(?:{NOTE_MARK}|[\W_])+$")


@lru_cache(maxsize=1)
def _grammar() -> dict[str, tuple[str, ...]]:
    lists: dict[str, tuple[str, ...]] = {}
    for line in (files("extract") / "data" / "grammar.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, _, words = line.partition(":")
            lists[name] = (*lists.get(name, ()), *words.split())
    return lists


def word_list(name: str) -> tuple[str, ...]:
    """One of the closed lists of English words in data/grammar.txt, in its order."""
    return _grammar()[name]


def word_set(name: str) -> frozenset[str]:
    """One of the closed lists of English words in data/grammar.txt as a set."""
    return frozenset(_grammar()[name])


FUNCTION = word_set("function")
"""Function words: none of them is part of a compound, or has a genitive."""
_SHORT = word_set("short")
_OPENINGS = word_set("compounding") | word_set("prefixes")


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Words in lower case and capitalised names, each with its SCOWL size (10 common to 80 rare)."""

    words: Mapping[str, int]
    names: Mapping[str, int]
    _sizes: dict[str, int | None] = field(default_factory=dict, repr=False, compare=False)

    def size(self, form: str) -> int | None:
        """The SCOWL size of a word, or None if it is in no list. A name must be capitalised."""
        if form not in self._sizes:
            if len(self._sizes) > _MOST_SIZES:
                self._sizes.clear()
            self._sizes[form] = self._look_up(form)
        return self._sizes[form]

    def _look_up(self, form: str) -> int | None:
        small = form.lower().replace("’", "'")
        if small.endswith("'s"):
            small = small[:-2]
        elif small.endswith("s'"):
            small = small[:-1]
        short = len(small) < 3 and small not in _SHORT
        sizes = [self.words[small]] if small in self.words and not short else []
        if form[:1].isupper() and (name := form[:1] + small[1:]) in self.names and len(small) > 1:
            sizes.append(self.names[name])
        return min(sizes, default=None)

    def known(self, form: str, size: int = COMMON) -> bool:
        """Whether a form is a word, a single capital, a roman numeral, or a hyphenated compound of words."""
        found = self.size(form)
        if found is not None:
            return found <= size
        if form.lower() == "&c":
            return True
        if len(form) == 1:
            return form.isupper()
        if is_roman(form):
            return True
        parts = form.split("-")
        return len(parts) > 1 and all(self.known(p, size) or p.lower() in _OPENINGS for p in parts)

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each word occurs in the general corpus."""
        return _counts()


@lru_cache(maxsize=4)
def load_lexicon(terms: tuple[str, ...] = (), rarest: int = 99) -> Lexicon:
    """Return the lexicon with the terms of a library's subject; calls with the same terms return the same object.

    Args:
        terms: words of the subject, in lower case (`extract.corpus.domain.Domain.terms`).
        rarest: rarer words, of a greater SCOWL size, are left out: common words alone take 15 MB, all 45.
    """
    general = _general(rarest)
    if not terms:
        return general
    words = dict(general.words)
    for term in terms:
        words[term] = min(words.get(term, 99), _OWN_SIZE)
    return Lexicon(words, general.names)


@lru_cache(maxsize=2)
def _general(rarest: int) -> Lexicon:
    """The lexicon without terms of a subject; it takes about half a second to read."""
    words: dict[str, int] = {}
    names: dict[str, int] = {}
    target, size = words, 10
    data = files("extract") / "data"
    for line in gzip.decompress((data / "scowl.txt.gz").read_bytes()).decode("utf-8").splitlines():
        if line.startswith("#"):
            head = line[1:].split()
            if head[0].isdecimal():
                target, size = (names if len(head) > 1 else words), int(head[0])
            continue
        if size <= rarest:
            target[line] = size
    for entry in read_list((data / _OWN_LIST).read_text(encoding="utf-8")):
        words[entry] = min(words.get(entry, 99), _OWN_SIZE)
    for entry in word_set("abbreviations"):
        names[entry] = min(names.get(entry, 99), 50)
    return Lexicon(words, names)


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    return _read_counts("frequency_dictionary_en_82_765.txt")


def read_list(text: str) -> list[str]:
    """Return the words of a list; `#` begins a comment."""
    return [word for line in text.splitlines() for word in line.partition("#")[0].split()]


def _read_counts(name: str) -> dict[str, int]:
    lines = (files("symspellpy") / name).read_text(encoding="utf-8-sig").splitlines()
    return {words: int(count) for words, _, count in (line.rpartition(" ") for line in lines)}


@lru_cache(maxsize=100_000)
def core(token: str) -> str:
    """A token without the punctuation and note marks around it."""
    return _EDGE.sub("", token)
