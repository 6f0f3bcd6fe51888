"""To whom: everybody an action names as a recipient, and who of them is none of ours."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.preview import Preview

_DOMAIN = re.compile(r"@([^\s@<>,;()\[\]\"']+)")


def named_in(action: Action, arguments: Mapping[str, Any]) -> list[str]:  # by slot type
    """List whoever the arguments name as a recipient."""
    return [
        each
        for name, slot in action.slots.items()
        if slot.risk == "recipients"
        for each in _leaves(arguments.get(name))
    ]


def people_in(named: Sequence[str]) -> int:
    """Count people; a text with several addresses in it names several."""
    return sum(max(1, each.count("@")) for each in named)


def outsiders(
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
    preview: Preview | None,
    internal_domains: Sequence[str],
) -> tuple[str, ...]:
    """List the recipients that are not known to be our own.

    One is our own when it is an entity of the pack and no address, or when every e-mail domain in
    it is an internal one.
    """
    ours = {domain.casefold() for domain in internal_domains}
    found: list[str] = []
    known: set[str] = set()
    for name, slot in action.slots.items():
        if slot.risk != "recipients":
            continue
        named = list(_leaves(arguments.get(name)))
        # An address is judged by its domain, whatever type a pack gave it: a pattern knows nobody.
        is_free = slot.type in PRIMITIVE_SLOT_TYPES
        judged = [one for one in named if is_free or "@" in one]
        found += [one for one in judged if not _is_inside(one, ours)]
        known |= {one.casefold() for one in named if one not in judged}
    found += [
        one
        for one in (preview.recipients if preview is not None else ())
        if one.casefold() not in known and not _is_inside(one, ours)
    ]
    return tuple(dict.fromkeys(found))


def _leaves(value: Any) -> Iterator[str]:  # any JSON; None: not given
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _leaves(each)
    elif isinstance(value, Mapping):
        yield from (str(key) for key in value if "@" in str(key))
        yield from _leaves(list(value.values()))
    elif value is not None:
        yield str(value)


def _is_inside(recipient: str, ours: set[str]) -> bool:
    domains = [found.rstrip(".").casefold() for found in _DOMAIN.findall(recipient)]
    return bool(domains) and recipient.count("@") == len(domains) and set(domains) <= ours
