"""Offers: chips shown to a person, the one choice made on them, and what a choice requests."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert

from state.action import DECLARED
from state.errors import Conflict, Forbidden, NotFound
from state.event import Event
from state.offer import Chip, ExplicitRequest, Offer, whole_choice
from state.principal import Principal
from state.reader import Reader, reader_of
from tools.platform.texts import t
from tools.storage.database import Database
from tools.storage.decision_rows import accept_event
from tools.storage.query_filters import KeysetPage, readable_in
from tools.storage.tables.decisions import api_key, decision, offer
from tools.storage.tables.decisions import offer as table
from tools.storage.tables.ledger import ledger_action
from tools.storage.undo_rows import mark_undo

_CHIP = select(offer).where(offer.c.chosen_decision_id == bindparam("wanted"))
_UNDO = select(ledger_action.c.action_id, ledger_action.c.undo_by, ledger_action.c.undo_arguments)
_UNDO = _UNDO.where(ledger_action.c.undo_decision_id == bindparam("wanted"))


def find_request(connection: Connection, decision_id: str) -> ExplicitRequest | None:
    """Read the click that a decision stands for; None: nobody chose anything."""
    row = connection.execute(_CHIP, {"wanted": decision_id}).first()
    if row is not None:
        chips = Offer.model_validate(row.body).chips
        chip = next(chip for chip in chips if chip.chip_id == row.chosen)
        return ExplicitRequest(
            action=chip.action,
            arguments=row.chosen_arguments,
            chosen_by=row.chosen_by,
            offer_id=row.offer_id,
            chip_id=chip.chip_id,
            undo_of=chip.undo_of,
        )
    taken_back = connection.execute(_UNDO, {"wanted": decision_id}).first()
    if taken_back is None:
        return None
    return ExplicitRequest(
        action=taken_back.undo_arguments["action"],
        arguments=taken_back.undo_arguments["arguments"],
        chosen_by=taken_back.undo_by,
        undo_of=taken_back.action_id,
    )


def read_offer(connection: Connection, offer_id: str, tenant_id: str) -> Offer:
    """Read one offer.

    Raises:
        NotFound: none in this tenant.
    """
    query = select(table).where(table.c.offer_id == offer_id, table.c.tenant_id == tenant_id)
    row = connection.execute(query).first()
    if row is None:
        raise NotFound("offer", offer_id)
    return to_offer(row)


def to_offer(row: Row[Any]) -> Offer:
    """Turn a row into the noun."""
    return Offer.model_validate(row.body).model_copy(
        update={
            "expires_at": datetime.fromtimestamp(row.expires_at, UTC),
            "chosen": row.chosen,
            "chosen_by": row.chosen_by,
        }
    )


def is_open(database: Database, offer_id: str) -> tuple[ColumnElement[bool], ...]:
    """Build the conditions that an offer is neither chosen nor over."""
    return (
        table.c.offer_id == offer_id,
        table.c.chosen.is_(None),
        table.c.expires_at > database.now(),
    )


def claim_chip(
    connection: Connection,
    database: Database,
    shown: Offer,
    chip: Chip,
    arguments: Mapping[str, Any],  # by slot type
    *,
    by: str,
    decision_id: str,
) -> bool:
    """Write down whose choice a chip is and which decision follows; False: it is open no more.

    Raises:
        NotFound, Conflict: it takes back what cannot be taken back, see mark_undo.
    """
    taken = connection.execute(
        update(table)
        .where(*is_open(database, shown.offer_id))
        .values(
            chosen=chip.chip_id,
            chosen_by=by,
            chosen_at=database.now(),
            chosen_arguments=dict(arguments),
            chosen_decision_id=decision_id,
        )
    )
    if taken.rowcount == 0:
        return False
    if chip.undo_of is not None:
        mark_undo(
            connection,
            database,
            action_id=chip.undo_of,
            tenant_id=shown.tenant_id,
            user=by,
            decision_id=decision_id,
            action=chip.action,
            arguments=chip.arguments,
        )
    return True


def end_offer(
    connection: Connection, database: Database, shown: Offer, *, ended_by: str | None = None
) -> bool:
    """Let an offer run out now; False: it was over, or chosen.

    Args:
        ended_by: kept in the place of who chose.
    """
    ended = connection.execute(
        update(table)
        .where(*is_open(database, shown.offer_id))
        .values(expires_at=database.now(), chosen_by=ended_by)
    )
    return ended.rowcount == 1


def is_offer_open(connection: Connection, database: Database, shown: Offer) -> bool:
    """Tell whether a chip of it can be chosen now."""
    query = select(table.c.offer_id).where(*is_open(database, shown.offer_id))
    return connection.execute(query).first() is not None


@dataclass(frozen=True)
class SqlOffers:
    """Offers in our tables."""

    database: Database

    async def put(self, offer: Offer, *, minutes: float, call: Event | None = None) -> Offer:
        """Show an offer for some minutes of the database's clock; a second one is the first.

        Args:
            call: the agent's call it is of: where the same call of the same asker waits for a
                choice already, that offer is given back.
        """

        def work(connection: Connection) -> Offer:
            same = None if call is None else _same_call(connection, self.database, offer, call)
            if same is not None:
                return same
            statement = insert(table).values(
                offer_id=offer.offer_id,
                decision_id=offer.decision_id,
                tenant_id=offer.tenant_id,
                session_id=offer.session_id,
                body=offer.model_dump(mode="json"),
                expires_at=self.database.now() + minutes * 60,
            )
            connection.execute(statement.on_conflict_do_nothing())
            return read_offer(connection, offer.offer_id, offer.tenant_id)

        return await self.database.write(work)

    async def asker_of(self, event: Event) -> str | None:
        """Name the person who asked in an event; None: it happened, or a program asked.

        A service names whom it speaks for: a person only when somebody holds a key of that name.
        """
        if not event.is_addressed or event.user is None or not event.relayed:
            return event.user if event.is_addressed else None
        keys = api_key.c
        query = select(keys.key_id).where(
            keys.tenant_id == event.tenant_id, keys.user == event.user, keys.kind == "person"
        )
        is_person = await self.database.read(
            lambda connection: connection.execute(query.limit(1)).first() is not None
        )
        return event.user if is_person else None

    async def get(self, offer_id: str, whose: Reader | str) -> Offer:
        """Read one offer.

        Raises:
            NotFound: none in this tenant, or it is closed to the reader.
        """
        reader = reader_of(whose)
        found = await self.database.read(
            lambda connection: read_offer(connection, offer_id, reader.tenant_id)
        )
        if not reader.may_read(found.session_id):
            raise NotFound("offer", offer_id)
        return found

    async def list(
        self,
        whose: Reader | str,
        *,
        open_only: bool = True,
        limit: int = 200,
        after: str | None = None,
    ) -> list[Offer]:
        """List a tenant's offers, newest first; open: not chosen and not expired.

        Raises:
            BadInput: the tenant has no offer `after`, the last one of the page before.
        """
        is_ours = readable_in(table, reader_of(whose))
        paging = KeysetPage(is_ours, (table.c.expires_at, table.c.offer_id), descending=True)
        query = select(table)
        if open_only:
            query = query.where(table.c.chosen.is_(None), table.c.expires_at > self.database.now())

        def work(connection: Connection) -> list[Offer]:
            page = paging.page(connection, query, limit=limit, after=after)
            return [to_offer(row) for row in connection.execute(page)]

        return await self.database.read(work)

    async def count(self, reader: Reader) -> int:
        """Count the offers that a reader may see and that can be chosen now."""
        is_open = (table.c.chosen.is_(None), table.c.expires_at > self.database.now())
        query = select(func.count()).select_from(table).where(readable_in(table, reader), *is_open)
        return await self.database.read(lambda connection: connection.execute(query).scalar_one())

    async def choose(
        self,
        offer_id: str,
        chip_id: str,
        principal: Principal,
        arguments: Mapping[str, Any],
        *,
        event_id: str | None = None,
    ) -> Event:
        """Write down a person's click and accept the event it is, in one durable transaction.

        Args:
            arguments: slots the chip still lacks; they never replace what the chip shows.
            event_id: of the click when it is played again; None: one that nobody can guess.

        Raises:
            Forbidden: not a person, or not the one whom it was shown to.
            NotFound: no such offer in the tenant, or no such chip on it.
            Conflict: chosen already, or expired.
            InvalidArguments: they say something else than the chip shows; the chip stays.
        """
        _demand_person(principal)

        def work(connection: Connection) -> Event:
            shown = read_offer(connection, offer_id, principal.tenant_id)
            chip = next((chip for chip in shown.chips if chip.chip_id == chip_id), None)
            if chip is None:
                raise NotFound("chip", chip_id)
            if shown.shown_to not in (None, principal.user):
                raise Forbidden(t("gate.chip_of_other"))
            event = _choice(shown, chip, principal, event_id)
            whole = whole_choice(chip, arguments)
            if not claim_chip(
                connection,
                self.database,
                shown,
                chip,
                whole,
                by=principal.user,
                decision_id=event.decision_id,
            ):
                standing = "chosen" if shown.chosen else "expired"
                raise Conflict(t("gate.offer_over", standing=standing), standing)
            accept_event(connection, event, self.database)
            return event

        return await self.database.write(work, durable=True)

    async def press(self, chip: Chip, principal: Principal, session_id: str) -> Event:
        """Write down what a person asks for with every argument, and accept the event it is.

        It is explicit as a click is: an offer of this one chip, chosen by who asks.

        Raises:
            Forbidden: not a person; nothing is written down.
        """
        _demand_person(principal)
        asked = f"asked-{secrets.token_hex(16)}"
        shown = Offer(
            offer_id=asked,
            decision_id=asked,  # none showed it
            tenant_id=principal.tenant_id,
            session_id=session_id,
            chips=(chip,),
            reason="asked_for",
            shown_to=principal.user,
        )
        await self.put(shown, minutes=1.0)
        return await self.choose(asked, chip.chip_id, principal, {})

    async def request(self, decision_id: str) -> ExplicitRequest | None:
        """Read what a choice event stands for; None: nobody chose anything."""
        return await self.database.read(lambda connection: find_request(connection, decision_id))


def _same_call(connection: Connection, database: Database, new: Offer, call: Event) -> Offer | None:
    """Find the offer of exactly this call of the same asker that is open, or led to a permit."""
    query = (
        select(table, decision.c.event.label("event"))
        .join(decision, decision.c.decision_id == table.c.decision_id)
        .where(
            table.c.tenant_id == new.tenant_id,
            table.c.decision_id != new.decision_id,
            or_(
                table.c.chosen.is_(None) & (table.c.expires_at > database.now()),
                # Chosen, and its agent may run it still.
                select(ledger_action.c.action_id)
                .where(
                    ledger_action.c.decision_id == table.c.chosen_decision_id,
                    ledger_action.c.pack == DECLARED,
                    ledger_action.c.state == "approved",
                    ledger_action.c.expires_at > database.now(),
                )
                .exists(),
            ),
            decision.c.kind == "proposal",
            decision.c.event["call"]["action"].as_string() == new.chips[0].action,
        )
        .order_by(table.c.expires_at)
    )
    wanted = (call.user, call.sender, call.call is not None and call.call.tainted)
    for row in connection.execute(query):
        shown, asked = to_offer(row), Event.model_validate(row.event)
        is_same = dict(shown.chips[0].arguments) == dict(new.chips[0].arguments)
        tainted = asked.call is not None and asked.call.tainted
        if is_same and (asked.user, asked.sender, tainted) == wanted:
            return shown
    return None


def _demand_person(principal: Principal) -> None:
    if principal.kind != "person":
        raise Forbidden(t("gate.only_people_choose"))


def _choice(shown: Offer, chip: Chip, principal: Principal, event_id: str | None) -> Event:
    return Event(
        # Not to be guessed: an event that came before the click would be taken for it.
        event_id=event_id or f"choice-{shown.offer_id}-{secrets.token_hex(8)}",
        kind="choice",
        source="offers",
        text=chip.summary,
        session_id=shown.session_id,
        tenant_id=shown.tenant_id,
        user=principal.user,
        role=",".join(principal.roles) or None,
        payload={"offer_id": shown.offer_id, "chip_id": chip.chip_id},
    )
