"""A new scan: its codes are found however they are printed, what is proposed builds, and what is not read is told."""

import random
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from samples import LAYOUTS, prose, render

from extract.add.bibliography import imprint
from extract.add.codes import survey
from extract.add.plan import Proposal, propose
from extract.add.report import report
from extract.corpus.domain import Domain
from extract.numbering.numerals import roman
from extract.text.headings import names_a_body
from extract.text.source import Layout

NOISE = random.Random(2)
HEADS = {7: "SCORING.", 13: "CUTTING.", 19: "SHUFFLING."}
PROSE = "The player who has revoked shall forfeit three tricks to his adversaries, and no more than these."
Laws = Mapping[int, str]


@pytest.fixture(autouse=True)
def same_words() -> None:
    NOISE.seed(2)


def laws_of(*numbers: int) -> dict[int, str]:
    return {n: prose(NOISE, NOISE.randint(12, 40)) for n in numbers}


def printed(laws: Laws, label: str = "{n}.", heads: Mapping[int, str] | None = None) -> list[str]:
    """Laws with their labels, and headings above some."""
    pieces: list[str] = []
    for n, text in laws.items():
        pieces += [
            *filter(None, [(heads or {}).get(n)]),
            f"{label.format(n=n, I=roman(n).upper() if '{I}' in label else '')} {text}",
        ]
    return pieces


def page(*pieces: str, width: int = 70) -> str:
    """Pieces of text as printed on a page; a piece with line ends keeps its own."""
    return "\n\n".join(p if "\n" in p else textwrap.fill(p, width, break_on_hyphens=False) for p in pieces) + "\n"


def added(folder: Path, scan: str) -> tuple[list[dict[str, str]], Proposal, str]:
    """The laws of each code as the build reads them, the proposal, and the report."""
    draft = folder / "hand-1875"
    draft.mkdir()
    (draft / "scan.txt").write_text(scan, encoding="utf-8")
    found = survey(scan)
    data = imprint(draft / "scan.txt", "utf-8", scan, found.etext, "hand-1875")
    built = propose(draft, data, found, Domain())
    laws = [u for u in built.edition.units if u.kind == "law"]
    codes = [{u.number or "": " ".join(u.text.split()) for u in laws if u.code_id == name} for name in built.codes]
    return codes, built, "\n".join(report(scan, "utf-8", found, built))


def require_whole(codes: Sequence[Mapping[str, str]], *texts: Laws) -> None:
    """Assert that all laws of all codes are found, each with its number, its last words and no more."""
    assert [list(code) for code in codes] == [list(map(str, laws)) for laws in texts]
    for code, laws in zip(codes, texts, strict=True):
        for n, text in laws.items():
            assert code[str(n)].endswith(text[-30:]) and len(code[str(n)]) < len(text) + 40, n


WORDS = ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH")


@pytest.mark.parametrize(
    ("label", "second"),
    [
        ("{n}.", "({n})"),
        ("§ {n}.", "SEC. {n}."),
        ("Art. {I}.", "Rule {n}."),
        ("{n}.--", "{I}."),
        ("Section {n}.", "_{n}._"),
        ("LAW {n}\n\n", "{n}."),
    ],
)
def test_two_codes_in_an_etext_are_whole_and_its_licence_is_left_out(tmp_path: Path, label: str, second: str) -> None:
    laws, rules = laws_of(*range(1, 26)), laws_of(*range(1, 15))
    listed = printed(laws_of(1, 2, 3, 4))
    scan = page(
        "The Project Gutenberg eBook", "Title: A Book of Games\n\nAuthor: Charles Hand",
        "*** START OF THE PROJECT GUTENBERG EBOOK ***", "CONTENTS", "1. Of the Lead 7\n2. Laws of Whist 9",
        "CHAPTER I.", "OF THE LEAD", PROSE, *listed, PROSE,
        "THE LAWS OF WHIST", *printed(laws, label, HEADS), "CHAPTER II.", PROSE,
        "RULES OF THE CLUB", *printed(rules, second), "OF MEMORY", PROSE,
        "*** END OF THE PROJECT GUTENBERG EBOOK ***", "1. Of the terms of use.", "2. Of redistribution.",
    )  # fmt: skip
    codes, built, _ = added(tmp_path, scan)
    require_whole(codes, laws, rules)
    assert list(built.codes) == ["hand-whist-1875", "hand-club-1875"]
    assert not [u.text for u in built.edition.units if "Gutenberg" in u.text or "redistribution" in u.text]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_code_is_found_in_each_layout(tmp_path: Path, layout: Layout) -> None:
    laws = laws_of(*range(1, 21))
    codes, *_ = added(tmp_path, render([PROSE, "THE LAWS OF WHIST.", *printed(laws), "OF THE LEAD.", PROSE], layout))
    require_whole(codes, laws)


def test_labels_in_words(tmp_path: Path) -> None:
    laws = laws_of(*range(1, 7))
    pieces = [f"LAW THE {word}. {text}" for word, text in zip(WORDS, laws.values(), strict=True)]
    codes, *_ = added(tmp_path, page(PROSE, "THE LAWS OF WHIST.", *pieces, "OF THE LEAD.", PROSE))
    require_whole(codes, laws)


@pytest.mark.parametrize(("law", "items"), [(3, 9), (3, 3), (1, 1), (8, 3)])
def test_list_labelled_like_the_laws_stays_within_its_law(tmp_path: Path, law: int, items: int) -> None:
    laws = laws_of(*range(1, 31))
    listed = [textwrap.indent(textwrap.fill(x, 65), "     ") for x in printed(laws_of(*range(1, items + 1)))]
    pieces = printed(laws)
    pieces[law:law] = listed
    codes, *_ = added(tmp_path, page(PROSE, "LAWS OF LOO.", *pieces, "OF THE LEAD."))
    laws[law] += " " + " ".join(" ".join(x.split()) for x in listed)
    require_whole(codes, laws)


