"""Heuristics for people: list, inspect, change, disable.

Changing a shipped or locked one is an action of class C in the service's own pack: no phrase
selects it, no model is offered it, and others must approve.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from state.action import Action, ActionResult, Approvers, HandlerContext, Slot
from state.approval import LedgerAction
from state.errors import BadInput, NeedsApproval, NotFound
from state.heuristic import Heuristic, KnownHeuristic
from state.offer import Chip
from state.preview import Change, Fact, Preview
from state.reader import Reader, reader_of
from state.strategy import ReasoningTrace, Traced
from state.tuning import ChangesTuning, Tuning
from tools.access import SessionReaders
from tools.adapters import Embedder, Encoder
from tools.catalog import Catalogue, Pack
from tools.catalog.pack_schema import OutputsFile, PersonalityFile, PolicyFile
from tools.memory.event_match import EventMatcher
from tools.memory.facts import FactRecorder
from tools.memory.heuristics.learning import HeuristicLearner, LearningRecorder
from tools.memory.heuristics.matching import LearnedHeuristics
from tools.memory.heuristics.rows import (
    feedback_signals,
    known_people,
    put_heuristic,
    read_heuristic,
    read_heuristics,
    read_trace,
    tenants_with_heuristics,
)
from tools.memory.heuristics.similarity import TextSimilarity
from tools.memory.recorders import EventReminderRecorder, ReminderRecorder, UtteranceRecorder
from tools.platform.serialization import sorted_json
from tools.platform.texts import t
from tools.platform.unicode_safety import strip_controls
from tools.storage import Database


@dataclass(frozen=True)
class SqlHeuristics:
    """Heuristics in our tables; what is changed counts for the next event."""

    database: Database
    learning: HeuristicLearner
    learned: LearnedHeuristics

    async def load(self) -> None:
        """Read what every tenant has, before the first event is decided."""
        tuning = self.learning.likeness.tuning
        found, heard = await self.database.read(
            lambda connection: (
                {
                    tenant: read_heuristics(connection, tenant, tuning)
                    for tenant in tenants_with_heuristics(connection)
                },
                known_people(connection),
            )
        )
        for tenant_id, known in found.items():
            self.learned.put(tenant_id, known)
        for tenant_id, people in heard:
            self.learned.heard(tenant_id, people)

    def embed(self) -> bool:
        """Embed some conditions that have no vector yet; False: there are no more. It blocks."""
        return self.learned.embed() > 0

    async def list(self, whose: Reader | str) -> tuple[KnownHeuristic, ...]:
        """List those one may see, oldest first, and the shipped ones that nothing has moved."""
        reader = reader_of(whose)
        tenant_id = reader.tenant_id
        known = await self.database.read(
            lambda connection: read_heuristics(connection, tenant_id, self.learning.likeness.tuning)
        )
        moved = {one.heuristic.heuristic_id for one in known}
        shipped = (
            self.learning.known_shipped(tenant_id, name)
            for name in self.learning.shipped
            if name not in moved
        )
        seen = (one for one in known if _is_seen(one, reader))
        return (*seen, *(one for one in shipped if one is not None))

    async def get(self, heuristic_id: str, whose: Reader | str) -> KnownHeuristic:
        """Read one.

        Raises:
            NotFound: none in this tenant.
        """
        return await self.database.read(
            lambda connection: self._read(connection, heuristic_id, reader_of(whose))
        )

    async def change(
        self, heuristic_id: str, whose: Reader | str, **fields: object
    ) -> KnownHeuristic:
        """Change fields of a learned one: says, locked, floor, ceiling, weight or disabled.

        Raises:
            NotFound: none in this tenant.
            NeedsApproval: a pack ships it, or it is locked; nothing was changed.
            BadInput: its floor would be above its ceiling.
            ValidationError: a value does not fit.
        """
        reader = reader_of(whose)

        def work(connection: Connection) -> KnownHeuristic:
            known = self._read(connection, heuristic_id, reader).heuristic
            changed = with_changes(known, fields)
            if known.origin == "pack" or known.locked:
                raise NeedsApproval(f"the heuristic {heuristic_id}")
            put_heuristic(connection, changed)
            return self._read(connection, heuristic_id, reader)

        changed = await self.database.write(work)
        self.learned.put(reader.tenant_id, [changed])
        return changed

    def put_changed(
        self,
        connection: Connection,
        heuristic_id: str,
        tenant_id: str,
        fields: Mapping[str, object],
    ) -> tuple[Heuristic, Heuristic]:
        """Change any one inside the transaction of an approved action; tell before and after.

        Once that is committed, `reload` lets it count.

        Raises:
            NotFound, BadInput: see change.
        """
        known = self._read(connection, heuristic_id, reader_of(tenant_id)).heuristic
        changed = with_changes(known, fields)
        put_heuristic(connection, changed)
        return known, changed

    async def reload(self, heuristic_id: str, tenant_id: str) -> None:
        """Go by what is stored of one from the next event on."""
        self.learned.put(tenant_id, [await self.get(heuristic_id, tenant_id)])

    async def reload_changed(self, done: LedgerAction) -> None:
        """Let a change that has just been committed count for the next event."""
        if done.action == CHANGE_HEURISTIC:
            await self.reload(done.arguments["heuristic"], done.tenant_id)

    async def response(self, response_id: str, whose: Reader | str) -> Traced:
        """Read how a response came about, and what was said of it.

        Raises:
            NotFound: none in this tenant, or it is closed to the reader.
        """
        reader = reader_of(whose)
        tenant_id = reader.tenant_id

        def work(connection: Connection) -> Traced:
            trace = read_trace(connection, tenant_id, response_id)
            if trace is None or not reader.may_read(trace.session_id):
                raise NotFound("response", response_id)
            signs = feedback_signals(connection, tenant_id, response_id)
            return Traced(
                trace=trace, explicit=signs.get("explicit"), implicit=signs.get("implicit")
            )

        return await self.database.read(work)

    def own_pack(self, rules: ChangesTuning) -> Pack:
        """Build the service's own pack with its previews and changes."""

        async def preview(context: HandlerContext, *, heuristic: str, **given: Any) -> Preview:
            known = (await self.get(heuristic, context.tenant_id)).heuristic
            return _preview(known, with_changes(known, fields_of(given)))

        def change(
            context: HandlerContext, connection: Connection, *, heuristic: str, **given: Any
        ) -> ActionResult:
            known, after = self.put_changed(
                connection, heuristic, context.tenant_id, fields_of(given)
            )
            changes = _preview(known, after).changes
            return ActionResult(
                text=t("heuristic.changed", heuristic=heuristic),
                changed=tuple(f"{one.target}, {one.field}: {one.after}" for one in changes),
            )

        functions: Mapping[str, Callable[..., Any]] = {
            "heuristics:preview": preview,
            "heuristics:change": change,
        }
        return replace(own_actions(rules), functions=functions)

    def _read(self, connection: Connection, heuristic_id: str, reader: Reader) -> KnownHeuristic:
        tuning, tenant_id = self.learning.likeness.tuning, reader.tenant_id
        known = read_heuristic(connection, tenant_id, heuristic_id, tuning)
        known = known or self.learning.known_shipped(tenant_id, heuristic_id)
        if known is None or not _is_seen(known, reader):
            raise NotFound("heuristic", heuristic_id)
        return known


