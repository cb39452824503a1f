# ruff: noqa: E501 - the scans are set as scans are
"""A small library written out with its marks, from which the fixture database is made.

In the scans, `[[before|after|kind|confidence|note]]` is an edit and `<<words|target target|status>>` a reference; a unit
is `{id kind label number: text}`, units may stand inside units, and what is between them is furniture or white space.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import sqlite_utils

from extract.corpus.domain import read_domain
from extract.language.folding import fold, words_of
from kb.read.domain import rows as rows_of
from kb.tables import schema

BOOKS = [
    ("arnaud-1829", "An Epitome of the Game of Whist", "Epitome", "E. M. Arnaud", 1829, "Edinburgh", "Oliver & Boyd", ""),
    ("drayson-1896", "Whist Laws and Whist Decisions", "Whist Laws", "A. W. Drayson", 1896, "New York",
     "Harper & Brothers", "Two codes and a hundred cases."),
    ("pole-1895", "The Theory of the Modern Scientific Game of Whist", "Theory", "William Pole", 1895, "New York",
     "G. W. Carleton", ""),
]  # fmt: skip
CODES = [
    ("arnaud-1829", "Laws of Whist", "Arnaud’s laws", 1829, "Arnaud", "arnaud-1829", "Law", ""),
    ("english-1864", "The Laws of Whist", "English club code", 1864, "The London clubs", "drayson-1896", "Law",
     "The code of the Portland and Arlington clubs."),
    ("american-1893", "The Laws of Whist", "American code of 1893", 1893, "American Whist League", "pole-1895", "Law", ""),
    ("american-1894", "The Laws of Whist", "American code", 1894, "American Whist League", "drayson-1896", "Law", ""),
]  # fmt: skip

ARNAUD = """
{arnaud-1829/section-definitions section DEFINITIONS. -: DEFINITIONS.}

{arnaud-1829/def-revoke definition Revoke -: [[Revohe|Revoke|ocr|0.97|the word heads its definition]].—Not following suit
when able to do so.}

{arnaud-1829/section-laws section LAWS. -: LAWS.}

{arnaud-1829/law-21 law Law~21 21: 21. The penalty for a revoke takes place of every other score, and is three points, or
three tricks, at the option of the adversaries. A party revoking can not score that game.}
"""
DRAYSON = """
{english-1864/section-the-revoke section THE~REVOKE -: THE   REVOKE}

{english-1864/law-71 law Law~71 71: [[yi.|71.|ocr|0.93|the series reads 70, 71, 72]]  Is  when  a  player,  holding  one  or  more
cards  of  the  suit  led,  plays  a  card  of  a  dif[[- \\n||join|0.99|line-end hyphen; the word is in the lexicon]]ferent  suit.}

{english-1864/law-72 law Law~72 72: 72.  The  penalty  for  a  revoke  :

{english-1864/law-72/i subclause Law~72~(I) i: I.  Is  at  the  option  of  the  adversaries,  who,  at  the  end  of  the  hand,
may  either  take  three  tricks  from  the  revoking  player,  or  deduct  three  points  from  his  score ;}

{english-1864/law-72/ii subclause Law~72~(II) ii: II.  Can  be  claimed  for  as  many  revokes  as  occur  during  the  hand ;}

{english-1864/law-72/iv subclause Law~72~(IV) iv: IV.  Cannot  be  divided,  i.e.,  a  player  cannot

[[19||furniture|1|folio]]

add  one  or  two  to  his  own  score  and  [[tJie|the|ocr|0.62|tJie reads the in 14 other places]]  rest  to  the  revoke.}}

{english-1864/law-77 law Law~77 77: 77.  The  penalty  for  a  mis-deal  is  in  [[nnw|nnw|illegible|0.3|the word cannot be read]]  case
a  revoke.  <<(see  Laws  71  and  72)|english-1864/law-71 english-1864/law-72|resolved>>}

{american-1894/section-revoking section REVOKING -: REVOKING}

{american-1894/law-28 law Law~28 28: 28.  A  renounce  in  error  may  be  corrected  by  the  player  making  it.  A  revoke  cannot
be  corrected ;  but  it  stands  until  the  hand  is  played  out.}

{american-1894/law-30 law Law~30 30: 30.  The  penalty  for  each  revoke  is  two  tricks  taken  from  the  side  in  error.}

