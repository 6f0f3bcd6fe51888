"""The form of a mapping file: paths, fallbacks, tables and templates, checked when it is read.

A template is text with `{path|other path:filter}` and clauses `[…]`. A placeholder without a value
makes its template, or its clause, give nothing. A clause is also dropped where its values stand in
the text already. Docs: docs/how-to/receive-alerts.md.
"""

import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    model_validator,
)

_PART = re.compile(r"\{(?P<hole>[^{}]*)\}|\[(?P<clause>[^\[\]]*)\]|(?P<plain>[^{}\[\]]+)")
_PATH = re.compile(r"(?:\$[a-z_]+)?(?:(?:^|\.)[^.{}\[\]|:]+)*")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_FIELDS = 12
"""Fields of an object that `$fields` lists."""
_NAME = 80
_COMPARED = 200
"""Characters of a value that a clause looks for in the text before it."""
_SAID = 4_000
_BRANCH = re.compile(r"refs/(?:heads|tags)/")

FILTERS: Mapping[str, Callable[[str], str]] = {
    "first_line": lambda text: text.strip().partition("\n")[0].strip(),
    "branch": lambda text: _BRANCH.sub("", text, count=1),
    "first": lambda text: re.split(r"[/.:]", text)[0],
    "last": lambda text: re.split(r"[/.:]", text.rstrip("/.:"))[-1],
    "words": lambda text: re.sub(r"[_\W]+", " ", _CAMEL.sub(" ", text)).strip().capitalize(),
    "lower": str.lower,
}


@dataclass(frozen=True)
class Scope:
    """What a path may name: the item, `$body`, `$header`, `$fields` and the names of `let`."""

    item: JsonValue
    body: JsonValue
    headers: Mapping[str, str]
    named: dict[str, str | None] = field(default_factory=dict)

    def find(self, path: str) -> JsonValue:
        """Return what a path leads to; None: nothing."""
        if not path.startswith("$"):
            return _walk(self.item, path)
        root, _, rest = path[1:].partition(".")
        match root:
            case "body":
                return _walk(self.body, rest)
            case "header":
                return self.headers.get(rest)
            case "item":
                return self.item
            case "fields":
                return fields_as_text(_walk(self.item, rest))
            case _:
                return self.named.get(root)

    def text(self, path: str) -> str | None:
        """Return what a path leads to as text; None: nothing, an empty text or an object."""
        return _as_text(self.find(path))


def _walk(value: JsonValue, path: str) -> JsonValue:
    while path:
        if isinstance(value, dict):
            if path in value:  # a key with dots in it, such as app.kubernetes.io/name
                return value[path]
            step, _, path = path.partition(".")
            value = value.get(step)
        elif isinstance(value, list):
            step, _, path = path.partition(".")
            if step == "#":
                return len(value)
            try:
                value = value[int(step)]
            except (ValueError, IndexError):
                return None
        else:
            return None
    return value


def _as_text(value: JsonValue) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, (str, int)):
        return str(value).strip() or None
    if isinstance(value, list):
        told = [_as_text(each) for each in value if not isinstance(each, list)]
        return ", ".join(each for each in told if each) or None
    return None


def fields_as_text(value: JsonValue) -> str | None:
    """Write the plain fields of an object as `name value, …`, for a body that holds no words."""
    if not isinstance(value, dict):
        return _as_text(value)
    told: list[str] = []
    inner = deque((name[:_NAME], one) for name, one in value.items())
    while inner and len(told) < _FIELDS:
        name, one = inner.popleft()
        if isinstance(one, dict):
            deeper = islice(one.items(), _FIELDS)
            inner.extend((f"{name} {each[:_NAME]}"[:_NAME], held) for each, held in deeper)
        elif text := _as_text(one):
            told.append(f"{name.replace('_', ' ')} {text[:200]}")
    return ", ".join(told) or None


@dataclass(frozen=True)
class _Hole:
    paths: tuple[str, ...]
    filters: tuple[str, ...]

    def render(self, scope: Scope) -> str | None:
        found = next((text for path in self.paths if (text := scope.text(path))), None)
        for name in self.filters:
            found = FILTERS[name](found) if found else None
        return found or None


