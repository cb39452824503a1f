"""Citations in a Word document: found in its notes too, and put right as tracked changes."""

from __future__ import annotations

import io
import zipfile
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import etree

from datasette_plugins.command import cli
from extract.errors import QueryError
from kb.citing.verification import Change
from kb.citing.word import read_word, with_changes

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
BODY = """<w:p><w:r><w:rPr><w:i/></w:rPr><w:t xml:space="preserve">Three are taken: “may either </w:t></w:r>
<w:r><w:rPr><w:b/></w:rPr><w:t>take four</w:t><w:tab/><w:t>tricks</w:t></w:r><w:r><w:t>”</w:t></w:r>
<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t>.</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">See English club code, 1864, law 999, too.</w:t></w:r></w:p>"""
NOTE = '<w:footnote w:id="2"><w:p><w:r><w:t>English club code, 1864, law 72 (i).</w:t></w:r></w:p></w:footnote>'


def document(body: str = BODY) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>')
        archive.writestr("word/footnotes.xml", f'<w:footnotes xmlns:w="{W}">{NOTE}</w:footnotes>')
    return out.getvalue()


def words(data: bytes, *, accepted: bool) -> str:
    """The text of the parts when all tracked changes are accepted, or rejected."""
    told = ""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in ("word/document.xml", "word/footnotes.xml"):
            tree = etree.fromstring(archive.read(name))
            etree.strip_elements(tree, f"{{{W}}}{'del' if accepted else 'ins'}", with_tail=False)
            told += "".join(e.text or "" for e in tree.iter(f"{{{W}}}t", f"{{{W}}}delText"))
    return told


def test_words_that_differ_and_remarks_are_tracked_changes(database: Path, tmp_path: Path) -> None:
    thesis, checked = tmp_path / "thesis.docx", tmp_path / "checked.docx"
    thesis.write_bytes(document())
    done = CliRunner().invoke(cli, ["cite", "--verify", str(thesis), "--out", str(checked), "--db", str(database)])
    assert done.exit_code == 1 and "differs: " in done.stdout and "not found: " in done.stdout
    made = checked.read_bytes()
    accepted = words(made, accepted=True)
    assert words(made, accepted=False) == words(document(), accepted=False)
    assert "“may either take three tricks”" in accepted and "law 999 [there is no such provision" in accepted
    with zipfile.ZipFile(checked) as archive:
        tree = etree.fromstring(archive.read("word/document.xml"))
        assert archive.read("[Content_Types].xml") == b"<Types/>"
    assert tree.xpath("//w:ins/@w:id | //w:del/@w:id", namespaces={"w": W})
    assert tree.xpath("//w:del//w:rPr/w:b", namespaces={"w": W}), "what goes keeps its looks"


def test_any_stretch_of_text_and_notes_can_be_changed_and_the_change_taken_back() -> None:
    read = read_word(document())
    assert "“may either take four\ttricks”[^footnote2]." in read.text
    assert read.text.endswith("\n\n[^footnote2]: English club code, 1864, law 72 (i).")
    end = Change(len(read.text) - 3, len(read.text) - 1, words="END")
    for start, length in product(range(20, 60, 3), (0, 1, 9, 60)):
        change = Change(start, start + length, **{"words" if length else "remark": "NEW"})
        made = with_changes(read, [change, end], "2026-01-01T00:00:00Z")
        assert words(made, accepted=False) == words(document(), accepted=False), change
        assert "NEW" in words(made, accepted=True) and "END" in words(made, accepted=True), change


@pytest.mark.parametrize("data", [b"PK\x03\x04nothing", document(body="<w:p>")])
def test_what_is_no_word_document_is_refused(data: bytes) -> None:
    with pytest.raises(QueryError, match="Word document"):
        read_word(data)
