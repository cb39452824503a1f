"""The settings of a library: its name, and its words for its provisions.

They are read from library.toml in the corpus; a library without the file uses the words `provision` and `code`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from extract.corpus.citations import Word
from extract.corpus.table import (
    Fault,
    KindId,
    Line,
    LineOrNone,
    Many,
    Table,
    matching,
    read_if_there,
    repeated,
)
from extract.errors import BookError, printable
from extract.language.lexicon import read_list
from extract.model import OWN_KINDS, Role

FILE = "library.toml"

Cited = Annotated[
    LineOrNone,
    matching(r"(?:[^{}]*\{n\}[^{}]*)?", "does not show where the number goes; write {n} once"),
]
FileName = Annotated[str, matching(r"(?!.{65})[\w-]+(?:\.[\w-]+)*", "is not a file name; name one beside library.toml")]
Web = Annotated[str, matching(r"(?:https?://\S+)?", "is not a web address; write one that begins with https://")]


class Noun(Table):
    """A noun with its plural; `cited` is the form of a citation, if it is not the noun and the number."""

    singular: Line
    plural: LineOrNone = ""
    cited: Cited = ""

    @property
    def several(self) -> str:
        """The plural, given or made by rule."""
        return self.plural or plural(self.singular)

    def of(self, count: int) -> str:
        """The singular or the plural, as a count requires."""
        return self.singular if count == 1 else self.several

    def place(self, number: str) -> str:
        """The citation of the thing with a number: `section 50`."""
        return (self.cited or f"{self.singular} {{n}}").replace("{n}", number)


class CodeNoun(Noun):
    """The noun for a code; `full` is its long form (`code of laws`)."""

    full: LineOrNone = ""


class Kind(Noun):
    """A table `[[kind]]`: a further kind of unit, with its role, or the library's noun for a built-in kind.

    A built-in kind (`extract.model.OWN_KINDS`) has a role already.
    """

    id: KindId
    role: Literal["provision", "clause", "maxim", "case", "remark", "prose", "front", "row", "entry"] | None = None


class About(Table):
    """The table `[library]`: the title, the subject of its provisions (`whist`), and the rights in its data."""

    title: Line = "A Library of Codes"
    subject: LineOrNone = ""
    description: LineOrNone = ""
    rights: LineOrNone = ""
    rights_url: Web = ""


class Citing(Table):
    """The table `[citations]`: the words by which books without series in book.toml refer to their own provisions."""

    words: Many[Word] = ()


class WordLists(Table):
    """The table `[lexicon]`: files beside library.toml with words of the subject."""

    files: Many[FileName] = ()


class Domain(Table):
    """A library.toml; `terms` come from the files in `lexicon`."""

    library: About = About()
    provision: Noun = Noun(singular="provision")
    code: CodeNoun = CodeNoun(singular="code")
    kind: Many[Kind] = ()
    citations: Citing = Citing()
    lexicon: WordLists = WordLists()
    terms: Many[str] = ()

    def noun(self, word: str) -> Noun:
        """The noun for a code's provisions, from the code's own word for them; `""` means the library's noun."""
        if not word or word.lower() == self.provision.singular.lower():
            return self.provision
        return Noun(singular=word.lower())

    def words(self) -> frozenset[str]:
        """The lower-case words that mean a provision of any code, in addition to the code's own word."""
        own = (self.provision.singular, self.provision.several, *self.citations.words)
        return frozenset(word.lower() for word in own)

    def of_kind(self, kind: str) -> Noun | None:
        """The library's own noun for a kind of unit, or None."""
        return self.provision if kind == "law" else next((k for k in self.kind if k.id == kind), None)

    def noun_of_kind(self, kind: str) -> Noun:
        """The noun for a kind of unit: the library's, or else the built-in one."""
        return self.of_kind(kind) or _NOUNS.get(kind) or Noun(singular=kind.replace("_", " "))

    @property
    def roles(self) -> Mapping[str, Role]:
        """The kinds of units that a book of the library may have, each with its role."""
        return {**OWN_KINDS, **{kind.id: kind.role for kind in self.kind if kind.role}}

    def kinds_of(self, *roles: Role) -> tuple[str, ...]:
        """The kinds with one of the given roles, in the order of the roles."""
        return tuple(kind for wanted in roles for kind, role in self.roles.items() if role == wanted)


_NOUNS = {  # for kinds whose noun is not their id
    "subclause": Noun(singular="paragraph"),
    "section": Noun(singular="heading"),
    "front_matter": Noun(singular="piece of front matter", plural="pieces of front matter"),
    "constitution_section": Noun(singular="section of a constitution", plural="sections of a constitution"),
}


def plural(word: str) -> str:
    """The plural of an English noun by rule: `by-laws`, `entries`, `clauses`, `statutes`."""
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(?:s|x|z|ch|sh)$", word) else "s")


def read_domain(corpus: Path) -> Domain:
    """Read the library.toml of a corpus and the word lists that it names; without the file, return the defaults.

    Raises:
        BookError: a file cannot be read or is invalid.
    """
    domain = read_if_there(corpus / FILE, Domain, _contradictions)
    terms = tuple(dict.fromkeys(word for name in domain.lexicon.files for word in _word_list(corpus / name)))
    return domain.model_copy(update={"terms": terms})


def _contradictions(domain: Domain) -> Iterator[Fault]:
    yield from repeated(domain.kind, lambda kind: kind.id, "kind", key="id")
    if domain.terms:
        yield Fault("put the words into a file, and list the file under [lexicon], files", "terms")
    for i, kind in enumerate(domain.kind):
        if kind.id == "law":
            yield Fault("the words for a provision belong in [provision]; move them there", "kind", i, "id")
        if kind.role and kind.id in OWN_KINDS:
            yield Fault(
                f"{kind.id!r} is built in and has a role; delete this one, or choose another id", "kind", i, "role"
            )
        if not kind.role and kind.id not in OWN_KINDS:
            yield Fault("it is missing; write the role of the units, such as case or prose", "kind", i, "role")


def _word_list(path: Path) -> Iterable[str]:
    """Read a word list: words are separated by white space, `#` begins a comment."""
    try:
        return read_list(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BookError(
            f"{printable(path)} cannot be read as a list of words; correct the file, or its name in library.toml."
        ) from error
