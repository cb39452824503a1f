"""Replacement of a token's text, shared by the rules for punctuation and for numbers."""

from __future__ import annotations

from dataclasses import dataclass

from extract.text.stream import Gap, Stream, Token


@dataclass(frozen=True, slots=True)
class Substitution:
    """The corrected text of a token, with confidence, evidence and rule; the text of a speck is empty."""

    text: str
    confidence: float
    note: str
    rule: str = ""


def substitute(stream: Stream, substituted: dict[int, Substitution]) -> Stream:
    """Return the stream with token texts replaced, by the tokens' start offsets.

    Spans are kept. A token whose replacement is empty is dropped, and the gaps around it become one.
    """
    tokens: list[Token] = []
    gaps: list[Gap] = [stream.gaps[0]]
    for token, gap in zip(stream.tokens, stream.gaps[1:], strict=True):
        substitution = substituted.get(token.start)
        if substitution and not substitution.text:
            gaps[-1] = gaps[-1].across(gap)
            continue
        tokens.append(token._replace(text=substitution.text) if substitution else token)
        gaps.append(gap)
    return Stream(stream.scan, tuple(tokens), tuple(gaps))
