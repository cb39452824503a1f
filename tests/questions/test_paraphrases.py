"""The files of paraphrases: what they may have, and how they are refused."""

from pathlib import Path

import pytest

from extract.errors import BookError
from kb.questions.paraphrases import OFF_TOPIC, read_paraphrases

QUESTIONS = ("revoke/penalty", "revoke/claim", "deal/order")


def _write(corpus: Path, **files: str) -> None:
    (corpus / "paraphrases").mkdir()
    for name, text in files.items():
        (corpus / "paraphrases" / f"{name}.txt").write_text(text, encoding="utf-8")


def test_reads_paraphrases_by_question(tmp_path: Path) -> None:
    revoke = "# Revoke\n\n## penalty\nwhat does it cost\n  we saw it #2 too late \n\n## claim\nuntil when\n"
    _write(tmp_path, revoke=revoke, **{"off-topic": "# Others\nwill it rain\n"})
    assert read_paraphrases(tmp_path, QUESTIONS) == {
        "revoke/penalty": ("what does it cost", "we saw it #2 too late"),
        "revoke/claim": ("until when",),
        OFF_TOPIC: ("will it rain",),
    }
    assert read_paraphrases(tmp_path / "nowhere", QUESTIONS) == {}


def test_all_faults_are_told_at_once_each_with_its_line(tmp_path: Path) -> None:
    _write(tmp_path, deal="lost\n## order\nuntil when\n", revoke="## claim\nuntil when\n## price\nhow much\n")
    with pytest.raises(BookError) as fault:
        read_paraphrases(tmp_path, QUESTIONS)
    deal, revoke = (tmp_path / "paraphrases" / name for name in ("deal.txt", "revoke.txt"))
    assert str(fault.value).splitlines() == [
        f"{deal}, line 1: there is no question above; write a line `## name` before it.",
        f"{revoke}, line 2: 'until when' is also a paraphrase of another question ({deal}, line 3); delete one.",
        f"{revoke}, line 3: there is no question 'revoke/price'; correct the name.",
    ]


def test_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "paraphrases").mkdir()
    (tmp_path / "paraphrases" / "deal.txt").write_bytes("## order\nund dann passé\n".encode("latin-1"))
    with pytest.raises(BookError, match=r"deal\.txt cannot be read as text; save it as UTF-8"):
        read_paraphrases(tmp_path, QUESTIONS)
