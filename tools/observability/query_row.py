"""One message as one row of the query log, derived from its record and stages.

And the severity of a misprediction. Source: execution contract §5.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from sqlalchemy import Row

from state.action import Action, Effect
from state.classification import ClassVerdict
from state.event import Event
from state.execution import ExecutionTuning
from state.noun import Noun
from state.policy import READ_OR_CHANGE, Candidate
from state.query import Collision, ExecutionWord, Query, QueryOutcome, QueryRouting, QueryText
from state.record import DecisionRecord
from tools.gate.risk.execution_class import competitor_of
from tools.nlu import normalise
from tools.nlu.lexicon.verbs import family_of
from tools.platform.redaction import MASK
from tools.ports import Catalogue


class Kind(Noun):
    """What of an action says how far it is from another one."""

    name: str
    pack: str
    verb: str
    effect: Effect

    @classmethod
    def of(cls, action: Action) -> Self:
        """Take it from a catalogue entry."""
        return cls(name=action.name, pack=action.pack, verb=action.verb, effect=action.effect)


def collision_of(predicted: Action | Kind | None, other: Action | Kind | None) -> Collision:
    """Compare a prediction with a rival, a label, or what a person did.

    Args:
        other: None: nothing of the catalogue, or a plain search (`none_search_only`).

    Source: action execution contract §3.
    """
    if predicted is None or (other is not None and predicted.name == other.name):
        return "none"
    if other is None:
        return "acceptable_soft_route" if predicted.effect == "read" else "suggestion_worthy"
    same_domain = predicted.pack == other.pack
    if same_domain and family_of(predicted.verb) == family_of(other.verb):
        return "suggestion_worthy"
    return "routing_bug"


def collision_named(predicted: str | None, other: str | None, catalogue: Catalogue) -> Collision:
    """Compare by name; an action that no pack has is nothing of the catalogue."""
    if predicted == other:
        return "none"
    known: Mapping[str, Action] = catalogue.actions
    meant = known.get(other or "")
    searches = {pack.policy.broad_search for pack in catalogue.packs}
    if meant is not None and meant.name in searches:
        meant = None
    return collision_of(known.get(predicted or ""), meant)


WORDS: Mapping[ClassVerdict, ExecutionWord] = {
    "act": "auto",
    "offer": "suggest",
    "confirm": "confirm",
    "ask": "ask",
    "refuse": "refuse",
    "none": "none",
    "shadow": "none",
}
"""The contract's words for what follows; in shadow, what would have followed counts."""

Stages = Mapping[str, Any]  # every stage that was reached, as JSON


@dataclass(frozen=True)
class QueryRowBuilder:
    """Reads rows by one catalogue and its thresholds."""

    catalogue: Catalogue
    tuning: ExecutionTuning
    observed_seconds: float
    """What a person does so soon after a query is taken for what they meant by it."""

    def row(self, event: Event, record: DecisionRecord, stages: Stages) -> dict[str, Any]:
        """Lay out every column that a message's own decision settles."""
        classified = stages.get("classification") or {}
        offer = stages.get("offer") or {}
        shown = [chip["action"] for chip in offer.get("chips", ())]
        shown = shown or list(classified.get("would_show", ()))
        predicted, confidence = _predicted(stages, shown)
        collision = self.rivalry(predicted, confidence, stages)
        left_open = (READ_OR_CHANGE,) if _is_either(stages) else ()
        return {
            "decision_id": record.decision_id,
            "tenant_id": record.tenant_id,
            "session_id": record.session_id,
            "user": event.user,
            "user_role": event.role,
            **self._words(event, stages),
            "verb_family": _routing(stages).get("verb_family"),
            "predicted_action": predicted,
            "confidence": confidence,
            "alternatives": _alternatives(stages),
            "execution_class": _word(classified),
            "reasons": [*classified.get("raised", ()), *left_open],
            "collision": "suggestion_worthy" if left_open else collision,
            "phase": classified.get("phase") or self.tuning.phase,
            "chip_ordering": offer.get("ordering"),
            "offer_id": record.offer_id,
            "chips_shown": shown,
            "outcome": record.outcome,
        }

    def rivalry(self, predicted: str | None, confidence: float | None, stages: Stages) -> Collision:
        """Compare the prediction with its strongest rival, when that one is close."""
        action = self.catalogue.actions.get(predicted or "")
        if action is None or confidence is None:
            return "none"
        rivals = [
            Candidate.model_validate(one)
            for one in _routing(stages).get("alternatives", ())
            if one["action"] != predicted
        ]
        rival = competitor_of(confidence, rivals, self.tuning.of(action).competitor_margin)
        return collision_named(predicted, rival.action, self.catalogue) if rival else "none"

    def _words(self, event: Event, stages: Stages) -> dict[str, Any]:
        routing = _routing(stages)
        hidden = SecretValues.of(self.catalogue, stages)
        if routing:
            normal, tokens = routing["normalized"], routing["tokens"]
        else:
            read = normalise(event.text)
            normal, tokens = read.text, [token.text for token in read.tokens]
        return {
            "raw_text": hidden.masked(event.text),
            "normalized": hidden.masked(normal),
            "tokens": [hidden.masked_token(token) for token in tokens],
            "entities": [
                {**one, "value": hidden.masked(one["value"])} for one in routing.get("entities", ())
            ],
        }


