"""How many, how much and to whom: what a person must read before anything else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from state.action import Action, RiskMeasure
from state.execution import ExecutionTuning
from state.preview import Preview


@dataclass(frozen=True)
class Measures:
    """What an action concerns, as far as it can be told; None: it cannot."""

    count: int | None
    amount: float | None
    currency: str
    recipients: tuple[str, ...]

    def is_within(self, other: "Measures") -> bool:
        """Tell whether this concerns no more things, money or people than the other."""
        return (
            _no_larger(self.count, other.count)
            and _no_larger(self.amount, other.amount)
            and set(self.recipients) <= set(other.recipients)
        )


def measures_of(
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
    preview: Preview | None,
) -> Measures:
    """Take the preview's word and the arguments' own; of two numbers the larger counts."""
    counts = [int(each) for each in _numbers(action, arguments, "count")]
    counts += [
        len(arguments[name])
        for name, slot in action.slots.items()
        if (slot.many or slot.type == "list")
        and slot.risk != "recipients"
        and isinstance(arguments.get(name), (list, tuple))
    ]
    amounts = list(_numbers(action, arguments, "amount"))
    recipients = [
        str(each)
        for name, slot in action.slots.items()
        if slot.risk == "recipients"
        for each in _items(arguments.get(name))
    ]
    if preview is not None:
        counts += [] if preview.count is None else [preview.count]
        amounts += [] if preview.amount is None else [preview.amount]
        recipients += preview.recipients
    return Measures(
        count=max(counts, default=None),
        amount=max(amounts, default=None),
        currency=preview.currency if preview else "",
        recipients=tuple(dict.fromkeys(recipients)),
    )


def phrase_to_type(action: Action, measures: Measures, rules: ExecutionTuning) -> str | None:
    """Name what a yes must repeat by hand, the large numbers in it; None: a yes is enough.

    Source: safety.md §3, approval fatigue.
    """
    parts = []
    if measures.count is not None and measures.count > rules.typed_count:
        parts.append(f"{measures.count} {action.object.replace('_', ' ')}")
    if measures.amount is not None and measures.amount > rules.typed_amount:
        parts.append(money(measures.amount, measures.currency))
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
) -> Iterator[float]:
    for name, slot in action.slots.items():
        if slot.risk == measure:
            for value in _items(arguments.get(name)):
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    yield abs(value)


def _items(value: Any) -> list[Any]:  # one JSON value, or a list of them
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]