def recorded_trace(database: Database, response_id: str) -> ReasoningTrace | None:
    """Read how a response came about, on the calling thread; None: none, or it is forgotten."""
    return database.read_here(lambda connection: read_trace(connection, None, response_id))


def _is_seen(known: KnownHeuristic, reader: Reader) -> bool:
    """Tell whether one's words are a reader's to see: a pack's are everybody's."""
    is_shipped = known.heuristic.origin == "pack"
    return is_shipped or reader.may_read(*known.confidence.taught_in)


def with_changes(known: Heuristic, fields: Mapping[str, object]) -> Heuristic:
    """Say what a heuristic would be with other fields.

    Raises:
        BadInput: its floor would be above its ceiling.
        ValidationError: a value does not fit.
    """
    if "says" in fields:
        fields = {**fields, "says": strip_controls(str(fields["says"])), "reworded": True}
    # `unlearned` is not dumped: what a person puts out of use stays so.
    kept = {} if "disabled" in fields else {"unlearned": known.unlearned}
    changed = Heuristic.model_validate({**known.model_dump(), **kept, **fields})
    if changed.floor > changed.ceiling:
        told = t("heuristic.bounds", floor=changed.floor, ceiling=changed.ceiling)
        raise BadInput(t("heuristic.bounds_both", heuristic_id=known.heuristic_id, told=told))
    return changed


PACK = "prefrontal"
CHANGE_HEURISTIC = "change_heuristic"


def change_chip(catalogue: Catalogue, heuristic_id: str, fields: Mapping[str, Any]) -> Chip:
    """Offer a change of fields as the action that others must approve.

    Args:
        fields: by name; `disabled` holds a reason, or None for in use.

    Raises:
        BadInput: a value does not fit its slot.
    """
    given = {name: value for name, value in fields.items() if name != "disabled"}
    if "disabled" in fields:
        given["in_use"] = fields["disabled"] is None
        if fields["disabled"]:
            given["reason"] = fields["disabled"]
    arguments = catalogue.arguments(CHANGE_HEURISTIC, {"heuristic": heuristic_id, **given})
    return Chip(
        chip_id="chip-1",
        action=CHANGE_HEURISTIC,
        arguments=arguments,
        summary=catalogue.summary(CHANGE_HEURISTIC, arguments),
        confidence=1.0,
    )


