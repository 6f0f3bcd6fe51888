"""Export a decision log from a data folder, oldest decision first; the store is only read.

Secret arguments are covered. A service may run on the folder meanwhile.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, RowMapping, select, text

from graph.replay.log_entries import (
    DecisionLog,
    LoggedAction,
    LoggedAnswer,
    LoggedChoice,
    LoggedDecision,
    LoggedInput,
    LogHeader,
    canonical_record,
    digest_of,
)
from graph.settings import Settings
from state.action import Action
from state.release import EXPIRY, FLUSH
from tools.catalog import Catalogue, packs_named
from tools.gate import masked_arguments
from tools.storage import Database
from tools.storage.reminders import SOURCE as OURSELVES
from tools.storage.tables.decisions import decision, offer
from tools.storage.tables.ledger import ledger_action, ledger_entry

DECIDING_SETTINGS = (
    "decision_strategy",
    "heuristic_threshold",
    "policy_first",
    "release_phase",
    "timezone",
    "embedder",
    "model",
    "strong_model",
    "model_phrases",
)
"""Settings that decisions depend on."""
_CLOCK_ENDS = (EXPIRY, FLUSH)

Row = Mapping[str, Any]
"""A row of a table."""


async def export_log(settings: Settings, *, tenant_id: str | None = None) -> DecisionLog:
    """Read everything that is kept, oldest first: a replay must know what came before.

    Raises:
        BadInput: there is no store.
    """
    database = Database(settings.database)
    try:
        return await database.read(lambda connection: _exported(connection, settings, tenant_id))
    finally:
        await database.close()


def _exported(connection: Connection, settings: Settings, tenant_id: str | None) -> DecisionLog:
    query = select(decision).where(decision.c.outcome.is_not(None))
    if tenant_id is not None:
        query = query.where(decision.c.tenant_id == tenant_id)
    query = query.order_by(decision.c.accepted_at, text("decision.rowid"))
    rows = connection.execute(query).mappings().all()
    cover = _Cover(settings)
    actions = {
        row["action_id"]: {**row, "arguments": cover.arguments(row["action"], row["arguments"])}
        for row in _actions(connection, tenant_id)
    }
    clicks = dict(_clicks(connection, actions, cover))
    given = [one for row in rows for one in _given_by(row, clicks)]
    given += _answers(connection, actions)
    decided = sorted(map(_decided, rows), key=lambda one: (one.at, one.decision_id))
    head = LogHeader(
        packs=settings.packs,
        settings={name: getattr(settings, name) for name in DECIDING_SETTINGS},
        policy=settings.policy_file.read_text("utf-8"),
        until=max([one.at for one in given], default=datetime.now(UTC)),
        decisions=len(decided),
        digest=digest_of(decided),
    )
    known = [_known(row, cover) for row in actions.values()]
    return DecisionLog(head, sorted(given, key=lambda one: one.at), known, decided)


def _actions(connection: Connection, tenant_id: str | None) -> Iterator[RowMapping]:
    query = select(ledger_action).order_by(ledger_action.c.proposed_at, text("ledger_action.rowid"))
    if tenant_id is not None:
        query = query.where(ledger_action.c.tenant_id == tenant_id)
    yield from connection.execute(query).mappings()


def _known(row: Row, cover: "_Cover") -> LoggedAction:
    undo = row["undo_arguments"] or {}
    return LoggedAction(
        decision_id=row["decision_id"],
        action=row["action"],
        arguments=row["arguments"],
        state=row["state"],
        preview=row["preview"],
        result=row["result"],
        undo=None if cover.may_be_in_the_way_back(row["action"]) else undo.get("told"),
        reason=row["reason"],
    )


class _Cover:
    """Covers what is secret: an open action's row has it as it was given."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def _actions(self) -> Mapping[str, Action]:
        return Catalogue.of(packs_named(self._settings.packs)).actions

    def arguments(self, action: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Copy arguments with every secret one covered; those of an unknown action as they are."""
        known = self._actions.get(action)
        return given if known is None else masked_arguments(known, given)

    def may_be_in_the_way_back(self, action: str) -> bool:
        """Tell whether what an action told for its way back may hold a secret."""
        known = self._actions.get(action)
        back = None if known is None else self._actions.get(known.undo or "")
        named = [each for each in (known, back) if each is not None]
        return any(slot.secret for each in named for slot in each.slots.values())


def _given_by(row: RowMapping, clicks: Mapping[str, LoggedChoice]) -> Iterator[LoggedInput]:
    """Tell what led to a decision: its event, or the beat of our own clock that began it."""
    arrived, arrival = _arrived(row), (row["stages"] or {}).get("arrival") or {}
    if row["source"] == OURSELVES:
        yield LoggedInput(at=arrived)
    elif not str(row["event_id"]).startswith("respond-"):  # that one is in the answer itself
        is_click = row["event"]["kind"] == "choice"  # a "yes" takes a chip by its own words
        clicked = clicks.get(row["decision_id"]) if is_click else None
        yield LoggedInput(at=arrived, event=row["event"], chosen=clicked)
    if arrival.get("released_by") in _CLOCK_ENDS:
        yield LoggedInput(at=datetime.fromisoformat(arrival["received_at"]))


def _arrived(row: RowMapping) -> datetime:
    """Tell when a decision was first begun; that of a hold was begun when the hold was."""
    arrival = (row["stages"] or {}).get("arrival")
    if not arrival:
        return datetime.fromtimestamp(row["accepted_at"], UTC)
    return datetime.fromisoformat(arrival.get("held_since") or arrival["received_at"])


def _decided(row: RowMapping) -> LoggedDecision:
    classified = (row["stages"] or {}).get("classification") or {}
    return LoggedDecision(
        at=_arrived(row),
        record=canonical_record(row["record"]),
        broken_lookup=classified.get("broken_lookup"),
    )


def _clicks(
    connection: Connection, actions: Mapping[str, Row], cover: "_Cover"
) -> Iterator[tuple[str, LoggedChoice]]:
    for row in connection.execute(select(offer).where(offer.c.chosen.is_not(None))).mappings():
        shown = next(chip for chip in row["body"]["chips"] if chip["chip_id"] == row["chosen"])
        more = {
            name: value
            for name, value in (row["chosen_arguments"] or {}).items()
            if name not in shown["arguments"]
        }
        told = cover.arguments(shown["action"], more)
        chosen = LoggedChoice(offer_id=row["offer_id"], chip_id=row["chosen"], arguments=told)
        yield row["chosen_decision_id"], chosen
    for action in actions.values():
        if action["undo_decision_id"] is not None:
            yield action["undo_decision_id"], LoggedChoice(undo_of=action["decision_id"])


def _answers(connection: Connection, actions: Mapping[str, Row]) -> Iterator[LoggedInput]:
    wanted = ("yes", "rejected", "superseded", "expired")
    query = select(ledger_entry).where(ledger_entry.c.event.in_(wanted))
    for entry in connection.execute(query.order_by(ledger_entry.c.seq)).mappings():
        action = actions.get(entry["action_id"])
        if action is None:
            continue
        at = datetime.fromtimestamp(entry["at"], UTC)
        if entry["event"] == "expired":
            yield LoggedInput(at=at, runs_out=True)
        elif (answered := _answer(entry, action, actions)) is not None:
            yield LoggedInput(at=at, answered=answered)


def _answer(entry: RowMapping, action: Row, actions: Mapping[str, Row]) -> LoggedAnswer | None:
    """Read one answer; None: it went along with another one."""
    method, arguments = entry["body"].get("method"), None
    if entry["event"] == "superseded":
        method, edited = "edit", actions.get(action["replaced_by"])
        arguments = None if edited is None else edited["arguments"]
    elif method == "edit":
        if action["editor"] is not None:
            return None
        method = "approve"
    if method not in ("approve", "reject", "edit", "respond"):
        return None
    return LoggedAnswer(
        decision_id=action["decision_id"],
        user=entry["actor"],
        # The roles they had are not kept; these were enough, or there would be no answer.
        roles=tuple(action["approver_roles"] or action["requester_roles"]),
        decision=method,
        reason=entry["body"].get("reason"),
        arguments=arguments,
    )
