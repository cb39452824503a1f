"""Numbers that the scan misreads, mended only where a number is due and its neighbours prove it.

After `Law`, `Article`, `Case` ... a number follows; headings count up; the pages of a contents or an index rise.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from extract.mend.lexicon import core, word_set
from extract.mend.mending import Mended
from extract.mend.stream import Stream, Token
from extract.numerals import arabic, reading_cost, roman

_CITING = word_set("citing")
_SAME_WORD = {"sec": "section", "art": "article", "arts": "article", "chap": "chapter", "no": "number", "p": "page"}
_PARTS = re.compile(r"^(?P<lead>[(\[\"]*)(?P<body>.*?)(?P<tail>[.,;:)\]?!\"—-]*)$", re.S)
_ROMAN = re.compile(r"^[IVXLC]+$")
_STROKES = str.maketrans({"i": "1", "l": "1", "I": "1", "|": "1", "]": "1", "!": "1", "o": "0", "O": "0"})
_DIGITS = re.compile(r"^[\dilI|\]!oO]*\d[\dilI|\]!oO]*$")
_LETTERS = re.compile(r"^[iIlLoOnhHmuzgjst]{2,3}$")
_FIRST_PERSON = word_set("first_person")
_NEAR = 3
_GOOD = 0.45
_MOST_READ = 0.65
_ENOUGH = 5
_WINDOW = 14


def mend_numbers(stream: Stream) -> dict[int, Mended]:
    """Find misread numbers.

    Args:
        stream: the scan's tokens, their signs already set right.
    Returns:
        The tokens that read differently, by their start.
    """
    tokens = stream.tokens
    habits = _habits(tokens)
    mended: dict[int, Mended] = {}
    for i, token in enumerate(tokens):
        if token.fixed or not token.text:
            continue
        found = _cited(tokens, i, habits) or _mixed(token.text) or _first_person(tokens, i) or _page(tokens, i)
        if found and found.text != token.text:
            mended[token.start] = found
    mended.update(_headings(stream))
    mended.update(_heading_stops(stream))
    return mended


def _citing_word(text: str) -> str:
    """The word before a number in its plain form (`Laws` -> law), "" if it is none."""
    word = core(text).lower()
    if word not in _CITING or not (text[-1].isalpha() or text[-1] == "."):
        return ""
    word = _SAME_WORD.get(word, word)
    return word[:-1] if word.endswith("s") else word


def _parts(text: str) -> tuple[str, str, str]:
    match = _PARTS.match(text)
    return (match["lead"], match["body"], match["tail"]) if match else ("", text, "")


def _habits(tokens: Sequence[Token]) -> dict[str, tuple[str, int]]:
    """For each citing word: `digits` or `roman`, whichever its numbers mostly are, and the highest of them."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    highest: dict[str, int] = defaultdict(int)
    for i in range(1, len(tokens)):
        word = _citing_word(tokens[i - 1].text)
        body = _parts(tokens[i].text)[1]
        if word and body.isdecimal() and len(body) < 4:
            kinds[word]["digits"] += 1
            highest[word] = max(highest[word], int(body))
        elif word and _ROMAN.match(body) and roman(arabic(body.lower())).upper() == body:
            kinds[word]["roman"] += 1
            highest[word] = max(highest[word], arabic(body.lower()) if body not in "LC" else 0)
    habits: dict[str, tuple[str, int]] = {}
    for word, counts in kinds.items():
        kind, count = counts.most_common(1)[0]
        if count >= _ENOUGH and count >= _MOST_READ * counts.total():
            habits[word] = (kind, highest[word])
    return habits


def _cited(tokens: Sequence[Token], i: int, habits: dict[str, tuple[str, int]]) -> Mended | None:
    """A number directly after a citing word, read as a letter or as the wrong kind of numeral."""
    word = _citing_word(tokens[i - 1].text) if i else ""
    if word not in habits:
        return None
    kind, highest = habits[word]
    lead, body, tail = _parts(tokens[i].text)
    if tokens[i].text == "]":
        lead, body, tail = "", "]", ""
    if kind == "digits":
        cut = i + 1 < len(tokens) and _parts(tokens[i + 1].text)[1].isdecimal()
        if body in ("i", "I", "l", "]") and (tail or cut):
            return Mended(
                f"{lead}1{tail}", 0.95, f"{body} for 1 after '{tokens[i - 1].text}', whose numbers are figures"
            )
        if _DIGITS.match(body) and not body.isdecimal():
            number = body.translate(_STROKES)
            return Mended(lead + number + tail, 0.95, f"letters for figures after '{tokens[i - 1].text}'")
        return None
    printed = body
    if body == "i" and tail:
        printed = "I"
    elif "Y" in body and set(body) <= set("IVXLYC"):
        printed = body.replace("Y", "V")
    elif re.match(r"^[IVX]+L$", body) and "." not in tail and _too_high(body, highest):
        printed, tail = body[:-1] + "I", "." + tail
    elif body == "H":
        printed = "II"
    valid = _ROMAN.match(printed) and roman(arabic(printed.lower())).upper() == printed
    if printed == body or not valid or arabic(printed.lower()) > 2 * highest:
        return None
    return Mended(lead + printed + tail, 0.93, f"misread roman numeral after '{tokens[i - 1].text}'")


def _too_high(body: str, highest: int) -> bool:
    value = arabic(body.lower())
    return roman(value).upper() != body or value > 2 * highest


