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
    "/code/CODE/read.json": (("code", "the code"), ("units", f"its units in order: {_UNIT}")),
    "/book/BOOK.json": (
        ("book", "the book"),
        ("codes", "ids of the codes printed in it"),
        ("counts", "how many units of each kind"),
        ("units", "units outside its codes, without text"),
        ("audit", "the numbering audit: series, finding, label, raw_start, note"),
    ),
    "/ID.json": (
        ("unit", f"{_UNIT}, label, number, heading, code, book, parent, scan (start and end), confidence"),
        ("paragraphs", "the reading text by paragraph: unit, text"),
        ("children", "units that belong to it"),
        ("previous", "id of the unit before, or null"),
        ("next", "id of the unit after, or null"),
        ("cites", "references in the text: raw, target_id, status, confidence, place in the scan"),
        ("cited_by", "references to it, likewise"),
        ("commentary", "units that explain it"),
        ("explains", "ids of the provisions it explains"),
        ("related", "provisions of other codes: other, relation, topic, score, status, source, why"),
        ("concepts", "concepts it speaks of: id, label"),
        ("corrections", "how many edits of each kind"),
        ("citations", "plain, short, bibtex, ris, csl, markdown, url"),
    ),
    "/ID/evidence.json": (
        ("unit", f"{_UNIT}"),
        ("scan", "the scan of the unit, unchanged"),
        ("raw_start", "its first character, as an offset into the scan"),
        ("raw_end", "offset just after its last character"),
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
        ("hits", f"{_UNIT}, score (more is better), paragraphs, snippet (text, hit)"),
        ("facets", "code, kind, book and year: value, count, chosen"),
        ("concepts", "concepts the words name"),
        ("suggestion", "the query in better spelling, or null"),
        ("notes", "what was left out of the query"),
    ),
    "/compare/TOPIC.json": (
        ("topic", "the topic"),
        ("facets", "questions and the answer of each code: summary, value, cites"),
        ("columns", "codes (several if they agree) and their provisions, with links between them"),
        ("rows", "the chief provisions side by side: for each row, for each column, ids"),
        ("alone", "the chief provisions that are linked to none of the others: for each column, ids"),
        ("silent", "ids of the codes that say nothing on it"),
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
        ("topics", "the topics"),
        ("candidates", "what a and b may mean"),
        ("nearest", "ids like those that do not exist (the status is 404 then, with a key error)"),
        ("notes", "what was read otherwise than typed"),
    ),
    "/concepts.json": (("concepts", "id, label, note, broader, units"),),
    "/concept/CONCEPT.json": (
        ("concept", "the concept"),
        ("labels", "its terms: label, role"),
        ("narrower", "ids of narrower concepts"),
        ("units", "units that speak of it, by year, without text"),
    ),
    "/about.json": (("books", "scan (checksum, length) and edits by kind and source"), ("json", "this list")),
}
