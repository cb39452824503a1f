"""Read citations: one that is typed, and those of a text.

A citation is a pinpoint (`law 72 (ii)`, `arts. 94, 104`, `§ 72`) with the words that name its work, before it
(`English laws, 1864, law 72`) or after it (`law 72 of the English laws of 1864`, `law 72 (Drayson 1896)`), or an id or
permalink. The text is cut into names, years, pinpoints, pages and the small words that join them; any other word, the
end of a sentence and a semicolon part two citations. No citation takes its work, year or number from another one, and
all names and years of a citation must belong to one work. What is doubtful is not read (`Reading.problem`).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from extract.corpus.table import WORK_ID
from kb.cite.works import LAW, WORD, Table, in_figures, table

_ID = re.compile(rf"(?:https?://[^\s<>“”\"]*?/)?(?<![\w-])(?P<id>{WORK_ID}(?:/[a-z0-9]+(?:-[a-z0-9]+)*)+)(?:/evidence)?"
                 r"(?:\.(?![ivx]+(?!\w)|\d)\w+)*(?![\w-])", re.IGNORECASE)  # fmt: skip
_URL = re.compile(r"https?://[^\s<>“”\"]*")
_HASH = re.compile(r"sha256/16:\s*[0-9a-f]{16}\s*\]")
_YEAR = re.compile(r"(?:1[4-9]|20)\d\d(?!\w)")
_PAGES = r"\\?\[?(?:\d{1,4}|[ivxlc]+)\\?\]?(?:\s*(?:[–—,&-]|\band\b)\s*\[?\d{1,4}\]?(?!\w))*(?:\s?ff?\b\.?)?"
_PAGE = re.compile(rf"(?:pp?\.?|pages?)\s*(?P<page>{_PAGES})(?!\w)", re.IGNORECASE)
# A page without `p.`: `(Harper & Brothers, 1896), 18.`, and `Whist Laws 18 (1896)`.
_BARE_PAGE = re.compile(
    r"(?P<page>\d{1,3}|[ivxlc]+(?![^\W_]))\]?(?:\s*(?=[.:;)<“\"]|,\s*https?:|\s*\Z)|(?=\s\(\d{4}\)))"
)
_AFTER_YEAR = re.compile(r"\d{4}\)?,?\s\[?\Z")
_NUMBER = re.compile(
    r"(?:(?P<letter>[A-Za-z])[\s~]?)?(?P<figures>\d{1,3}[a-z]?)(?![^\W_])|(?P<roman>[ivxlc]{2,}|[IVXLC]{2,})(?![^\W_])"
)
_ONE_PART = r"(?:\d{1,2}|[ivx]+|[IVX]+|[a-h])"
_PARTS = re.compile(rf"[\s~]?\(({_ONE_PART})\)((?:\s*(?:,|;|and|or|&|,\s*and|[-–]|to)?\s*\({_ONE_PART}\))*)")
_PART = re.compile(rf"(\s*(?:,|and|or|&|,\s*and|[-–]|to)?\s*)\(({_ONE_PART})\)")
_WORDED_PART = re.compile(
    rf",?\s*(?:paragraphs?|paras?|pars?|sections?|sect?s?|sub-?clauses?|clauses?|cls?|sub-?sections?|§)\.?\s*\(?({_ONE_PART})\)?(?!\w)",
    re.IGNORECASE,
)  # fmt: skip
_ROMAN_PART = re.compile(r"(?:,\s*|\s+|[./](?=[ivx]))(i|ii|iii|iv|vi{1,3}|ix|I[IVX]+|VI{1,3})(?!\w)")
_SUFFIX = re.compile(r"(?:,\s*(decision|footnote|note)|\s+(decision))(?![^\W_])", re.IGNORECASE)
_RANGE = re.compile(r"(?:[^\S\n]*(?:--?|[–—])[^\S\n]*|\s+(?:to|through)\s+)(?=[A-Za-z]?\d)")
_LIST = re.compile(r"\s*(?:[,;]\s*(?:and|or|&)?|\band\b|\bor\b|&)\s*(?=[A-Za-z]?\s?\d)(?!\d+[.)]\s)")
_BLANK = re.compile(r"[\s~{}]*")
_GOES_ON = re.compile(r"[./:]\d|[^\W_]|\s?\[[ivx\d]{1,4}\]|,?\s+(?:ff?|(?:et\s+)?(?:seqq?|sqq?)|nn?\.\s?\d+)\b")
# What goes on with a number after signs or small words: `72 + 73`, `72 and perhaps 73`, `72-ix`, `72, (ii)`, `72 bis`.
_SHORT = r"(?:\d{1,3}[a-z]?|[ivx]+|[IVXL]{2,}|I(?=\s*(?:[.,;:)]|\Z)))(?![^\W_])"
_TAIL = re.compile(
    r"(?:[^\S\n]|\n(?!\s|\d+[.)]\s|[-*+•]\s)|[,;/+&=*_–—-]|(?:\.\s?){2,}+|…|[.:/](?=\w))*+"
    r"(?:\b(?i:and|or|to|through|thru|until|till|up|down|plus|minus|as|well|also|even|then|perhaps|possibly|at|et|with"
    r"|without|versus|vs|from|nos?|numbers?)\b[\s,;.]*+)*+"
    rf"(?:\b(?:bis|ter|quater)\b|(?<![^\W_]){_SHORT}|\(\s*(?:\d{{1,2}}|[ivx]+|[a-h])\s*[),;–—-]"
    r"|(?<![^\W_])[a-h](?=\s*(?:[.;:)]|\Z))|(?<=\band\s)(?:pp?\.|pages?\b)\s*\d)"
)
_OF = re.compile(r"\s+(?:of|in)\b")
# The hosts of permalinks besides the public one, which the caller names.
_LOCAL = r"localhost|127\.0\.0\.1|\[::1\]"
_HOST = re.compile(r"(?:https?:)?(?://)?(?P<host>[^\s/]+)/", re.IGNORECASE)
_NOUN = re.compile(r"\s+([^\W\d_]+)")
_JOINED = re.compile(r"and|or|&")
# Nouns that are counted: `law 72, 3 points`.
_COUNTED = re.compile(
    r"(?:points?|tricks?|cards?|players?|times?|games?|rubbers?|hono(?:u)?rs?|days?|years?|months?|hours?|minutes?"
    r"|pounds|shillings|guineas|persons?|people|members?|hands?|rounds?|revokes?|suits?|trumps?|clubs|hearts|spades"
    r"|diamonds|aces?|kings?|queens?|knaves?|odd|more|others?|pages?|lines?|words?|copies|packs?|tables?|deals?)\Z",
    re.IGNORECASE,
)
# Between the parts of a citation; other words part it from its neighbours.
_SMALL = re.compile(
    r"(?:of|the|in|at|by|from|reprinted|first|published|s|codes?|laws|rules|club|whist|edition|ed|their|its|on|no|under"
    r"|and|or)\Z",
    re.IGNORECASE,
)
_BINDING = re.compile(r"\b(?:of|in|from|by|reprinted|at|under|on)\b|[(\[<]")
_AND = re.compile(r"\b(?:and|or|with|than)\b|&")
_STOP = re.compile(
    r"\n\s*(?:[-*+•]|\d+[.)])\s|\||;|\n\s*\n|[.?!][”’\"')*_]*(?:\[\^?\w+\])*\s+(?=[“‘\"'(*_]*[A-Z\d])|[:—]\s*[“\"]|[.,]?[”\"]\s*(?:\[\^|\Z)"
)
_QUOTED_BEFORE = re.compile(r"[.,;]?[”\"»]\s*[(\[—]")
_INITIAL = re.compile(r"\b[A-Z]\Z")
_ABBREVIATION = re.compile(
    r"\b(?:art|arts|no|nos|par|ed|eds|vol|co|mr|mrs|dr|st|cf|esp|viz|ibid|l|ll|sec|cl|p|pp)\Z", re.I
)
_WITHIN_NAME = re.compile(r"[\s.,:’'&()*_“”‘~-]{0,6}\Z")
# Words with a capital that may stand before a citation without naming its work.
_OPENING = re.compile(
    r"(?:see|by|in|under|cf|compare|but|and|also|thus|as|so|while|when|if|for|on|per|with|where|the|of|both|from|to|at"
    r"|that|this|these|then|here|now|only|not|neither|nor|or|contrast|whereas|though|although|since|because|unlike|like"
    r"|following|viz|eg|ie|notes?|sources?|mr|mrs|dr|general|major|colonel|captain|sir|professor|his|her|their|our|its"
    r"|says?|it|he|she|they|we|you|i|an?|either|all|any|each|every|no|what|which|who|how|why|today|yesterday|later"
    r"|earlier|again|next|first|second|third|is|are|was|were|has|have|had|does|did)\Z",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\b(\d{1,3})(?:st|nd|rd|th)\s+((?:law|rule|article|case|maxim)s?)\b", re.IGNORECASE)
# A question that only asks for a citation: `what does law 72 say`.
_ASKED = re.compile(
    r"\s*(?:what\s+(?:does|do|did|is|are|says?)|(?:show|give)(?:\s+me)?|find|open|read)\s+(?P<cited>.*?\d.*?)"
    r"(?:\s+(?:say|mean|provide))?\s*\??\s*",
    re.IGNORECASE | re.DOTALL,
)
_TEENS = r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?"
_SPELLED = rf"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|{_TEENS})\b"
# What looks like a citation, and is listed if it is not read.
_LIKE = re.compile(
    r"\b(?:ibid(?:em)?\b\.?|op\.?\s*cit\b\.?|loc\.?\s*cit\b\.?|supra\b|id\.)"
    r"(?:,?\s*(?:at\s+)?(?:[a-z]{1,7}\.?\s*|§\s*)?\d+\w*)?"
    r"|(?:\b(?:laws?|rules?|articles?|arts?|cases?|sections?|sects?|secs?|clauses?|cl|maxims?)\b\.?|§+|\\S)"
    r"(?:[\s~]+(?:nos?\.?|numbers?))?[\s~{}]*"
    rf"(?:(?:[A-C][\s~]?)?\d[\w.:/-]*|(?-i:[IVXLC]{{2,}}|[ivxlc]{{2,}}|[IVX](?=[.,;:)\]]))(?!\w)|{_SPELLED})"
    r"|(?<![\w/-])[a-z]+(?:-[a-z]+)*-\d{4}/[a-z]+[\w/-]*",
    re.IGNORECASE,
)
_NO_NUMBER = "it has a page and no number"
_NO_WORD = "write the word before the number: law 72"


@dataclass(frozen=True, slots=True)
class Item:
    """One provision that a citation names, with the ids of the units that it may be; none if there is no such one."""

    name: str
    ids: tuple[str, ...]
    whole: tuple[str, ...] = ()  # of a part that does not exist, the provisions


@dataclass(frozen=True, slots=True)
class Reading:
    """A citation in a text.

    Attributes:
        start, end: its offsets in the text.
        items: what it names, in order.
        problem: why it is not read; "" if it is.
        page: the page that it gives, if any.
        works: the ids of the works that it may mean.
        named: whether it names its work.
        kind: the kind of unit that it names; "" if it has only a number, `id` for an address.
    """

    start: int
    end: int
    items: tuple[Item, ...] = ()
    problem: str = ""
    page: str = ""
    works: tuple[str, ...] = ()
    named: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class _Pin:
    """A pinpoint: the word for its kind, and numbers with their parts."""

    word: str
    kind: str
    numbers: tuple[tuple[str, str, str], ...]  # number, part, and the part as it is written
    doubt: str = ""
    heads: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of a text: an `id`, a `pin`, a `name`, a `year`, a `page`, a small word (`small`) or another one."""

    kind: str
    start: int
    end: int
    works: frozenset[str] = frozenset()
    text: str = ""
    pin: _Pin | None = None


