"""What a library is about: its name, the words that it has for its provisions, and what its pages show.

All of it is read from library.toml in the corpus; a library without the file speaks of provisions and codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from extract.corpus.citations import Word
from extract.corpus.table import (
    Fault,
    KindId,
    Line,
    LineOrNone,
    Many,
    Table,
    UnitId,
    matching,
    read_if_there,
    require_unique,
)
from extract.errors import BookError, printable
from extract.language.lexicon import read_list
from extract.model import OWN_KINDS, Role

FILE = "library.toml"
Page = Literal["dispute", "compare", "concepts", "concordance", "cases", "browse", "collate", "references", "cite"]


Cited = Annotated[
    LineOrNone,
    matching(r"(?:[^{}]*\{n\}[^{}]*)?", "does not say where the number stands; write {n} once"),
]
Tagline = Annotated[
    LineOrNone,
    matching(
        r"(?:[^{}]|\{first\}|\{last\})*",
        "has braces around something else than {first} and {last}, the years of the codes",
    ),
]  # fmt: skip
FileName = Annotated[str, matching(r"(?!.{65})[\w-]+(?:\.[\w-]+)*", "is no name of a file beside library.toml")]
Web = Annotated[str, matching(r"(?:https?://\S+)?", "is no address; write one that begins with https://")]


class Noun(Table):
    """A word for a thing, for one and for several; `cited` is how one is cited, if not by the word and its number."""

    singular: Line
    plural: LineOrNone = ""
    cited: Cited = ""

    @property
    def several(self) -> str:
        """The word for several."""
        return self.plural or plural(self.singular)

    def of(self, count: int) -> str:
        """The word that fits a number of things."""
        return self.singular if count == 1 else self.several

    def place(self, number: str) -> str:
        """How one is cited: `section 50`."""
        return (self.cited or f"{self.singular} {{n}}").replace("{n}", number)


class CodeNoun(Noun):
    """The noun of a code; `full` is what one is called in full, as `code of laws`."""

    full: LineOrNone = ""


class Kind(Noun):
    """A table `[[kind]]`: a kind of unit that only this library has, with its role, or the library's noun for another.

    A kind that every library has (`extract.model.OWN_KINDS`) has a role already.
    """

    id: KindId
    role: Literal["provision", "clause", "maxim", "case", "remark", "prose", "front", "row", "entry"] | None = None


class About(Table):
    """The table `[library]`: what the library is called and says of itself.

    `subject` is what its provisions are of (`whist`); in `tagline`, {first} and {last} are the years of its codes.
    """

    title: Line = "A Library of Codes"
    subject: LineOrNone = ""
    tagline: Tagline = ""
    description: LineOrNone = ""
    footer: LineOrNone = ""
    rights: LineOrNone = ""
    rights_url: Web = ""


class Examples(Table):
    """The table `[examples]`: what readers may try. Citations and ids that are not given are taken from the library."""

    search: Many[Line] = ()
    hint: LineOrNone = ""
    word: LineOrNone = ""
    fields: Many[Line] = ()
    citations: Many[Line] = ()
    pair: Annotated[Many[Line], Field(max_length=2)] = ()
    cited: LineOrNone = ""
    unit: UnitId | None = None
    quotation: LineOrNone = ""
    dispute: Many[Line] = ()


class Dispute(Table):
    """The table `[dispute]`: how the page that settles disputes asks; `chosen` is the code that a reader goes by,
    `who` asks. Two files beside library.toml have examples, one a line: `off_topic` what people ask about other
    subjects, and what is like it is not answered; `unruled` what they ask of this one that no provision decides.
    `everyday` words are read as the words of the codes that stand for them.
    """

    heading: Line = "A dispute"
    label: Line = "Say what happened"
    chosen: Line = "the code you chose"
    who: Line = "people"
    off_topic: FileName | None = None
    unruled: FileName | None = None
    everyday: dict[Line, Line] = {}  # noqa: RUF012 - pydantic copies it


class Ornament(Table):
    """A sign that stands beside the name and on the codes, drawn by one path in a square of 24."""

    id: Line
    path: Annotated[str, matching(r"[-MmLlHhVvCcSsQqTtAaZz\d., ]+", "is no path of SVG")]


class Look(Table):
    """The table `[look]`: the icon and the picture (files of `datasette_plugins/static/`), and ornaments.

    `on_codes` names those that stand on the codes, in their order, if not all do; `unnumbered` is set beside a text
    that has no number.
    """

    icon: FileName = "library.svg"
    picture: FileName | None = None
    shows: LineOrNone = ""
    ornament: Many[Ornament] = ()
    on_codes: Many[Line] = ()
    unnumbered: Line = "¶"

    @property
    def signs(self) -> tuple[Ornament, ...]:
        """The ornaments in the order in which they stand on the codes."""
        named = {ornament.id: ornament for ornament in self.ornament}
        return tuple(named[name] for name in self.on_codes) if self.on_codes else self.ornament


class Citing(Table):
    """The table `[citations]`: the words by which a book refers to its own provisions, where its book.toml has none."""

    words: Many[Word] = ()


class WordLists(Table):
    """The table `[lexicon]`: files beside library.toml with words of the subject."""

    files: Many[FileName] = ()


class Pages(Table):
    """The table `[pages]`: what is not to be shown, though there is something for it."""

    hidden: Many[Page] = ()


class Domain(Table):
    """A library.toml; `outcomes` is read by `kb.concepts.outcomes`, `terms` are the words of the lexicon's files."""

    library: About = About()
    provision: Noun = Noun(singular="provision")
    code: CodeNoun = CodeNoun(singular="code")
    kind: Many[Kind] = ()
    examples: Examples = Examples()
    dispute: Dispute = Dispute()
    look: Look = Look()
    citations: Citing = Citing()
    lexicon: WordLists = WordLists()
    pages: Pages = Pages()
    outcomes: Any = None
    terms: Many[str] = ()

    @property
    def holdings(self) -> str:
        """What the library holds: `the laws of whist`."""
        subject = self.library.subject
        return f"the {self.provision.several}" + (f" of {subject}" if subject else "")

    @property
    def concepts(self) -> str:
        """The title of its thesaurus."""
        return f"Concepts of {self.library.subject}" if self.library.subject else "Concepts"

    @property
    def named(self) -> tuple[str, str]:
        """The title in two lines: what stands before the subject, and the subject."""
        title, subject = self.library.title, self.library.subject
        if subject and title.lower().endswith(f" {subject.lower()}"):
            return title[: -len(subject)].rstrip(), title[-len(subject) :]
        return "", title

    def noun(self, word: str) -> Noun:
        """The noun of the provisions of a code that has its own word for them; `""` for one that has none."""
        if not word or word.lower() == self.provision.singular.lower():
            return self.provision
        return Noun(singular=word.lower())

    def words(self) -> frozenset[str]:
        """The words, in small letters, that mean a provision whatever its code calls it."""
        own = (self.provision.singular, self.provision.several, *self.citations.words)
        return frozenset(word.lower() for word in own)

    def of_kind(self, kind: str) -> Noun | None:
        """The noun that the library has for a kind of unit, if it has one of its own."""
        return self.provision if kind == "law" else next((k for k in self.kind if k.id == kind), None)

    def noun_of_kind(self, kind: str) -> Noun:
        """The noun for a kind of unit: the library's, or else what the software calls it."""
        return self.of_kind(kind) or _NOUNS.get(kind) or Noun(singular=kind.replace("_", " "))

    @property
    def roles(self) -> Mapping[str, Role]:
        """The kinds of units that a book of the library may have, each with its role."""
        return {**OWN_KINDS, **{kind.id: kind.role for kind in self.kind if kind.role}}

    def kinds_of(self, *roles: Role) -> tuple[str, ...]:
        """The kinds that have one of some roles, in the order of the roles."""
        return tuple(kind for wanted in roles for kind, role in self.roles.items() if role == wanted)


