"""Checking the citations of a text, and the words quoted beside them."""

import json
import random
import sqlite3
from pathlib import Path

import pytest
from terminal import whist

from extract.errors import QueryError
from kb.cite import writing
from kb.cite.verify import difference, nearest, stands, verify
from kb.read import queries

LAW = "English laws, 1864, law 72"
AMERICAN = "American laws, 1893, law 30"
WORDS = "take three tricks"
DEAL = "A revoke cannot be claimed after the cards have been cut for the following deal"
UNCLEAR = "it is not clear which law is quoted"
ALONE = "quoted with no citation beside it: not checked"
FORM = "this form of a quotation is not read"


def right(conn: sqlite3.Connection, text: str) -> bool:
    verdicts = verify(conn, text)
    return bool(verdicts) and all(verdict.right for verdict in verdicts)


@pytest.mark.parametrize(
    "text",
    [
        "“{}” ({}).", "“{}” — {}.", "{}: “{}”.", "{} says that ‘{}’.", "By {} they “{}” each time.", 'So "{}" ({}).',
        "He may “{}.” ({}.)", "> {}\n\n({})", "> {}\n> — {}", "> {} ({})", "> {}\n\n{}.",
        "{} says:\n\n> {}\n\nSo it is.", "| {} | “{}” |", "The “fox” is quick. {} says *“{}”*.",
        "“{}” ([{}, p. \\[18\\]](http://127.0.0.1:8001/english-1864/law-72)).",
    ],
)  # fmt: skip
def test_words_beside_a_citation_are_compared(shipped: sqlite3.Connection, text: str) -> None:
    names_first = text.startswith(("{}:", "{} says", "By", "|", "The"))
    for words, expected in ((WORDS, "there exactly"), ("take four tricks", "not there")):
        made = text.format(*((LAW, words) if names_first else (words, LAW)))
        (verdict,) = verify(shipped, made)
        assert [quotation.result for quotation in verdict.quotations] == [expected], made
        assert verdict.ids == ("english-1864/law-72",)


@pytest.mark.parametrize("text", ["{}.[^1] So it is.", "(By {})[^note].", "{}[^1]: “take three tricks”."])
def test_note_mark_after_a_citation_is_no_number_of_it(shipped: sqlite3.Connection, text: str) -> None:
    (verdict,) = verify(shipped, text.format(LAW))
    assert (verdict.right, verdict.cited) == (True, LAW)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (WORDS, True), ("take three tricks,", True), ("may either\n take  three tricks", True),
        ("[T]ake three tricks", True), ("Take three tricks", False), ("take three trick", False),
        ("ake three tricks", False), ("take, three tricks", False), ("take … tricks", False),
        ("take [three] tricks", False), ("", False), ("…", False), ("[t]", False), ("take 3 tricks", False),
    ],
)  # fmt: skip
def test_words_stand_exactly_or_not(words: str, expected: bool) -> None:
    assert stands(words, "who may either take three tricks from the revoking player, or deduct") == expected


@pytest.mark.parametrize(
    ("words", "result", "law", "difference"),
    [
        # Turned round by a bracket, by an omission, by a missing syllable.
        (DEAL.replace("cannot", "[can]"), "not confirmed", DEAL, "it has an omission or a bracket"),
        (DEAL.replace("cannot", "…"), "not confirmed", DEAL, "it has an omission or a bracket"),
        (DEAL.replace("cannot", "can"), "not there", DEAL, "“cannot”, not “can”"),
        (DEAL.replace("cards ", ""), "not there", DEAL, "“cards” is left out"),
        (DEAL.replace("cut", "cut again"), "not there", DEAL, "“again” is not in it"),
        ("the quick brown fox", "not there", "", ""),
    ],
)
def test_difference_is_shown(shipped: sqlite3.Connection, words: str, result: str, law: str, difference: str) -> None:
    (verdict,) = verify(shipped, f"“{words}” (English laws, 1864, law 78).")
    (quotation,) = verdict.quotations
    assert (quotation.result, quotation.law, quotation.difference) == (result, law, difference)


