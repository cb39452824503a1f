"""The views of the knowledge base: joins that users of SQL often need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ViewDef:
    """A view: its name, what a row of it is, its columns with their meanings, and its SQL."""

    name: str
    note: str
    columns: Mapping[str, str]
    sql: str


CITED = "case when {0}.inferred then '[' || {0}.{1} || ']' else {0}.{1} end"
"""A page number as it is cited: in brackets if it is only inferred; {0} is its table, {1} its column."""
_PAGE = f"""
(select {CITED.format("p", "folio")} from page p where p.book_id = {{0}}.book_id and p.raw_start <= {{0}}.raw_start
 order by p.raw_start desc limit 1)
"""
_UNIT = """
(select coalesce(u.continues, u.id) from unit u where u.book_id = {0}.book_id and u.raw_start <= {0}.raw_start
 and u.raw_end >= {0}.raw_end order by u.raw_end - u.raw_start, u.seq desc limit 1)
"""

VIEWS: tuple[ViewDef, ...] = (
    ViewDef("provision", "A rule of a code (law, article, section ...), with its code, text and paraphrase.", {
        "id": "permanent id, used in citations",
        "code_id": "its code",
        "code": "short title of the code",
        "year": "year of the code",
        "kind": "law for any numbered provision, or another kind: etiquette ...",
        "number": "its number in the code",
        "heading": "the heading above it",
        "page": "number of the page on which it begins, in brackets if it is only inferred",
        "seq": "order in the book",
        "text": "reading text",
        "gloss": "the editor's paraphrase in modern English; null if there is none",
    }, f"""
select u.id, u.code_id, c.short as code, c.year, u.kind, u.number, u.heading, {CITED.format("u", "page")} as page,
u.seq, u.text, g.words as gloss from unit u join code c on c.id = u.code_id left join gloss g on g.unit_id = u.id
where u.role = 'provision' and u.continues is null
"""),
    ViewDef("answered", "What a code answers to a question, or that it has no rule, with the names of all.", {
        "topic_id": "the topic",
        "topic": "its name",
        "question_id": "the question",
        "question": "the question in words",
        "code_id": "the code",
        "code": "short title of the code",
        "year": "year of the code",
        "state": "answered, silent (no rule), or not printed (its book omits such rules)",
        "rule": "letter of the rule: answers with the same letter give the same rule",
        "summary": "the answer in words; empty if the code has no rule",
        "citations": "the provisions it rests on: a JSON list of ids",
    }, """
select q.topic_id, t.label as topic, x.question_id, q.label as question, x.code_id, c.short as code, c.year, x.state,
x.rule, x.summary, x.cites as citations
from answer x join question q on q.id = x.question_id join topic t on t.id = q.topic_id join code c on c.id = x.code_id
"""),
    ViewDef("equivalence", "Two counterparts: provisions of different codes on the same question, with both texts.", {
        "a": "the provision of the earlier code",
        "a_code": "short title of the earlier code",
        "a_year": "its year",
        "relation": "what a is, compared with b: same-text, equivalent (same rule, other words), differs (another "
        "rule), broader, narrower or opposed",
        "b": "the provision of the later code",
        "b_code": "short title of the later code",
        "b_year": "its year",
        "a_text": "reading text of a",
        "b_text": "reading text of b",
        "why": "the reason",
        "source": "editor, or machine (in a library made without the editor)",
        "score": "strength of the evidence, 0 to 1",
    }, """
select l.a, ca.short as a_code, ca.year as a_year, l.relation, l.b, cb.short as b_code, cb.year as b_year,
a.text as a_text, b.text as b_text, l.why, l.source, l.score
from link l join unit a on a.id = l.a join unit b on b.id = l.b
join code ca on ca.id = a.code_id join code cb on cb.id = b.code_id
"""),
    ViewDef("correction", "An edit of the OCR text with its unit and page, except edits of white space only.", {
        "id": "running number of the edit",
        "book_id": "the book",
        "unit_id": "the smallest unit that contains the place; null between units",
        "page": "page number, in brackets if it is only inferred",
        "before": "what the OCR text has",
        "after": "what the reading text has instead",
        "kind": "furniture (running head, page number), join, ocr (misread letters), typo (the book's misprint, which "
        "stays) or illegible",
        "source": "rule, model or editor",
        "confidence": "estimated probability that the edit is right, 0 to 1",
        "note": "the evidence",
        "raw_start": "offset of the first character in the OCR text",
        "raw_end": "offset after the last character",
    }, f"""
select e.id, e.book_id, {_UNIT.format("e")} as unit_id, {_PAGE.format("e")} as page, e.before, e.after, e.kind,
e.source, e.confidence, e.note, e.raw_start, e.raw_end from edit e where e.kind <> 'space'
"""),
    ViewDef("reference", "A reference in the text: its place, its words, and its target.", {
        "id": "running number of the reference",
        "from_unit": "the unit that contains it",
        "from_kind": "the kind of that unit",
        "book_id": "the book",
        "page": "number of the page on which that unit begins, in brackets if it is only inferred",
        "raw": "the words of the reference in the OCR text",
        "status": "resolved, ambiguous, dangling (there is no such unit here), foreign (in another book) or slip (the "
        "author cites the wrong provision)",
        "target_id": "the unit it refers to; null if none in this library",
        "target": "label of the target",
        "confidence": "estimated probability that the target is right, 0 to 1",
    }, f"""
select c.id, c.from_unit, u.kind as from_kind, c.book_id, {CITED.format("u", "page")} as page, c.raw, c.status,
c.target_id, t.label as target, c.confidence
from citation c join unit u on u.id = c.from_unit left join unit t on t.id = c.target_id
"""),
)  # fmt: skip
