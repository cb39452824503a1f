"""A page as one typed object: its template reads the fields, its JSON and its JSON Schema are made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationInfo,
    model_validator,
)
from pydantic import GetCoreSchemaHandler as SchemaHandler
from pydantic_core import CoreSchema, PydanticOmit, core_schema

from datasette_plugins.catalogue import Works
from kb.read.rows import UnitRow

Value = TypeVar("Value")


def described(note: str, **more: Any) -> Any:
    """Declare a key of the JSON with a note on its contents."""
    return Field(description=note, **more)


@dataclass(frozen=True, slots=True)
class JsonContext:
    """What the JSON of a page needs besides the page: the works by id, and a function that makes absolute URLs."""

    works: Works
    absolute: Callable[[str], str]


class _ForTemplate:
    """Marks a field that the template reads and the JSON leaves out; it may hold anything."""

    def __get_pydantic_core_schema__(self, source: Any, handler: SchemaHandler) -> CoreSchema:
        return core_schema.any_schema()

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> Any:
        raise PydanticOmit


Shown = Annotated[Value, _ForTemplate(), Field(exclude=True)]


@dataclass(frozen=True, slots=True)
class JsonAs:
    """Marks a field that the template reads as it is and the JSON contains in another, smaller shape.

    The shape copies the attributes it needs by name, and only when the JSON is requested.
    """

    shape: Any

    def __get_pydantic_core_schema__(self, source: Any, handler: SchemaHandler) -> CoreSchema:
        adapter: TypeAdapter[Any] = TypeAdapter(self.shape)

        def shaped(value: Any, info: core_schema.SerializationInfo) -> Any:
            return adapter.validate_python(value, from_attributes=True, context=info.context)

        serializer = core_schema.plain_serializer_function_ser_schema(
            shaped, info_arg=True, return_schema=handler.generate_schema(self.shape)
        )
        return core_schema.any_schema(serialization=serializer)


def _absolute(given: str | UnitRow, info: ValidationInfo) -> str:
    """The absolute URL of a path of the site, or of a unit."""
    context = cast(JsonContext, info.context)
    return context.absolute(f"/{given.id}" if isinstance(given, UnitRow) else given)


Url = Annotated[str, BeforeValidator(_absolute)]
Id = Annotated[str, BeforeValidator(lambda value: getattr(value, "id", value))]
MaybeId = Annotated[str | None, BeforeValidator(lambda value: getattr(value, "id", value) or None)]
Share = Annotated[float, Field(ge=0, le=1)]
Notes = Annotated[Sequence[str], described("parts of the address that were ignored or corrected")]


class Shape(BaseModel):
    """An object of the JSON; all its keys are required, and no others are allowed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Tupled(Shape):
    """An object of the JSON that can be made from a tuple, with the values in the order of the keys."""

    @model_validator(mode="before")
    @classmethod
    def _of_a_tuple(cls, value: Any) -> Any:
        return dict(zip(cls.model_fields, value, strict=True)) if isinstance(value, tuple) else value


class Listed(Shape):
    """A unit in a list, without its text."""

    id: str
    url: str
    kind: str
    title: str
    work: str
    year: int
    page: str | None

    @model_validator(mode="before")
    @classmethod
    def _of_a_unit(cls, value: Any, info: ValidationInfo) -> Any:
        """The values for the keys, from a unit or from an object that has a `unit` besides other attributes."""
        unit = getattr(value, "unit", value)
        if not isinstance(unit, UnitRow):
            return value
        context = cast(JsonContext, info.context)
        derived = {
            "url": context.absolute(f"/{unit.id}"),
            "title": context.works.title(unit),
            "work": context.works.name(unit),
            "year": context.works.year(unit),
            "code": unit.code_id,
            "book": unit.book_id,
            "parent": unit.parent_id,
            "page": unit.folio,
            "scan": (unit.raw_start, unit.raw_end),
        }
        return {
            name: derived[name] if name in derived else getattr(value if hasattr(value, name) else unit, name)
            for name in cls.model_fields
        }


class Brief(Listed):
    """A unit in a list, with its text."""

    text: str


class Named(Shape):
    """Something with an id and a name."""

    id: str
    label: str


Briefs = Annotated[Sequence[UnitRow], JsonAs(tuple[Brief, ...])]
Ids = Annotated[Sequence[Any], JsonAs(tuple[Id, ...])]


class Page(BaseModel):
    """The base class of all pages, with the fields that every page has.

    A page class is declared with the name of its template, the URLs of its JSON (`at`; words in capitals are
    placeholders), and the further query parameters of these URLs (`asks`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    template: ClassVar[str] = ""
    url: Annotated[str, JsonAs(Url)] = described("permanent address of the page")
    title: str = described("title of the page")
    description: Shown[str] = ""
    status: Shown[int] = 200
    club: Shown[str] = ""
    linked_data: Shown[Mapping[str, Any] | None] = None

    def __init_subclass__(
        cls, template: str = "", at: Sequence[str] = (), asks: Mapping[str, str] | None = None, **config: Any
    ) -> None:
        super().__init_subclass__(**config)
        cls.template = template
        DESCRIBED.update({address: (cls, asks or {}) for address in at})

    @property
    def path(self) -> str:
        """Its path, without the query string."""
        return self.url.partition("?")[0]

    @property
    def query_string(self) -> str:
        """Its query string with the question mark; empty if there is none."""
        return self.url.removeprefix(self.path)

    @property
    def json_path(self) -> str:
        """The path and query string of its JSON; empty if it has none."""
        if not any(page is type(self) for page, _ in DESCRIBED.values()):
            return ""
        return ("/index" if self.path == "/" else self.path) + ".json" + self.query_string


# The pages that have a JSON version, by its URL, each with the notes on its further query parameters.
DESCRIBED: dict[str, tuple[type[Page], Mapping[str, str]]] = {}