class _Reader:
    """Reads one text; a typed one (`typed`) may name a work by a year and a number only."""

    def __init__(self, known: Table, text: str, *, typed: bool, host: str = "") -> None:
        self.known, self.text, self.typed, self.host = known, text, typed, host
        self.longest = max(map(len, known.names), default=0)
        singular = {word for word in known.kinds if not word.endswith("s") or word[:-1] not in known.kinds}
        every = "|".join(sorted({*map(re.escape, singular), "rule", "art"}, key=len, reverse=True))
        unpointed = r"|(?=\s?\d)" if typed else ""  # `l 72`
        others = "|".join(word for word in singular if known.kinds[word] != LAW)
        self.pinned = re.compile(
            rf"(?:(?P<ruled>{others or '(?!)'}),\s*(?:rule|law)|(?P<dummy>dummy)\s+(?:rule|law)"
            rf"|(?P<word>{every})(?P<plural>s?)"
            rf"|(?P<l>ll?)(?:\.{unpointed}))\.?(?:[\s~]+(?:nos?\.?|number))?[\s~]*"
            r"(?=[A-Za-z]?[\s~]?\d|[ivxlcIVXLC]+(?![^\W_]))",
            re.IGNORECASE,
        )  # fmt: skip
        self.matches = list(WORD.finditer(text))
        self.at = {match.start(): n for n, match in enumerate(self.matches)}

    # From text to tokens.

    def tokens(self) -> list[_Token]:
        """Cut the text into tokens."""
        found: list[_Token] = []
        at, end = 0, len(self.text)
        piece = re.compile(r"https?://|\[sha256|§+|\\S(?![^\W\d_])|[^\W_]+")
        while match := piece.search(self.text, at):
            token = self._token(match, found)
            found.append(token)
            at = min(end, max(token.end, match.start() + 1))
        return found

    def _token(self, match: re.Match[str], before: Sequence[_Token]) -> _Token:
        start, text = match.start(), self.text
        if identified := _ID.match(text, start):
            work = identified["id"].lower().split("/")[0]
            if work in self.known.works or identified[0].lower().startswith("http"):
                return _Token("id", start, identified.end(), text=identified["id"].lower())
        if url := _URL.match(text, start):
            return _Token("small", start, url.end())
        if hashed := re.compile(r"\[?" + _HASH.pattern).match(text, start):
            return _Token("small", start, hashed.end())
        if text[start] in "§\\":
            pin = self._pinpoint(match.end(), "§", LAW, plural=len(match[0]) > 1)
            return replace(pin, start=start) if pin else _Token("word", start, match.end(), text=match[0])
        n = self.at[start]
        name = self._name(n)
        head = self._heading(n, before)
        pin = self._pin(start)
        if head and head.end >= max(name.end if name else 0, pin.end if pin else 0):
            return head
        if name and not (pin and pin.end > name.end):
            return name
        if pin:
            return pin
        if page := _PAGE.match(text, start):
            return _Token("page", start, page.end(), text=page["page"])
        if year := _YEAR.match(text, start):
            return _Token("year", start, year.end(), text=year[0])
        if (not self.typed or any(t.kind == "pin" for t in before)) and (printed := self._bare_page(start, before)):
            return printed
        if self.typed and (pin := self._bare_number(start)):
            return pin
        small = _SMALL.match(match[0])
        return _Token("small" if small else "word", start, match.end(), text=match[0])

    def _bare_page(self, start: int, before: Sequence[_Token]) -> _Token | None:
        """A page without `p.`, after the year of a book or between its title and its year."""
        bare = _BARE_PAGE.match(self.text, start)
        if not bare:
            return None
        titled = before and before[-1].kind == "name" and re.match(r"\]?\s\(\d{4}\)", self.text[bare.end("page") :])
        if titled or _AFTER_YEAR.search(self.text, max(0, start - 9), start):
            return _Token("page", start, bare.end("page"), text=bare["page"])
        return None

    def _name(self, n: int) -> _Token | None:
        """The longest name of a work, or of a place or publisher, that begins with a word."""
        first = self.matches[n]
        for size in range(min(self.longest, len(self.matches) - n), 0, -1):
            part = self.matches[n : n + size]
            key = tuple(word[0].lower() for word in part)
            works = self.known.names.get(key)
            if works is None and key not in self.known.imprints:
                continue
            gaps = (self.text[a.end() : b.start()] for a, b in pairwise(part))
            if not all(_WITHIN_NAME.match(gap) and "\n\n" not in gap for gap in gaps):
                continue
            if size == 1 and not self.typed and not first[0][0].isupper():
                continue
            kind = "name" if works else "small"
            return _Token(kind, first.start(), part[-1].end(), works or frozenset())
        return None

    def _pin(self, start: int) -> _Token | None:
        kind = self.pinned.match(self.text, start)
        if not kind:
            return None
        word = (kind["word"] or kind["ruled"] or kind["dummy"] or LAW).lower()
        plural = bool(kind["plural"]) or kind["l"] in ("ll", "LL")
        meant = {"rule": LAW, "art": LAW}.get(word) or self.known.kinds[word]
        made = self._pinpoint(kind.end(), {"art": "article"}.get(word, word), meant, plural=plural)
        return replace(made, start=start) if made else None

    def _bare_number(self, start: int) -> _Token | None:
        """A number without a word, which counts only in what is typed (`1864 72`)."""
        number = _NUMBER.match(self.text, start)
        if not number or (start and self.text[start - 1] in "(["):
            return None
        return self._pinpoint(start, LAW if number["roman"] else "", LAW, plural=True)

    def _pinpoint(self, at: int, word: str, kind: str, *, plural: bool) -> _Token | None:
        """The numbers of a pinpoint from an offset on; None if it counts things (`test 4 players`)."""
        text, begin = self.text, at
        number, at = self._number(at + len(_BLANK.findall(text, at, at + 9)[0]))
        parts, at = self._parts(at)
        if not number or (parts == [("", "")] and self._counts(at)):
            return None
        numbers, doubt, joints = [(number, *part) for part in parts], "", ""
        while not doubt:
            if joint := _RANGE.match(text, at):
                last, end = self._number(joint.end())
                if self._counts(end):
                    break  # `law 72—3 tricks`
                between = _range(numbers[-1], last)
                if not between or self._parts(end)[1] != end:
                    doubt = "the range is not read"
                    break
                numbers += between
                at, joints = end, f"{joints}-"
                continue
            joint = _LIST.match(text, at)
            following, end = self._number(joint.end()) if joint else ("", at)
            if not joint or not following or _GOES_ON.match(text, end):
                break
            parts, end = self._parts(end)
            if self._counts(end):
                break
            if numbers[-1][1] and text[at - 1] != ")":
                doubt = "it may be a law or a paragraph"  # `law 72, clause 2 and 3`
                break
            joints += "," if not _JOINED.search(joint[0]) else "&"
            if self._unlikely(numbers[-1][0], following, joints[-1], end, plural=plural):
                doubt = f"{following} may be no number of a {word or 'law'}"
                break
            numbers += [(following, *part) for part in parts]
            at = end
        if not plural and not self.typed and set(joints) == {","}:
            doubt = doubt or "it may be one law and another number"  # `case 93, 112`
        if _GOES_ON.match(text, at) or self._has_tail(at):
            doubt = doubt or "the number is not read"
        return _Token("pin", begin, at, pin=_Pin(word, kind, tuple(dict.fromkeys(numbers)), doubt))

    def _has_tail(self, at: int) -> bool:
        """Whether a number that ends at an offset goes on in a way that is not read."""
        tail = _TAIL.match(self.text, at)
        return bool(tail and not self._counts(tail.end()))

    def _counts(self, at: int) -> bool:
        """Whether a number that ends at an offset counts things: `3 points`."""
        noun = _NOUN.match(self.text, at)
        return bool(noun and _COUNTED.match(noun[1]))

    def _unlikely(self, first: str, following: str, joint: str, end: int, *, plural: bool) -> bool:
        """Whether a number after another one is perhaps none of a list of provisions."""
        noun = _NOUN.match(self.text, end)
        falls = joint == "," and first.isdecimal() and following.isdecimal() and int(following) <= int(first)
        if falls or not noun:
            return falls
        named = noun[1].lower() in self.known.kinds or (noun[1].lower(),) in self.known.names
        return not named if noun[1][0].isupper() else not plural and noun[1] not in ("of", "in", "and", "or", "from")

    def _number(self, at: int) -> tuple[str, int]:
        """A number in figures and the offset after it; "" if there is none."""
        number = _NUMBER.match(self.text, at)
        if not number:
            return "", at
        if number["roman"]:
            figures = in_figures(number["roman"])
            return (figures, number.end()) if figures[:1].isdecimal() else ("", at)
        return (number["letter"] or "").lower() + (number["figures"].lstrip("0") or "0"), number.end()

    def _parts(self, at: int) -> tuple[list[tuple[str, str]], int]:
        """The parts of a provision that follow its number, in figures and as written; ("", "") is the whole."""
        text = self.text
        if found := _PARTS.match(text, at):
            parts = [(in_figures(found[1]), found[1])]
            for joint, part in _PART.findall(found[2]):
                first, last = parts[-1][0], in_figures(part)
                if joint.strip() in ("-", "–", "to") and first.isdecimal() and last.isdecimal():
                    parts += [(str(n), str(n)) for n in range(int(first) + 1, int(last))]
                parts.append((last, part))
            at = found.end()
        elif found := _WORDED_PART.match(text, at) or _ROMAN_PART.match(text, at):
            parts, at = [(in_figures(found[1]), found[1])], found.end()
        else:
            parts = [("", "")]
        suffixes = []
        while suffix := _SUFFIX.match(text, at):
            suffixes.append((suffix[1] or suffix[2]).lower())
            at = suffix.end()
        if suffixes:
            joined = ", ".join([*filter(None, parts[-1][:1]), *suffixes])
            parts = [(joined, joined)]
        return parts, at

    def _heading(self, n: int, before: Sequence[_Token]) -> _Token | None:
        """A pinpoint that is a heading: `“Preface, paragraph 9”`, `definition of “Deal”`."""
        first = self.matches[n]
        opened = self.text[max(0, first.start() - 2) : first.start()].rstrip("‘“\"'([")
        quoted = len(opened) < min(2, first.start())
        named = first[0].lower() in ("definition", "commentary")
        if not (quoted or named):
            return None
        beside = bool(before) and before[-1].kind in ("name", "year", "small")
        joined = beside and re.fullmatch(r"[\s.,)]*[“‘\"']{1,2}[(\[]?", self.text[before[-1].end : first.start()])
        if not (named or self.typed or joined):
            return None
        for size in range(min(60, len(self.matches) - n), 0, -1):
            part = self.matches[n : n + size]
            heads = self.known.headings.get(tuple(word[0].lower() for word in part))
            closed = re.match(r"[^\w\s“‘]{0,4}[’”\"']|", self.text[part[-1].end() :])
            whole = "”" in self.text[first.start() : part[-1].end()] or "’" in self.text[first.start() : part[-1].end()]
            if heads and (named or (closed and closed[0]) or whole):
                return _Token("pin", first.start(), part[-1].end(), pin=_Pin("", "heading", (), heads=tuple(heads)))
        return None

    # From tokens to citations.

    def readings(self) -> Iterator[Reading]:
        """The citations of the text, in order."""
        tokens = self.tokens()
        run: list[_Token] = []
        for n, token in enumerate(tokens):
            if run and (token.kind == "word" or self._stops(run[-1], token)):
                yield from self._wordless(run, token)
                yield from self._of_run(run, tokens, n)
                run = []
            if token.kind != "word":
                run.append(token)
            else:
                yield from self._numbered_before(tokens[n : n + 4])
        yield from self._of_run(run, tokens, len(tokens))

    def all(self) -> Iterator[Reading]:
        """The citations of the text; the book that follows a title in quotation marks and a full stop belongs to it."""
        last: Reading | None = None
        for reading in self.readings():
            if last and not last.problem and reading.problem == _NO_NUMBER and not reading.items and re.fullmatch(
                r"\)?\.[”\"’']{1,2}\s+(?:\d{4}\.\s+)?", self.text[last.end : reading.start]
            ) and set(last.works) & set(reading.works):  # fmt: skip
                last = replace(last, end=reading.end, page=reading.page)
                continue
            if last:
                yield last
            last = reading
        if last:
            yield last

    def _stops(self, a: _Token, b: _Token) -> bool:
        """Whether a citation cannot go on between two tokens."""
        gap = self.text[a.end : b.start]
        if self.typed:
            return False
        if a.kind in ("pin", "small") and _QUOTED_BEFORE.match(gap):
            return True
        if a.kind == "name" and re.match(r"\.\s+[“‘]", gap):
            return False  # `Pole, William. “‘Match, Paragraph 1.’”`
        stop = _STOP.search(self.text, a.end, min(len(self.text), b.start + 1))
        if not stop:
            return False
        if stop[0] == ";" and a.kind == "year" and self.text[a.start - 1 : a.start] == "(":
            return False  # `(1864; Harper & Brothers, 1896)`
        if stop[0][:1] == ".":
            beside = _INITIAL.search(self.text, max(0, a.end - 3), a.end) or _ABBREVIATION.search(
                self.text, max(0, a.end - 6), a.end
            )
            return not (beside and not gap.startswith((".”", ".’")) and a.kind != "pin")
        return True

    def _of_run(self, run: Sequence[_Token], tokens: Sequence[_Token], after: int) -> Iterator[Reading]:
        """The citations among tokens that no other word parts."""
        pins = [n for n, token in enumerate(run) if token.kind in ("pin", "id")]
        if not pins:
            yield from self._without_number(run)
            return
        contexts = self._divided(run, pins)
        before = tokens[after - len(run) - 1] if after > len(run) else None
        following = tokens[after] if after < len(tokens) else None
        made: list[Reading] = []
        for n, (pin, (left, right, doubt)) in enumerate(zip(pins, contexts, strict=True)):
            token = run[pin]
            if token.kind == "id":
                made.append(self._of_id(token))
                continue
            reading = self._read(token, left, right, doubt)
            if not reading.problem and not self.typed:
                edge = run[0] if n == 0 else None
                reading = replace(reading, problem=self._beside(
                    reading, before if edge else None, edge, following if n == len(pins) - 1 else None
                ) or ("" if reading.page else self._late(reading.end)))  # fmt: skip
            made.append(reading)
        yield from self._merged(made)

    def _divided(self, run: Sequence[_Token], pins: Sequence[int]) -> list[tuple[list[_Token], list[_Token], str]]:
        """The tokens before and after each pinpoint that belong to it, and why that is doubtful."""
        lefts: list[list[_Token]] = [[] for _ in pins]
        rights: list[list[_Token]] = [[] for _ in pins]
        doubts = [""] * len(pins)
        edges = [-1, *pins, len(run)]
        for n in range(len(edges) - 1):
            between = list(run[edges[n] + 1 : edges[n + 1]])
            naming = [k for k, token in enumerate(between) if token.kind in ("name", "year", "page")]
            if not naming:
                continue
            previous, following = n - 1, n
            if previous < 0:
                lefts[0] = self._last_group(between)
                others = between[: len(between) - len(lefts[0])]
                if lefts[0] and any(token.kind in ("name", "year") for token in others):
                    doubts[0] = "it names two works"  # `English and American law 30`
                continue
            start = run[pins[previous]].end
            if following == len(pins):
                rights[previous] = first = self._first_group(start, between)
                others = [token for token in between[len(first) :] if token.text.lower() not in ("and", "or")]
                if first and others and others[0].kind in ("name", "year"):
                    doubts[previous] = "it names two works"  # `law 72 of the English and American laws`
                continue
            own = any(t.kind in ("name", "year") for t in lefts[previous]) or run[pins[previous]].kind == "id"
            first = self._first_group(start, between)
            rest = between[len(first) :]
            joint = self.text[start : between[naming[0]].start]
            enclosed = "(" in joint and ")" not in self.text[start : run[pins[following]].start]
            if _AND.search(joint) or enclosed:  # `law 72 (American laws, 1893, law 30)`
                lefts[following] = self._last_group(between)
            elif all(t.kind != "name" and t.kind != "year" for t in between):
                rights[previous] = first  # a page
            elif _BINDING.search(joint) and run[pins[previous]].pin is not None:
                rights[previous] = first
                lefts[following] = self._last_group(rest)
            elif own:
                pages = [t for t in first[:1] if t.kind == "page"]
                rights[previous] = pages
                lefts[following] = self._last_group(between[len(pages) :])
            else:
                doubts[previous] = doubts[following] = "which of two numbers the work belongs to is not certain"
        return list(zip(lefts, rights, doubts, strict=True))

    def _first_group(self, start: int, tokens: Sequence[_Token]) -> list[_Token]:
        """The tokens up to the first `and`."""
        group: list[_Token] = []
        for token in tokens:
            if token.text.lower() in ("and", "or") or _AND.search(self.text[start : token.start]):
                break
            group.append(token)
            start = token.end
        return group

    def _last_group(self, tokens: Sequence[_Token]) -> list[_Token]:
        """The tokens after the last `and`."""
        group: list[_Token] = []
        for token in reversed(tokens):
            if token.text.lower() in ("and", "or") or (group and _AND.search(self.text[token.end : group[0].start])):
                break
            group.insert(0, token)
        return group

    def _read(self, token: _Token, left: Sequence[_Token], right: Sequence[_Token], doubt: str) -> Reading:
        """The citation of a pinpoint with the words around it."""
        assert token.pin is not None
        pin = token.pin
        after = list(right)
        works, named, clash = self._works([*left, *after])
        if clash and after and not _BINDING.search(self.text[token.end : after[0].start]):
            after = [t for t in after[:1] if t.kind == "page"]  # `law 72, Arnaud says`: another name, not of this law
            works, named, clash = self._works([*left, *after])
        naming = [t for t in (*left, token, *after) if t.kind != "small" or t is token]
        start, end = min(t.start for t in naming), max(t.end for t in naming)
        page = next((t.text for t in (*left, *after) if t.kind == "page"), "")
        reading = Reading(start, end, page=page, named=named, works=tuple(works), problem=doubt or pin.doubt,
                          kind=pin.kind if pin.word or pin.heads else "")  # fmt: skip
        if clash:
            return replace(reading, problem=reading.problem or "the names or the year belong to different works")
        if pin.heads:
            ids = tuple(dict.fromkeys(i for work, i in pin.heads if work in works)) if named else ()
            return replace(reading, items=(Item(" ".join(self.text[token.start : token.end].split()), ids),))
        if not named:
            only = self._only_works(pin)
            works = only or []
            if only is None:
                problem = "it names no work"
                works = self._so_called(pin)
                reading = replace(reading, problem=reading.problem or ("" if self.typed else problem))
        items = tuple(self._item(pin, number, part, shown, works) for number, part, shown in pin.numbers)
        return replace(reading, items=items, works=tuple(works))

    def _works(self, tokens: Sequence[_Token]) -> tuple[list[str], bool, bool]:
        """The works that names and years may mean, whether there are any names or years, and whether they disagree."""
        works, named = list(self.known.works), False
        years = {token.text for token in tokens if token.kind == "year"}
        for token in tokens:
            if token.kind == "name":
                works, named = [work for work in works if work in token.works], True
        if years:
            works = [work for work in works if years <= self.known.works[work].years]
            own = [work for work in works if self.known.works[work].year in years]
            exact = [work for work in own if self.known.works[work].noun]
            works, named = exact or own or works, True
            if len(years) == 1 and own:
                # A book's year may be given for its codes, too: `Drayson 1896, law 72`.
                books = [w for w in self.known.works if years <= self.known.works[w].years and w not in works]
                works = works if exact else [*works, *(w for w in books if self._named_alike(w, tokens))]
        return works, named, named and not works

    def _named_alike(self, work: str, tokens: Iterable[_Token]) -> bool:
        return all(work in token.works for token in tokens if token.kind == "name")

    def _only_works(self, pin: _Pin) -> list[str] | None:
        """The only work that has such units, for a citation that names none: `case 93`."""
        if pin.word == "article":
            having = [work.id for work in self.known.works.values() if work.noun == "article"]
        elif pin.kind == LAW:
            return None
        else:
            having = list(dict.fromkeys(work for work, kind, *_ in self.known.units if kind == pin.kind))
        return having if len(having) == 1 else None

    def _so_called(self, pin: _Pin) -> list[str]:
        """The works that a citation may mean that names none: those that call their provisions so, before others."""
        works = self.known.works.values()
        numbers = {number for number, *_ in pin.numbers}
        having = [w for w in works if any((w.id, pin.kind, number, "") in self.known.units for number in numbers)]
        alike = [w for w in having if w.noun == pin.word] or having
        return [w.id for w in sorted(alike, key=lambda work: work.year)]

    def _item(self, pin: _Pin, number: str, part: str, shown: str, works: Iterable[str]) -> Item:
        kinds = [pin.kind] if pin.word else [LAW, "case"]
        works = list(works)

        def ids(part: str) -> tuple[str, ...]:
            for kind in kinds:
                found = [i for work in works for i in self.known.units.get((work, kind, number, part), ())]
                if found:
                    return tuple(dict.fromkeys(found))
            return ()

        name = f"{pin.word or 'law'} {number.upper()}"
        if part:
            name += f", {shown}" if set(part.split(", ")) & {"decision", "footnote", "note"} else f" ({shown})"
        found = ids(part)
        return Item(name, found, ids("") if part and not found else ())

    def _of_id(self, token: _Token) -> Reading:
        items = (Item(token.text, (token.text,)),)
        problem = "" if self.typed else self._elsewhere(token) or self._late(token.end)
        return Reading(token.start, token.end, items, problem, named=True, kind="id")

    def _elsewhere(self, token: _Token) -> str:
        """Why an address is not one of ours; "" if it is, or if the id stands alone."""
        before = re.search(r"[^\s<>()“”\"]*\Z", self.text[max(0, token.start - 500) : token.start])
        address = (before[0] if before else "") + self.text[token.start : token.end]
        named = _HOST.match(address.lower().partition(token.text)[0])
        if not named or re.fullmatch(rf"(?:{_LOCAL}|{re.escape(self.host or 'localhost')})(?::\d+)?", named["host"]):
            return ""
        return f"{named['host']} is not known as an address of this library (--base names it)"

    def _late(self, end: int) -> str:
        """Why what follows a citation makes its number doubtful: `law 72 of 1864, (ii)`."""
        tail = _TAIL.match(self.text, end + (self.text[end : end + 1] == ")"))
        goes_on = tail and not self._counts(tail.end()) and not _OF.match(self.text, tail.end())
        return "a number after it is not read" if goes_on or re.match(r"\.[ivx]+(?!\w)", self.text[end:]) else ""

    def _without_number(self, run: Sequence[_Token]) -> Iterator[Reading]:
        """A work with a page, but without a number."""
        named = [token for token in run if token.kind in ("name", "year", "page")]
        page = next((token for token in named if token.kind == "page"), None)
        if page and any(token.kind == "name" for token in named):
            works, _, clash = self._works(named)
            yield Reading(named[0].start, named[-1].end, page=page.text, works=() if clash else tuple(works),
                          problem=_NO_NUMBER, named=True)  # fmt: skip

    def _numbered_before(self, tokens: Sequence[_Token]) -> Iterator[Reading]:
        """A number without a word before the name of a work: `laws 72 of the English and 30 of the American laws`."""
        number, *following = tokens
        named = next((token for token in following if token.kind != "small"), None)
        if number.text.isdecimal() and len(number.text) < 4 and named and named.kind == "name":
            gap = self.text[number.end : named.start]
            if re.fullmatch(r"\s+(?:of|in)\s+(?:the\s+)?", gap):
                yield Reading(number.start, named.end, problem=_NO_WORD, named=True)

    def _wordless(self, run: Sequence[_Token], number: _Token) -> Iterator[Reading]:
        """A work with a number that may be that of a provision."""
        beside = run[-1].kind in ("name", "year") and self.text[run[-1].end : number.start] == ", "
        kinds = {token.kind for token in run}
        if number.text.isdecimal() and beside and "name" in kinds and "pin" not in kinds:
            yield Reading(run[0].start, number.end, problem=_NO_WORD, named=True)

    def _beside(self, reading: Reading, before: _Token | None, edge: _Token | None, following: _Token | None) -> str:
        """Why the words directly around a citation make it doubtful."""
        if before and edge and before.kind == "word" and before.text[:1].isupper():
            gap = self.text[before.end : edge.start]
            year = edge.kind == "year" and ")" in self.text[edge.end : reading.end] and gap.strip() == "("
            if (year or re.fullmatch(r"[’']?\s?,?\s*[*_]?[“‘\"]?\s*", gap)) and not _OPENING.match(before.text):
                return f"“{before.text}” is no work of the library"
        if following and following.kind == "word":
            gap = self.text[reading.end : following.start]
            binds = re.match(r"\s*(?:\(|,?\s*(?:of|in|from|by)\b)\s*(?:the\b\s*)?", gap)
            capital = following.text[:1].isupper() and not _OPENING.match(following.text)
            if binds and not re.search(r"[.;:“\"]", gap) and (capital or (not reading.named and "(" not in gap)):
                return f"“{following.text}” is no work of the library"
        return ""

    def _merged(self, made: Sequence[Reading]) -> Iterator[Reading]:
        """The citations of a run; one that is followed by its own permalink is one with it."""
        skip = False
        for n, reading in enumerate(made):
            if skip:
                skip = False
                continue
            after = made[n + 1] if n + 1 < len(made) else None
            linked = after and len(after.items) == 1 and "/" in after.items[0].name
            if after and linked and "/" not in (reading.items[0].name if reading.items else "/"):
                joint = self.text[reading.end : after.start]
                if not _AND.search(joint) and len(reading.items) == 1:
                    skip = True
                    same = after.items[0].ids[0] in reading.items[0].ids
                    problem = after.problem or ("" if same else "its address is that of another provision")
                    if self.typed:
                        yield replace(after, start=reading.start)
                    else:
                        yield replace(reading, end=after.end, items=after.items, problem=problem or (
                            "" if reading.problem == "it names no work" else reading.problem))  # fmt: skip
                    continue
            yield reading


