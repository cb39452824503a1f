"""Ids of drafts: what people cite, made of what is printed, or of the heading and the place under it."""

from __future__ import annotations

from collections.abc import Sequence

from extract.draft import Draft, headline

# Prose is named by its heading and its place under it: a running number through the book would not last.
PROSE = ("essay_section", "front_matter", "remark", "demonstration")
NOTES = ("footnote", "note")


def name_drafts(drafts: Sequence[Draft]) -> None:
    """Give ids to all but footnotes: unique ones, and to prose that of its heading and its place under it."""
    taken: dict[str, int] = {}
    counted: dict[str, int] = {}
    chapter = ""
    for draft in drafts:
        if draft.division:
            chapter = draft.name if draft.name.startswith("ch") else chapter
            if chapter and not draft.name.startswith("ch"):
                draft.name = f"{chapter}-{draft.name}"
        if draft.ordinal:
            prose = draft.kind in PROSE
            stem, what = draft.ordinal, draft.ordinal.replace("-", " ").capitalize()
            if prose:
                stem = draft.parent.name if draft.parent else stem.removesuffix("-text")
                what = headline(draft.parent.label) if draft.parent else stem.replace("-", " ").capitalize()
            count = counted[stem] = counted.get(stem, 0) + 1
            draft.name, draft.number = f"{stem}/p{count}" if prose else f"{stem}-{count}", str(count)
            draft.label = f"{what}, paragraph {count}" if prose else f"{what} {count}"
        elif draft.kind in NOTES and draft.parent is not None:
            continue
        name = draft.id
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            draft.name = f"{draft.name}-{taken[name]}"


def name_notes(drafts: Sequence[Draft]) -> None:
    """Footnotes and notes are counted within the unit they belong to."""
    counted: dict[str, int] = {}
    for draft in drafts:
        if draft.kind in NOTES and draft.parent is not None and draft.continues is None:
            stem = f"{draft.owner}/{draft.parent.name}"
            counted[stem] = counted.get(stem, 0) + 1
            draft.name = f"{draft.parent.name}/note-{counted[stem]}"
    for draft in drafts:
        if draft.continues is not None:
            stem = f"{draft.owner}/{draft.continues.name}"
            counted[stem] = counted.get(stem, 0) + 1
            draft.name = f"{draft.continues.name}/continued" + (f"-{counted[stem]}" if counted[stem] > 1 else "")


def named(drafts: Sequence[Draft], unit_id: str) -> Draft | None:
    """The draft of an id that the editor names, if there is one."""
    return next((d for d in drafts if d.id == unit_id), None)


def begun(drafts: Sequence[Draft], rest: Draft, mark: str) -> Draft | None:
    """What a passage continues: the unit it is tied to or, if it bears a mark, the footnote of that unit and mark."""
    if not mark and rest.parent is not None:
        return rest.parent
    notes = (d for d in drafts if d.kind in NOTES and d is not rest and d.continues is None)
    return next((d for d in notes if d.parent is rest.parent and d.label == rest.label), None)
