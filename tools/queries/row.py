"""One message as one row of the query log, derived from its record and its stages."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from state.classification import ClassVerdict
from state.event import Event
from state.execution import ExecutionTuning
from state.policy import READ_OR_CHANGE, Candidate
from state.query import Collision, ExecutionWord
from state.record import DecisionRecord
from tools.classification.execution_class import competitor_of
from tools.ports import Catalogue
from tools.queries.collisions import collision_named
from tools.routing.words.normalise import normalise
from tools.secrecy import HIDDEN

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
class QueryReading:
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
        hidden = Hidden.of(self.catalogue, stages)
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
class Hidden:
    """The values of secret slots, which never reach the log."""

    values: tuple[str, ...]
    tokens: frozenset[str]

    @classmethod
    def of(cls, catalogue: Catalogue, stages: Stages) -> "Hidden":
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
            text = re.sub(re.escape(value), HIDDEN, text, flags=re.IGNORECASE)
        return text

    def masked_token(self, token: str) -> str:
        """Write the mask in place of a word that is part of a secret."""
        return HIDDEN if token in self.tokens else self.masked(token)


_NOTHING_HIDDEN = Hidden((), frozenset())


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
        if one is not None and str(one).strip() and not str(one).startswith(HIDDEN):
            yield str(one)