def test_changed_quotation_is_never_called_right(shipped: sqlite3.Connection) -> None:
    """Drop, replace or move a word of a true quotation, in three forms of a text."""
    chance = random.Random(1864)
    units = queries.units(shipped, queries.whole_ids(shipped)).values()
    tried = 0
    for unit in chance.sample([unit for unit in units if unit.kind in ("law", "case", "maxim")], 120):
        words = unit.text.split()[2:]
        at = chance.randrange(max(1, len(words) - 9))
        true = words[at : at + chance.randint(6, 12)]
        text, cited = " ".join(unit.text.split()), writing.short(writing.cited(shipped, unit))
        if len(true) < 6 or set("".join(true)) & set("“”\"[]‘’'…"):
            continue
        assert right(shipped, f"So it is “{' '.join(true)}” ({cited})."), (cited, true)
        k = chance.randrange(1, len(true) - 1)
        for changed in (true[:k] + true[k + 1 :], [*true[:k], "not", *true[k:]], [*true[:-1], true[-1] + "s"]):
            said = " ".join(changed)
            if said not in text:
                for made in (f"So it is “{said}” ({cited}).", f'By {cited}: "{said}".', f"> {said}\n>\n> — {cited}"):
                    tried += 1
                    assert not right(shipped, made), made
    assert tried > 500


@pytest.mark.parametrize(
    ("text", "result", "why"),
    [
        (f"{LAW}.", "exists", ""),
        ("English laws, 1864, law 172.", "no such provision", "there is no law 172"),
        ("nobody-1900/law-1", "no such provision", "there is no nobody-1900/law-1"),
        ("English laws, 1864, law 72 (i) & (ix).", "no such provision", "there is no law 72 (ix)"),
        ("American law 30.", "not confirmed", "it may be american-1893/law-30, american-1894/law-30"),
        ("“take three tricks” (law 72)", "not read", "it names no work"),
        ("72nd law", "not read", "this form is not read"),
        (f"“{WORDS}” ({LAW}, p. 18)", "exists", ""),
        (f"“{WORDS}” ({LAW}, p. 91)", "not confirmed", "it is on p. 18, 19, not on p. 91"),
    ],
)
def test_result_of_a_citation(shipped: sqlite3.Connection, text: str, result: str, why: str) -> None:
    (verdict,) = verify(shipped, text)
    assert (verdict.result, verdict.why) == (result, why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        # Of several citations in a sentence, or of a sentence that names another work, none is beyond doubt.
        *((text, UNCLEAR) for text in (
            f"“{WORDS}” is in {LAW}, and in 1893 law 30, too.", f"{LAW}, unlike {AMERICAN}, says “two tricks”.",
            f"1864 law 72 (cp. {AMERICAN}): “two tricks”.", f"1864 law 72, vs. {AMERICAN}, says “two tricks”.",
            f"{AMERICAN}, but not {LAW}, says “{WORDS}”.", f"{LAW} (cf. 1894 law 30; {AMERICAN}): “two tricks”.",
            f"“{WORDS}” ({LAW}; cf. {AMERICAN}).", f"{LAW}; unlike {AMERICAN}: “two tricks”.",
            f"{AMERICAN} says “{WORDS}” ({LAW}).", f"{AMERICAN} says “{WORDS}” (cf. {LAW}).",
            f"> {WORDS}\n\n({LAW}, but not {AMERICAN})", f"By {AMERICAN}, as Capt. A. in {LAW} has it: “{WORDS}”.",
            f"{AMERICAN} says “two tricks”.[^1]\n\n[^1]: {LAW}.", f"{LAW}; {AMERICAN}: “two tricks”.",
            "The American code, unlike 1864 law 72, says “take three tricks”.",
            "In 1893, as by 1864 law 72, “take three tricks”.",
        )),
        # No citation is beside the words.
        *((text, ALONE) for text in (
            f"“Take four tricks.” This is {LAW}.", f"{LAW}, is clear. It says: “take four tricks”.",
            f"{LAW}, reads:\n\n“take four tricks”", f"“take four tricks”[1]\n\n1. {LAW}.",
            f"“Take three tricks.” {LAW}.",
            f"So it is.[^1] By {LAW}.\n\n[^1]: “take four tricks”.", f"> take four tricks\n\nSo it is.\n\n{LAW}.",
            f"So they “{WORDS}”.[^1]\n\n[^1]: {LAW}.", "“Law 72 of 1864 is old,” he said.",
        )),
        # Other forms of a quotation, and marks without a partner.
        *((text, FORM) for text in (
            f"“{WORDS} from the revoking player,\n\nor deduct three points” ({LAW}).",
            f"{LAW} says '{WORDS}.",
            f"‘the partners’ cards are lost ({LAW})", f"<blockquote>{WORDS}</blockquote> ({LAW})",
            f"\\begin{{quote}}{WORDS}\\end{{quote}} {LAW}", f"``{WORDS}'' ({LAW})", f"&ldquo;{WORDS}&rdquo; ({LAW})",
            f"<q>{WORDS}</q>, {LAW}", f"«{WORDS}» ({LAW})", f"„{WORDS}“ ({LAW})", f"'{WORDS}' ({LAW})",
            f"    take four tricks\n    from him\n\nSo it is.\n\n{LAW}.", f"{LAW}.\n\n\ttake four tricks\n",
        )),
        # Not everything is read.
        (f"{LAW}, at 73.", "a number after it is not read"), (f"{LAW}, and § 73.", "it names no work"),
        (f"{LAW}. Ibid.", "this form is not read"), (f"{LAW}; see law seventy-three.", "this form is not read"),
    ],
)  # fmt: skip
def test_what_is_doubtful_is_listed_and_not_called_right(shipped: sqlite3.Connection, text: str, why: str) -> None:
    verdicts = verify(shipped, text)
    assert why in [verdict.why for verdict in verdicts], verdicts
    assert not any(quotation.result == "there exactly" for verdict in verdicts for quotation in verdict.quotations)