def _range(first: tuple[str, str, str], last: str) -> list[tuple[str, str, str]]:
    """The numbers after the first of a range; its last may be shortened (`72-3`). None if it does not rise."""
    number, part, _ = first
    if part or not (number.isdecimal() and last.isdecimal()):
        return []
    whole = int(number[: max(0, len(number) - len(last))] + last)
    return [(str(n), "", "") for n in range(int(number) + 1, whole + 1)]


def readings(conn: sqlite3.Connection, text: str, host: str = "") -> list[Reading]:
    """The citations of a text, in order, with those that are recognised and not read.

    An address is read if its host is the local one or `host`.
    """
    known = table(conn)
    found = list(_Reader(known, text, typed=False, host=host).all())
    taken = [(reading.start, reading.end) for reading in found]
    for pattern, why in ((_LIKE, "it is not read"), (_ORDINAL, "write the number after the word: law 72")):
        for match in pattern.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end in taken):
                found.append(Reading(match.start(), match.end(), problem=why))
                taken.append(match.span())
    return sorted(found, key=lambda reading: reading.start)


def typed_readings(conn: sqlite3.Connection, text: str) -> list[Reading] | None:
    """The citations that a typed text consists of, or that it asks for; None if it has other words."""
    if asked := _ASKED.fullmatch(text):
        text = asked["cited"]
    reader = _Reader(table(conn), _ORDINAL.sub(r"\2 \1", text), typed=True)
    tokens = reader.tokens()
    if any(token.kind == "word" for token in tokens):
        return None
    return list(reader._of_run(tokens, tokens, len(tokens)))


def ids_in(conn: sqlite3.Connection, text: str) -> list[str]:
    """The ids and addresses in a text."""
    works = table(conn).works
    found = (match["id"].lower() for match in _ID.finditer(text))
    return [unit_id for unit_id in found if unit_id.partition("/")[0] in works]