_NOUNS = {  # of kinds that are not called by their ids
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


def a(word: str) -> str:
    """A noun with its indefinite article."""
    return f"an {word}" if word[:1].lower() in "aeiou" else f"a {word}"


def read_domain(corpus: Path) -> Domain:
    """Read the library.toml of a corpus and the word lists that it names; without it, what holds for any library.

    Raises:
        BookError: a file cannot be read or is not what it must be.
    """
    domain = read_if_there(corpus / FILE, Domain, _require_apart)
    terms = tuple(dict.fromkeys(word for name in domain.lexicon.files for word in _word_list(corpus / name)))
    return domain.model_copy(update={"terms": terms, "outcomes": None})


def _require_apart(domain: Domain) -> None:
    require_unique(domain.kind, lambda kind: kind.id, "kind", key="id")
    require_unique(domain.look.ornament, lambda ornament: ornament.id, "look", "ornament", key="id")
    if unknown := set(domain.look.on_codes) - {ornament.id for ornament in domain.look.ornament}:
        raise Fault(f"there is no ornament {min(unknown)!r}; correct its id", "look", "on_codes")
    if domain.terms:
        raise Fault("write the words into a file, and name it in [lexicon], files", "terms")
    for i, kind in enumerate(domain.kind):
        if kind.id == "law":
            raise Fault("the noun of a provision stands in [provision]; move it there", "kind", i, "id")
        if kind.role and kind.id in OWN_KINDS:
            raise Fault(
                f"every library has the kind {kind.id!r}; take the role out, or name another", "kind", i, "role"
            )
        if not kind.role and kind.id not in OWN_KINDS:
            raise Fault("it is missing; write what its units are: provision, case, prose ...", "kind", i, "role")


def _word_list(path: Path) -> Iterable[str]:
    """The words of a list: blanks and lines part them, `#` opens a comment."""
    try:
        return read_list(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BookError(f"{printable(path)} cannot be read as a list of words; library.toml names it.") from error
