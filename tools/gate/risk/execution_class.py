"""Compute the execution class of an action.

Its floor, raised by confidence, taint and risk measures.

Measures are the count of things, the amount of money and the recipients, from arguments and
preview; the same numbers are shown to approvers. Nothing lowers a class.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from state.action import PRIMITIVE_SLOT_TYPES, Action, ExecutionClass, RiskMeasure
from state.execution import ExecutionTuning
from state.policy import Candidate
from state.preview import Preview

_DOMAIN = re.compile(r"@([^\s@<>,;()\[\]\"']+)")


def named_recipients(action: Action, arguments: Mapping[str, Any]) -> list[str]:  # by slot type
    """List whoever the arguments name as a recipient."""
    return [
        each
        for name, slot in action.slots.items()
        if slot.risk == "recipients"
        for each in _leaves(arguments.get(name))
    ]


def count_people(named: Sequence[str]) -> int:
    """Count people; a text with several addresses in it names several."""
    return sum(max(1, each.count("@")) for each in named)


def external_recipients(
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
    recipients = named_recipients(action, arguments)
    foreseen: Sequence[str] = ()
    if preview is not None:
        foreseen = preview.recipients
        counts += [] if preview.count is None else [preview.count]
        amounts += [] if preview.amount is None else [preview.amount]
    # One recipient says nothing of how many things there are.
    counts += [many for named in (recipients, foreseen) if (many := count_people(named)) > 1]
    if not all(map(math.isfinite, amounts)):
        unread.append("amount")
    return Measures(
        count=max(counts, default=None),
        amount=max(filter(math.isfinite, amounts), default=None),
        currency=preview.currency if preview else "",
        recipients=tuple(dict.fromkeys((*recipients, *foreseen))),
        unread=tuple(dict.fromkeys(unread)),
    )


def confirmation_phrase(action: Action, measures: Measures, rules: ExecutionTuning) -> str | None:
    """Name what a yes must repeat by hand, the large numbers in it; None: a yes is enough.

    A number that cannot be read may be any, so that it is not known has to be typed too.
    Source: safety.md §3, approval fatigue.
    """
    parts = []
    if measures.count is not None and measures.count > rules.typed_count:
        parts.append(f"{measures.count} {action.object.replace('_', ' ')}")
    if measures.amount is not None and measures.amount > rules.typed_amount:
        parts.append(format_amount(measures.amount, measures.currency))
    parts += [f"unknown {name.replace('_', ' ')}" for name in measures.unread]
    return " for ".join(parts) or None


def matches_phrase(given: str | None, phrase: str) -> bool:
    """Tell whether somebody typed the phrase; case, spaces and thousands commas do not count."""
    return given is not None and _plain(given) == _plain(phrase)


def format_amount(amount: float, currency: str) -> str:
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


_ONE_UP: Mapping[ExecutionClass, ExecutionClass] = {"A": "B", "B": "C", "C": "C"}


class RaisedClass(NamedTuple):
    """A class, and every reason why it is above its floor."""

    execution_class: ExecutionClass
    reasons: tuple[str, ...]


def raised_class(
    floor: ExecutionClass,
    confidence: float,
    alternatives: Sequence[Candidate],
    tuning: ExecutionTuning,
    *,
    explicit: bool = False,
    forced: bool = False,
    tainted: bool = False,
    held_back: Sequence[str] = (),
) -> RaisedClass:
    """Raise an action above its floor for what speaks against doing it by itself.

    Args:
        explicit: a person chose exactly this.
        forced: policy decided on this read by a rule, however sure the router is.
        tainted: a model or an untrusted text shaped it.
        held_back: reasons from elsewhere: what the router holds, what awaits its canary.

    Source: action execution contract §1 and §6; safety.md rule 9.
    """
    reasons: list[str] = []
    execution_class = floor
    if execution_class == "A" and not explicit:
        rival = competitor_of(confidence, alternatives, tuning.competitor_margin)
        if confidence < tuning.auto_confidence and not forced:
            reasons.append("low_confidence")
        if rival is not None and not forced:
            reasons.append("competitor")
        if tainted:
            reasons.append("tainted")
        reasons += held_back
        if reasons:
            execution_class = "B"
    if execution_class == "B" and floor != "A" and tainted:
        reasons.append("tainted")
        execution_class = "C"
    elif floor == "C" and tainted:  # it raises nothing, and whoever approves has to know
        reasons.append("tainted")
    return RaisedClass(execution_class, tuple(reasons))


def competitor_of(
    confidence: float, alternatives: Sequence[Candidate], margin: float
) -> Candidate | None:
    """Find the strongest other action that comes within `margin` of the one meant."""
    close = [one for one in alternatives if one.confidence > confidence - margin]
    return max(close, key=lambda one: one.confidence, default=None)


def raised_by_risk(
    execution_class: ExecutionClass,
    action: Action,
    arguments: Mapping[str, Any],  # by slot type
    preview: Preview | None,
    rules: ExecutionTuning,
    internal_domains: Sequence[str],
) -> RaisedClass:
    """Raise a class by one for how much, how many, and who gets it.

    By the very numbers that a person is shown, see tools/gate/risk/execution_class.py.

    Args:
        rules: what holds for this action, see ExecutionTuning.of.

    Source: action execution contract §1; issue 3 §2.
    """
    measures = measures_of(action, arguments, preview)
    reasons = []
    if measures.unread:
        reasons.append("parse_failure")
    if measures.count is not None and measures.count > rules.bulk_count:
        reasons.append("bulk")
    if measures.amount is not None and measures.amount > rules.amount:
        reasons.append("amount")
    if external_recipients(action, arguments, preview, internal_domains):
        reasons.append("outside_recipients")
    return RaisedClass(_ONE_UP[execution_class] if reasons else execution_class, tuple(reasons))