def test_part_that_is_right_does_not_make_the_whole_right(shipped: sqlite3.Connection) -> None:
    assert not right(shipped, f"“{WORDS} from the revoking player,\n\n“or deduct three points” ({LAW}).")
    assert not right(shipped, f"{LAW} has “{WORDS}” and “take four tricks”.")
    assert not right(shipped, f"‘the partners’ cards are lost’ ({LAW})")
    assert verify(shipped, "Nothing here, “not even this”.") == []


def test_words_are_told_apart_among_the_laws_of_one_citation(shipped: sqlite3.Connection) -> None:
    (verdict,) = verify(shipped, f"Laws 72 and 78 of the English laws, 1864: “{WORDS}”.")
    assert [(each.result, each.only) for each in verdict.quotations] == [("there exactly", ("english-1864/law-72",))]


def test_address_of_another_host_is_not_ours(shipped: sqlite3.Connection) -> None:
    page = "english-1864/law-72"
    for host in ("127.0.0.1:8001", "localhost", "localhost/base", "library.org"):
        assert right(shipped, f"http://{host}/{page}") == (host != "library.org"), host
    assert verify(shipped, f"https://library.org/{page}", "library.org")[0].right


@pytest.mark.parametrize(
    "text",
    [
        f'{LAW} has “{WORDS}”, ‘deduct three points’ and "add three".',
        f"- {LAW}: “{WORDS}”\n- {AMERICAN}: “two tricks”",
        f"| {LAW} | “{WORDS}” |\n| {AMERICAN} | “two tricks” |",
        f"“{WORDS}” ({LAW}), but “two tricks” ({AMERICAN}).",
        f"{LAW} says “{WORDS}”. But by {AMERICAN} it is “two tricks”.",
        f"“{WORDS}” ({LAW}); the players' hands, ’tis said, and the partners’ hands.",
        "American Whist League, “The Laws of Whist (the American Code, 1894), Law 28,” in Whist Laws and Whist "
        "Decisions, with Upwards of 150 Cases Illustrating the Laws, by A. W. Drayson (1894; Harper & Brothers, 1896), "
        "176, http://localhost/american-1894/law-28: “a renounce”.",
        f"1864 law 72\n\n1. It is “{WORDS}” by {LAW}.\n2. See 1864 law 73.",
    ],
)
def test_what_is_right_is_called_right(shipped: sqlite3.Connection, text: str) -> None:
    assert right(shipped, text), verify(shipped, text)