@dataclass(frozen=True)
class _Clause:
    parts: tuple["_Hole | str", ...]

    def render(self, scope: Scope, so_far: str) -> str:
        told: list[str] = []
        for part in self.parts:
            value = part if isinstance(part, str) else part.render(scope)
            if value is None or (isinstance(part, _Hole) and _is_said(value, so_far)):
                return ""
            told.append(value)
        return "".join(told)


def _is_said(value: str, text: str) -> bool:
    ends = r"(?!\w)" if len(value) <= _COMPARED else ""
    said = rf"(?<!\w){re.escape(value[:_COMPARED])}{ends}"
    return re.search(said, text[:_SAID], re.IGNORECASE) is not None


@dataclass(frozen=True)
class Template:
    """A text with placeholders."""

    parts: tuple[_Hole | _Clause | str, ...]

    @classmethod
    def parse(cls, written: str) -> Self:
        """Read a template.

        Raises:
            ValueError: brackets do not match, a path is none, or a filter is unknown.
        """
        parts: list[_Hole | _Clause | str] = []
        at = 0
        for found in _PART.finditer(written):
            if found.start() != at:
                break
            at = found.end()
            if (clause := found["clause"]) is not None:
                inner = cls.parse(clause).parts
                parts.append(_Clause(tuple(p for p in inner if not isinstance(p, _Clause))))
            else:
                parts.append(found["plain"] or _hole(found["hole"]))
        if at != len(written):
            raise ValueError(f"the bracket at character {at + 1} of {written!r} does not match")
        return cls(tuple(parts))

    def render(self, scope: Scope) -> str | None:
        """Fill it in; None: a placeholder outside a clause has no value."""
        told = ""
        for part in self.parts:
            if isinstance(part, _Clause):
                told += part.render(scope, told)
            elif isinstance(part, str):
                told += part
            elif (value := part.render(scope)) is None:
                return None
            else:
                told += value
        return told.strip() or None


def _hole(written: str) -> _Hole:
    names, *filters = written.split(":")
    for name in filters:
        if name not in FILTERS:
            raise ValueError(f"no filter {name!r}; there are {', '.join(FILTERS)}")
    return _Hole(tuple(_checked_path(path) for path in names.split("|")), tuple(filters))


def _checked_path(path: str) -> str:
    if not path or not _PATH.fullmatch(path):
        raise ValueError(f"{path!r} is no path; write it as labels.severity")
    return path


def _checked_paths(paths: str) -> str:
    for path in paths.split("|"):
        _checked_path(path)
    return paths


PathText = Annotated[str, AfterValidator(_checked_path)]
Paths = Annotated[str, AfterValidator(_checked_paths)]
"""Several with | between them, of which the first that fits counts."""
Word = str | int | float | bool


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Check(_Part):
    """A condition on the body; all that it says must hold."""

    at: PathText | None = None
    equals: tuple[Word, ...] | Word | None = Field(default=None, alias="is")
    type: Literal["text", "object", "list", "number"] | None = None
    present: bool | None = None
    same: PathText | None = None
    any: "tuple[Check, ...] | None" = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if (self.at is None) == (self.any is None):
            raise ValueError("write `at` with is, type, same or present; or `any` with several")
        return self

    def holds(self, scope: Scope) -> bool:
        """Tell whether it holds."""
        if self.any is not None:
            return any(one.holds(scope) for one in self.any)
        value = scope.find(self.at or "")
        if self.equals is not None:
            words = self.equals if isinstance(self.equals, tuple) else (self.equals,)
            said = (_as_text(value) or "").casefold()
            return said in {str(_as_text(word)).casefold() for word in words}
        if self.type is not None:
            return _TYPES[self.type](value)
        if self.same is not None:
            return value is not None and value == scope.find(self.same)
        return (value is not None) == (self.present is not False)

    def __str__(self) -> str:
        """Say what must hold, for whoever sent something else."""
        if self.any is not None:
            return " or ".join(map(str, self.any))
        if self.equals is not None:
            words = self.equals if isinstance(self.equals, tuple) else (self.equals,)
            return f"`{self.at}` is {' or '.join(map(str, words))}"
        if self.type is not None:
            return f"`{self.at}` is {'an' if self.type == 'object' else 'a'} {self.type}"
        if self.same is not None:
            return f"`{self.at}` is as `{self.same}`"
        return f"`{self.at}` is {'absent' if self.present is False else 'there'}"


