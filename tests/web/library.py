# ruff: noqa: E501 - the scans are set as scans are
"""A small library written with inline markup, from which the test database is built.

In the scans, `[[before|after|kind|confidence|note]]` is an edit and `<<words|target target|status>>` a reference; a unit
is `{id kind label number: text}`. Units may be nested; text outside them is page furniture or white space.
"""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import sqlite_utils

from extract.corpus.domain import read_domain
from extract.language.folding import fold, words_of
from kb.questions.fit import fit
from kb.questions.paraphrases import OFF_TOPIC
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

DRAYSON = """
{english-1864/section-the-revoke section THE~REVOKE -: THE   REVOKE}

{english-1864/law-71 law Law~71 71: [[yi.|71.|ocr|0.93|the series reads 70, 71, 72]]  Is  when  a  player,  holding  one  or  more
cards  of  the  suit  led,  plays  a  card  of  a  dif[[- \\n||join|0.99|line-end hyphen; the word is in the lexicon]]ferent  suit.}

{english-1864/law-72 law Law~72 72: 72.  The  penalty  for  a  revoke  :

{english-1864/law-72/i subclause Law~72~(I) i: I.  Is  at  the  option  of  the  adversaries,  who,  at  the  end  of  the  hand,
may  either  take  three  tricks  from  the  revoking  player,  or  deduct  three  points  from  his  score ;}

{english-1864/law-72/ii subclause Law~72~(II) ii: II.  Can  be  claimed  for  as  many  revokes  as  occur  during  the  hand ;}

{english-1864/law-72/iv subclause Law~72~(IV) iv: IV.  Cannot  be  divided,  i.e.,  a  player  cannot[[

| |space|1|white space]][[19||furniture|1|folio]][[

||space|1|white space]]add  one  or  two  to  his  own  score  and  [[tJie|the|ocr|0.62|tJie reads the in 14 other places]]  rest  to  the  revoke.}}

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
SCANS = {
    "arnaud-1829": """
{arnaud-1829/section-definitions section DEFINITIONS. -: DEFINITIONS.}

{arnaud-1829/def-revoke definition Revoke -: [[Revohe|Revoke|ocr|0.97|the word heads its definition]].—Not following suit
when able to do so.}

{arnaud-1829/section-laws section LAWS. -: LAWS.}

{arnaud-1829/law-21 law Law~21 21: 21. The penalty for a revoke takes place of every other score, and is three points, or
three tricks[[|,|ocr|0.9|the comma is lost]] at the option of the adversaries. A party revoking can not score that game.}
""",
    "drayson-1896": DRAYSON,
    "pole-1895": """
{american-1893/section-revoking section REVOKING -: REVOKING}

{american-1893/law-28 law Law~28 28: 28. A renounce in error may be corrected by the player making it. A revoke cannot be
corrected; but it stands until the hand is played out.}

{american-1893/law-30 law Law~30 30: 30. The penalty for each revoke is two tricks taken from the side in error.}