def test_line_and_nearest_passage(shipped: sqlite3.Connection) -> None:
    law = "78. A revoke cannot be claimed after the cards have been cut for the following deal; not before."
    assert nearest("every revoke can be claimed", law) == "A revoke cannot be claimed"
    assert nearest("the quick brown fox", law) == ""
    assert difference("cut for the next deal", "cut for the following deal") == "“following”, not “next”"
    assert [verdict.line for verdict in verify(shipped, f"\n> {WORDS}\n> — {LAW}\n\n{LAW}.\nSo.\nLaw 5.")] == [3, 5, 7]


# The command.


def test_command_lists_the_results_and_fails_unless_all_is_right(library: Path) -> None:
    for text, code, *parts in (
        (f"“{WORDS}” ({LAW})", 0, f"line 1: {LAW}: english-1864/law-72\n  “{WORDS}”: there exactly\n"),
        (f"\n“take four tricks” ({LAW})", 1, "line 2:", "not there\n  it has: “take three", "“three”, not “four”"),
        ("§ 72", 1, "§ 72: not read\n  it names no work"),
        ("no citation", 1, "No citation is read"),
    ):  # fmt: skip
        result = whist("cite", "--verify", "-", "--db", library, said=text)
        assert result.exit_code == code and all(part in result.output for part in parts), result.output
    result = whist("cite", "--verify", "-", "--db", library, "--json", said=f"“{WORDS}” ({LAW})")
    (found,) = json.loads(result.stdout)["citations"]
    assert found["right"] and found["ids"] == ["english-1864/law-72"]
    assert found["quotations"][0]["result"] == "there exactly"


@pytest.mark.parametrize(
    ("arguments", "code", "output"),
    [
        (("english-1864/law-72/i", "--quote", WORDS), 0, f": “{WORDS}” <"),
        (("English laws, 1864, law 72", "--style", "short"), 0, "English laws, 1864, law 72\n"),
        (("drayson-1896", "--style", "bibtex"), 0, "@book{drayson-1896,"),
        (("english-1864", "--base", "https://w.example/base/"), 0, "https://w.example/base/code/english-1864\n"),
        (("english-1864/law-72", "--quote", "take four tricks"), 1, "it has “take three tricks”"),
        ((), 2, "Name one provision"),
        (("english-1864/law-72", "--base", "javascript:alert(1)"), 2, "write it as https://whist.example"),
        (("english-1864/law-72", "--verify", "-"), 2, "Name one provision"),
        (("english-1864/law-72", "--style", "mla", "--quote", "x"), 2, "--quote needs a provision"),
    ],
)
def test_command_cites(library: Path, arguments: tuple[str, ...], code: int, output: str) -> None:
    result = whist("cite", *arguments, "--db", library)
    assert result.exit_code == code and output in f"{result.output}{result.exception}"


def test_file_that_is_not_text_is_refused(library: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").write_bytes(b"\xff\xfe\x00")
    result = whist("cite", "--verify", tmp_path / "thesis", "--db", library)
    assert isinstance(result.exception, QueryError) and "UTF-8" in str(result.exception)