def _mixed(text: str) -> Mended | None:
    """Figures with a stroke or a round read as a letter: `i860`."""
    lead, body, tail = _parts(text)
    if body in ("lst", "Ist"):
        return Mended(f"{lead}1st{tail}", 0.93, f"{body} for 1st")
    figures = sum(map(str.isdecimal, body))
    if not _DIGITS.match(body) or body.isdecimal() or figures < 2 or body[-1] in "l]!|" or len(body) > 4:
        return None
    return Mended(lead + body.translate(_STROKES) + tail, 0.93, "letters among figures")


def _first_person(tokens: Sequence[Token], i: int) -> Mended | None:
    """The figure 1 for the word I."""
    if tokens[i].text not in ("1", "l", "|") or i + 1 == len(tokens) or core(tokens[i + 1].text) not in _FIRST_PERSON:
        return None
    if i and (tokens[i - 1].text[-1].isdecimal() or _citing_word(tokens[i - 1].text)):
        return None
    return Mended("I", 0.95, f"{tokens[i].text} for I before '{tokens[i + 1].text}'")


def _page(tokens: Sequence[Token], i: int) -> Mended | None:
    """A page number read as letters, among the rising numbers of a contents or an index."""
    lead, body, tail = _parts(tokens[i].text)
    if not _LETTERS.match(body) or not i or tokens[i - 1].text[-1] not in ",.·" or lead:
        return None
    before = [_number(t) for t in tokens[max(0, i - _WINDOW) : i]]
    after = [_number(t) for t in tokens[i + 1 : i + 1 + _WINDOW]]
    last = next((n for n in reversed(before) if n), 0)
    following = next((n for n in after if n), 0)
    neighbours = [n for n in before[-8:] + after[:8] if n]
    closes = tail[:1] == "," or i + 1 == len(tokens) or tokens[i + 1].text[:1].isupper() or tokens[i + 1].text == "to"
    if len(neighbours) < _NEAR or not closes or not following:
        return None
    in_list = _number(tokens[i - 1]) > 0
    low = last + 1 if in_list else 1
    high = following - 1 if _number(tokens[i + 1]) else low + 300
    if not in_list and not _number(tokens[i + 1]):
        low, high = last, following
    if low > high:
        return None
    costs = sorted((reading_cost(str(n), body), n) for n in range(low, high + 1))
    if costs[0][0] > _GOOD or (len(costs) > 1 and costs[1][0] - costs[0][0] < 0.25):
        return None
    return Mended(f"{costs[0][1]}{tail}", 0.92, f"{body} for {costs[0][1]} among rising page numbers")


def _number(token: Token) -> int:
    body = _parts(token.text.lstrip(".·"))[1]
    return int(body) if body.isdecimal() and len(body) < 4 else 0


def _headings(stream: Stream) -> dict[int, Mended]:
    """Headings that count up (`Case ii.` between Case 10 and Case 12), and bare labels that do (`n. If`)."""
    series: dict[str, list[int]] = defaultdict(list)
    tokens = stream.tokens
    for i, token in enumerate(tokens[:-1]):
        if not stream.gaps[i].breaks and i:
            continue
        if word := _citing_word(token.text):
            series[word].append(i + 1)
        elif token.text.endswith(".") and len(token.text) < 6 and tokens[i + 1].text[:1].isupper():
            series[""].append(i)
    mended: dict[int, Mended] = {}
    for word, places in series.items():
        values = [_parts(tokens[i].text)[1] for i in places]
        for k, i in enumerate(places):
            lead, body, tail = _parts(tokens[i].text)
            if body.isdecimal() or not tail or tokens[i].fixed:
                continue
            before = _expected(values, k, -1)
            after = _expected(values, k, 1)
            due = after if before is None and k == 0 and after == 1 else before
            if due is None or after != due or due < 1 or (not word and not (before or due == 1)):
                continue
            if reading_cost(str(due), body) <= _GOOD:
                note = f"{body} for {due}: the headings before and after count so"
                mended[tokens[i].start] = Mended(f"{lead}{due}{tail}", 0.96, note)
    return mended


def _expected(values: Sequence[str], k: int, step: int) -> int | None:
    """What a heading's number must be by the nearest plain number on one side."""
    for distance in range(1, _NEAR + 1):
        at = k + step * distance
        if not 0 <= at < len(values):
            return None
        if values[at].isdecimal():
            return int(values[at]) - step * distance
    return None


def _heading_stops(stream: Stream) -> dict[int, Mended]:
    """`Article 46,` alone on its line, where nearly all such headings end in a full stop."""
    tokens = stream.tokens
    tails: dict[str, Counter[str]] = defaultdict(Counter)
    places: list[tuple[str, int]] = []
    for i in range(1, len(tokens) - 1):
        word = _citing_word(tokens[i - 1].text)
        starts = i < 2 or tokens[i - 2].text[-1:] in '.!?)"”'
        alone = starts and stream.gaps[i - 1].breaks and stream.gaps[i + 1].breaks and not stream.gaps[i].breaks
        _, body, tail = _parts(tokens[i].text)
        if word and alone and body.isdecimal() and tokens[i + 1].text[:1].isupper():
            tails[word][tail] += 1
            places.append((word, i))
    mended: dict[int, Mended] = {}
    for word, i in places:
        _, body, tail = _parts(tokens[i].text)
        if tail in ("", ",", "-") and tails[word]["."] >= _ENOUGH and tails[word]["."] > 0.9 * tails[word].total():
            note = f"a heading: {tails[word]['.']} others end in a full stop"
            mended[tokens[i].start] = Mended(body + ".", 0.95, note)
    return mended
