"""A slot of a day, and the days of a text that may be the one of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from state.action import Action
from tools.routing.slots.days.all_days import said_days
from tools.routing.slots.days.said import Said
from tools.routing.slots.days.toward import BEGINS, ENDS, Toward, leaning_of, toward_of
from tools.routing.slots.read import Read
from tools.routing.words.phrases import word_set

_OR_SO = word_set("so later sooner earlier two three four five six")
_CLAUSE = re.compile(r"[^,.;:!?\n]*$")


class Taken(NamedTuple):
    """The days of a slot, and the words that say them."""

    values: tuple[str, ...]
    places: frozenset[int]
    asked: str | None = None
    """What was said of the day, where that does not tell which one it is."""


NOTHING = Taken((), frozenset())


@dataclass(frozen=True)
class DaySearch:
    """A slot, and the words that its day is looked for in."""

    action: Action
    name: str
    read: Read
    used: frozenset[int]

    @cached_property
    def toward(self) -> Toward:
        """On which side of today the day lies."""
        return toward_of(self.action, self.name)

    @cached_property
    def leaning(self) -> Toward | None:
        """On which side a read takes a day to lie that its name leaves open."""
        is_free = self.action.effect == "read" and self.parts.isdisjoint(BEGINS | ENDS)
        is_free = is_free and self.toward is Toward.UNKNOWN
        return leaning_of(self.action, self.name) if is_free else None

    @cached_property
    def parts(self) -> frozenset[str]:
        """The parts of the slot's name."""
        return frozenset(self.name.split("_"))

    @cached_property
    def words(self) -> Sequence[str]:
        """The words of the text."""
        return self.read.spoken.normal.words

    @cached_property
    def said(self) -> Sequence[Said]:
        """All days that count and that no other slot has taken."""
        spoken = self.read.spoken
        named = {place for one in self.read.mentions for place in range(one.first, one.end)}
        return [
            one._replace(value=None) if self._is_rough(one) else one
            for one in said_days(spoken.normal, self.read.today, self.toward, self.leaning)
            if one.first in spoken.kept
            and self.used.isdisjoint(range(one.first, one.end))
            and (self.words[one.core][0].isdigit() or named.isdisjoint(range(one.core, one.end)))
        ]

    def _is_rough(self, one: Said) -> bool:
        """Tell `after tomorrow`, `before Friday` and `Friday or so` from the day itself."""
        before, behind = self.words[: one.core], self.words[one.end : one.end + 2]
        is_beside = before[-1:] in (["before"], ["after"]) and one.first == one.core
        is_beside = is_beside and "end" not in self.written(one)  # before it is by it
        is_about = behind[:1] == ["or"] and (
            behind[1:] == [] or behind[1][0].isdigit() or behind[1] in _OR_SO
        )
        return is_about or (is_beside and self.parts.isdisjoint(BEGINS | ENDS))

    def clause_before(self, one: Said) -> str:
        """Give the words between the last stop and a day."""
        normal = self.read.spoken.normal
        found = _CLAUSE.search(normal.text[: normal.tokens[one.first].start])
        return found[0] if found is not None else ""

    def written(self, one: Said) -> str:
        """Give the words of a day."""
        return " ".join(self.words[one.first : one.end])
