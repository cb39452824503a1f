"""The views of the knowledge base: joins that users of SQL would otherwise write again and again."""

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


_PAGE = """
(select folio from page p where p.book_id = {0}.book_id and p.raw_start <= {0}.raw_start
 order by p.raw_start desc limit 1)
"""
_UNIT = """
(select coalesce(u.continues, u.id) from unit u where u.book_id = {0}.book_id and u.raw_start <= {0}.raw_start
 and u.raw_end >= {0}.raw_end order by u.raw_end - u.raw_start, u.seq desc limit 1)
"""

VIEWS: tuple[ViewDef, ...] = (
    ViewDef("provision", "A numbered rule of a code (law, section ...), with its code, text and gloss.", {
        "id": "the provision: what people cite",
        "code_id": "its code",
        "code": "short title of the code",
        "year": "year of the code",
        "kind": "law for a numbered provision, or another kind of rule",
        "number": "its number in the code",
        "heading": "the heading it stands under",
        "page": "printed page on which it begins",
        "seq": "order in the book",
        "text": "reading text",
        "gloss": "what it says, in present-day English: the editor's words; null if there is none",
    }, """
select u.id, u.code_id, c.short as code, c.year, u.kind, u.number, u.heading, u.page, u.seq, u.text, g.words as gloss
from unit u join code c on c.id = u.code_id left join gloss g on g.unit_id = u.id
where u.role = 'provision' and u.continues is null
"""),
    ViewDef("answer", "What a code answers to a question of a topic, or that it is silent.", {
        "topic_id": "the topic",
        "topic": "its name",
        "facet_id": "the question",
        "question": "the question in words",
        "code_id": "the code",
        "code": "short title of the code",
        "year": "year of the code",
        "state": "answered or silent; where nobody looked, there is no row",
        "rule": "letter of the rule: answers of one letter lay down the same rule; null for a draft",
        "summary": "the answer in words; empty where the code is silent",
        "value": "the answer in the terms of the vocabulary: a JSON object; null if it has none",
        "citations": "the provisions it rests on: JSON list of unit ids",
        "source": "editor, or machine for a draft",
    }, """
select x.topic_id, t.label as topic, x.facet_id, f.label as question, x.code_id, c.short as code, c.year,
case when json_array_length(x.cites) then 'answered' else 'silent' end as state,
x.rule, x.summary, x.value, x.cites as citations, x.source
from cell x join facet f on f.id = x.facet_id join topic t on t.id = x.topic_id join code c on c.id = x.code_id
"""),
    ViewDef("equivalence", "Two provisions of different codes on the same matter, with both texts.", {
        "a": "the provision of the earlier code",
        "a_code": "short title of the earlier code",
        "a_year": "its year",
        "relation": "same-text, equivalent, differs, broader, narrower or opposed: a to b",
        "b": "the provision of the later code",
        "b_code": "short title of the later code",
        "b_year": "its year",
        "a_text": "reading text of a",
        "b_text": "reading text of b",
        "why": "the evidence in words",
        "status": "proposed or confirmed; pairs that the editor rejected are left out (see the table link)",
        "source": "machine or editor",
        "score": "strength of the evidence, 0 to 1",
    }, """
select l.a, ca.short as a_code, ca.year as a_year, l.relation, l.b, cb.short as b_code, cb.year as b_year,
a.text as a_text, b.text as b_text, l.why, l.status, l.source, l.score
from link l join unit a on a.id = l.a join unit b on b.id = l.b
join code ca on ca.id = a.code_id join code cb on cb.id = b.code_id where l.status <> 'rejected'
"""),
    ViewDef("correction", "A change of letters, words or furniture, with its unit and page; not of spacing.", {
        "id": "running number of the edit",
        "book_id": "the book",
        "unit_id": "the innermost unit around the place; null for page furniture between units",
        "page": "printed page",
        "before": "what the OCR text has",
        "after": "what is read instead",
        "kind": "furniture, join, ocr, typo or illegible",
        "source": "rule, model or editor",
        "confidence": "probability that the edit is right, 0 to 1",
        "note": "the evidence",
        "raw_start": "first character, as an offset into the OCR text",
        "raw_end": "offset just after the last character",
    }, f"""
select e.id, e.book_id, {_UNIT.format("e")} as unit_id, {_PAGE.format("e")} as page, e.before, e.after, e.kind,
e.source, e.confidence, e.note, e.raw_start, e.raw_end from edit e where e.kind <> 'space'
"""),
    ViewDef("reference", "A reference in the text: where it stands, what it says, and what it refers to.", {
        "id": "running number of the reference",
        "from_unit": "the unit in which it stands",
        "from_kind": "the kind of that unit",
        "book_id": "the book",
        "page": "printed page on which that unit begins",
        "raw": "the words of the reference, as the OCR text has them",
        "status": "resolved, ambiguous, dangling (there is none), foreign (in another book) or slip (the author's)",
        "target_id": "what it refers to; null if nothing here",
        "target": "label of the target",
        "confidence": "probability that the target is right, 0 to 1",
    }, """
select c.id, c.from_unit, u.kind as from_kind, c.book_id, u.page, c.raw, c.status, c.target_id, t.label as target,
c.confidence from citation c join unit u on u.id = c.from_unit left join unit t on t.id = c.target_id
"""),
)  # fmt: skip