@dataclass(frozen=True)
class SecretValues:
    """The values of secret slots, which never reach the log."""

    values: tuple[str, ...]
    tokens: frozenset[str]

    @classmethod
    def of(cls, catalogue: Catalogue, stages: Stages) -> "SecretValues":
        """Collect them from the arguments that a decision came to."""
        read = [(stages.get("result") or {}).get("action"), *(name for name, _ in _chosen(stages))]
        actions = [catalogue.actions[name] for name in read if name and name in catalogue.actions]
        secret = {name for one in actions for name, slot in one.slots.items() if slot.secret}
        if not secret:
            return _NOTHING_HIDDEN
        values = {
            text
            for arguments in _all_arguments(stages)
            for name in secret
            for text in _texts(arguments.get(name))
        }
        values |= {normalise(text).text for text in values}
        tokens = {token.text for text in values for token in normalise(text).tokens}
        return cls(tuple(sorted(values, key=lambda text: -len(text))), frozenset(tokens))

    def masked(self, text: str) -> str:
        """Write the mask in place of every secret, whatever its case."""
        for value in self.values:
            text = re.sub(re.escape(value), MASK, text, flags=re.IGNORECASE)
        return text

    def masked_token(self, token: str) -> str:
        """Write the mask in place of a word that is part of a secret."""
        return MASK if token in self.tokens else self.masked(token)


_NOTHING_HIDDEN = SecretValues((), frozenset())


def _routing(stages: Stages) -> dict[str, Any]:
    return (stages.get("policy") or {}).get("routing") or {}


def _predicted(stages: Stages, shown: list[str]) -> tuple[str | None, float | None]:
    """Tell what the reading came to; where several of a kind may be meant, the first chip."""
    result, routing = stages.get("result") or {}, _routing(stages)
    if result.get("action"):
        return result["action"], result.get("confidence")
    if not shown or _is_either(stages):
        return None, routing.get("confidence")
    likely = {one["action"]: one["confidence"] for one in routing.get("alternatives", ())}
    if routing.get("action"):
        likely[routing["action"]] = routing["confidence"]
    first = max(shown, key=lambda name: likely.get(name, 0.0))
    return first, likely.get(first)


def _is_either(stages: Stages) -> bool:
    """Tell whether it stayed open if something is to be shown, changed, or both."""
    return READ_OR_CHANGE in (stages.get("policy") or {}).get("reasons", ())


def _alternatives(stages: Stages) -> list[Mapping[str, Any]]:
    """List what was not settled on: where neither was, the first one too."""
    routing = _routing(stages)
    others = list(routing.get("alternatives", ()))
    if not _is_either(stages):
        return others
    return [{"action": routing["action"], "confidence": routing["confidence"]}, *others]


def _word(classified: Mapping[str, Any]) -> ExecutionWord:  # JSON of the stage
    return WORDS[classified.get("would") or classified.get("verdict") or "none"]


def _chosen(stages: Stages) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give what may be chosen with arguments of its own, as each of several requests may."""
    for one in (stages.get("policy") or {}).get("alternatives") or ():
        if one.get("slots") is not None:
            yield one["action"], one["slots"]


def _all_arguments(stages: Stages) -> Iterator[Mapping[str, Any]]:
    yield from (slots for _name, slots in _chosen(stages))
    yield (stages.get("result") or {}).get("arguments") or {}
    yield from (stages.get("policy") or {}).get("variants") or ()
    yield ((stages.get("classification") or {}).get("action") or {}).get("arguments") or {}
    yield (stages.get("outcome") or {}).get("arguments") or {}


def _texts(value: Any) -> Iterator[str]:  # one argument of a secret slot
    for one in value if isinstance(value, list) else [value]:
        if one is not None and str(one).strip() and not str(one).startswith(MASK):
            yield str(one)


def to_query(row: Row[Any]) -> Query:
    """Turn a row of query_log into the noun."""
    return Query(
        timestamp=datetime.fromtimestamp(row.at, UTC),
        session_id=row.session_id,
        yacht_id=row.tenant_id,
        user_role=row.user_role,
        query=QueryText(raw_text=row.raw_text, normalized=row.normalized, tokens=row.tokens),
        routing=QueryRouting(
            verb_family=row.verb_family,
            predicted_action=row.predicted_action,
            confidence=row.confidence,
            alternatives=row.alternatives,
            execution_class=row.execution_class,
            reasons=row.reasons,
            collision=row.collision,
            phase=row.phase,
        ),
        entities=row.entities,
        outcome=QueryOutcome(
            chips_shown=row.chips_shown,
            action_executed=row.action_executed,
            execution_method=row.execution_method,
            time_to_action_ms=row.time_to_action_ms,
            undo_triggered=row.undo_triggered,
            chip_chosen=row.chip_chosen,
            chip_position=row.chip_position,
            chip_ordering=row.chip_ordering,
            action_observed=row.action_observed,
            collision_observed=row.collision_observed,
            decision=row.outcome,
        ),
        decision_id=row.decision_id,
        user=row.user,
        action_id=row.action_id,
        offer_id=row.offer_id,
    )