def fields_of(arguments: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Read arguments back as the fields of a heuristic.

    Raises:
        BadInput: they change nothing, or the words are blank.
    """
    fields = dict(arguments)
    reason = fields.pop("reason", None) or t("heuristic.disabled_by_change")
    if "in_use" in fields:
        fields["disabled"] = None if fields.pop("in_use") else reason
    if not fields:
        raise BadInput(t("heuristic.nothing_named"))
    if not str(fields.get("says", "-")).strip():
        raise BadInput(t("heuristic.needs_text"))
    return fields


def own_actions(rules: ChangesTuning) -> Pack:
    """Build the service's own pack as it is drawn: what it holds, with nothing to call."""
    return Pack(
        name=PACK,
        folder=Path(__file__).parent,
        digest=hashlib.sha256(Path(__file__).read_bytes()).hexdigest(),
        actions={CHANGE_HEURISTIC: _action(rules)},
        entities={},
        heuristics=(),
        policy=PolicyFile(),
        personality=PersonalityFile(),
        outputs=OutputsFile(),
    )


def _action(rules: ChangesTuning) -> Action:
    share = {"type": "number", "minimum": 0, "maximum": 1}
    slots: dict[str, dict[str, Any]] = {  # fields of Slot
        "heuristic": {"type": "text", "required": True},
        "says": {"type": "text", "description": "other words"},
        "floor": {**share, "description": "never less sure"},
        "ceiling": {**share, "description": "never surer"},
        "weight": {"type": "number", "minimum": 0, "maximum": 10},
        "locked": {"type": "boolean", "description": "feedback does not move it"},
        "in_use": {"type": "boolean"},
        "reason": {"type": "text", "description": "why it is put out of use"},
    }
    return Action(
        name=CHANGE_HEURISTIC,
        pack=PACK,
        summary="Change the heuristic {heuristic}",
        verb="update",
        object="heuristic",
        slots={name: Slot.model_validate(slot) for name, slot in slots.items()},
        effect="multi_user",
        approvers=Approvers(
            roles=rules.approvers,
            four_eyes=rules.four_eyes,
            expires_minutes=rules.expires_minutes,
        ),
        handler="heuristics:change",
        preview="heuristics:preview",
        transactional=True,
    )


def _preview(known: Heuristic, after: Heuristic) -> Preview:
    before, then = known.model_dump(exclude={"reworded"}), after.model_dump(exclude={"reworded"})
    changes = tuple(
        Change(
            target=known.heuristic_id,
            field=name,
            before=_change_summary(before[name]),
            after=_change_summary(value),
        )
        for name, value in then.items()
        if value != before[name]
    )
    if not changes:
        raise BadInput(t("heuristic.same", heuristic_id=known.heuristic_id))
    origin = t("heuristic.shipped") if known.origin == "pack" else t("heuristic.learned")
    return Preview(
        facts=(
            Fact(label="when", value=known.condition),
            Fact(label="it says", value=known.says or f"proposes {known.action}"),
            Fact(label="origin", value=f"{origin}{', and it is locked' * known.locked}"),
        ),
        changes=changes,
        versions={known.heuristic_id: hashlib.sha256(sorted_json(before)).hexdigest()},
    )


def _change_summary(value: object) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return None if value is None else str(value)


Recorders = tuple[
    ReminderRecorder,
    EventReminderRecorder,
    UtteranceRecorder,
    FactRecorder,
    LearningRecorder,
]


def open_heuristics(
    database: Database, catalogue: Catalogue, tuning: Tuning, encoder: Encoder | None
) -> SqlHeuristics:
    """Open the heuristics of a deployment; nothing is read before `load`."""
    likeness = TextSimilarity(tuning.learning, encoder, encoder.recall if encoder else None)
    shipped = {one.id: one for pack in catalogue.packs for one in pack.heuristics}
    return SqlHeuristics(
        database,
        HeuristicLearner(likeness, shipped),
        LearnedHeuristics(likeness, catalogue, SessionReaders(tuning.sessions)),
    )


def build_recorders(
    learned: SqlHeuristics, tuning: Tuning, zone: tzinfo, encoder: Embedder | None
) -> Recorders:
    """Build the record hooks that keep reminders, utterances and responses beside a decision."""
    catalogue, within = learned.learned.catalogue, tuning.personality.answers_within_seconds
    return (
        ReminderRecorder(catalogue, tuning.proactive, zone),
        EventReminderRecorder(learned.database, EventMatcher(encoder), tuning.proactive),
        UtteranceRecorder(within),
        FactRecorder(),
        LearningRecorder(
            learned.learning,
            learned.learned,
            catalogue,
            within,
            tuning.proactive.present_seconds,
        ),
    )
