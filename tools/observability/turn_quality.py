"""Judge one turn by its record and stages, and store the result in its decision's transaction.

Recency is read from the text independently of the grammar, so that what the grammar misses shows
in the figures.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.dialects.sqlite import insert

from state.action import Action
from state.event import EventKind
from state.quality import TurnQuality
from state.record import DecisionRecord
from tools.catalog.pack_schema import IntentRule, PolicyFile
from tools.nlu.search_query.requests import takes_search
from tools.observability.policy_quality import SqlQuality
from tools.ports import Catalogue
from tools.storage.record_hooks import SettledDecision, was_only_scored
from tools.storage.tables.observability import quality_turn

_YEAR = r"(?:19|20)\d\d"
_SPAN = r"(?:years?|months?|weeks?|quarters?|decades?)"
_ASKED = re.compile(
    rf"\b(?:recent|recently|latest)\b"
    rf"|\b(?:last|past) (?:few |couple (?:of )?|several |\w+ |\d+ )?{_SPAN}\b"
    rf"|\b(?:since|after|before|until|from) {_YEAR}\b"
    rf"|\b{_YEAR} ?(?:-|–|—|to|until|through|and) ?{_YEAR}\b"
    r"|\bthis year\b",
    re.IGNORECASE,
)
_WAIVED = re.compile(
    r"\b(?:not|n't|need ?n.t|doesn.t|don.t)\b[^.;,]{0,20}\b(?:recent|latest|new)"
    r"|\b(?:any|whatever|every|all|regardless of (?:the )?) ?years?\b"
    r"|\b(?:drop|forget|remove|without|ignore) (?:the |any )?(?:year|date|time)s?\b",
    re.IGNORECASE,
)


def asks_recency(text: str) -> bool:
    """Tell whether a text asks for papers of a certain time."""
    return _ASKED.search(text) is not None and _WAIVED.search(text) is None


_CALLED = ("succeeded", "failed", "unknown")
"""Ends of an action that was begun."""
_DATES = ("year_from", "year_to", "date_from", "date_to")

Stages = Mapping[str, Any]  # every stage that was reached, as JSON


def judge_turn(
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


_NEW = insert(quality_turn)
_PUT = _NEW.on_conflict_do_update(
    index_elements=["decision_id"],
    set_={
        column.name: _NEW.excluded[column.name]
        for column in quality_turn.c
        if column.name != "decision_id"
    },
)


@dataclass(frozen=True)
class QualityRecorder:
    """Judges each turn by what policy decided, and says whose figures have moved."""

    quality: SqlQuality

    def note(self, settled: SettledDecision) -> Callable[[], None] | None:
        """Note a recorded message or choice; one that belongs to no pack leaves nothing."""
        if settled.standing != "recorded" or was_only_scored(settled.stages):
            return None
        record, kept = settled.record, settled.row
        text = kept["event"].get("text") or ""
        turn = judge_turn(kept["kind"], text, record, settled.stages, self.quality.catalogue)
        if turn is None:
            return None
        at = round(kept["accepted_at"], 6)
        settled.connection.execute(_PUT, {**turn.model_dump(), "at": at})
        moved = (record.tenant_id, turn.pack)
        return lambda: self.quality.changed.add(moved)
