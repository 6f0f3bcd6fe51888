"""How many, how much and to whom: what raises a class is what a person reads and repeats."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from state.action import Action, RiskMeasure
from state.execution import ExecutionTuning
from state.preview import Preview
from tools.approvals.recipients import named_in, people_in


@dataclass(frozen=True)
class Measures:
    """What an action concerns, as far as it can be told; None: it cannot."""

    count: int | None
    amount: float | None
    currency: str
    recipients: tuple[str, ...]
    unread: tuple[str, ...] = ()
    """Slots that feed a measure with what is no number."""

    def is_within(self, other: "Measures") -> bool:
        """Tell whether this concerns no more things, money or people than the other."""
        return (
            not self.unread
            and _no_larger(self.count, other.count)
            and _no_larger(self.amount, other.amount)
            and (self.amount is None or self.currency == other.currency)
            and set(self.recipients) <= set(other.recipients)
        )


def measures_of(
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
    preview: Preview | None,
) -> Measures:
    """Take the preview's word and the arguments' own; of two numbers the larger counts.

    Amounts add up, of one slot and of several. Every list counts its items, wherever it stands,
    and recipients count as people, several in one text too.
    """
    counted, unread_counts = _numbers(action, arguments, "count")
    counts = [math.ceil(sum(each)) for each in counted]
    counts += [
        length
        for name, slot in action.slots.items()
        if slot.risk != "recipients" and (length := _length(arguments.get(name))) is not None
    ]
    paid, unread_amounts = _numbers(action, arguments, "amount")
    amounts = [float(sum(map(sum, paid)))] if paid else []
    unread = [*unread_counts, *unread_amounts]
    recipients = named_in(action, arguments)
    foreseen: Sequence[str] = ()
    if preview is not None:
        foreseen = preview.recipients
        counts += [] if preview.count is None else [preview.count]
        amounts += [] if preview.amount is None else [preview.amount]
    # One recipient says nothing of how many things there are.
    counts += [many for named in (recipients, foreseen) if (many := people_in(named)) > 1]
    if not all(map(math.isfinite, amounts)):
        unread.append("amount")
    return Measures(
        count=max(counts, default=None),
        amount=max(filter(math.isfinite, amounts), default=None),
        currency=preview.currency if preview else "",
        recipients=tuple(dict.fromkeys((*recipients, *foreseen))),
        unread=tuple(dict.fromkeys(unread)),
    )


def phrase_to_type(action: Action, measures: Measures, rules: ExecutionTuning) -> str | None:
    """Name what a yes must repeat by hand, the large numbers in it; None: a yes is enough.

    A number that cannot be read may be any, so that it is not known has to be typed too.
    Source: safety.md §3, approval fatigue.
    """
    parts = []
    if measures.count is not None and measures.count > rules.typed_count:
        parts.append(f"{measures.count} {action.object.replace('_', ' ')}")
    if measures.amount is not None and measures.amount > rules.typed_amount:
        parts.append(money(measures.amount, measures.currency))
    parts += [f"unknown {name.replace('_', ' ')}" for name in measures.unread]
    return " for ".join(parts) or None


def is_typed(given: str | None, phrase: str) -> bool:
    """Tell whether somebody typed the phrase; case, spaces and thousands commas do not count."""
    return given is not None and _plain(given) == _plain(phrase)


def money(amount: float, currency: str) -> str:
    """Write an amount so that its size is seen."""
    written = f"{amount:,.2f}"
    if float(written.replace(",", "")) != amount:  # nothing is rounded away
        written = f"{amount:,}"
    return f"{written} {currency}".strip()


def _no_larger(one: float | None, other: float | None) -> bool:
    return one is None or (other is not None and one <= other)


def _plain(text: str) -> str:
    return " ".join(text.replace(",", "").casefold().split())


def _numbers(
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
    measure: RiskMeasure,
) -> tuple[list[list[Decimal]], list[str]]:
    """Read the numbers of each slot that feeds a measure, and name the slots with others in it."""
    read: list[list[Decimal]] = []
    unread: list[str] = []
    for name, slot in action.slots.items():
        if slot.risk != measure or arguments.get(name) is None:
            continue
        items = list(_items(arguments[name]))
        if measure == "count" and isinstance(arguments[name], (list, tuple)):
            # A text in a list names one of the things, though its name may be 1042.
            items = [item for item in items if isinstance(item, (int, float))]
        found = [_number(item) for item in items]
        read.append([each for each in found if each is not None])
        unread += [name] if None in found else []
    return read, unread


def _items(value: Any) -> Iterator[Any]:  # one JSON value, or lists of them
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _items(each)
    else:
        yield value


def _number(value: Any) -> Decimal | None:  # one JSON value; a text may hold a number
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = abs(float(value))
    except (ValueError, OverflowError):
        return None
    return Decimal(repr(number)) if math.isfinite(number) else None


def _length(value: Any) -> int | None:  # any JSON; None: there is no list in it
    if isinstance(value, (list, tuple)):
        return max(len(value), sum(_length(each) or 0 for each in value))
    if isinstance(value, Mapping):
        inside = [length for each in value.values() if (length := _length(each)) is not None]
        return sum(inside) if inside else None
    return None
