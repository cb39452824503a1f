"""Concepts: the thesaurus is consistent, labels and patterns find their concept, tags have offsets into the scan."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.model import Edit, Span, Unit
from extract.text.textlayer import TextLayer
from kb.concepts.passages import tags_of
from kb.concepts.tagging import Concept, Tagger


def concepts_in(tagger: Tagger, text: str) -> set[str]:
    return {concept for concept, _ in tagger.find(text)}


def test_every_label_and_every_pattern_finds_its_concept(thesaurus: tuple[Concept, ...], tagger: Tagger) -> None:
    samples = [(c.id, label) for c in thesaurus for label, _ in c.labels]
    assert len({(concept, label.lower()) for concept, label in samples}) == len(samples)
    for concept in thesaurus:
        for pattern in concept.patterns:
            words = (w.split("|")[0] if not w.startswith("*") else "quite" for w in pattern.split())
            samples.append((concept.id, " ".join(words)))
    assert [(concept, text) for concept, text in samples if concept not in concepts_in(tagger, text)] == []


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("If any card be faced in the pack there shall be a redeal.", {"faced-card", "new-deal"}),
        ("He renounced, and his partner did not caution him against a revoke", {"renounce", "asking-partner-revoke"}),
        ("He threw his cards on the table, face up", {"abandoned-hands", "exposed-card"}),
        ("He trumped the trick and then found a heart in his hand", {"revoke"}),
        ("Z says, “I can win the rest,” and lays down his hand", {"claiming-the-rest", "abandoned-hands"}),
    ],
)
def test_finds_the_concepts_of_a_case(tagger: Tagger, text: str, concepts: set[str]) -> None:
    assert concepts <= concepts_in(tagger, text)


def tagger_of(*concepts: tuple[str, str, tuple[str, ...], tuple[str, ...]]) -> Tagger:
    return Tagger([
        Concept(id=i, label=label, note="", variants=variants, patterns=patterns)
        for i, label, variants, patterns in concepts
    ])  # fmt: skip


def test_longest_label_wins_and_equal_labels_share_a_span() -> None:
    tagger = tagger_of(("deal", "Deal", (), ()), ("new", "New deal", (), ()), ("again", "Fresh", ("new deal",), ()))
    text = "A new-DEAL, no mere dealing."
    assert tagger.find(text) == (("again", Span(2, 10)), ("new", Span(2, 10)), ("deal", Span(20, 27)))


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("He led out of his turn.", {"lead"}),
        ("He led. Now my turn.", set()),
        ("He led a heart and then took his turn.", set()),
    ],
)
def test_pattern_matches_within_one_sentence(text: str, concepts: set[str]) -> None:
    assert concepts_in(tagger_of(("lead", "Unlikely label", (), ("lead|led *3 turn",))), text) == concepts


ANY_TEXT = tagger_of(("deal", "Deal", ("a deal", "no"), ("a *2 o",)), ("new", "New deal", (), ()))


@given(st.text(max_size=80))
def test_spans_are_sorted_and_lie_in_the_text(text: str) -> None:
    found = ANY_TEXT.find(text)
    assert list(found) == sorted(found, key=lambda f: (f[1], f[0]))
    assert all(0 <= span.start < span.end <= len(text) for _, span in found)


def test_tags_have_offsets_into_the_scan() -> None:
    scan = "  A  re-\nvoke  (a)  * Of  Hoyle.  and  a  mis-\ndeaI  \n"
    law = scan.index("A  re"), len(scan.rstrip())
    note = scan.index("* Of"), scan.index("  and")
    joins = [Edit(i, i + 2, "-\n", "", "join", "rule") for i in (scan.index("-\n"), scan.rindex("-\n"))]
    letter = scan.index("aI") + 1
    layer = TextLayer(scan, (*joins, Edit(letter, letter + 1, "I", "l", "ocr", "rule")))
    units = [
        Unit("law", "b", None, "law", "", None, None, None, 0, *law, None, "A revoke (a) and a misdeal"),
        Unit("note", "b", None, "footnote", "", None, None, None, 0, *note, None, "* Of Hoyle."),
        Unit("other", "b", None, "law", "", None, None, None, 0, 0, 24, None, "A text that is not the scan's: revoke"),
    ]
    tagger = tagger_of(("revoke", "Revoke", (), ()), ("misdeal", "Misdeal", (), ()), ("hoyle", "Hoyle", (), ()))
    tags = tags_of([*reversed(units)], layer, tagger)
    assert [(t.unit_id, t.concept_id, scan[t.raw_start : t.raw_end]) for t in tags] == [
        ("law", "misdeal", "mis-\ndeaI"), ("law", "revoke", "re-\nvoke"), ("note", "hoyle", "Hoyle"),
        ("other", "revoke", scan[:24]),
    ]  # fmt: skip