{pole-1895/odds-table-1 table Odds~table~1 1: Odds Of winning {pole-1895/odds-table-1/1 table_row Row~1 1: 9 to 8 against}}
""",
}
CONCEPTS = [
    ("revoke", "revoke", "Not following suit when able.", None, ["revoke", "renounce in error"]),
    ("misdeal", "misdeal", "A deal that is lost.", None, ["misdeal", "mis-deal", "false deal"]),
    ("penalty", "penalty", "What the side in error pays.", None, ["penalty", "penalties"]),
    ("slam", "slam", "All thirteen tricks.", None, ["slam"]),
    ("revoke-penalty", "revoke penalty", "The forfeit for a revoke.", "revoke", ["penalty for a revoke"]),
]
# The editor's questions on the revoke, the wording of each rule by its letter, and each code's answer to each question
# with the provisions on which it rests and the code that it reprints. Some links between the provisions contradict these
# answers.
QUESTIONS = [
    ("definition", "What is a revoke?", "not following suit → the same in <b>other</b> words"),
    ("penalty", "What does it cost?", "three points or tricks → two tricks"),
    ("correction", "May it be corrected?", "yes, unless it is a revoke"),
]  # fmt: skip
RULES = {
    "definition": {"A": "not following suit"},
    "penalty": {"A": "three points or three tricks", "A'": "the same, at their choice", "B": "two tricks"},
    "correction": {"A": "yes, unless it is a revoke"},
}
ANSWERS = [
    ("definition", "arnaud-1829", "A", "Not following suit when able.", ["arnaud-1829/def-revoke"], None),
    ("definition", "english-1864", "A", "Holding the suit led and playing another.", ["english-1864/law-71"], None),
    ("definition", "american-1893", "silent", "", [], None),
    ("definition", "american-1894", "silent", "", [], "american-1893"),
    ("penalty", "arnaud-1829", "A", "Three points or three tricks.", ["arnaud-1829/law-21"], None),
    ("penalty", "english-1864", "A'", "Three tricks or three points, at their choice.", ["english-1864/law-72/i"], None),
    ("penalty", "american-1893", "B", "Two tricks.", ["american-1893/law-30"], None),
    ("penalty", "american-1894", "B", "Two tricks.", ["american-1894/law-30"], "american-1893"),
    ("correction", "arnaud-1829", "silent", "", [], None),
    ("correction", "english-1864", "not printed", "", [], None),
    ("correction", "american-1893", "A", "Yes; a revoke not.", ["american-1893/law-28", "american-1893/law-30"], None),
    ("correction", "american-1894", "A", "Yes; a revoke not.", ["american-1894/law-28", "american-1894/law-30"],
     "american-1893"),
]  # fmt: skip
# The words that decide, by question and provision; and what comes nearest in a silent code.
DECIDING = {
    ("penalty", "english-1864/law-72/i"): "may either take three tricks",
    ("penalty", "american-1893/law-30"): "30. The penalty for each revoke is two tricks",
    ("correction", "american-1893/law-30"): "two tricks taken",
}
NEAR = {("definition", "american-1893"): ("american-1893/law-28", "it does not say what a revoke is")}
PARAPHRASES = {
    "revoke/penalty": ("He trumped although he had a heart. What do we get?", "What do we get for it?"),
    "revoke/definition": ("Is it a revoke if he held a heart and trumped?", "Is it a revoke?"),
    "revoke/correction": ("May he take the card back?", "Can the card be taken back?"),
    # So many, with words of the searches below, that a search for words alone asks no question.
    OFF_TOPIC: (
        "Will it rain tomorrow?",
        "How do I boil an egg?",
        "Who claims the lost luggage?",
        "a claim that nobody denies",
        "She denies it.",
        "Are the proofs corrected?",
        "a misprint corrected",
        "Two pounds for each of the guests",
        "Where is the station?",
        "The shop was closed.",
        "for each day",
    ),
}
# The rows of all other tables; values are in the order of the columns.
ROWS = {
    "book": BOOKS,
    "author": [(book[0], 0, *book[3].rpartition(" ")[::-2]) for book in BOOKS],
    "code": CODES,
    "concept": CONCEPTS,
    "concept_label": [
        (concept, term, "variant" if i else "preferred")
        for concept, _, _, _, labels in CONCEPTS
        for i, term in enumerate(labels)
    ],
    "link": [
        ("english-1864/law-72", "american-1894/law-30", "differs", 0.71, "editor",
         "Three tricks against two."),
        ("arnaud-1829/law-21", "english-1864/law-72", "broader", 0.64, "machine",
         "shared: penalty"),
        ("american-1893/law-30", "american-1894/law-30", "same-text", 0.99, "editor",
         "Same words."),
        ("american-1893/law-28", "american-1894/law-28", "same-text", 0.99, "machine", "same words"),
        ("arnaud-1829/law-21", "english-1864/law-72/i", "broader", 1.0, "editor",
         "the later has no rest"),
        ("english-1864/law-72/i", "american-1893/law-30", "differs", 1.0, "editor",
         "three against two"),
        ("english-1864/law-72/i", "american-1894/law-30", "differs", 1.0, "editor",
         "three against two"),
    ],
    # Provisions for which the editor found no counterpart in a code.
    "closed": [("english-1864/law-71", "american-1894"), ("american-1893/law-28", "english-1864")],
    "lack": [("english-1864", "case", "Why.")],
    "explains": [("drayson-1896/case-93/decision", "english-1864/law-72")],
    "table_cell": [
        ("pole-1895/odds-table-1", 0, "Odds"), ("pole-1895/odds-table-1", 1, "Of winning"),
        ("pole-1895/odds-table-1/1", 0, "9 to 8"), ("pole-1895/odds-table-1/1", 1, "against"),
    ],
    "audit": [(1, "drayson-1896", "english-1864 laws", "gap", "73-76", 10, "Laws 73 to 76 are left out here.")],
    "topic": [("revoke", "Revoke", "revoke", "", 1), ("penalty", "Penalty", "penalty", "", 2)],
    "question": [
        (f"revoke/{name}", "revoke", label, verdict, seq) for seq, (name, label, verdict) in enumerate(QUESTIONS)
    ],
    "question_topic": [
        *(("revoke", f"revoke/{name}", seq) for seq, (name, _, _) in enumerate(QUESTIONS)),
        ("penalty", "revoke/penalty", 0),
    ],
    "answer": [
        (f"revoke/{question}", code, rule if rule in ("silent", "not printed") else "answered",
         rule if brief else None, brief, summary, json.dumps(cites), *NEAR.get((question, code), (None, None)), reprint)
        for question, code, rule, summary, cites, reprint in ANSWERS
        for brief in [RULES[question].get(rule)]
    ],
    "deciding": [
        (f"revoke/{question}", code, seq, unit, DECIDING.get((question, unit)))
        for question, code, _, _, cites, _ in ANSWERS
        for seq, unit in enumerate(cites)
    ],
    "sister": [("revoke/penalty", "revoke/definition", 0)],
    "matcher": [("questions", fit({f"revoke/{name}": label for name, label, _ in QUESTIONS}, PARAPHRASES))],
    # The editor's other entries.
    "distinction": [
        ("revoke/penalty", 0, "Was the trick turned?", "not yet", "revoke/correction", "he takes it back (from 1893)"),
        ("revoke/penalty", 1, "Was the trick turned?", "yes", "revoke/penalty", "the penalty is due"),
    ],
    "gloss": [("english-1864/law-71", "A revoke is playing another suit though able to follow.")],
    "digest": [("drayson-1896/case-93", "A claims a revoke; Y denies it.", "The revoke stands.")],
    "precedent": [("drayson-1896/case-93", "english-1864/law-72", "editor")],
    "case_question": [("drayson-1896/case-93", "revoke/penalty", 0)],
    "case_outcome": [
        ("drayson-1896/case-93", "arnaud-1829", "same", None),
        ("drayson-1896/case-93", "english-1864", "decided", None),
        ("drayson-1896/case-93", "american-1893", "otherwise", "A takes two tricks, not three."),
        ("drayson-1896/case-93", "american-1894", "open", None),
    ],
}  # fmt: skip

ABOUT = read_domain(Path(__file__).parents[2] / "corpus")

_MARK = re.compile(r"\[\[(?P<edit>[^\]]*)\]\]|<<(?P<cite>[^>]*)>>|\{(?P<head>[^:}]*): |(?P<close>\})", re.S)


def parse(marked: str) -> SimpleNamespace:
    """Parse a marked-up scan into its `text` and the rows of its `edits`, `units` and `citations`."""
    scan, at, open_units = SimpleNamespace(text="", edits=[], units=[], citations=[]), 0, []
    marked = marked.replace("\\n", "\n")
    for mark in _MARK.finditer(marked):
        scan.text += marked[at : mark.start()]
        at, here = mark.end(), len(scan.text)
        words, *fields = (mark["edit"] or mark["cite"] or "").split("|")
        scan.text += words
        span = {"raw_start": here, "raw_end": len(scan.text)}
        if mark["edit"] is not None:
            names = ("before", "after", "kind", "confidence", "note")
            scan.edits.append(span | dict(zip(names, (words, *fields), strict=True)))
        elif mark["cite"] is not None:
            cite = {"from_unit": open_units[-1]["id"], "raw": words, "status": fields[1]}
            scan.citations += [
                span | cite | {"target_id": None if target == "-" else target} for target in fields[0].split()
            ]
        elif mark["head"] is not None:
            unit_id, kind, label, number = mark["head"].split()
            open_units.append(span | {
                "id": unit_id, "kind": kind, "label": label.replace("~", " "), "role": ABOUT.roles[kind], "page": "18",
                "inferred": unit_id.startswith("arnaud-1829/"),
                "number": None if number == "-" else number, "confidence": 1.0,
                "parent_id": open_units[-1]["id"] if open_units else None,
            })  # fmt: skip
            scan.units.append(open_units[-1])
        else:
            open_units.pop()["raw_end"] = here
    scan.text += marked[at:]
    return scan


def _reading(scan: SimpleNamespace, unit: dict[str, Any]) -> str:
    """Return the text of a unit with its edits applied and without the footnotes inside it."""
    notes = [u | {"after": ""} for u in scan.units if (u["kind"], u["parent_id"]) == ("footnote", unit["id"])]
    text, at = "", unit["raw_start"]
    for cut in sorted(scan.edits + notes, key=lambda cut: cut["raw_start"]):
        if at <= cut["raw_start"] and cut["raw_end"] <= unit["raw_end"]:
            text += scan.text[at : cut["raw_start"]] + cut["after"]
            at = cut["raw_end"]
    return " ".join((text + scan.text[at : unit["raw_end"]]).split())


def build(db: sqlite_utils.Database) -> None:
    """Write the small library into an empty database."""
    schema.create(db)
    db.table("library").insert_all(rows_of(ABOUT))
    columns = {table.name: [column.name for column in table.columns] for table in schema.TABLES}
    for name, rows in ROWS.items():
        db.table(name).insert_all(dict(zip(columns[name], row, strict=False)) for row in rows)
    for book_id, marked in SCANS.items():
        _load(db, book_id, parse(marked))
    counted = Counter(word for unit in db.query("select text from unit") for word in words_of(unit["text"]))
    db.conn.executemany("insert into word values (?, ?)", sorted(counted.items()))
    db.execute("insert into entry_fts(entry_fts) values ('rebuild')")
    db.conn.commit()


def _load(db: sqlite_utils.Database, book_id: str, scan: SimpleNamespace) -> None:
    book = {"book_id": book_id}
    db.table("scan").insert(book | {"text": scan.text, "sha256": "0" * 64, "length": len(scan.text)})
    db.table("edit").insert_all(edit | book | {"source": "rule"} for edit in scan.edits)
    db.table("citation").insert_all(cite | book | {"confidence": 0.9} for cite in scan.citations)
    # Page 18, and the next after each running head.
    breaks = [0, *(edit["raw_start"] for edit in scan.edits if edit["kind"] == "furniture"), len(scan.text)]
    db.table("page").insert_all(
        book | {"seq": seq, "raw_start": start, "raw_end": end, "folio": str(18 + seq),
                "status": "interpolated", "inferred": book_id == "arnaud-1829"}
        for seq, (start, end) in enumerate(pairwise(breaks))
    )  # fmt: skip
    codes, headings = {code[0] for code in CODES}, {}
    for seq, unit in enumerate(scan.units):
        work, text = unit["id"].partition("/")[0], _reading(scan, unit)
        if unit["kind"] == "section":
            headings[work] = unit["label"]
        place = {"seq": seq, "heading": headings.get(work), "code_id": work if work in codes else None, "text": text}
        parent = {"parent_id": unit["id"].rpartition("/")[0]} if unit["kind"] == "decision" else {}
        db.table("unit").insert(unit | book | place | parent)
        named = []
        for concept, _, _, _, labels in CONCEPTS:
            term = next((term for term in labels if term in text.lower()), "")
            if term:
                named += labels
                at = max(scan.text.lower().find(term, unit["raw_start"], unit["raw_end"]), unit["raw_start"])
                span = {"raw_start": at, "raw_end": at + len(term)}
                db.table("unit_concept").insert({"unit_id": unit["id"], "concept_id": concept} | span)
        db.table("entry").insert({"unit_id": unit["id"], "text": fold(text), "concepts": " ".join(named),
                                  "heading": headings.get(work) or ""})  # fmt: skip
