"""A hearing: adjudicate each issue of a dispute by itself, and combine the results."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from extract.language.folding import words_of
from extract.language.misspelling import is_word, respelt
from kb.analysis.words import terms
from kb.dispute.adjudication import Adjudication, Finding, adjudicate
from kb.dispute.index import Index
from kb.dispute.issues import Issue, issues
from kb.dispute.principal import blank_spans

# From this margin on (`Reading.off_topic`) a text counts as about another subject and is not answered: none of 1,228
# questions of the game that codes decide, 7 of 149 that no code decides, and 220 of 230 on other subjects; with a
# margin of 0.3, 5 and 215 of the last two.
_OFF_TOPIC = 0.1
# With a lower margin such a text may be about the game, only not recognised: of 48 texts on other subjects, 41 have a
# higher one, and none of 35 short ones on the game.
_CLEARLY_OFF_TOPIC = 1.0
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 4  # letters of a word that may be misspelt
_NAME = re.compile(r"(?<![.?!\"“'‘])\s(?P<name>[A-Z][a-z]+)")  # a word with a capital that does not begin a sentence


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the requested codes say on a dispute, issue by issue; `topics` are the ids of the topics that it names.

    If the dispute seems to be about another subject, or has only words such as "is it so", nothing is found;
    `off_topic` is whether it clearly is about another subject.
    """

    heard: tuple[tuple[Issue, Adjudication], ...]
    topics: tuple[str, ...] = ()
    off_topic: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The provisions that may decide any of the issues, the likeliest first, each once."""
        best: dict[str, Finding] = {}
        for finding in (f for _, found in self.heard for f in found.findings):
            if finding.id not in best or finding.score > best[finding.id].score:
                best[finding.id] = finding
        return tuple(sorted(best.values(), key=lambda finding: -finding.score))

    @property
    def undecided(self) -> frozenset[str]:
        """The codes that are silent on all issues."""
        return frozenset.intersection(*(frozenset(found.undecided) for _, found in self.heard))

    @property
    def unclear(self) -> bool:
        """Whether it is not clear for one of the issues which question is meant."""
        return any(found.unclear for _, found in self.heard)

    @property
    def cases(self) -> list[str]:
        """The cases that are similar to any of the issues, the most similar first."""
        near: dict[str, float] = {}
        for _, found in self.heard:
            near |= {case: max(score, near.get(case, 0.0)) for case, score in found.cases}
        return sorted(near, key=lambda case: -near[case])


def correct_words(index: Index, told: str, subject: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """Replace everyday words with those of the codes, and correct misspelt words.

    Args:
        index: the index of the knowledge base.
        told: what happened, in free text.
        subject: the terms of the subject, which are not misspelt.
    Returns:
        The text after these replacements; and the replacements, by the word replaced.
    """
    everyday = {word: new for word in _WORD.findall(told) for t in terms(word) if (new := index.everyday.get(t))}
    known = everyday.keys() | {match["name"] for match in _NAME.finditer(told)}
    unknown = {
        word
        for word in _WORD.findall(told)
        if len(word) >= _SHORTEST and word not in known and index.vocabulary.keys().isdisjoint(words_of(word))
        and not (is_word(word, subject) or is_word(word.lower(), subject))
    }  # fmt: skip
    respelled = {word: correction for word in unknown if (correction := respelt(word.lower(), index.vocabulary))}
    replacements = dict(sorted((respelled | everyday).items()))
    return _WORD.sub(lambda m: replacements.get(m[0], m[0]), told), replacements


def hear(
    index: Index,
    told: str,
    *,
    codes: Collection[str] = (),
    kinds: Collection[str] = (),
    exclude: Collection[str] = (),
    limit: int = 20,
) -> Hearing:
    """Find the provisions that decide each issue of a dispute.

    Args:
        told: what happened and what is asked, in free text.
        index, codes, kinds, exclude, limit: as for `kb.dispute.adjudication.adjudicate`.
    """
    named = index.tagger.find(told)
    mere_name = named and not terms(blank_spans(told, (span for _, span in named)))  # "penalty"
    off_topic = index.matcher.read(told).off_topic
    if not terms(told) or (off_topic >= _OFF_TOPIC and not mere_name):
        nothing = Adjudication((), {}, (), ())
        return Hearing(((Issue("", told), nothing),), off_topic=bool(terms(told)) and off_topic >= _CLEARLY_OFF_TOPIC)
    judge = partial(adjudicate, index, codes=codes, kinds=kinds, exclude=exclude, limit=limit)
    heard = ((issue, judge(issue.nearest or issue.with_facts, stressed=issue.question)) for issue in issues(told))
    topics = {topic for topic, _ in index.naming.find(told)}
    return Hearing(tuple(heard), tuple(topic for topic in index.topics.values() if topic in topics))
