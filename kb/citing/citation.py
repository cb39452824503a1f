"""A citation in a text: what it means, and what it quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PAGES = r"\d{1,4}(?:\s*(?:[–—,&-]|\band\b)\s*\d{1,3}(?!\d))*(?:\s?ff?\b)?"
# A page without `p.`, as Chicago, OSCOLA, author-date and the Bluebook write it: `(Harper & Brothers, 1896), 18`,
# `(Harper & Brothers 1896) 18`, `Drayson 1896, 18`, `Ibid., 18`, `Whist Laws 18 (1896)`.
_BARE = r"""(?:(?<=\b\d{4}\),\s)|(?<=\b\d{4}\)\s)|(?<=\b\d{4}[,:]\s)|(?<=\bibid\.,\s)|(?<=\bibid[.,]\s))
    (?=\[?\d{1,3}(?:[–—-]\d{1,3})?\]?\s*(?:[].,;:)<“"‘]|https?:|\Z))
    |(?<=[a-z]\s)(?=\[?\d{1,3}(?:[–—-]\d{1,3})?\]?\s\(1[5-9]\d\d\))"""
PAGE = re.compile(
    rf"(?:\b(?:pp?\.|pages?\b)\s*|{_BARE})(?P<open>\[)?(?P<page>{_PAGES})(?(open)\])", re.IGNORECASE | re.VERBOSE
)
"""A page, or several, which a text names."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation in a text, and what it quotes.

    Attributes:
        at: its first offset in the text and the one just after it, in characters, with the words that name its work.
        cited: the citation as it reads in the text.
        meant: the ids of the units it means: several if it is ambiguous, none if its work does not have the provision.
        nearest: if there are none, the most similar ids of provisions of the work.
        books: the ids of the books that it may mean, if it has a page and no number.
        page: the page or pages that it gives; "" if it gives none.
        sure: whether it names its work itself; if not, the sentence has named the author before.
        year: the year that it gives, if its work has another; else "".
        letters: the hash (`kb.editorial.provisions.letters`) of its quotation in the text; "" if there is none.
        words: the words quoted; "" if there are none.
        words_at: their offsets, as in `at`; None if there are none.
        unread: whether its sentence has a quotation that may be from it or not, so that it is not checked.
    """

    at: tuple[int, int]
    cited: str
    meant: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    books: tuple[str, ...] = ()
    page: str = ""
    sure: bool = True
    year: str = ""
    letters: str = ""
    words: str = ""
    words_at: tuple[int, int] | None = None
    unread: bool = False

    @property
    def id(self) -> str:
        """The id of the unit it means; "" if it means none or several."""
        return self.meant[0] if len(self.meant) == 1 else ""
