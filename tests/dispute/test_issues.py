"""Issues of a dispute: each question has its own words and its own facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.dispute.issues import MOST, issues


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "He trumped, then found a heart: what is the penalty, and until when can we claim it?",
            ["What is the penalty?", "Until when can we claim it?"],
        ),
        ("We are sick of this pack. May we have a new one, and who pays?", ["May we have a new one?", "Who pays?"]),
        ("She led out of turn - who may call and how long have they?", ["Who may call?", "How long have they?"]),
        ("what is the penalty and until when can we claim it", ["What is the penalty?", "Until when can we claim it?"]),
        ("A card fell. May it be called? Who decides?", ["May it be called?", "Who decides?"]),
        ("he pegged too much. next time may we check? and who pays?", ["Next time may we check?", "And who pays?"]),
        ("I led out of turn. OK? And who may call?", ["I led out of turn. OK?", "And who may call?"]),
        ("He led out of turn. What is due? He also looked back.", ["What is due?", "He also looked back."]),
        ("He led out of turn. What is due? plus she looked back", ["What is due?", "plus she looked back"]),
        ("she peeped. my second question he dealt too many", ["she peeped.", "my second question he dealt too many"]),
        ("Which hand deals, who pays, and may he look back?", ["Which hand deals?", "Who pays?", "May he look back?"]),
        ("we were three. 1 who deals? 2 is an ace low", ["1 who deals?", "2 is an ace low?"]),
        ("he had 5. how many can we take can we take them off his score",
         ["How many can we take?", "Can we take them off his score?"]),
        ("Is he wrong, was the partner, and does the score stand?",
         ["Is he wrong?", "Was the partner?", "Does the score stand?"]),
        ("partner trumped then found a heart what is the penalty and until when can we claim it",
         ["What is the penalty?", "Until when can we claim it?"]),
        ("The deal was his. is that right and does the pack have to be cut",
         ["Is that right?", "Does the pack have to be cut?"]),
        ("Who shuffles and who cuts?", ["Who shuffles?", "Who cuts?"]),
        ("Two cards fell. What now? And in the next hand she looked at an old trick!",
         ["What now?", "And in the next hand she looked at an old trick!"]),
        ("First he dealt out of turn. Next hand a card lay face up. Third: she peeped. What is due?",
         ["First he dealt out of turn.", "Next hand a card lay face up.", "Third: she peeped."]),
        ("She wanted to know what was led. May she ask, and must we tell?", ["May she ask?", "Must we tell?"]),
        ("Three rulings, please. He peeped; she talked; they both left.",
         ["He peeped", "she talked", "they both left."]),
        ("Do we deal again or do we play on?", [""]),
        ("Kindly settle whether the pack must be cut, and whether I may cut it twice.",
         ["Kindly settle whether the pack must be cut?", "Whether I may cut it twice?"]),
        ("He peeped, so does he lose it? And who deals?", ["So does he lose it?", "And who deals?"]),
        ("Bad night for us. He led out of his turn at once; then she dropped two cards. Judge each, please.",
         ["Bad night for us. He led out of his turn at once", "then she dropped two cards."]),
        ("Are these allowed? He peeps. She talks to the dealer.", ["He peeps.", "She talks to the dealer."]),
        ("He dealt by twos. Is it right at each of the thirteen rounds?", [""]),
        ("He counted, then peeped. Tell me what is due for the one, and what for the other.",
         ["Tell me what is due for the one?", "What for the other?"]),
        ("Tell me whether we may see the trick; and tell me also who picks it up.",
         ["Tell me whether we may see the trick?", "Who picks it up?"]),
        ("How many points win, what is a double game worth, and after two games, must we play the third?",
         ["How many points win?", "What is a double game worth?", "After two games, must we play the third?"]),
        ("What is a trick worth, and if we hold three of them do we mark anything?",
         ["What is a trick worth?", "If we hold three of them do we mark anything?"]),
        ("He peeped, may we see it? He paid, which lost him the game; how are bets paid?",
         ["May we see it?", "How are bets paid?"]),
        ("He peeped, then dealt too many. Is he let off the first time and the second?",
         ["He peeped", "then dealt too many."]),
        ("He held twelve. (i) Does the deal hold? (ii) May he look for it?",
         ["Does the deal hold?", "May he look for it?"]),
        ("Our guest (a) walked round the table; (b) then whispered. Are both improper?",
         ["Our guest walked round the table;", "then whispered."]),
        ("He peeped. Then he counted the cards. Later he dropped two. Are all three improper?",
         ["He peeped.", "Then he counted the cards.", "Later he dropped two."]),
        ("He revoked, and the umpire is asked what it costs, whether they may go out, and whether he pays.",
         ["He revoked, and the umpire is asked what it costs?", "Whether they may go out?", "Whether he pays?"]),
        ("Two sins by one dealer. On Monday he peeped; on Tuesday he dealt too many. What is due on each day?",
         ["On Monday he peeped", "on Tuesday he dealt too many."]),
        ("He dealt in my place. Till when can he be stopped, and does it stand then?",
         ["Till when can he be stopped?", "Does it stand then?"]),
        ("May I look back? My cousin looked at all of them, what is due", ["May I look back?", "What is due?"]),
        ("May he draw it, and what about the cut?", ["May he draw it?", "What about the cut?"]),
        ("He led too soon, then looked back. Two wrongs, surely?", ["He led too soon", "then looked back."]),
        ("I have two complaints. He led too soon. She looked back. Rule upon each.",
         ["He led too soon.", "She looked back."]),
        ("May he stay away, and, since he dislikes that pack, may he have another?",
         ["May he stay away?", "Since he dislikes that pack, may he have another?"]),
        ("What does that cost, and our side having named one suit can we name another?",
         ["What does that cost?", "Our side having named one suit can we name another?"]),
        ('Tell me, sir, whether I may say "No hearts?" and whether, when he has one, he may put it right.',
         ['Tell me, sir, whether I may say "No hearts?"?', "Whether, when he has one, he may put it right?"]),
        ("I want to know what is due and also up to what moment they may ask for it.",
         ["I want to know what is due?", "Up to what moment they may ask for it?"]),
        ("Is it past mending? If so can our side win, and may we play on?",
         ["Is it past mending?", "If so can our side win?", "May we play on?"]),
        ("Can you tell me whether he may still join, and also who has to go out?",
         ["Can you tell me whether he may still join?", "Who has to go out?"]),
        ("Tell me, Mr. Umpire, what he pays, how many may ask, and whether it can be called.",
         ["Tell me, Mr. Umpire, what he pays?", "How many may ask?", "Whether it can be called?"]),
        ("Who has the choice of seats; how many points make a game; and what is done with three equal cards?",
         ["Who has the choice of seats?", "How many points make a game?", "What is done with three equal cards?"]),
        ("He dealt too many; then, later, she peeped; and Mo spoke. Please sort all three!",
         ["He dealt too many", "then, later, she peeped", "Mo spoke."]),
        ("May I take it back, and at what price?", [""]),
        ("When both of them have thrown down their cards, is the hand over?", [""]),
        ("She frowned at my lead. Then he pulled out a card. Is either thing allowed?",
         ["She frowned at my lead.", "Then he pulled out a card."]),
        (
            "One: he led out of turn. Two: he revoked. What is due for each?",
            ["One: he led out of turn.", "Two: he revoked."],
        ),
    ],
)  # fmt: skip
def test_each_question_is_an_issue(text: str, asked: list[str]) -> None:
    assert [issue.question for issue in issues(text)] == asked


@pytest.mark.parametrize(
    "text",
    [
        "The dealer looked at the trump card. Must he deal again?",
        "How do we decide who plays first and who waits?",
        'My partner asked me "no spades?" and I said no. May the others object?',
        "When he had dealt and turned the trump, who was next?",
        "The dealer showed a card. Can the deal be had again, and how?",
        "When a player leads too soon, what is due?",
        "Simkins, who was only looking on, told them so. Can we make him pay?",
        "A card fell on the cloth. Is it the ace, or both of them, that we may call?",
        "May my daughter, who is my partner, deal and shuffle in my place?",
        "He dealt, had one too many and gave it to his neighbour.",
        "He would not tell me which suit it was. May I not ask?",
        "Both of them want my ace now, my king later. Having asked wrong, may they ask again?",
        "",
    ],
)
def test_single_question_keeps_its_whole_text(text: str) -> None:
    (issue,) = issues(text)
    assert (issue.question, issue.with_facts) == ("", text)


@pytest.mark.parametrize(
    ("text", "facts", "put"),
    [
        (
            "We were at the last trick. He trumped and had a heart: what does he lose, and who chooses?", "with_facts",
            ["We were at the last trick. He trumped and had a heart. What does he lose?",
             "We were at the last trick. He trumped and had a heart. Who chooses?"],
        ),
        (
            "He revoked. What is due? He had led out of turn. Who may call? Also, a card fell. Is it exposed?",
            "with_facts",
            ["He revoked. What is due?", "He revoked. He had led out of turn. Who may call?",
             "Also, a card fell. Is it exposed?"],
        ),
        (
            "What is due for a lead out of turn, and may we choose?", "with_facts",
            ["What is due for a lead out of turn?", "What is due for a lead out of turn? May we choose?"],
        ),
        # Each incident is asked with all requests.
        (
            "I have two complaints. He led too soon. She looked back. Rule upon each.", "with_facts",
            [f"I have two complaints. {incident} Rule upon each."
             for incident in ("He led too soon.", "She looked back.")],
        ),
        # A line ends a sentence, unless it is wrapped; the marks of a list are left out.
        (
            "He revoked in the third round with two hearts in his\nhand\nWhat is due\n\nUntil when can we claim it",
            "with_facts",
            [f"He revoked in the third round with two hearts in his hand. {asked}?"
             for asked in ("What is due", "Until when can we claim it")],
        ),
        (
            "1. Is it a revoke\n2. Can he still take it back", "with_facts",
            ["Is it a revoke?", "Is it a revoke? Can he still take it back?"],
        ),
        (
            "a) a card fell, must he play it b) they peeped, is that allowed?", "question",
            ["Must he play it?", "Is that allowed?"],
        ),
        # What precedes a further matter is one itself, even if nothing is asked on it.
        (
            "Tom dealt out of turn. Also can we shuffle again?", "with_facts",
            ["Tom dealt out of turn.", "Tom dealt out of turn. Also can we shuffle again?"],
        ),
        ("1. Y led too soon.\n2. Z showed an ace.", "with_facts", ["Y led too soon.", "Z showed an ace."]),
        # The nearest facts are those told since the question before it; or there are as many facts as questions.
        (
            "He revoked. What is due? Until when? Then a card fell. Must he play it?", "nearest",
            ["", "", "Then a card fell. Must he play it?"],
        ),
        (
            "He dropped an ace. Then she looked at the last trick. Must he play it, and may she?", "nearest",
            ["He dropped an ace. Must he play it?", "Then she looked at the last trick. May she?"],
        ),
    ],
)  # fmt: skip
def test_each_issue_has_the_facts_or_the_first_question(text: str, facts: str, put: list[str]) -> None:
    assert [getattr(issue, facts) for issue in issues(text)] == put


def test_number_of_issues_is_limited() -> None:
    found = issues("He led. " + " ".join("What may we do?" for _ in range(MOST + 3)))
    assert len(found) == MOST and found[-1].question.count("What") == 4


@given(st.text(max_size=300))
def test_any_text_has_an_issue_and_loses_no_letter(text: str) -> None:
    found = issues(text)
    letters = {c for c in text.casefold() if c.isalpha() and c not in "ﬀabcdiv"}  # marks of lists are left out
    assert 1 <= len(found) <= MOST
    assert letters <= set(" ".join(issue.with_facts for issue in found).casefold())