def misread_words(n: int) -> str:
    return f"{ {1: 'SEG.', 3: 'See,', 5: 'SEC,'}.get(n % 7, 'SEC.') } {n}{',' if n % 3 else '.'}"


def misread_numbers(n: int) -> str:
    return f"{ {8: 3, 14: 'i4', 20: 'zo'}.get(n, n) }."


@pytest.mark.parametrize("label", [misread_words, misread_numbers])
def test_laws_with_misread_labels_have_their_numbers(tmp_path: Path, label: Callable[[int], str]) -> None:
    laws = laws_of(*range(1, 41))
    pieces = [f"{label(n)} {text}" for n, text in laws.items()]
    codes, _, told = added(tmp_path, page(PROSE, "THE LAWS OF WHIST.", *pieces, "OF THE LEAD.", PROSE, width=66))
    require_whole(codes, laws)
    assert ("read by their place, not as the scan has them: 3 as 8" in told) == (label is misread_numbers)


def test_gaps_and_labels_that_are_not_read_are_told(tmp_path: Path) -> None:
    laws = laws_of(*(n for n in range(1, 31) if n not in (9, 22, 23)))
    pieces = printed(laws)
    pieces[8:8] = ["O7O. The dealer must not look."]
    codes, _, told = added(tmp_path, page(PROSE, "LAWS OF LOO.", *pieces, "OF THE LEAD.", PROSE))
    assert [list(map(int, code)) for code in codes] == [list(laws)]
    assert "numbers 1 to 30; missing 9, 22, 23\n" in told
    assert "were not read: 1\n  O7O. The dealer must not look." in told


def test_excerpted_laws_keep_their_numbers_and_an_inserted_one_is_told(tmp_path: Path) -> None:
    patents, rules = laws_of(*range(4883, 4903)), laws_of(*range(1, 16))
    pieces = printed(rules)
    pieces.insert(12, "12a. The dealer may look.")
    codes, built, told = added(
        tmp_path, page(PROSE, "REVISED STATUTES.", *printed(patents, "SEC. {n}."), "RULES OF PRACTICE.", *pieces)
    )
    assert [*codes[0]] == [*map(str, patents)] and "12a" not in codes[1] and "  12a. The dealer may look." in told
    assert [code.numbers for code in built.codes.values()] == [range(4883, 4903), range(1, 16)]


MOVES = ("P to K 4", "Kt to K B 3", "B to Kt 5", "Castles", "Q to K 2: ch.")


@pytest.mark.parametrize(
    "pieces",
    [
        ["\n".join(f"{n}. {NOISE.choice(MOVES):30} {n}. {NOISE.choice(MOVES)}" for n in range(1, 24))],
        ["LAWS OF WHIST", "\n".join(f"{n}. Of the Deal {n}" for n in range(1, 24))],
        ["ANNALS OF THE CLUB.", *printed(dict.fromkeys(range(1801, 1840), PROSE))],
        [f"Page {n}. {PROSE}" for n in range(1, 20)],
        ["OF THE LEAD.", *printed(dict.fromkeys(range(1, 9), PROSE))],
    ],
    ids=["moves", "contents", "a chronology", "pages", "a short list without a name"],
)
def test_other_numbers_are_not_codes(tmp_path: Path, pieces: list[str]) -> None:
    codes, _, told = added(tmp_path, page(PROSE, *pieces, PROSE))
    assert not codes and "No code was found" in told


def test_a_dozen_provisions_without_a_name_are_a_code(tmp_path: Path) -> None:
    laws = {n: f"{PROSE} {n}" for n in range(1, 15)}
    codes, *_ = added(tmp_path, page(PROSE, "PIN POOL.", *printed(laws), "OF THE LEAD.", PROSE))
    require_whole(codes, laws)


@pytest.mark.parametrize(
    ("above", "title"),
    [
        ([PROSE, "THE LAWS OF LOO.", "THE DEAL."], "THE LAWS OF LOO."),
        (["THE LOO ACT, 1882.", PROSE, "PART I.", "_Of the Deal._"], "THE LOO ACT, 1882."),
        ([PROSE, "LAWS OF LOO", PROSE, PROSE, PROSE, "DUMMY LOO"], "DUMMY LOO"),
    ],
    ids=["above its first part", "above a remark", "too far above"],
)
def test_title_is_the_nearest_heading_that_names_laws(above: Iterable[str], title: str) -> None:
    laws = printed(laws_of(*range(1, 21)), "Rule {n}.")
    assert [code.heading for code in survey(page(*above, *laws)).codes] == [title]


def test_code_that_the_build_does_not_read_is_left_out_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("extract.add.codes.Code.numbers", range(1, 3))  # `expect` is too low for the labels
    monkeypatch.setattr("extract.add.plan._READ", 1.1)
    laws = printed(laws_of(*range(1, 21)))
    codes, built, told = added(tmp_path, page(PROSE, "LAWS OF LOO.", *laws, "OF THE LEAD."))
    assert not codes and len(built.refused) == 1 and "Not proposed: label '{n}.', numbers 1 to 20" in told
    assert any("The player who has revoked" in u.text for u in built.edition.units)


@pytest.mark.parametrize(
    ("heading", "body"), [("AN ACT to prevent gaming", True), ("The Gaming Act, 1845.", True), ("ACT I.", False)]
)
def test_statute_names_a_body_of_rules_but_not_the_act_of_a_play(heading: str, body: bool) -> None:
    assert names_a_body(heading) is body
