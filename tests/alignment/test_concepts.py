"""Concepts: the thesaurus holds together, labels and patterns find their concept, tags lie in the scan."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.errors import BookError
from extract.model import Edit, Span, Unit
from extract.text.textlayer import TextLayer
from kb.concepts.passages import passages
from kb.concepts.tagging import Concept, TaggedText, Tagger, read_thesaurus, read_topics, tag_units


@pytest.fixture(scope="module")
def thesaurus(corpus: Path) -> tuple[Concept, ...]:
    return read_thesaurus(corpus / "thesaurus.toml")


@pytest.fixture(scope="module")
def tagger(thesaurus: tuple[Concept, ...]) -> Tagger:
    return Tagger(thesaurus)


def spoken(tagger: Tagger, text: str) -> set[str]:
    return {concept for concept, _ in tagger.find(text)}


def test_every_label_finds_its_concept(thesaurus: tuple[Concept, ...], tagger: Tagger) -> None:
    lost = [(c.id, label) for c in thesaurus for label, _ in c.labels if c.id not in spoken(tagger, label)]
    assert lost == []


def test_every_pattern_finds_its_concept(thesaurus: tuple[Concept, ...], tagger: Tagger) -> None:
    lost = []
    for concept in thesaurus:
        for pattern in concept.patterns:
            words = (w.split("|")[0] if not w.startswith("*") else "quite" for w in pattern.split())
            if concept.id not in spoken(tagger, " ".join(words)):
                lost.append((concept.id, pattern))
    assert lost == []


def test_no_label_is_given_twice(thesaurus: tuple[Concept, ...]) -> None:
    for concept in thesaurus:
        labels = [label.lower() for label, _ in concept.labels]
        assert len(labels) == len(set(labels)), concept.id


def test_topics_rest_on_the_thesaurus(corpus: Path, thesaurus: tuple[Concept, ...]) -> None:
    topics = read_topics(corpus / "topics.toml", thesaurus).topics
    assert len({topic.id for topic in topics}) == len(topics) >= 13
    covered = {concept for topic in topics for concept in topic.concepts}
    assert {"revoke", "misdeal", "exposed-card", "lead-out-of-turn", "honours", "bystander", "dummy"} <= covered


FACTS = [
    ("If any card be faced in the pack there shall be a redeal.", {"faced-card", "new-deal"}),
    ("a hand playing with a dumby", {"dummy"}),
    ("He renounced, and his partner did not caution him against a revoke", {"renounce", "asking-partner-revoke"}),
    ("A leads when it is B's turn", {"lead-out-of-turn"}),
    ("Y looks at the trump card before the deal is over", {"trump-card-seen"}),
    ("He threw his cards on the table, face up", {"abandoned-hands", "exposed-card"}),
    ("A trumps a club; no, he had a club all the time", set()),
    ("He trumped the trick and then found a heart in his hand", {"revoke"}),
    ("Z says, “I can win the rest,” and lays down his hand", {"claiming-the-rest", "abandoned-hands"}),
    ("Before A plays, his partner said it was his", set()),
    ("The revoker's adversaries shall have all the tricks", {"revoke", "trick"}),
    ("the turn-up card was looked at", {"trump-card"}),
]


@pytest.mark.parametrize(("text", "concepts"), FACTS)
def test_what_a_case_tells(tagger: Tagger, text: str, concepts: set[str]) -> None:
    assert concepts <= spoken(tagger, text)


def made(*concepts: tuple[str, str, tuple[str, ...], tuple[str, ...]]) -> Tagger:
    return Tagger(
        [
            Concept(id=i, label=label, note="", variants=variants, patterns=patterns)
            for i, label, variants, patterns in concepts
        ]
    )


def test_the_longest_label_wins_and_equals_share() -> None:
    tagger = made(("deal", "Deal", (), ()), ("new", "New deal", (), ()), ("again", "Fresh", ("new deal",), ()))
    text = "A new deal, no mere deal."
    assert tagger.find(text) == (("again", Span(2, 10)), ("new", Span(2, 10)), ("deal", Span(20, 24)))


def test_stems_hyphens_and_case_do_not_matter() -> None:
    tagger = made(("trump", "Trump card", (), ()), ("revoke", "Revoke", (), ()))
    assert spoken(tagger, "TRUMP-CARDS") == {"trump"}
    assert spoken(tagger, "Revoking, the revoker's partner revoked") == {"revoke"}


def test_a_pattern_keeps_within_its_sentence() -> None:
    tagger = made(("lead", "Unlikely label", (), ("lead|led *3 turn",)))
    assert spoken(tagger, "He led out of his turn.") == {"lead"}
    assert spoken(tagger, "He led. Now my turn.") == set()
    assert spoken(tagger, "He led a heart and then took his turn.") == set()


ANY_TEXT = made(("deal", "Deal", ("a deal", "no"), ("a *2 o",)), ("new", "New deal", (), ()))


@given(st.text(max_size=80))
def test_spans_lie_in_the_text(text: str) -> None:
    found = ANY_TEXT.find(text)
    assert list(found) == sorted(found, key=lambda f: (f[1], f[0]))
    assert all(0 <= span.start < span.end <= len(text) for _, span in found)
    assert ANY_TEXT.find(text) == found


def test_any_number_of_threads_may_ask_at_once() -> None:
    texts = [f"{word} a deal, a new deal; a{word} o" for word in map(str, range(200))]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ANY_TEXT.find, texts)) == list(map(ANY_TEXT.find, texts))


def test_the_words_of_visitors_are_not_kept() -> None:
    ANY_TEXT.find("deal")
    before = len(ANY_TEXT.vocabulary.strings)
    ANY_TEXT.find("words that the thesaurus has not, xyzzy and plugh")
    assert len(ANY_TEXT.vocabulary.strings) == before


def unit(unit_id: str, kind: str, start: int, end: int, text: str) -> Unit:
    return Unit(unit_id, "b", None, kind, unit_id, None, None, None, 0, start, end, None, text)


def test_tags_stand_at_their_place_in_the_scan() -> None:
    scan = "  A  re-\nvoke  (a)  * Of  Hoyle.  and  a  mis-\ndeaI  \n"
    law = scan.index("A  re"), len(scan.rstrip())
    note = scan.index("* Of"), scan.index("  and")
    joins = [Edit(i, i + 2, "-\n", "", "join", "rule") for i in (scan.index("-\n"), scan.rindex("-\n"))]
    letter = scan.index("aI") + 1
    layer = TextLayer(scan, (*joins, Edit(letter, letter + 1, "I", "l", "ocr", "rule")))
    units = [
        unit("law", "law", *law, "A revoke (a) and a misdeal"),
        unit("note", "footnote", *note, "* Of Hoyle."),
    ]
    tagger = made(("revoke", "Revoke", (), ()), ("misdeal", "Misdeal", (), ()), ("hoyle", "Hoyle", (), ()))
    tags = {(t.unit_id, t.concept_id): scan[t.raw_start : t.raw_end] for t in tag_units(passages(units, layer), tagger)}
    assert tags == {
        ("law", "revoke"): "re-\nvoke",
        ("law", "misdeal"): "mis-\ndeaI",
        ("note", "hoyle"): "Hoyle",
    }


def test_a_text_that_is_not_the_scans_is_tagged_as_a_whole() -> None:
    scan = "Something else entirely."
    (passage,) = passages([unit("law", "law", 0, 24, "A revoke")], TextLayer(scan, ()))
    assert passage.to_scan(Span(2, 8)) == Span(0, 24)


def test_tags_are_sorted_and_each_is_there_once() -> None:
    tagger = made(("deal", "Deal", (), ()))
    twice = [TaggedText("b", "deal or deal", lambda s: s), TaggedText("a", "deal", lambda s: s)]
    tags = tag_units([*twice, twice[0]], tagger)
    assert [(t.unit_id, t.raw_start) for t in tags] == [("a", 0), ("b", 0), ("b", 8)]


BROKEN = [
    ("[[concept]]\nid = 'a'\nlabel = 'A b'\n", "concept]] 1 'a', key 'note': it is missing"),
    ("[[concept]]\nid = 'a'\nlabel = '--'\nnote = ''\n", "holds no word"),
    ("[[concept]]\nid = 'a'\nlabel = 'a'\nnote = ''\nbroader = 'b'\n", "there is no concept 'b'"),
    ("[[concept]]\nid = 'a'\nlabel = 'a'\nnote = ''\nbroader = 'a'\n", "leads back to itself"),
    ("[[concept]]\nid = 'a'\nlabel = 'a'\nnote = ''\n" * 2, "entry 1 has the same"),
    ("[[concept]]\nid = 'a'\nlabel = 'a'\nnote = ''\npatterns = ['a *x b']\n", "no word and no gap"),
    ("[[concept]\n", "TOML"),
]


@pytest.mark.parametrize(("text", "told_of"), BROKEN)
def test_a_broken_thesaurus_is_refused(tmp_path: Path, text: str, told_of: str) -> None:
    path = tmp_path / "thesaurus.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match=told_of):
        read_thesaurus(path)


def test_a_topic_of_no_concept_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "topics.toml"
    path.write_text("[[topic]]\nid = 't'\nlabel = 'T'\nnote = ''\nconcepts = ['x']\n", encoding="utf-8")
    with pytest.raises(BookError, match=r"\[\[topic\]\] 1 't', key 'concepts': there is no concept 'x'"):
        read_topics(path, ())
