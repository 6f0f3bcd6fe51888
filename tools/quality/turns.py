"""One turn, judged by its record and its stages: did what policy decided come about?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from state.action import Action
from state.event import EventKind
from state.quality import TurnQuality
from state.record import DecisionRecord
from tools.catalogue.models import IntentRule, PolicyFile
from tools.policy.search_slots import takes_search
from tools.ports import Catalogue
from tools.quality.recency import asks_recency

_CALLED = ("succeeded", "failed", "unknown")
"""Ends of an action that was begun."""
_DATES = ("year_from", "year_to", "date_from", "date_to")

Stages = Mapping[str, Any]  # every stage that was reached, as JSON


def turn_of(
    kind: EventKind, text: str, record: DecisionRecord, stages: Stages, catalogue: Catalogue
) -> TurnQuality | None:
    """Judge a message or a choice; None: it belongs to no pack."""
    if kind not in ("message", "choice"):
        return None
    pack = _pack_of(record, stages, catalogue)
    if pack is None:
        return None
    turn = _Turn(kind, text, record, stages, catalogue, catalogue.pack(pack).policy)
    return TurnQuality(
        decision_id=record.decision_id,
        tenant_id=record.tenant_id,
        pack=pack,
        intent=record.intent,
        action=record.action,
        direct=turn.is_direct,
        called=turn.is_called,
        clarified=turn.is_clarified,
        recency_asked=turn.asks_recency,
        recency_kept=turn.asks_recency and turn.keeps_recency,
        stage_due=turn.step is not None,
        stage_made=turn.step is not None and turn.stands_at == turn.step,
    )


@dataclass(frozen=True)
class _Turn:
    kind: EventKind
    text: str
    record: DecisionRecord
    stages: Stages
    catalogue: Catalogue
    policy: PolicyFile

    @property
    def is_direct(self) -> bool:
        rule = self._rule
        if self.kind != "message" or rule is None or rule.force_tool is None:
            return False
        is_theirs = rule.force_tool not in self._part("policy").get("blocked", ())
        return is_theirs and self._part("classification").get("verdict") != "shadow"

    @property
    def is_called(self) -> bool:
        action, rule = self._action, self._rule
        if action is None or self._part("outcome").get("state") not in _CALLED:
            return False
        meant = (rule.force_tool, *rule.actions) if rule else ()
        return takes_search(action) or action.name in meant

    @property
    def is_clarified(self) -> bool:
        asks_back = self._part("classification").get("verdict") in ("ask", "offer")
        return self.is_direct and not self.is_called and asks_back

    @property
    def asks_recency(self) -> bool:
        action = self._action
        if action is None or not self.is_called or not takes_search(action):
            return False
        return bool(self._decided) or (self.kind == "message" and asks_recency(self.text))

    @property
    def keeps_recency(self) -> bool:
        action = self._action
        ran = self._part("outcome").get("arguments") or {}
        if action is None or not any(ran.get(name) is not None for name in _DATES):
            return False
        return all(
            ran.get(name) == value for name, value in self._decided.items() if name in action.slots
        )

    @property
    def step(self) -> str | None:
        """Name the stage that the pack's rules lead to after this success; None: they lead to none.

        Read from the rules, not from what policy decided: a step it forgot is a miss as well.
        """
        action = self._action
        if action is None or self._part("outcome").get("state") != "succeeded":
            return None
        before = self._part("advanced").get("from_stage") or self.stands_at
        for rule in self.policy.stage_transitions:
            fits = not rule.from_stages or before in rule.from_stages
            if rule.on_action == action.name and fits and rule.to_stage != before:
                return rule.to_stage
        return None

    @property
    def stands_at(self) -> str | None:
        return self.record.stage or self.policy.first_stage

    @property
    def _rule(self) -> IntentRule | None:
        return self.policy.intents.get(self.record.intent or "")

    @property
    def _action(self) -> Action | None:
        return self.catalogue.actions.get(self.record.action or "")

    @property
    def _decided(self) -> dict[str, Any]:  # JSON of the search fields
        search = self._part("policy").get("search") or {}
        return {name: search[name] for name in _DATES if search.get(name) is not None}

    def _part(self, stage: str) -> Mapping[str, Any]:  # JSON of the stage
        return self.stages.get(stage) or {}


def _pack_of(record: DecisionRecord, stages: Stages, catalogue: Catalogue) -> str | None:
    policy = stages.get("policy") or {}
    for name in (record.action, policy.get("action")):
        action = catalogue.actions.get(name or "")
        if action is not None:
            return action.pack
    declaring = [pack.name for pack in catalogue.packs if record.intent in pack.policy.intents]
    if declaring:
        return declaring[0]
    return catalogue.packs[0].name if len(catalogue.packs) == 1 else None
