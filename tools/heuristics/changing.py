"""Changing what ships or is locked: an action of class C, in the ledger like any pack's.

The service's own pack holds it. No words lead to it and no model is shown it: a person asks for it
by changing the heuristic, and it takes effect when others have said yes.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from state.action import Action, ActionResult, Approvers, HandlerContext, Slot
from state.approval import LedgerAction
from state.errors import BadInput
from state.heuristic import Heuristic
from state.preview import Change, Fact, Preview
from state.tuning import ChangesTuning
from tools.canonical_json import sorted_json
from tools.catalogue.models import OutputsFile, PersonalityFile, PolicyFile
from tools.catalogue.pack import Pack
from tools.heuristics.store import SqlHeuristics, changed_as

PACK = "prefrontal"
CHANGE_HEURISTIC = "change_heuristic"
_PUT_OUT_OF_USE = "put out of use by an approved change"


def arguments_of(heuristic_id: str, fields: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Write the fields of a change as arguments; `disabled` holds a reason, or null for in use."""
    told = {name: value for name, value in fields.items() if name != "disabled"}
    if "disabled" in fields:
        told["in_use"] = fields["disabled"] is None
        if fields["disabled"]:
            told["reason"] = fields["disabled"]
    return {"heuristic": heuristic_id, **told}


def fields_of(arguments: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Read arguments back as the fields of a heuristic.

    Raises:
        BadInput: they change nothing, or the words are blank.
    """
    fields = dict(arguments)
    reason = fields.pop("reason", None) or _PUT_OUT_OF_USE
    if "in_use" in fields:
        fields["disabled"] = None if fields.pop("in_use") else reason
    if not fields:
        raise BadInput("say what to change: words, bounds, weight, locked or in use")
    if not str(fields.get("says", "-")).strip():
        raise BadInput("a heuristic needs words; to silence it, put it out of use")
    return fields


def own_pack(heuristics: SqlHeuristics, rules: ChangesTuning) -> Pack:
    """Build the service's own pack on the heuristics of a deployment."""

    async def preview(context: HandlerContext, *, heuristic: str, **given: Any) -> Preview:
        known = (await heuristics.get(heuristic, context.tenant_id)).heuristic
        return _preview(known, changed_as(known, fields_of(given)))

    def change(
        context: HandlerContext, connection: Connection, *, heuristic: str, **given: Any
    ) -> ActionResult:
        known, after = heuristics.put_changed(
            connection, heuristic, context.tenant_id, fields_of(given)
        )
        changes = _preview(known, after).changes
        return ActionResult(
            text=f"The heuristic {heuristic} is changed; it counts for the next event.",
            changed=tuple(f"{one.target}, {one.field}: {one.after}" for one in changes),
        )

    functions: Mapping[str, Callable[..., Any]] = {
        "heuristics:preview": preview,
        "heuristics:change": change,
    }
    return replace(own_actions(rules), functions=functions)


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


async def heed(heuristics: SqlHeuristics, done: LedgerAction) -> None:
    """Let a change that has just been committed count for the next event."""
    if done.action == CHANGE_HEURISTIC:
        await heuristics.reload(done.arguments["heuristic"], done.tenant_id)


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
            before=_told(before[name]),
            after=_told(value),
        )
        for name, value in then.items()
        if value != before[name]
    )
    if not changes:
        raise BadInput(f"{known.heuristic_id} is so already; nothing would change")
    origin = "its pack ships it" if known.origin == "pack" else "it was learned"
    return Preview(
        facts=(
            Fact(label="when", value=known.condition),
            Fact(label="it says", value=known.says or f"proposes {known.action}"),
            Fact(label="origin", value=f"{origin}{', and it is locked' * known.locked}"),
        ),
        changes=changes,
        versions={known.heuristic_id: hashlib.sha256(sorted_json(before)).hexdigest()},
    )


def _told(value: object) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return None if value is None else str(value)
