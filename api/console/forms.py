"""Forms of the console: bounded parsing.

And the form that edits an action's arguments by slot type.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import parse_qsl

from starlette.requests import Request

from api.http.bodies import in_time, media_type
from api.http.problems import MALFORMED, TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, Problem
from state.action import Action, Slot
from tools.catalog import parse_slot_values
from tools.platform.texts import t

FORM: Final = "application/x-www-form-urlencoded"
MAX_FORM_BYTES = 262_144
"""Longest form: the longest text with every character escaped."""
_MOST_FIELDS = 200


class Form(dict[str, str]):
    """The fields of a form; one that was not sent is empty."""

    def __missing__(self, name: str) -> str:
        return ""


class FormRequest(Request):
    """A request that carries a small form."""

    async def fields(self) -> Form:
        """Read the fields, once; of two of one name the last counts.

        Raises:
            Problem: another content type (415), too long (413), too slow (408), or no form (400).
        """
        if not hasattr(self, "_fields"):
            async with in_time():
                sent = await self._bounded()
            self._fields = _parsed(sent)
        return self._fields

    async def _bounded(self) -> bytes:
        if media_type(self) != FORM:
            raise Problem(UNSUPPORTED_MEDIA_TYPE, t("console.form.own_forms"))
        sent = b""
        async for chunk in self.stream():
            sent += chunk
            if len(sent) > MAX_FORM_BYTES:
                raise Problem(TOO_LARGE, t("console.form.too_large", size=MAX_FORM_BYTES))
        return sent


def _parsed(sent: bytes) -> Form:
    try:
        pairs = parse_qsl(
            sent.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError as error:  # not UTF-8, or too many fields
        raise Problem(MALFORMED, t("console.form.unreadable")) from error
    return Form(pairs)


Control = Literal["text", "long", "lines", "number", "date", "choice", "json"]

PREFIX = "slot."
_LONG = 60
"""A text from this length on is written in several lines."""


@dataclass(frozen=True)
class Field:
    """One slot as a control of a form."""

    name: str
    label: str
    hint: str
    control: Control
    value: str
    required: bool
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    step: str = "any"


Arguments = Mapping[str, Any]  # by slot type


def fields_of(
    action: Action, standing: Arguments, only: Collection[str] | None = None
) -> tuple[Field, ...]:
    """Make a control of every slot, with what stands in it; a secret shows its cover.

    Args:
        only: the slots that are asked for; None: all of them.
    """
    return tuple(
        Field(
            name=f"{PREFIX}{name}",
            label=name.replace("_", " "),
            hint=_hint(slot),
            control=_control(slot, standing.get(name)),
            value=_written(slot, standing.get(name)),
            required=slot.required,
            choices=_choices(slot),
            minimum=slot.minimum,
            maximum=slot.maximum,
            step="1" if slot.type == "integer" else "any",
        )
        for name, slot in action.slots.items()
        if only is None or name in only
    )


def edited(action: Action, standing: Arguments, fields: Form) -> dict[str, Any]:  # by slot type
    """Read all arguments of an edit: what was left as it stood keeps its very value.

    Raises:
        BadInput: a text is no value of its slot's type.
    """
    arguments: dict[str, Any] = {}
    for name, slot in action.slots.items():
        before = standing.get(name)
        shown = _lined(_written(slot, before))
        text = _lined(fields.get(f"{PREFIX}{name}", shown))  # not sent: not touched
        if text == shown:
            value = before
        elif slot.many or slot.type == "list":
            value = _lines(action, name, text)
        else:
            value = parse_slot_values(action, {name: text})[name]
        if value is not None:
            arguments[name] = value
    return arguments


def _lined(text: str) -> str:
    """Write the ends of lines in one way: browsers send their own, whatever they were given."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _lines(action: Action, name: str, text: str) -> list[Any] | None:  # by slot type
    """Read a value a line: it may hold commas."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    slot = action.slots[name]
    if slot.type == "list":
        return list(lines) or None
    single = slot.model_copy(update={"many": False})
    one = action.model_copy(update={"slots": {name: single}})
    return [parse_slot_values(one, {name: line})[name] for line in lines] or None


def _control(slot: Slot, value: Any) -> Control:  # one JSON value of an argument
    if slot.many or slot.type == "list":
        return "lines"
    if _choices(slot):
        return "choice"
    if slot.secret:
        return "text"
    match slot.type:
        case "integer" | "number":
            return "number"
        case "date":
            return "date"
        case "json":
            return "json"
        case _:
            is_long = slot.type == "text" and isinstance(value, str)
            return "long" if is_long and (len(value) > _LONG or "\n" in value) else "text"


def _choices(slot: Slot) -> tuple[str, ...]:
    return ("yes", "no") if slot.type == "boolean" else slot.choices


def _written(slot: Slot, value: Any) -> str:  # one JSON value of an argument
    if value is None:
        return ""
    if isinstance(value, (list, tuple)) and slot.type != "json":
        return "\n".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if slot.type == "json":
        return json.dumps(value, ensure_ascii=False, indent=2)
    return str(value)


def _hint(slot: Slot) -> str:
    said = [slot.description] if slot.description else []
    control = _control(slot, None)
    kind = "" if slot.type == "text" else slot.type
    if control in ("lines", "json", "date", "number"):
        kind = t(f"console.form.{control}")
    said += [kind.replace("_", " ")] if kind and not slot.choices else []
    return "; ".join(said)
