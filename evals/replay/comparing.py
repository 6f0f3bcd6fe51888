"""What came of a turn, and where it differs from what was expected."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import Field

from evals.playground import Ran
from evals.replay.script import Expected
from state.noun import Noun
from state.quality import TurnQuality


class Came(Noun):
    """What is seen of a turn, as plain JSON."""

    outcome: str
    intent: str | None = None
    action: str | None = None
    execution_class: str | None = None
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    search: Mapping[str, Any] | None = None
    force_tool: str | None = None
    transition: str | None = None
    stage: str | None = None
    reasons: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    chips: tuple[str, ...] = ()
    ran: tuple[Ran, ...] = ()
    spoke: bool = False
    text: str = ""
    quality: TurnQuality | None = Field(
        default=None, description="whether policy kept its word, as the service's own rates count"
    )


class Difference(Noun):
    """One field of one turn that is not as expected."""

    where: str = Field(description="conversation and number of the turn")
    said: str
    field: str
    expected: str
    got: str


def differences(
    where: str, said: str, expected: Expected | None, came: Came, harmless: Sequence[str]
) -> Iterator[Difference]:
    """Compare a turn; that nothing changes the world without a yes or a click is always expected.

    Args:
        harmless: actions that may run by themselves.
    """
    for ran in came.ran:
        if not ran.approved and ran.action not in harmless:
            yield Difference(
                where=where, said=said, field="ran", expected="a yes before it", got=ran.action
            )
    for field, wanted, got in _unlike(expected, came) if expected else ():
        yield Difference(
            where=where, said=said, field=field, expected=_told(wanted), got=_told(got)
        )


Unlike = Iterator[tuple[str, object, object]]
"""Field, what was expected, what came."""


def _unlike(expected: Expected, came: Came) -> Unlike:
    for field in sorted(expected.model_fields_set):
        compare = _COMPARED.get(field, _unlike_plain)
        yield from compare(field, getattr(expected, field), came)


def _unlike_plain(field: str, wanted: object, came: Came) -> Unlike:
    got = getattr(came, field)
    if wanted != got:
        yield field, wanted, got


def _unlike_reasons(field: str, wanted: Sequence[str], came: Came) -> Unlike:
    missing = [one for one in wanted if not any(got.startswith(one) for got in came.reasons)]
    if missing:
        yield field, missing, came.reasons


def _unlike_text(field: str, wanted: Sequence[str], came: Came) -> Unlike:
    for part in wanted:
        if part.lower() not in came.text.lower():
            yield field, part, came.text


def _unlike_no_text(field: str, wanted: Sequence[str], came: Came) -> Unlike:
    for part in wanted:
        if part.lower() in came.text.lower():
            yield field, f"not: {part}", came.text


def _unlike_ran(field: str, wanted: Sequence[str], came: Came) -> Unlike:
    named = tuple(ran.action for ran in came.ran)
    if named != wanted:
        yield field, wanted, named


def _unlike_chips(field: str, wanted: Sequence[str], came: Came) -> Unlike:
    if wanted[:1] != came.chips[:1] or not set(wanted) <= set(came.chips):
        yield field, wanted, came.chips


def _unlike_within(field: str, wanted: Mapping[str, object] | None, came: Came) -> Unlike:
    got = getattr(came, field)
    if wanted is None or got is None:
        if wanted != got:
            yield field, wanted, got
        return
    for name, value in wanted.items():
        if _plain(value) != _plain(got.get(name)):
            yield f"{field}.{name}", value, got.get(name)


_COMPARED: Mapping[str, Callable[[str, Any, Came], Unlike]] = {  # each knows its field's type
    "arguments": _unlike_within,
    "search": _unlike_within,
    "reasons": _unlike_reasons,
    "text": _unlike_text,
    "no_text": _unlike_no_text,
    "ran": _unlike_ran,
    "chips": _unlike_chips,
}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _told(value: object) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "nothing"
    return "nothing" if value is None or value == "" else str(value)
