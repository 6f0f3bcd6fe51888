"""Which decision replaces which: said by a person, or proposed by rules and then accepted."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.journal import Decision, DecisionLink, DecisionStatus, Scope
from state.principal import Principal
from state.reader import Reader
from tools.journal.chains.circles import why_not
from tools.journal.chains.link_lists import Links
from tools.journal.chains.replacing import Replaces
from tools.journal.events import link_refused, superseded
from tools.journal.keeping.link_rows import (
    Settled,
    link_between,
    link_row,
    own_status,
    put_link,
    read_link,
    restate_linked,
    restate_parted,
    said_in,
)
from tools.journal.keeping.rows import kept_decision
from tools.journal.keeping.seen import hidden_among, seen_links
from tools.storage.tables.journal import journal_entry
from tools.storage.tables.journal import journal_link as table
from tools.webhooks.outbox import Outbox

LONGEST_REASON = 2_000


@dataclass(frozen=True)
class Found:
    """What rules found two decisions to be to each other."""

    newer: Decision
    older: Decision
    replaces: Replaces


@dataclass(frozen=True)
class Succession(Links):
    """Links decisions of one tenant; every change restates both ends in the same transaction."""

    outbox: Outbox | None = None
    """What other services are told of links that hold; None: nothing."""

    async def link(
        self,
        newer: str,
        older: str,
        principal: Principal,
        *,
        reader: Reader,
        reason: str,
        scope: Scope = "full",
    ) -> DecisionLink:
        """Say that one decision replaces another, or revises it in part.

        Raises:
            Forbidden: not a person.
            BadInput: they are the same, or the reason is too long.
            NotFound: no such decision that this reader may see.
            Conflict: it would go in a circle, the newer one is not in force, or the older one
                is a change that was made.
        """
        _demand_person(principal)
        if newer == older:
            raise BadInput(f"{newer} cannot replace itself")
        if len(reason) > LONGEST_REASON:
            raise BadInput(f"a reason takes at most {LONGEST_REASON} characters")

        def work(connection: Connection) -> DecisionLink:
            _demand_seen(connection, (newer, older), reader)
            row = _row(principal.tenant_id, newer, older, scope, reason)
            row |= {"source": "person", "confidence": 1.0, "made_by": principal.user}
            known = link_between(connection, principal.tenant_id, newer, older)
            if known is not None and (known.standing, known.scope) == ("accepted", scope):
                return known
            return self._accept(connection, principal.tenant_id, row, principal.user)

        return await self.database.write(work)

    async def suggest(
        self, found: Sequence[Found], tenant_id: str, compared: Sequence[int] = ()
    ) -> list[DecisionLink]:
        """Keep what rules found, accepted where they are sure; a pair is suggested once.

        Args:
            compared: entries that need not be held against earlier ones again after this.
        """

        def work(connection: Connection) -> list[DecisionLink]:
            made = [self._suggested(connection, one, tenant_id) for one in found]
            done = journal_entry.c.entry_id.in_(compared)
            connection.execute(update(journal_entry).where(done).values(is_compared=True))
            return [one for one in made if one is not None]

        return await self.database.write(work) if found or compared else []

    async def settle(
        self, link_id: int, principal: Principal, *, reader: Reader, accept: bool
    ) -> Settled:
        """Accept or refuse a link; refusing one that was accepted takes it back.

        Returns:
            How it stands now, and how it stood; the same where nothing was left to settle.

        Raises:
            Forbidden: not a person.
            NotFound: no such link that this reader may see.
            Conflict: it would go in a circle, the newer one is not in force, or the older one
                is a change that was made.
        """
        _demand_person(principal)

        def work(connection: Connection) -> Settled:
            row = link_row(connection, link_id, principal.tenant_id)
            known = read_link(row)
            if not seen_links(connection, [known], reader):
                raise NotFound("link", str(link_id))
            if known.standing == ("accepted" if accept else "refused"):
                return Settled(known, known.standing)
            if not accept:
                return Settled(self._refuse(connection, principal, known), known.standing)
            fields = {str(key): row[key] for key in row if key != "link_id"}
            link = self._accept(connection, principal.tenant_id, fields, principal.user)
            return Settled(link, known.standing)

        return await self.database.write(work)

    def _suggested(
        self, connection: Connection, found: Found, tenant_id: str
    ) -> DecisionLink | None:
        newer, older, how = found.newer, found.older, found.replaces
        if link_between(connection, tenant_id, newer.id, older.id) is not None:
            return None
        row = _row(tenant_id, newer.id, older.id, how.scope, how.reason)
        row |= {"source": "rules", "confidence": how.confidence, "made_by": None}
        if how.is_sure and not why_not(connection, tenant_id, newer.id, older.id):
            return self._accept(connection, tenant_id, row, None)
        return put_link(connection, self.database.now(), row | {"standing": "proposed"})

    def _accept(
        self,
        connection: Connection,
        tenant_id: str,
        row: dict[str, object],
        settled_by: str | None,
    ) -> DecisionLink:
        newer, older = str(row["newer"]), str(row["older"])
        for end in (newer, older):
            if kept_decision(connection, end, tenant_id) is None:
                raise NotFound("decision", end)
        if reason := why_not(connection, tenant_id, newer, older):
            raise Conflict(reason, "refused")
        before = kept_decision(connection, older, tenant_id)
        if before and before.origin == "action":
            # It would read as taken back, which nobody did: the ledger knows of no undo.
            told = f"{older} is a change that was made; its undo alone replaces it"
            raise Conflict(told, "refused")
        known = link_between(connection, tenant_id, newer, older)
        if known is not None and known.standing == "accepted":  # it is of another scope from now on
            self._part(connection, tenant_id, known, settled_by)
        settled: dict[str, object] = {"standing": "accepted", "settled_by": settled_by}
        settled |= {"older_was": own_status(connection, tenant_id, older)}
        settled |= {"settled_at": self.database.now()}
        link = put_link(connection, self.database.now(), row | settled)
        restate_linked(connection, tenant_id, link)
        if self.outbox:
            event, where = superseded(link), said_in(connection, tenant_id, link)
            self.outbox.note(connection, event.kind, tenant_id, event.data, where)
        return link

    def _refuse(
        self, connection: Connection, principal: Principal, known: DecisionLink
    ) -> DecisionLink:
        self._part(connection, principal.tenant_id, known, principal.user)
        link = read_link(link_row(connection, known.link_id, principal.tenant_id))
        if self.outbox:
            event = link_refused(link, held=known.standing == "accepted")
            where = said_in(connection, principal.tenant_id, link)
            self.outbox.note(connection, event.kind, principal.tenant_id, event.data, where)
        return link

    def _part(
        self, connection: Connection, tenant_id: str, known: DecisionLink, settled_by: str | None
    ) -> None:
        is_it = table.c.link_id == known.link_id
        was = connection.scalar(select(table.c.older_was).where(is_it))
        settled = {"settled_by": settled_by, "settled_at": self.database.now()}
        connection.execute(update(table).where(is_it).values(standing="refused", **settled))
        if known.standing == "accepted":
            status = DecisionStatus(was or DecisionStatus.ACTIVE.value)
            restate_parted(connection, tenant_id, known, status)


def _demand_person(principal: Principal) -> None:
    if principal.kind != "person":
        raise Forbidden("only a person says which decision replaces which")


def _demand_seen(connection: Connection, ids: Sequence[str], reader: Reader) -> None:
    hidden = hidden_among(connection, ids, reader)
    for one in ids:
        if one in hidden:
            raise NotFound("decision", one)


def _row(tenant_id: str, newer: str, older: str, scope: Scope, reason: str) -> dict[str, object]:
    return {
        "tenant_id": tenant_id,
        "newer": newer,
        "older": older,
        "scope": scope,
        "reason": reason,
    }
