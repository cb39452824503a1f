"""The shape of every page's `.json` twin: the keys and what they hold. The page about the edition prints it."""

from __future__ import annotations

_UNIT = "id, url, kind, title, work, year, page, text"
ALWAYS = (("url", "permanent address of the page"), ("title", "title of the page"))
SHAPES: dict[str, tuple[tuple[str, str], ...]] = {
    "/index.json": (
        ("codes", "every code with its number of laws and address"),
        ("books", "every book and its address"),
        ("topics", "the topics: id, label, concept_id, note"),
        ("concepts", "the concepts: id, label, note, broader, units"),
    ),
    "/code/CODE.json": (
        ("code", "the code"),
        ("counts", "how many units of each kind"),
        ("units", "its units in order, without text, with heading"),
    ),
    "/code/CODE/read.json": (
        ("code", "the code"),
        ("notes", "that a number (?number=NUMBER) is none of its own; else it leads to the provision (302)"),
        ("units", f"its units in order: {_UNIT}"),
        ("editor_notes", "what the editor tells the reader of places in it: raw_start, raw_end, text, reason"),
        ("commentary", f"units that explain its provisions: {_UNIT}, explains (ids)"),
    ),
    "/book/BOOK.json": (
        ("book", "the book"),
        ("codes", "ids of the codes printed in it"),
        ("counts", "how many units of each kind"),
        ("units", "units outside its codes, without text"),
        ("audit", "the numbering audit: series, finding, label, raw_start, note"),
    ),
    "/ID.json": (
        ("unit", f"{_UNIT}, label, number, heading, code, book, parent, scan (its start and end), confidence"),
        ("paragraphs", "the reading text by paragraph: unit, text"),
        ("editor_notes", "what the editor tells the reader of places in it: raw_start, raw_end, text, reason"),
        ("children", "units that belong to it"),
        ("previous", "id of the unit before, or null"),
        ("next", "id of the unit after, or null"),
        ("cites", "references in the text: raw, target_id, status, confidence, place in the OCR text"),
        ("cited_by", "references to it, likewise"),
        ("commentary", "units that explain it"),
        ("explains", "ids of the provisions it explains"),
        ("gloss", "the editor's present-day English; null if there is none"),
        ("answers", "questions it answers for its code: topic_id, topic, facet_id, facet, summary, source"),
        ("precedents", "cases that turned on it: case, facts, decision, on (the provisions)"),
        ("digest", "of a case: facts, decision; else null"),
        ("applies", "of a case: the provisions on which it turned"),
        (
            "related",
            "provisions of other codes: other, relation, topic, score, status, source, why, here (which paragraph)",
        ),
        ("concepts", "concepts it speaks of: id, label"),
        ("corrections", "how many edits of each kind"),
        ("citations", "plain, short, chicago, mla, oscola, bluebook, bibtex, ris, csl, markdown, url"),
    ),
    "/ID/evidence.json": (
        ("unit", f"{_UNIT}"),
        ("scan", "the OCR text of the unit, unchanged"),
        ("raw_start", "its first character, as an offset into the OCR text"),
        ("raw_end", "offset just after its last character"),
        ("further", "stretches that stand elsewhere in the OCR text: pairs of offsets"),
        ("edits", "raw_start, raw_end, before, after, kind, source, confidence, note"),
        ("suggestions", "doubts that were not made edits"),
    ),
    "/search.json": (
        ("query", "the words searched"),
        ("mode", "all, some, browse, named (a citation, no search) or none"),
        ("total", "how many units were found"),
        ("page", "number of this page of results"),
        ("pages", "how many pages there are"),
        ("answers", "the provisions a typed citation means"),
        (
            "hits",
            f"{_UNIT}, score (more is better), paragraphs, snippet (text, hit), twin (same text, just before)",
        ),
        ("facets", "code, kind, book and year: value, count, chosen"),
        ("concepts", "concepts the words name"),
        ("joined", "how many of the total are provisions that rule on it and have not all the words"),
        ("corrected", "the query with misspelt words put right, which was searched, or null"),
        ("literal", "the query that is searched as it stands, if it was understood otherwise, or null"),
        ("suggestion", "the query with words respelled that these books do not have, or null"),
        ("notes", "what was left out of the query, and what of it was understood as a year or a work"),
    ),
    "/dispute.json?q=WORDS": (
        ("query", "what happened, as it was read"),
        ("code", "id of the code chosen (?code=ID), or null for all"),
        ("notes", "what of the address was left out"),
        ("faint", "whether little in the codes is like it, so that what is found may be beside the point"),
        (
            "opinions",
            "for each code: code, decided (whether it says anything on it), citation and reasons of the first of its "
            "findings: id, url, title, score (more is better), why (kinds of evidence with their shares), question, "
            "answer, pinpoint, deciding (words), gloss, ruling (address)",
        ),
        ("questions", "the nearest questions of topics: id, label, verdict, url"),
        ("cases", "the likest cases: id, url, facts, decision"),
    ),
    "/ruling.json?q=WORDS&unit=ID": (
        ("facts", "what happened, as it was read"),
        ("notes", "what of the address was left out"),
        ("unit", f"the provision: {_UNIT}"),
        ("pinpoint", "id of the paragraph to cite, or of the provision"),
        ("citation", "the citation in full"),
        ("gloss", "the editor's present-day English, or null"),
        ("opening", "what it says before its paragraphs, if only some are given; else null"),
        ("text", "what it rests on: number of the paragraph, paragraphs in pieces: text, deciding"),
        ("question", "id of the question nearest to the facts that it answers, or null"),
        ("answer", "the answer, or null"),
        ("value", "the answer in terms of the vocabulary, or null"),
        ("orders", "the same in words: head, words"),
        ("answers", "what else it answers for its code, the nearest to the facts first"),
        ("precedents", "cases that turned on it, the likest first: case, facts, decision, on"),
        ("others", "the other codes: code, state, summary, cites (id, pinpoint), like (a code that says the same)"),
        ("verdict", "in a line what changed between the codes, or null"),
        ("permalink", "the address of this ruling"),
    ),
    "/compare/TOPIC.json": (
        ("topic", "the topic"),
        ("build", "the build it is taken from, or null"),
        ("notes", "what of the address was left out, and whether the library has been rebuilt since"),
        ("codes", "ids of the codes chosen (?codes=ID,ID), in their order"),
        ("columns", "the codes by column: those that agree nearly word for word share one"),
        ("differ", "whether questions on which they agree are left out (?differ=1)"),
        ("asked", "how many questions the topic has"),
        (
            "questions",
            "id, label, verdict, agreed, answers by code (state: answered, silent or not judged; summary, "
            "value, cites, deciding, twin, source), links (a, b, relation, why), course (codes, from, until, "
            "state, against)",
        ),
    ),
    "/compare/CONCEPT.json": (
        ("topic", "the concept, or a topic without questions"),
        ("build", "the build it is taken from, or null"),
        ("notes", "that nothing was judged, if so"),
        ("columns", "codes (several if they agree) and their provisions, with links between them"),
        ("rows", "the chief provisions side by side: for each row, for each column, ids"),
        ("alone", "the chief provisions that are linked to none of the others: for each column, ids"),
        ("silent", "ids of the codes that say nothing on it"),
    ),
    "/compare/CODE/CODE.json": (
        ("a", "the older code"),
        ("b", "the newer code, with the same provisions under the same numbers"),
        (
            "provisions",
            "those in both: a, b, rewritten, variants (kind: words, spelling or signs; before, after, left, right)",
        ),
        ("unchanged", "ids of those without change, in the older code"),
        ("only_a", "ids of those only in the older code"),
        ("only_b", "ids of those only in the newer code"),
    ),
    "/collate.json?u=ID&u=ID": (
        ("notes", "what was read otherwise than typed"),
        ("units", f"the provisions: {_UNIT}"),
        ("asked", "what else was typed, and what it may mean (status 404 and a key error, if it means nothing)"),
        ("shares", "share of common words with the first, 0 to 1"),
        ("bands", "what stands side by side: for each provision its pieces: mark (same, form, words, shared), text"),
    ),
    "/compare.json?a=ID&b=ID": (
        ("notes", "what was read otherwise than typed"),
        ("a", f"one provision: {_UNIT}"),
        ("b", "the other"),
        ("similarity", "share of common words, 0 to 1"),
        ("parts", "each text in parts: mark (same or only) and text"),
        ("link", "what is recorded between them, or null"),
    ),
    "/compare.json": (
        ("topics", "the topics, with how many questions each has"),
        ("twins", "pairs of codes that print the same provisions: see /compare/CODE/CODE.json"),
        ("candidates", "what a and b may mean"),
        ("nearest", "ids like those that do not exist (the status is 404 then, with a key error)"),
        ("notes", "what was read otherwise than typed"),
    ),
    "/concordance.json": (
        ("by", "id of the code that gives the order (?by=CODE), or null"),
        ("codes", "ids of the other codes shown (?against=CODE for one)"),
        ("notes", "what of the address was left out"),
        (
            "provisions",
            "those of the code in order: id, number, heading, cells by code (state: linked, none or not judged; "
            "counterparts: id, number, ties: here, there, relation of here to there)",
        ),
        ("without", "by code, the provisions that no cell names: id, state (none or not judged)"),
    ),
    "/cases.json": (
        ("code", "id of the code chosen (?code=CODE), or null"),
        ("law", "id of the provision chosen (?law=ID), or null"),
        ("notes", "what of the address was left out"),
        ("total", "how many cases were found"),
        (
            "matters",
            "the topics on which they turned: topic (null: on no law), label, cases (id, url, page, facts, decision, "
            "on: ids of the provisions)",
        ),
    ),
    "/references/unresolved.json": (
        ("book", "id of the book chosen (?book=BOOK), or null"),
        ("notes", "what of the address was left out"),
        ("counts", "by book, how many references of each status it has, resolved ones among them"),
        (
            "references",
            "unit, book, page, raw_start, raw_end, raw (as in the OCR text), words (as read), before and after (the "
            "text around them), status (ambiguous, dangling, foreign or slip), target_id, confidence, note (the "
            "editor's), evidence (address)",
        ),
    ),
    "/cite.json?q=CITATION": (
        ("candidates", f"the provisions it may mean: {_UNIT}; where it means one, /ID.json is where it leads (302)"),
        ("nearest", "ids like it, if it means none (the status is 404 then, with a key error)"),
        ("notes", "what was read otherwise than typed"),
    ),
    "/cite/verify.json?text=TEXT": (
        (
            "citations",
            "each citation of the text: id, words, letters (the hash), status (unchanged, corrected, moved or not "
            "found), unit, now (how the words read), altered (words and hash differ), citation (of today), nearest",
        ),
        ("notes", "what was left out"),
    ),
    "/concepts.json": (("concepts", "id, label, note, broader, units"),),
    "/concept/CONCEPT.json": (
        ("concept", "the concept"),
        ("labels", "its terms: label, role"),
        ("narrower", "ids of narrower concepts"),
        ("units", "units that speak of it, by year, without text"),
    ),
    "/about.json": (
        ("books", "scan (checksum and length of the OCR text) and edits by kind and source"),
        ("json", "this list"),
    ),
}
