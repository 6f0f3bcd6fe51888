"""What follows from what is said of a response: a heuristic is made, merged, moved or dropped."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID, uuid5

from sqlalchemy import Connection

from state.heuristic import Heuristic, KnownHeuristic
from state.result import DecisionPath
from state.strategy import ReasoningTrace
from tools.catalogue.models import Heuristic as Shipped
from tools.classification.taint import is_own_words
from tools.heuristics.confidence import confidence_of
from tools.heuristics.likeness import Likeness, differ
from tools.heuristics.rows import (
    Said,
    counts_for,
    heuristic_of,
    known_of,
    put_feedback,
    put_heuristic,
    read_heuristic,
    read_siblings,
)
from tools.skills.facts import facts_of

_HEURISTICS = UUID("0c3a7d52-58a1-5d3c-9b61-7d1f0f3fd2a4")
WITHDRAWN = "no good answer is left that it was learned from"
REPLACED = "replaced by what was liked better"
_FEWEST_WORDS = 2


@dataclass(frozen=True)
class Learning:
    """Applies what is said, inside the transaction of whoever says it."""

    likeness: Likeness
    shipped: Mapping[str, Shipped]
    """What the packs ship, by id."""

    def apply(
        self, connection: Connection, trace: ReasoningTrace, said: Said, at: float
    ) -> frozenset[str]:
        """Write what is said of a response, and draw what follows; name the heuristics it moves."""
        matched = heuristic_of(connection, trace.response_id)
        counted = Said(said.sign, said.attribution, said.by, matched, said.strength)
        put_feedback(connection, trace, counted, at)
        shipped = self.shipped.get(matched or "")
        if shipped is not None and self._is_unmoved(connection, trace.tenant_id, shipped.id):
            put_heuristic(connection, _of_pack(shipped, trace.tenant_id, at))
        replaced: frozenset[str] = frozenset()
        if said.sign == "good" and matched is None and self.is_worth_learning(trace):
            matched, replaced = self._learn(connection, trace, at)
            counts_for(connection, trace.response_id, matched)
        if matched is None:
            return frozenset()
        if said.kind == "explicit":
            self._keep_or_drop(connection, trace.tenant_id, matched)
        return replaced | {matched}

    def is_worth_learning(self, trace: ReasoningTrace) -> bool:
        """Hold an answer to the gate: a model's own, short, about an event in somebody's own words.

        A figure that the event does not hold would be wrong the next time.
        """
        if trace.path is not DecisionPath.LLM or not is_own_words(trace.context_text):
            return False
        if trace.action is not None:
            return trace.event_kind == "message"
        said, heard = facts_of(trace.response), facts_of(trace.context_text)
        is_short = 0 < len(trace.response) <= self.likeness.tuning.longest_words
        has_words = len(trace.context_text.split()) >= _FEWEST_WORDS
        return is_short and has_words and said.numbers <= heard.numbers and said.ids <= heard.ids

    def agrees_with(self, trace: ReasoningTrace, known: KnownHeuristic | None) -> bool:
        """Tell whether a model said what a heuristic would have said.

        Of one that was called wrong only the same words are: "put it into the dryer" is near to
        "hang it up" by any encoder, and is what was wanted instead.
        """
        if known is None or known.heuristic.disabled:
            return False
        one = known.heuristic
        if one.action is not None or trace.action is not None:
            return one.action == trace.action
        if known.confidence.doubted:
            return self.likeness.is_same(trace.response, one.says)
        return self.likeness.is_alike(trace.response, one.says)

    def known_shipped(self, tenant_id: str, heuristic_id: str) -> KnownHeuristic | None:
        """Give a shipped heuristic as it is before anybody says anything of it."""
        one = self.shipped.get(heuristic_id)
        if one is None:
            return None
        known = _of_pack(one, tenant_id, 0.0)
        tuning = self.likeness.tuning
        return KnownHeuristic(heuristic=known, confidence=confidence_of(known, (), tuning))

    def _is_unmoved(self, connection: Connection, tenant_id: str, heuristic_id: str) -> bool:
        return read_heuristic(connection, tenant_id, heuristic_id, self.likeness.tuning) is None

    def _learn(
        self, connection: Connection, trace: ReasoningTrace, at: float
    ) -> tuple[str, frozenset[str]]:
        """Find or make the heuristic that an answer counts for; names those it replaces too."""
        made = _made_of(trace, at)
        replaced: set[str] = set()
        for one in self._twins(connection, made):
            if self.agrees_with(trace, known_of(connection, one, self.likeness.tuning)):
                return one.heuristic_id, frozenset(replaced)
            put_heuristic(connection, one.model_copy(update={"disabled": REPLACED}))
            replaced.add(one.heuristic_id)
        put_heuristic(connection, made)
        return made.heuristic_id, frozenset(replaced)

    def _twins(self, connection: Connection, made: Heuristic) -> Iterator[Heuristic]:
        """Find those that are about the same events and do the same kind of thing."""
        near = [one for one in read_siblings(connection, made) if not one.locked]
        likes = self.likeness.of(made.condition, [one.condition for one in near])
        for one, like in zip(near, likes, strict=True):
            if like >= self.likeness.tuning.alike and not differ(one.condition, made.condition):
                yield one

    def _keep_or_drop(self, connection: Connection, tenant_id: str, heuristic_id: str) -> None:
        """Unlearn what no good answer stands behind any more; what gets one again comes back."""
        known = read_heuristic(connection, tenant_id, heuristic_id, self.likeness.tuning)
        if known is None or known.heuristic.origin != "learned" or known.heuristic.locked:
            return
        one, goods = known.heuristic, known.confidence.goods
        if goods == 0 and one.disabled is None:
            put_heuristic(connection, one.model_copy(update={"disabled": WITHDRAWN}))
        elif goods and one.disabled == WITHDRAWN:
            put_heuristic(connection, one.model_copy(update={"disabled": None}))


def _of_pack(one: Shipped, tenant_id: str, at: float) -> Heuristic:
    return Heuristic(
        heuristic_id=one.id,
        tenant_id=tenant_id,
        origin="pack",
        condition=one.condition,
        source=one.source,
        says=one.say,
        declared=one.confidence,
        locked=one.locked,
        floor=one.floor,
        ceiling=one.ceiling,
        made_at=at,
    )


def _made_of(trace: ReasoningTrace, at: float) -> Heuristic:
    is_ours = trace.event_kind == "message"
    return Heuristic(
        heuristic_id=f"learned-{uuid5(_HEURISTICS, trace.response_id)}",
        tenant_id=trace.tenant_id,
        condition=trace.context_text[:500],
        source=None if is_ours else trace.event_source,
        kind=trace.event_kind,
        says="" if trace.action else trace.response,
        action=trace.action,
        made_at=at,
        made_from=trace.response_id,
    )
