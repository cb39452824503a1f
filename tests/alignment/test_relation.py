"""How two provisions stand to each other: each kind of evidence by itself, from both sides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.model import Unit
from kb.alignment.contrasts import Contrast, contrast
from kb.alignment.likeness import Digests
from kb.alignment.relation import RELATIONS, Assessment, relate
from kb.concepts.outcomes import read_outcomes

OUTCOMES = read_outcomes(Path(__file__).parents[2] / "corpus" / "library.toml")
LABELS = {"deal": "The Deal", "misdeal": "Misdeal", "pack": "Pack", "cards": "Cards", "turn": "Turn", "lead": "Lead"}
LABELS |= dict.fromkeys(OUTCOMES.remedies, "The Remedy")


def law(name: str, text: str, heading: str) -> Unit:
    return Unit(f"{name}/law-1", name, name, "law", "Law 1", "1", None, heading, 1, 0, 1, None, text)


def stand(one: str, other: str, *concepts: str, headings: tuple[str, str] = ("", "")) -> Assessment:
    """How a law stands to another; `concepts` are what each of them speaks of, or both if it is given once."""
    units = [law("a", one, headings[0]), law("b", other, headings[1])]
    spoken = {unit.id: said.split() for unit, said in zip(units, concepts * 2, strict=False)}
    made = Digests(units, spoken, {})
    return relate(*(made.of(made.provisions[code][0].id) for code in "ab"), LABELS, OUTCOMES)


SO = ("It is so.", "So it be.")
PLAIN = "Each player in turn plays a card to the trick and the highest wins it."
LATE = ("Whoever deals out of turn may be stopped before the trump is seen.",
        "A wrong dealer is to be told of it as soon as anyone has found it out.")  # fmt: skip
GAME = "A game consists of so many points as the club has laid down, each trick above{} counting one point."
REMEDY = sorted(OUTCOMES.remedies)[0]


@pytest.mark.parametrize(
    ("texts", "concepts", "relation", "why"),
    [
        (("He pays two tricks and three points for it.", "Three points or two tricks are the penalty here."), [""],
         "", "^both say 2 tricks and 3 points; "),
        (SO, ["deal misdeal pack cards turn"], "", "^share: [^,;]+, [^,;]+, [^,;]+, [^,;]+(;|$)"),
        (SO, ["deal"], "", "^share: the deal"),
        (SO, ["unlabelled"], "", "^share: unlabelled"),
        (("It can be claimed until the cards are cut for the next deal.", "He must claim it within that trick."), [""],
         "differs", ""),
        ((PLAIN, "The winner of the trick is whoever played highest, unless a trump be put upon it."), [""],
         "differs", "^only one of them makes an exception or a condition$"),
        (LATE, [REMEDY, ""], "", "only one has: the remedy$"),
        (LATE, ["", REMEDY], "", "only one has: the remedy$"),
        ((GAME.format(" six"), GAME.format("")), ["deal pack"], "equivalent", "only one has “six”$"),
        ((GAME.format(" six"), GAME.format("")), [""], "equivalent", "only one has “six”$"),
    ],
)  # fmt: skip
def test_the_evidence_is_told(texts: tuple[str, str], concepts: list[str], relation: str, why: str) -> None:
    found = stand(*texts, *concepts)
    assert re.search(why, found.why) and found.relation in (relation or RELATIONS)


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [("REVOKE CLAIM", "REVOKE", True), ("REVOKE CLAIM TRICK", "REVOKE", False), ("", "", False)],
)
def test_headings_are_the_same_if_half_of_their_words_are(ours: str, theirs: str, same: bool) -> None:
    assert ("same heading" in stand("It is so.", "So it be.", headings=(ours, theirs)).why) is same


LAW = (
    "The player in fault {} lead to the next trick within {} of the end of the hand, as the rules of the club have it."
)


@pytest.mark.parametrize(
    ("ours", "theirs", "relation"),
    [
        (("may", "two minutes"), ("may", "iwo minutes"), "same-text"),
        (("may", "two minutes"), ("may", "twelve minutes"), "differs"),
        (("may", "two minutes"), ("may not", "two minutes"), "differs"),
        (("must never", "two minutes"), ("must not", "two minutes"), "same-text"),
    ],
)
def test_texts_that_differ_in_a_number_or_a_denial_are_not_the_same(
    ours: tuple[str, str], theirs: tuple[str, str], relation: str
) -> None:
    one, other = LAW.format(*ours), LAW.format(*theirs)
    assert (stand(one, other).relation, stand(other, one).relation) == (relation, relation)


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        ("He loses two tricks.", "He loses five tricks.", "“two” against “five”"),
        ("He wins two and loses three.", "He wins three and loses two.", "“two” against “three”"),
        ("He may now speak.", "He may not speak.", "only one has “not”"),
        ("It is a lawful call.", "It is an unlawful call.", "“lawful” against “unlawful”"),
        ("He takes three tricks.", "He takes tricks.", "only one has “three”"),
        ("One trick is lost.", "Two tricks are lost.", "“one” against “two”"),
        ("No call can be made.", "A call cannot be made.", None),
        ("A card is lost, as Law 4 has it.", "A card is lost, as Law 19 has it.", None),
        ("7. A card is lost.", "19. A card is lost.", None),
        ("He pays (within 30 days) a trick.", "He pays (within 90 days) a trick.", "“30” against “90”"),
        ("Within 30 days he pays.", "Within 90 days he pays.", "“30” against “90”"),
        ("30 days are given to pay.", "90 days are given to pay.", "“30” against “90”"),
        ("A card is lost (Law 4).", "A card is lost (see Canon 19).", None),
        ("A card is lost (see 4).", "A card is lost (B 19).", None),
        ("1. A card is lost.\n2. It stays.", "1st. A card is lost.\n2d. It stays.", None),
        ("He may: 1. speak; 2. call.", "He may: 1st. speak; 2nd. call.", None),
        ("He may: (1) speak; (2) call.", "He may: (1st) speak; (2d) call.", None),
        ("He plays on the 2nd.", "He plays on the second.", None),
        ("Any one trick is lost.", "Any trick is lost.", None),
        ("He may not take tw0 cards.", "He may n0t take two cards.", None),
        ("The 2nd player leads.", "The second player leads.", None),
        ("The 2nd player leads.", "The third player leads.", "“2nd” against “third”"),
        ("He pays twenty-five cents.", "He pays 25 cents.", None),
        ("He pays two hundred and fifty cents.", "He pays 250 cents.", None),
        ("He pays $1,000 now.", "He pays 1000 now.", None),
        ("On the twenty-first day.", "On the 21st day.", None),
        ("In thirty-one days.", "In thirty days.", "“31” against “thirty”"),
        ("Two or five tricks.", "Two or five tricks.", None),
        ("Ten three times.", "Ten five times.", "“three” against “five”"),
        ("", "", None),
        ("If the third hand play before the second, the fourth hand may play before his partner.",
         "If the third hand plays before the second, the fourth hand may also play before the second.", None),
    ],
)  # fmt: skip
def test_where_two_texts_differ_is_told(ours: str, theirs: str, told: str | None) -> None:
    found = contrast(ours, theirs)
    assert (str(found) if found else None) == told
    assert (found is None) == (contrast(theirs, ours) is None)


WORDS = ("a", "one", "two", "2", "five", "not", "no", "may", "revoke", "unlawful", "lawful", "iwo")


@given(st.lists(st.sampled_from(WORDS), max_size=8), st.lists(st.sampled_from(WORDS), max_size=8))
def test_a_difference_is_one_from_both_sides_and_none_from_itself(ours: list[str], theirs: list[str]) -> None:
    one, other = " ".join(ours), " ".join(theirs)
    assert contrast(one, one) is None
    assert (contrast(one, other) is None) == (contrast(other, one) is None)


def test_a_denial_in_a_clause_of_its_own_is_judged_by_the_rest() -> None:
    long = LAW.format("may", "two minutes")
    more = f"{long} This is not said of the player who has already taken up his hand."
    assert contrast(long, more) == Contrast("", "not", proves=False)
    assert stand(long, more).relation in {"narrower", "equivalent"}
