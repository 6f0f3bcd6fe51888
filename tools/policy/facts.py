"""What a text says of the things a pack remembers by name, such as the research question."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from state.policy import ASKS_NOTHING, Mood
from tools.catalogue.models import MemoryRule
from tools.catalogue.pack import Pack
from tools.routing.normalise import normalise

MOST_CHARACTERS = 500


def learnt_in(
    text: str, mood: Mood, packs: Sequence[Pack], roles: Sequence[str]
) -> Mapping[str, Mapping[str, str]]:
    """Read pack → name → value; what is denied, told of others or supposed teaches nothing.

    Who only reads in a pack changes nothing it remembers either.
    """
    if mood in ASKS_NOTHING:
        return {}
    found = {
        pack.name: _values(text, pack.policy.remembers)
        for pack in packs
        if not pack.policy.read_only_roles or set(roles) - set(pack.policy.read_only_roles)
    }
    return {pack: values for pack, values in found.items() if values}


def _values(text: str, rules: Mapping[str, MemoryRule]) -> Mapping[str, str]:
    normal = normalise(text)
    values: dict[str, str] = {}
    for name, rule in rules.items():
        for pattern in rule.patterns:
            match = _compiled(pattern).search(normal.text)
            if match is None:
                continue
            written = normal.written(*match.span("value")).strip(" \t\n\"'“”.,;:!")
            if written:
                values[name] = " ".join(written.split())[:MOST_CHARACTERS]
                break
    return values


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE)
