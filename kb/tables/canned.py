"""The saved queries that every visitor may run on the tables: SQL statements with parameters to fill in."""

from __future__ import annotations

from dataclasses import dataclass

from kb.tables.views import CITED


@dataclass(frozen=True, slots=True)
class CannedQuery:
    """A query: its name in the URL, its title, a note on its results and parameters, and its SQL.

    The note says what happens if a parameter is empty.
    """

    name: str
    title: str
    note: str
    sql: str


QUERIES: tuple[CannedQuery, ...] = (
    CannedQuery("concept-by-code", "Provisions that mention a concept, code by code",
        "Type a concept or one of its terms; otherwise all are listed.", """
select k.label as concept, p.code, p.year, p.id as provision, count(*) as times, p.text
from unit_concept m join concept k on k.id = m.concept_id join unit u on u.id = m.unit_id
join provision p on p.id = case u.kind when 'subclause' then u.parent_id else u.id end
where :concept = '' or k.id = lower(:concept)
or k.id in (select concept_id from concept_label where lower(label) = lower(:concept))
group by k.id, p.id order by k.label, p.year, p.code_id, p.seq
"""),
    CannedQuery("mentions", "How many provisions contain a word, code by code",
        "Type a word or a phrase. Other forms of it count too: revoke also finds revoked.", """
with found as (
    select distinct coalesce(case when u.kind = 'subclause' then u.parent_id end, u.id) as id
    from entry_fts f join entry e on e.id = f.rowid join unit u on u.id = e.unit_id
    where :word <> '' and f.entry_fts match 'text : "' || replace(:word, '"', ' ') || '"'
)
select p.code_id as code, p.year, count(f.id) as provisions, count(*) as of_all,
round(100.0 * count(f.id) / count(*), 1) as per_cent
from provision p left join found f on f.id = p.id where :word <> ''
group by p.code_id order by p.year, p.code_id
"""),
    CannedQuery("same-words", "Provisions with the same words in two codes",
        "Punctuation and spelling may differ; to_the_letter is 1 where nothing does. Type the id of one code or two; "
        "otherwise all pairs are listed.", """
select e.a_code as earlier, e.a, e.b_code as later, e.b, e.a_text = e.b_text as to_the_letter, e.a_text as text
from equivalence e join unit a on a.id = e.a join unit b on b.id = e.b
where e.relation = 'same-text' and (:earlier = '' or a.code_id = :earlier) and (:later = '' or b.code_id = :later)
order by e.a_year, e.b_year, a.seq
"""),
    CannedQuery("changed-between", "What changed between two codes, number by number",
        "Linked provisions that have the same number in both codes and differ in their texts. Type the id of one "
        "code or two; otherwise all pairs are listed.", """
select e.a_code as earlier, e.a, e.b_code as later, e.b, e.relation, e.a_text as text_then, e.b_text as text_later
from equivalence e join unit a on a.id = e.a join unit b on b.id = e.b
where substr(e.a, instr(e.a, '/')) = substr(e.b, instr(e.b, '/')) and e.a_text <> e.b_text
and (:earlier = '' or a.code_id = :earlier) and (:later = '' or b.code_id = :later)
order by e.a_year, e.b_year, a.seq
"""),
    CannedQuery("without-counterpart", "Provisions without a counterpart in another code",
        "Only pairs of a provision and a code that the editor has checked, without kinds of provisions that are not "
        "in our print of the code. Type the id of the code to list, and of the other, which lacks them; otherwise "
        "all are listed.", """
with ends as (select a as here, b as there from link union all select b, a from link),
linked as (select case h.kind when 'subclause' then h.parent_id else h.id end as id, t.code_id
    from ends join unit h on h.id = ends.here join unit t on t.id = ends.there)
select p.code, p.id as provision, c.short as lacking_in, p.text from closed s
join provision p on p.id = s.unit_id join code c on c.id = s.code_id
where (:code = '' or p.code_id = :code) and (:other = '' or c.id = :other)
and (p.id, c.id) not in (select id, code_id from linked)
and (c.id, p.kind) not in (select code_id, kind from lack)
order by p.year, p.code_id, p.seq, c.year
"""),
    CannedQuery("concordance", "Concordance of the codes by number",
        "Each provision with the numbers of its counterparts in the other codes, by year. Type the id of the code "
        "to list; otherwise all are listed.", """
with ends as (select a as here, b as there from link union all select b, a from link),
pairs as (select distinct case h.kind when 'subclause' then h.parent_id else h.id end as here,
    t.code_id, case t.kind when 'subclause' then t.parent_id else t.id end as there
    from ends join unit h on h.id = ends.here join unit t on t.id = ends.there),
told as (select pairs.here, o.code_id, o.year, o.number from pairs join provision o on o.id = pairs.there
    order by pairs.here, o.year, o.code_id, o.seq),
cells as (select here, code_id, year, year || ': ' || group_concat(number, ', ') as numbers
    from told group by here, code_id)
select p.code, p.number, p.id as provision, group_concat(x.numbers, '; ') as counterparts
from provision p left join (select * from cells order by year) x on x.here = p.id
where :code = '' or p.code_id = :code group by p.id order by p.year, p.code_id, p.seq
"""),
    CannedQuery("topic-through-time", "What the codes answer on a topic, question by question, oldest code first",
        "Type the id of a topic; otherwise the first one is shown.", """
select question, year, code, state, rule, summary, citations
from question_topic f join answered a on a.question_id = f.question_id
where f.topic_id = coalesce(nullif(lower(:topic), ''), (select id from topic order by seq limit 1))
order by f.seq, year, a.code_id
"""),
    CannedQuery("verdicts", "How the answer to each question changed",
        "In one line, with the number of codes that answer it. Type the id of a topic; otherwise all are listed.", """
select t.label as topic, f.label as question, f.verdict,
(select count(*) from answered a where a.question_id = f.id and a.state = 'answered') as codes_that_answer
from question f join topic t on t.id = f.topic_id where :topic = '' or t.id = lower(:topic) order by t.seq, f.seq
"""),
    CannedQuery("silent", "Questions for which a code has no rule",
        "The editor has read the code for each of them. Type the id of a code; otherwise all are listed.", """
select a.code, a.topic, a.question
from answered a join question f on f.id = a.question_id join topic t on t.id = a.topic_id
where a.state = 'silent' and (:code = '' or a.code_id = :code) order by a.year, a.code_id, t.seq, f.seq
"""),
    CannedQuery("precedents", "Provisions that decide the most cases",
        "With the ids of these cases.", """
select p.code, t.target_id as provision, count(*) as cases, json_group_array(t.unit_id) as citations, u.text
from (select * from precedent order by unit_id) t join unit u on u.id = t.target_id
join provision p on p.id = case u.kind when 'subclause' then u.parent_id else u.id end
group by t.target_id order by cases desc, p.year, p.seq
"""),
    CannedQuery("most-cited", "Provisions that the books refer to most",
        "Counts the resolved references; one to a paragraph counts for its provision.", """
select p.code, p.id as provision, count(*) as citations, count(distinct c.from_unit) as units_that_cite, p.text
from citation c join unit u on u.id = c.target_id
join provision p on p.id = case u.kind when 'subclause' then u.parent_id else u.id end
where c.status = 'resolved' group by p.id order by citations desc, p.year, p.code_id, p.seq
"""),
    CannedQuery("unresolved", "Unresolved references, and why",
        "Type a status; otherwise all are listed. Dangling: there is no such unit here; foreign: in another book; "
        "slip: the author cites the wrong provision.", """
select r.book_id, r.from_unit, r.page, r.raw as words, r.status, r.target_id as perhaps,
case r.status when 'ambiguous' then 'it can mean more than one unit'
when 'dangling' then 'there is no such unit in this library' when 'foreign' then 'it is in another book'
else 'the author cites the wrong provision' end as reason, r.confidence
from reference r where r.status <> 'resolved' and (:status = '' or r.status = lower(:status)) order by r.id
"""),
    CannedQuery("longest", "The longest provisions",
        "The hundred longest, in characters of the reading text. Type the id of a code; otherwise those "
        "of all codes are listed.", """
select code, id as provision, length(text) as characters, text from provision
where :code = '' or code_id = :code order by characters desc, id limit 100
"""),
    CannedQuery("corrections", "How many corrections, by book, kind and source",
        "The source is the editor, a rule or a model. lowest and mean are those of the confidence.", """
select book_id, kind, source, count(*) as edits, round(min(confidence), 3) as lowest, round(avg(confidence), 3) as mean
from edit group by 1, 2, 3 order by 1, 2, 3
"""),
    CannedQuery("doubtful", "Words whose reading is doubtful",
        "Edits whose confidence is below the number you type (otherwise below 0.8), and all doubtful words that were "
        "left unchanged.", f"""
select * from (
    select book_id, unit_id, page, before as scan, after as reading, confidence, kind, note from correction
    where confidence < coalesce(nullif(cast(:below as real), 0), 0.8)
    union all
    select s.book_id, (select coalesce(u.continues, u.id) from unit u where u.book_id = s.book_id
        and u.raw_start <= s.raw_start and u.raw_end >= s.raw_end order by u.raw_end - u.raw_start, u.seq desc limit 1),
    (select {CITED.format("p", "folio")} from page p where p.book_id = s.book_id and p.raw_start <= s.raw_start
        order by p.raw_start desc limit 1),
    s.before, s.after, s.confidence, 'suggestion', s.note from suggestion s
) order by confidence, book_id
"""),
    CannedQuery("illegible", "Illegible places, and misprints of the books",
        "Type the id of a book; otherwise those of all books are listed.", """
select book_id, unit_id, page, kind, before as letters, note from correction
where kind in ('illegible', 'typo') and (:book = '' or book_id = :book) order by kind, book_id, raw_start
"""),
)  # fmt: skip
