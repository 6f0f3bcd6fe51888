"""Where two runs of one log decide otherwise, and whether that was the policy or its wake."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

from evals.decision_log.entries import Decided
from state.noun import Noun

How = Literal["crossed", "followed", "gone", "new"]
"""crossed: the same numbers and request, another verdict; followed: something before it differed;
gone, new: it was begun in one of the two only."""
SAME_WITHIN = 0.001
_VERDICT = ("outcome", "spoke", "timing", "execution_class", "output", "response_type", "path")
_BEHAVIOUR = (*_VERDICT, "action", "arguments", "text")
_GROUNDS = ("relevance", "threat", "confidence", "intent", "action", "arguments")
_LATER = ("confidence", "intent", "action", "arguments", "threat")
"""Known only of what was not passed over: absent on one side they tell nothing."""


class Otherwise(Noun):
    """One decision that is not as it was."""

    decision_id: str
    event_id: str
    at: datetime
    how: How
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None

    @property
    def differs_in(self) -> tuple[str, ...]:
        """Name the fields of behaviour that differ."""
        before, after = self.before or {}, self.after or {}
        return tuple(name for name in _BEHAVIOUR if before.get(name) != after.get(name))


def compare(before: Iterable[Decided], after: Iterable[Decided]) -> Iterator[Otherwise]:
    """Tell of every decision that behaves otherwise, in the order they were made."""
    stood, stands = ({one.decision_id: one for one in each} for each in (before, after))
    for name, one in sorted({**stands, **stood}.items(), key=lambda item: (item[1].at, item[0])):
        then, now = stood.get(name), stands.get(name)
        how = _how(then, now)
        if how is not None:
            yield Otherwise(
                decision_id=name,
                event_id=str(one.record["event_id"]),
                at=one.at,
                how=how,
                before=None if then is None else then.record,
                after=None if now is None else now.record,
            )


def _how(then: Decided | None, now: Decided | None) -> How | None:
    if then is None or now is None:
        return "new" if then is None else "gone"
    if all(then.record.get(name) == now.record.get(name) for name in _BEHAVIOUR):
        return None
    is_verdict = any(then.record.get(name) != now.record.get(name) for name in _VERDICT)
    grounds = (name for name in _GROUNDS if not _is_same(then.record, now.record, name))
    return "crossed" if is_verdict and not any(grounds) else "followed"


def _is_same(then: Mapping[str, Any], now: Mapping[str, Any], name: str) -> bool:
    one, other = then.get(name), now.get(name)
    if (one is None or other is None) and name in _LATER:
        return True
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= SAME_WITHIN
    return bool(one == other)
