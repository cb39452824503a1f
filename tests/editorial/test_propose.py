"""Proposed pairs: counterparts are found among provisions that resemble each other; relations rest on evidence."""

import pytest

from kb.propose import contrast, propose

OLD = {
    "old/1": "If any card be faced in the pack there shall be a redeal.",
    "old/2": "If the last card reach the table with its face downwards, the deal shall be lost.",
    "old/3": "No revoke can be claimed after the cards shall have been cut for a new deal.",
    "old/4": "The side which has made a revoke loses three points for each revoke.",
    "old/5": "Tobacco is to be laid aside while ladies are in the room.",
}
NEW = {
    "new/1": "It is a misdeal if the dealer places the trump card face downward upon the table.",
    "new/2": "There must be a new deal if any card is faced in the pack, or the pack is proved imperfect.",
    "new/3": "A revoke cannot be claimed after the cards have been cut for the following deal.",
    "new/4": "The penalty for revoking is the transfer of two tricks for each revoke.",
    "new/5": "A game consists of seven points.",
}
CONCEPTS = {
    "old/1": ["faced-card", "new-deal"], "new/2": ["faced-card", "new-deal"], "old/2": ["trump-card", "misdeal"],
    "new/1": ["trump-card", "misdeal"], "old/3": ["claim", "revoke", "adversary"], "new/3": ["claim", "revoke"],
    "old/4": ["penalty", "revoke"], "new/4": ["penalty", "revoke", "adversary"], "new/5": ["points"],
}  # fmt: skip


def test_finds_counterparts_with_relation_and_evidence() -> None:
    found = {(p.a, p.b): p for p in propose([OLD, NEW], CONCEPTS)}
    assert found.keys() == {("old/1", "new/2"), ("old/2", "new/1"), ("old/3", "new/3"), ("old/4", "new/4")}
    assert (found["old/4", "new/4"].relation, found["old/4", "new/4"].why) == (
        "differs", "3 against 2; both mention penalty, revoke"
    )  # fmt: skip
    assert (found["old/3", "new/3"].relation, found["old/2", "new/1"].relation) == ("same-text", "equivalent")
    assert all(0.3 <= pair.score <= 1 for pair in found.values())


def test_one_text_is_found_without_concepts_and_despite_misread_letters() -> None:
    scan = {unit_id.replace("old", "scan"): text.replace("e", "c", 3) for unit_id, text in OLD.items()}
    found = propose([OLD, scan])
    assert [(p.a[-1], p.b[-1], p.relation) for p in found] == [(n, n, "same-text") for n in "12345"]


def test_empty_codes_and_texts_have_no_counterparts() -> None:
    assert propose([]) == propose([{}, {"a/1": ""}]) == propose([{"a/1": "."}, {"b/1": ""}, {}]) == []


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("He loses two tricks.", "He loses five tricks.", "2 against 5"),
        ("He wins two and loses three.", "He wins three and loses two.", "the same numbers in another order"),
        ("He may now speak.", "He may not speak.", "only one has not"),
        ("It is a lawful call.", "It is an unlawful call.", "lawful against unlawful"),
        ("He takes three tricks.", "He takes tricks.", "only one has 3"),
        ("One trick is lost.", "Two tricks are lost.", "only one has 2"),
        ("No call can be made.", "A call cannot be made.", ""),
        ("A card is lost, as Law 4 has it.", "A card is lost, as Law 19 has it.", ""),
        ("He pays (within 30 days) a trick.", "He pays (within 90 days) a trick.", "30 against 90"),
        ("He may: 1. speak; 2. call.", "He may: 1st. speak; 2nd. call.", ""),
        ("He may: (1) speak; (2) call.", "He may: (1st) speak; (2d) call.", ""),
        ("He plays on the 2nd.", "He plays on the second.", ""),
        ("Any one trick is lost.", "Any trick is lost.", ""),
        ("The 2nd player leads.", "The third player leads.", "2nd against third"),
        ("He pays two hundred and fifty cents.", "He pays 250 cents.", ""),
        ("He pays $1,000 now.", "He pays 1000 now.", ""),
        ("In thirty-one days.", "In thirty days.", "31 against 30"),
        ("", "", ""),
    ],
)
def test_states_where_two_texts_differ(ours: str, theirs: str, expected: str) -> None:
    assert contrast(ours, theirs) == expected
    assert bool(contrast(theirs, ours)) == bool(expected)
