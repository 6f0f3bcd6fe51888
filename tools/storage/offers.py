"""Offers: chips shown, and the one click a person may make on them."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from state.errors import Conflict, Forbidden, NotFound
from state.event import Event
from state.offer import Chip, ExplicitRequest, Offer, whole_choice
from state.principal import Principal
from state.reader import Reader, reader_of
from tools.storage.database import Database
from tools.storage.decision_rows import accept_event
from tools.storage.explicit import find_request
from tools.storage.offer_rows import claim_chip, read_offer, to_offer
from tools.storage.paging import Paging
from tools.storage.readable import readable_in
from tools.storage.tables.decisions import api_key
from tools.storage.tables.decisions import offer as table


@dataclass(frozen=True)
class SqlOffers:
    """Offers in our tables."""

    database: Database

    async def put(self, offer: Offer, *, minutes: float) -> Offer:
        """Show an offer for some minutes of the database's clock; a second one is the first."""

        def work(connection: Connection) -> Offer:
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
        paging = Paging(is_ours, (table.c.expires_at, table.c.offer_id), descending=True)
        query = select(table)
        if open_only:
            query = query.where(table.c.chosen.is_(None), table.c.expires_at > self.database.now())

        def work(connection: Connection) -> list[Offer]:
            page = paging.page(connection, query, limit=limit, after=after)
            return [to_offer(row) for row in connection.execute(page)]

        return await self.database.read(work)

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
                raise Forbidden("this was offered to somebody else, who may choose; the chip stays")
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
                raise Conflict(f"offer {offer_id} is {standing}; ask again for new chips", standing)
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


def _demand_person(principal: Principal) -> None:
    if principal.kind != "person":
        raise Forbidden("only a person may choose a chip, never a service")


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
