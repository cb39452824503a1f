"""Wording taken over is found by itself, whatever the scans did to it, and what any act may say proves nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.model import Unit
from kb.alignment.features import FEATURES, LinkCandidate
from kb.alignment.likeness import Digests
from kb.alignment.links import THRESHOLD, WEIGHTS, LinkRow, compared, compared_codes, propose, score
from kb.alignment.text_reuse import RUN, blocks, compare, inside, letters, reuses
from kb.concepts.outcomes import Outcomes

_NOUNS = ("bridge", "ferry", "mill", "warden", "toll", "keeper", "lamp", "ditch", "drover", "market", "cart", "barge")
_VERBS = ("shall repair", "must enter in a book", "may sell at auction", "shall deliver to the clerk", "may hinder")
_WHEN = ("before noon", "within ten days after notice", "at every quarter day", "when the water is high", "upon demand")
EFFECT = "This act shall take effect from and after its passage."


def section(seed: int) -> str:
    """An invented section of by-laws, some 200 letters long."""
    chance = random.Random(seed)
    some = [f"the {chance.choice(_NOUNS)} {chance.choice(_VERBS)} the {chance.choice(_NOUNS)} of the "
            f"{chance.choice(_NOUNS)} {chance.choice(_WHEN)}" for _ in range(3)]  # fmt: skip
    return f"{some[0].capitalize()}; {some[1]}; and {some[2]}, number {seed} of the roll."


def garbled(text: str, share: float, seed: int = 1) -> str:
    """A text with letters misread, at random."""
    chance = random.Random(seed)
    return "".join(chance.choice("cefilmnrtu'.") if c.isalpha() and chance.random() < share else c for c in text)


def code(name: str, *texts: str) -> list[tuple[str, str]]:
    return [(f"{name}/section-{i}", f"SEC. {i}. {text}") for i, text in enumerate(texts, 1)]


def units_of(codes: Sequence[list[tuple[str, str]]]) -> list[Unit]:
    return [
        Unit(id, id.partition("/")[0], id.partition("/")[0], "law", id, str(i), None, None, i, i, i + 1, None, text)
        for texts in codes
        for i, (id, text) in enumerate(texts)
    ]


def proposed(*codes: list[tuple[str, str]]) -> dict[tuple[str, str], LinkRow]:
    """The links of a library without a thesaurus."""
    names = [texts[0][0].partition("/")[0] for texts in codes]
    return {(row.a, row.b): row for row in propose(units_of(codes), (), (), names, Outcomes())}


def linked(*codes: list[tuple[str, str]]) -> set[tuple[str, str]]:
    return {(r.a, r.b) for r in reuses(codes)}


OURS = code("old", *map(section, range(12)))


def test_a_section_taken_over_is_found_under_another_number_and_label_without_a_thesaurus() -> None:
    theirs = [(f"new/section-{i}", f"§ {i}. {section(i - 5)}") for i in range(5, 17)]
    rows = proposed(OURS, theirs)
    assert linked(OURS, theirs) == rows.keys() == {(f"old/section-{i + 1}", f"new/section-{i + 5}") for i in range(12)}
    assert {row.relation for row in rows.values()} == {"same-text"}
    assert not list(blocks([OURS, code("new", "All swans of the parish are counted by two sworn neighbours.")]))
    assert reuses([]) == reuses([code("old", "", "."), code("new", "", "?")]) == []


def test_it_is_found_through_two_bad_scans() -> None:
    ours = code("old", *(garbled(section(i), 0.05, i) for i in range(12)))
    theirs = code("new", *(garbled(section(i), 0.05, i + 50) for i in range(12)))
    assert linked(ours, theirs) == {(f"old/section-{i}", f"new/section-{i}") for i in range(1, 13)}


def test_what_any_act_may_say_is_linked_only_beside_what_was_taken_over() -> None:
    ours, taken = (code(name, section(1), section(2), EFFECT) for name in ("old", "new"))
    found = linked(ours, taken, code("other", section(31), section(32), EFFECT))
    assert ("old/section-3", "new/section-3") in found
    assert not {pair for pair in found if "other" in pair[1]}


def test_of_two_orders_in_one_form_each_finds_its_own() -> None:
    form = (
        "The return day of the order of {}, when issued at the commencement of the suit, shall be the same as that of "
        "the summons; and when issued afterwards it shall be ten days after it was issued, unless the court says more."
    )
    orders = [section(1), form.format("arrest"), section(2), section(3), section(4), form.format("seizure"), section(5)]
    assert linked(code("old", *orders), code("new", section(9), *orders)) == {
        (f"old/section-{i}", f"new/section-{i + 1}") for i in range(1, 8)
    }


def test_a_section_that_stands_whole_in_a_longer_one_is_narrower() -> None:
    less = f"{section(3)} {section(13)}"
    more = f"{less} {section(21)}"
    ours, theirs = code("old", section(2), less, section(4)), code("new", section(2), more, section(4))
    for one, other, relation in ((ours, theirs, "narrower"), (theirs, ours, "broader")):
        assert [row.relation for row in proposed(one, other).values()] == ["same-text", relation, "same-text"]
    (found,) = reuses([code("old", less), code("new", more)])
    assert (found.a, found.within) == ("old/section-1", 1.0) and found.alike < 80
    assert not linked(code("old", less), code("new", " ".join([less, *map(section, range(20, 24))])))


def test_without_a_concept_in_common_the_model_never_says_yes() -> None:
    """So codes without one need not be compared by it."""
    wording = {name: float("concept" not in name and "matter" not in name) for name in FEATURES}
    assert sum(wording.values()) == 3
    assert score(LinkCandidate("a/1", "b/1", wording, 0.0), WEIGHTS) < THRESHOLD


def test_codes_are_compared_by_matter_with_a_bounded_number_of_earlier_ones() -> None:
    units = units_of([code(f"c{n}", *(section(100 * n + i) for i in range(3))) for n in range(30)])
    spoken = {unit.id: ["toll", f"matter-{unit.number}"] for unit in units}
    found = compared(compared_codes(Digests(units, spoken, {}), [f"c{n}" for n in range(30)]), {}, Outcomes())
    of_last = {c.a.partition("/")[0] for c in found if c.b.startswith("c29/")}
    assert len(of_last) == 12
    assert {c.a.partition("/")[0] for c in found if c.b.startswith("c5/")} == {f"c{n}" for n in range(5)}


def test_a_third_code_changes_nothing_between_two_nor_do_many(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, third = code("new", *map(section, range(6, 18))), code("third", *map(section, range(3, 15)))
    few = proposed(OURS, third, theirs)
    assert {pair for pair in few if "third" not in "".join(pair)} == linked(OURS, theirs)
    monkeypatch.setattr("kb.alignment.links.MANY", 2)
    assert proposed(OURS, third, theirs) == few


def test_what_is_compared_does_not_grow_with_the_library() -> None:
    copies = [code(f"c{n}", *(garbled(section(i), 0.02, 100 * n + i) for i in range(6))) for n in range(60)]
    last = [block for block in blocks(copies) if block.theirs[0].id.startswith("c59/")]
    assert sum(len(block.pairs) for block in last) == 6 * 12
    assert len({(r.a.partition("/")[0]) for b in last for r in compare(b)}) >= 12


@given(st.text(max_size=200), st.text(max_size=60), st.text(max_size=60))
def test_a_text_stands_wholly_in_one_that_has_it(text: str, before: str, after: str) -> None:
    small = letters(f"x {text}")[1:]
    large = letters(f"x {before}")[1:] + small + letters(f"x {after}")[1:]
    assert inside(small, large) == (1.0 if len(small) >= RUN else 0.0)
