"""Tokens read otherwise than they stand: what the rules of signs and numbers have in common."""

from __future__ import annotations

from dataclasses import dataclass

from extract.text.stream import Gap, Stream, Token


@dataclass(frozen=True, slots=True)
class Substitution:
    """What a token reads with its signs set right, how sure that is, the evidence and the rule. No text: no print."""

    text: str
    confidence: float
    note: str
    rule: str = ""


def substitute(stream: Stream, substituted: dict[int, Substitution]) -> Stream:
    """The stream with tokens as substituted, by their start; their spans stay, and those that are no print are gone."""
    tokens: list[Token] = []
    gaps: list[Gap] = [stream.gaps[0]]
    for token, gap in zip(stream.tokens, stream.gaps[1:], strict=True):
        found = substituted.get(token.start)
        if found and not found.text:
            gaps[-1] = gaps[-1].across(gap)
            continue
        tokens.append(token._replace(text=found.text) if found else token)
        gaps.append(gap)
    return Stream(stream.scan, tuple(tokens), tuple(gaps))