{drayson-1896/section-cases section CASES -: CASES}

{drayson-1896/case-93 case Case~93 93: Case  93. — A  and  B  <b>claim</b>  a  revoke  & Y  denies  it.  He  asks  for  the
[[penalty|penalty|typo|1|the book prints penalty for penalties]].{drayson-1896/case-93/fn-1 footnote Note~* -: *  The  note  of
the  author.}}

{drayson-1896/case-93/decision decision Case~93,~decision -: Decision. — The  revoke  stands  <<(Law  72)|english-1864/law-72|resolved>>
and  <<Law  77|english-1864/law-77|slip>>,  not  <<Law  999|-|dangling>>.}

{drayson-1896/index-revoke index_entry Revoke -: Revoke,  71-82}
"""
POLE = """
{american-1893/section-revoking section REVOKING -: REVOKING}

{american-1893/law-28 law Law~28 28: 28. A renounce in error may be corrected by the player making it. A revoke cannot be
corrected; but it stands until the hand is played out.}

{american-1893/law-30 law Law~30 30: 30. The penalty for each revoke is two tricks taken from the side in error.}

{pole-1895/odds-table-1 table Odds~table~1 1: Odds Of winning {pole-1895/odds-table-1/1 table_row Row~1 1: 9 to 8 against}}
"""
SCANS = {"arnaud-1829": ARNAUD, "drayson-1896": DRAYSON, "pole-1895": POLE}
CONCEPTS = [
    ("revoke", "revoke", "Not following suit when able.", None, ["revoke", "renounce in error"]),
    ("misdeal", "misdeal", "A deal that is lost.", None, ["misdeal", "mis-deal", "false deal"]),
    ("penalty", "penalty", "What the side in error pays.", None, ["penalty", "penalties"]),
    ("slam", "slam", "All thirteen tricks.", None, ["slam"]),
    ("revoke-penalty", "revoke penalty", "The forfeit for a revoke.", "revoke", ["penalty for a revoke"]),
]
LINKS = [
    ("english-1864/law-72", "american-1894/law-30", "differs", "revoke-penalty", 0.71, "confirmed", "editor",
     "Three tricks against two."),
    ("arnaud-1829/law-21", "english-1864/law-72", "broader", "revoke-penalty", 0.64, "proposed", "machine", "shared: penalty"),
    ("american-1893/law-30", "american-1894/law-30", "same-text", "revoke-penalty", 0.99, "confirmed", "editor", "Same words."),
    ("american-1893/law-28", "american-1894/law-28", "same-text", "revoke", 0.99, "proposed", "machine", "same words"),
    ("english-1864/law-71", "american-1894/law-30", "opposed", "revoke", 0.2, "rejected", "editor", "Not the matter."),
    ("arnaud-1829/law-21", "english-1864/law-72/i", "broader", None, 1.0, "confirmed", "editor", "the later has no rest"),
    ("english-1864/law-72/i", "american-1893/law-30", "differs", None, 1.0, "confirmed", "editor", "three against two"),
    ("english-1864/law-72/i", "american-1894/law-30", "differs", None, 1.0, "confirmed", "editor", "three against two"),
]  # fmt: skip
# What later codes have of earlier ones by these links, and the provisions that print one rule.
BORROWINGS = [("american-1894", "american-1893", 2, 2, 0, 0, 2), ("english-1864", "arnaud-1829", 3, 0, 0, 1, 0)]
FAMILIES = [
    (f"american-{year}/law-{number}", f"american-1893/law-{number}") for number in (28, 30) for year in (1893, 1894)
]
# The editor's questions on the revoke, what each code answers (no provisions: it is silent) and the deciding words.
QUESTIONS = [
    ("definition", "What is a revoke?", "not following suit -> the same in <b>other</b> words"),
    ("penalty", "What does it cost?", "three points or tricks -> two tricks"),
    ("correction", "May it be corrected?", ""),
]  # fmt: skip
PENALTY = '{"mode": "may", "who": ["adversaries"], "effect": ["3 tricks-taken", "no-slam"], "choice": ["adversaries"]}'
# By question and letter the rules; which letter a code has. Links of the provisions say otherwise here and there.
RULES = {
    "definition": {"A": "not following suit"},
    "penalty": {"A": "three points or three tricks", "A'": "the same, at their choice", "B": "two tricks"},
    "correction": {"A": "yes, unless it is a revoke"},
}
LETTERS = {("penalty", "english-1864"): "A'", ("penalty", "american-1893"): "B", ("penalty", "american-1894"): "B"}
CELLS = [
    ("definition", "arnaud-1829", "not following suit when able", None, ["arnaud-1829/def-revoke"], None),
    ("definition", "english-1864", "holding the suit led and playing another", None, ["english-1864/law-71"], None),
    ("definition", "american-1893", "", None, [], None),
    ("definition", "american-1894", "", None, [], "american-1893"),
    ("penalty", "arnaud-1829", "three points or three tricks", None, ["arnaud-1829/law-21"], None),
    ("penalty", "english-1864", "three tricks or three points", PENALTY, ["english-1864/law-72/i"], None),
    ("penalty", "american-1893", "two tricks", None, ["american-1893/law-30"], None),
    ("penalty", "american-1894", "two tricks", None, ["american-1894/law-30"], "american-1893"),
    ("correction", "arnaud-1829", "", None, [], None),
    ("correction", "american-1893", "yes; a revoke not", None, ["american-1893/law-28", "american-1893/law-30"], None),
    ("correction", "american-1894", "yes; a revoke not", None, ["american-1894/law-28", "american-1894/law-30"],
     "american-1893"),
]  # fmt: skip
DECIDING = [
    ("penalty", "english-1864", "english-1864/law-72/i", "may either take three tricks"),
    ("penalty", "american-1893", "american-1893/law-30", "30. The penalty for each revoke is two tricks"),
    ("correction", "american-1893", "american-1893/law-30", "two tricks taken"),
]
# How players ask, and what else the editor says.
TELLINGS = [
    ("penalty", "He trumped although he had a heart. What do we get?"),
    ("definition", "Is it a revoke if he held a heart and trumped?"),
    ("correction", "May he take the card back?"),
]
DISTINCTIONS = [
    ("revoke/1", seq, "Was the trick turned?", '["turned"]', words, facet)
    for seq, (words, facet) in enumerate([("not yet", "revoke/correction"), ("yes", "revoke/penalty")])
]
TERMS = [
    ("who", "adversaries", "the other side, both together"),
    ("effect", "tricks-taken", "tricks go to the adversaries"),
    ("effect", "no-slam", "no slam is counted"),
]
GLOSSES = [("english-1864/law-71", "A revoke is playing another suit though able to follow.")]
DIGESTS = [("drayson-1896/case-93", "A claims a revoke; Y denies it.", "The revoke stands.")]
PRECEDENTS = [("drayson-1896/case-93", "english-1864/law-72")]
CASE_QUESTIONS = [("drayson-1896/case-93", "revoke/penalty", 0)]
CASE_OUTCOMES = [
    ("drayson-1896/case-93", "arnaud-1829", "same", None),
    ("drayson-1896/case-93", "english-1864", "decided", None),
    ("drayson-1896/case-93", "american-1893", "otherwise", "A takes two tricks, not three."),
    ("drayson-1896/case-93", "american-1894", "open", None),
]
# Where the editor looked and found no counterpart.
CLOSED = [("english-1864/law-71", "american-1894"), ("american-1893/law-28", "english-1864")]

_MARK = re.compile(r"\[\[(?P<edit>[^\]]*)\]\]|<<(?P<cite>[^>]*)>>|\{(?P<head>[^:}]*): |(?P<close>\})", re.S)


@dataclass
class _Unit:
    id: str
    kind: str
    label: str
    number: str | None
    start: int
    end: int = 0
    parent: str | None = None


@dataclass
class Scan:
    """A scan with the edits, units and references its marks describe."""

    text: str = ""
    edits: list[tuple[int, int, str, str, str, float, str]] = field(default_factory=list)
    units: list[_Unit] = field(default_factory=list)
    cites: list[tuple[int, int, str | None, str]] = field(default_factory=list)

    def reading(self, unit: _Unit) -> str:
        """The reading text of a unit, footnotes in its midst left out."""
        holes = [u for u in self.units if u.kind == "footnote" and u is not unit and u.parent == unit.id]
        pieces, at = [], unit.start
        cuts = [(a, b, after) for a, b, _, after, *_ in self.edits] + [(u.start, u.end, "") for u in holes]
        for a, b, after in sorted(cuts):
            if at <= a and b <= unit.end:
                pieces += [self.text[at:a], after]
                at = b
        return " ".join("".join([*pieces, self.text[at : unit.end]]).split())


def parse(marked: str) -> Scan:
    """Read a scan written with marks."""
    scan, at, stack = Scan(), 0, []
    marked = marked.replace("\\n", "\n")
    for m in _MARK.finditer(marked):
        scan.text += marked[at : m.start()]
        at = m.end()
        here = len(scan.text)
        if m["edit"] is not None:
            before, after, kind, confidence, note = m["edit"].split("|")
            scan.text += before
            scan.edits.append((here, len(scan.text), before, after, kind, float(confidence), note))
        elif m["cite"] is not None:
            words, targets, status = m["cite"].split("|")
            scan.text += words
            scan.cites += [(here, len(scan.text), None if t == "-" else t, status) for t in targets.split()]
        elif m["head"] is not None:
            unit_id, kind, label, number = m["head"].split()
            parent = stack[-1].id if stack else None
            stack.append(
                _Unit(unit_id, kind, label.replace("~", " "), None if number == "-" else number, here, 0, parent)
            )
            scan.units.append(stack[-1])
        else:
            stack.pop().end = here
    scan.text += marked[at:]
    return scan


ABOUT = read_domain(Path(__file__).parents[2] / "corpus")


def build(db: sqlite_utils.Database) -> None:
    """Write the small library into an empty database."""
    schema.create(db)
    db.table("library").insert_all(rows_of(ABOUT))
    names = ("id", "title", "short", "author", "year", "place", "publisher", "note")
    db.table("book").insert_all(dict(zip(names, b, strict=True)) for b in BOOKS)
    for book in BOOKS:
        given, _, family = book[3].rpartition(" ")
        db.table("author").insert({"book_id": book[0], "seq": 0, "family": family, "given": given})
    names = ("id", "title", "short", "year", "authority", "book_id", "provision", "note")
    db.table("code").insert_all(dict(zip(names, c, strict=True)) for c in CODES)
    for cid, label, note, broader, labels in CONCEPTS:
        db.table("concept").insert({"id": cid, "label": label, "note": note, "broader": broader})
        for i, term in enumerate(labels):
            db.table("concept_label").insert(
                {"concept_id": cid, "label": term, "role": "variant" if i else "preferred"}
            )
    words: dict[str, int] = {}
    for book_id, marked in SCANS.items():
        _load(db, book_id, parse(marked), words)
    db.conn.executemany("insert into word values (?, ?)", sorted(words.items()))
    names = ("a", "b", "relation", "topic", "score", "status", "source", "why")
    db.table("link").insert_all(dict(zip(names, link, strict=True)) for link in LINKS)
    db.table("elsewhere").insert({"name": "Cavendish", "book_id": "drayson-1896"})
    db.table("explains").insert({"unit_id": "drayson-1896/case-93/decision", "target_id": "english-1864/law-72"})
    db.table("table_cell").insert_all(
        {"unit_id": f"pole-1895/odds-table-1{row}", "col": i, "text": t}
        for row, cells in (("", ("Odds", "Of winning")), ("/1", ("9 to 8", "against")))
        for i, t in enumerate(cells)
    )
    db.table("audit").insert({"id": 1, "book_id": "drayson-1896", "series": "english-1864 laws", "finding": "gap",
                              "label": "73-76", "raw_start": 10, "note": "Laws 73 to 76 are left out here."})  # fmt: skip
    db.table("topic").insert({"id": "revoke", "label": "Revoke", "concept_id": "revoke", "note": "", "seq": 1})
    db.table("topic").insert({"id": "penalty", "label": "Penalty", "concept_id": "penalty", "note": "", "seq": 2})
    for i, (name, label, verdict) in enumerate(QUESTIONS):
        db.table("facet").insert(
            {"id": f"revoke/{name}", "topic_id": "revoke", "label": label, "verdict": verdict, "seq": i}
        )
    db.table("facet_topic").insert_all(
        {"topic_id": "revoke", "facet_id": f"revoke/{name}", "seq": i} for i, (name, _, _) in enumerate(QUESTIONS)
    )
    for name, code, summary, value, cites, double in CELLS:
        letter = LETTERS.get((name, code), "A") if cites else None
        db.table("cell").insert({"topic_id": "revoke", "facet_id": f"revoke/{name}", "code_id": code, "rule": letter,
                                 "brief": RULES[name][letter] if letter else None, "summary": summary, "value": value, "cites": json.dumps(cites), "source": "editor",
                                 "twin": double})  # fmt: skip
    for seq, (name, code, unit, words) in enumerate(DECIDING):
        db.table("deciding").insert({"facet_id": f"revoke/{name}", "code_id": code, "seq": seq, "unit_id": unit,
                                     "words": words, "raw_start": 0, "raw_end": 0})  # fmt: skip
    for seq, (name, words) in enumerate(TELLINGS):
        db.table("telling").insert({"facet_id": f"revoke/{name}", "seq": seq, "words": words})
    for table, rows in (("term", TERMS), ("gloss", GLOSSES), ("digest", DIGESTS), ("precedent", PRECEDENTS),
                        ("case_question", CASE_QUESTIONS), ("distinction", DISTINCTIONS), ("case_outcome", CASE_OUTCOMES),
                        ("closed", CLOSED), ("borrowing", BORROWINGS), ("family", FAMILIES)):  # fmt: skip
        columns = [column.name for column in next(t for t in schema.TABLES if t.name == table).columns]
        db.table(table).insert_all(dict(zip(columns, row, strict=False)) for row in rows)
    db.execute("insert into entry_fts(entry_fts) values ('rebuild')")
    db.conn.commit()


def _load(db: sqlite_utils.Database, book_id: str, scan: Scan, words: dict[str, int]) -> None:
    db.table("scan").insert({"book_id": book_id, "text": scan.text, "sha256": "0" * 64, "length": len(scan.text)})
    for start, end, before, after, kind, confidence, note in scan.edits:
        db.table("edit").insert({
            "id": db.table("edit").count + 1, "book_id": book_id, "raw_start": start, "raw_end": end, "before": before,
            "after": after, "kind": kind, "source": "rule", "confidence": confidence, "note": note,
        })  # fmt: skip
    codes, headings = {c[0] for c in CODES}, {}
    for seq, unit in enumerate(scan.units):
        work, text = unit.id.partition("/")[0], scan.reading(unit)
        if unit.kind == "section":
            headings[work] = unit.label
        row = replace(unit, parent=unit.id.rpartition("/")[0] if unit.kind == "decision" else unit.parent)
        db.table("unit").insert({
            "id": row.id, "book_id": book_id, "code_id": work if work in codes else None, "kind": row.kind,
            "label": row.label, "number": row.number, "parent_id": row.parent, "heading": headings.get(work), "seq": seq,
            "raw_start": row.start, "raw_end": row.end, "page": "18", "text": text, "confidence": 1.0,
            "role": ABOUT.roles[row.kind],
        })  # fmt: skip
        named = _concepts(db, row, text)
        db.table("entry").insert({"id": db.table("entry").count + 1, "unit_id": row.id, "text": fold(text),
                                  "concepts": " ".join(named), "heading": headings.get(work) or ""})  # fmt: skip
        for word in words_of(text):
            words[word] = words.get(word, 0) + 1
    for start, end, target, status in scan.cites:
        unit = [u for u in scan.units if u.start <= start and end <= u.end][-1]
        db.table("citation").insert({
            "id": db.table("citation").count + 1, "from_unit": unit.id, "book_id": book_id, "raw_start": start,
            "raw_end": end, "raw": scan.text[start:end], "target_id": target, "status": status, "confidence": 0.9,
        })  # fmt: skip


def _concepts(db: sqlite_utils.Database, unit: _Unit, text: str) -> list[str]:
    named = []
    for cid, _, _, _, labels in CONCEPTS:
        at = next((p for p in (text.lower().find(term) for term in labels) if p >= 0), None)
        if at is not None:
            named += labels
            db.table("unit_concept").insert(
                {"unit_id": unit.id, "concept_id": cid, "raw_start": unit.start + at, "raw_end": unit.start + at + 1}
            )
    return named