_TYPES: Mapping[str, Callable[[JsonValue], bool]] = {
    "text": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "list": lambda value: isinstance(value, list),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}


class Choice(_Part):
    """A value by a table of words, or under a condition."""

    of: "Value | None" = None
    table: "dict[str, Value]" = Field(default_factory=dict)
    other: "Value | None" = Field(default=None, alias="else")
    when: tuple[Check, ...] | None = None
    then: "Value | None" = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if (self.of is None) == (self.when is None) or (self.when is None) != (self.then is None):
            raise ValueError("write `of` with `table` and `else`, or `when` with `then` and `else`")
        return self

    def render(self, scope: Scope) -> str | None:
        """Choose; None: nothing fits."""
        if self.when is not None:
            holds = all(check.holds(scope) for check in self.when)
            return render(self.then if holds else self.other, scope)
        said = (render(self.of, scope) or "").casefold()
        words = {word.casefold(): value for word, value in self.table.items()}
        return render(words.get(said, self.other), scope)


TAGS = ("<text>", "<table>", "<list>")
"""What pydantic puts into the place of an error for each form of a value."""


def _form_of(value: object) -> str:
    text, table, several = TAGS
    if isinstance(value, (list, tuple)):
        return several
    return table if isinstance(value, (dict, Choice)) else text


def _plain(value: object) -> object:
    is_word = isinstance(value, (int, float)) and not isinstance(value, bool)
    return str(value) if is_word else value


def _checked_template(written: str) -> str:
    Template.parse(written)
    return written


TemplateText = Annotated[str, AfterValidator(_checked_template), BeforeValidator(_plain)]
_One = Annotated[TemplateText, Tag("<text>")] | Annotated[Choice, Tag("<table>")]
Single = Annotated[_One, Discriminator(_form_of)]
Value = Annotated[_One | Annotated[tuple[Single, ...], Tag("<list>")], Discriminator(_form_of)]
"""A template; a table with `of` and `table`, or `when` and `then`; or several, of which the first
that gives something counts."""
_parsed = lru_cache(maxsize=4_096)(Template.parse)


def render(value: "Value | None", scope: Scope) -> str | None:
    """Give the text of a value in a scope; None: there is none."""
    if isinstance(value, tuple):
        return next((text for one in value if (text := render(one, scope))), None)
    if isinstance(value, Choice):
        return value.render(scope)
    return _parsed(value).render(scope) if value else None


class Form(_Part):
    """How the items of one form of body become events."""

    name: str
    when: tuple[Check, ...] = ()
    items: Paths = Field(default="$body", description="a list, or one item")
    item: Paths = Field(default="$item", description="the object that paths start at, in each item")
    skip: tuple[Check, ...] = Field(default=(), description="no event where all of these hold")
    let: dict[str, Value] = Field(default_factory=dict, description="names for `$name`")
    text: Value
    source: Value
    event_id: Value | None = None
    occurred_at: Value | None = None
    status: Value | None = None
    severity: Value | None = None
    entities: dict[str, Value] = Field(default_factory=dict)
    facts: dict[str, Value] = Field(default_factory=dict, description="plain values of the payload")
    keep: tuple[PathText, ...] = Field(
        default=(), description="what the payload holds as it came, in `from`"
    )
    spread: PathText | None = Field(
        default=None, description="an object whose fields are the payload's, also for reading state"
    )
    lasts_seconds: float = Field(
        default=3_600.0, gt=0, description="how long an event is worth telling after its time"
    )
    says_status: bool = Field(
        default=False, description="the text says by itself that it is over, a test, or handled"
    )


class BodyMapping(_Part):
    """One mapping file: a kind of body."""

    takes: str = Field(min_length=1, description="what it takes, in words, for errors and docs")
    known_by: tuple[Check, ...] = Field(
        default=(), description="what every such body has; empty: any body that is no other kind's"
    )
    forms: tuple[Form, ...] = Field(min_length=1)


for _model in (Check, Choice, Form, BodyMapping):
    _model.model_rebuild()
