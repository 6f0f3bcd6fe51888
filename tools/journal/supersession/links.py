"""Propose, accept, reject and list links between decisions.

Proposals come from earlier decisions near a new one. A link that would close a circle, or
replace a decision that is not in force, is refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from sqlalchemy import Connection, select, update

from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.journal import Decision, DecisionLink, DecisionStatus, LinkStanding, Scope
from state.principal import Principal
from state.reader import Reader, whole
from tools.access import SessionReaders
from tools.journal.events import link_refused, superseded
from tools.journal.records.references import record_number
from tools.journal.records.writer import status_words
from tools.journal.search.search import JournalSearch
from tools.journal.store.entry_rows import read_decision
from tools.journal.store.link_rows import (
    JudgedLink,
    hidden_ids,
    is_link_visible,
    link_between,
    link_row,
    link_sessions,
    links_of,
    own_status,
    put_link,
    read_link,
    update_linked_status,
    update_unlinked_status,
    visible_links,
)
from tools.journal.supersession.rules import Replacement, judge_replacement
from tools.notifications import Outbox
from tools.storage import Database
from tools.storage.tables.journal import journal_entry
from tools.storage.tables.journal import journal_link as table

_NOT_IN_FORCE = (DecisionStatus.PROPOSED, DecisionStatus.REJECTED, DecisionStatus.UNKNOWN)


def refusal_reason(connection: Connection, tenant_id: str, newer: str, older: str) -> str:
    """Say why a decision cannot replace another; empty: it can."""
    replacing = read_decision(connection, newer, tenant_id)
    if replacing is not None and replacing.status in _NOT_IN_FORCE:
        return f"{newer} is {status_words(replacing)}: only a decision in force replaces another"
    reached: set[str] = set()
    waiting = {older}
    while waiting:
        if newer in waiting:
            return f"{older} came after {newer} already: a chain goes one way"
        reached |= waiting
        waiting = _olders(connection, tenant_id, waiting) - reached
    return ""


def _olders(connection: Connection, tenant_id: str, ids: set[str]) -> set[str]:
    linked = {one.older for one in links_of(connection, tenant_id, ids) if one.newer in ids}
    known = (read_decision(connection, one, tenant_id) for one in ids)
    return linked | {one.supersedes for one in known if one is not None and one.supersedes}


MOST_LISTED = 500


@dataclass(frozen=True)
class LinkLists:
    """Read the links of decisions; `SupersessionLinks` changes them."""

    database: Database

    async def of(self, decision_id: str, reader: Reader) -> list[DecisionLink]:
        """List every link of a decision, oldest first, those that were refused among them."""

        def work(connection: Connection) -> list[DecisionLink]:
            found = links_of(connection, reader.tenant_id, (decision_id,), standing=None)
            return visible_links(connection, found, reader)

        return await self.database.read(work)

    async def holding(
        self, since: datetime, *, after: int = 0, limit: int = MOST_LISTED
    ) -> list[tuple[str, DecisionLink]]:
        """List accepted links of every tenant that were settled since a time, with the tenant.

        Args:
            after: the last link of the page before; links come by their number.
        """
        query = (
            select(table)
            .where(
                table.c.standing == "accepted",
                table.c.settled_at >= since.timestamp(),
                table.c.link_id > after,
            )
            .order_by(table.c.link_id)
            .limit(limit)
        )
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return [(row["tenant_id"], read_link(row)) for row in rows]

    async def list(
        self,
        reader: Reader,
        *,
        standing: LinkStanding | None = None,
        limit: int = MOST_LISTED,
        before: int | None = None,
    ) -> list[DecisionLink]:
        """List links, newest first; those made before the link of that number."""
        query = select(table).where(is_link_visible(reader))
        if before is not None:
            query = query.where(table.c.link_id < before)
        if standing is not None:
            query = query.where(table.c.standing == standing)
        query = query.order_by(table.c.link_id.desc()).limit(limit)
        rows = await self.database.read(lambda one: one.execute(query).mappings().all())
        return [read_link(row) for row in rows]


LONGEST_REASON = 2_000


@dataclass(frozen=True)
class FoundRelation:
    """What rules found two decisions to be to each other."""

    newer: Decision
    older: Decision
    replaces: Replacement


@dataclass(frozen=True)
class SupersessionLinks(LinkLists):
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
        self, found: Sequence[FoundRelation], tenant_id: str, compared: Sequence[int] = ()
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
    ) -> JudgedLink:
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

        def work(connection: Connection) -> JudgedLink:
            row = link_row(connection, link_id, principal.tenant_id)
            known = read_link(row)
            if not visible_links(connection, [known], reader):
                raise NotFound("link", str(link_id))
            if known.standing == ("accepted" if accept else "refused"):
                return JudgedLink(known, known.standing)
            if not accept:
                return JudgedLink(self._refuse(connection, principal, known), known.standing)
            fields = {str(key): row[key] for key in row if key != "link_id"}
            link = self._accept(connection, principal.tenant_id, fields, principal.user)
            return JudgedLink(link, known.standing)

        return await self.database.write(work)

    def _suggested(
        self, connection: Connection, found: FoundRelation, tenant_id: str
    ) -> DecisionLink | None:
        newer, older, how = found.newer, found.older, found.replaces
        if link_between(connection, tenant_id, newer.id, older.id) is not None:
            return None
        row = _row(tenant_id, newer.id, older.id, how.scope, how.reason)
        row |= {"source": "rules", "confidence": how.confidence, "made_by": None}
        if how.is_sure and not refusal_reason(connection, tenant_id, newer.id, older.id):
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
            if read_decision(connection, end, tenant_id) is None:
                raise NotFound("decision", end)
        if reason := refusal_reason(connection, tenant_id, newer, older):
            raise Conflict(reason, "refused")
        before = read_decision(connection, older, tenant_id)
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
        update_linked_status(connection, tenant_id, link)
        if self.outbox:
            event, where = superseded(link), link_sessions(connection, tenant_id, link)
            self.outbox.note(connection, event.kind, tenant_id, event.data, where)
        return link

    def _refuse(
        self, connection: Connection, principal: Principal, known: DecisionLink
    ) -> DecisionLink:
        self._part(connection, principal.tenant_id, known, principal.user)
        link = read_link(link_row(connection, known.link_id, principal.tenant_id))
        if self.outbox:
            event = link_refused(link, held=known.standing == "accepted")
            where = link_sessions(connection, principal.tenant_id, link)
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
            update_unlinked_status(connection, tenant_id, known, status)


def _demand_person(principal: Principal) -> None:
    if principal.kind != "person":
        raise Forbidden("only a person says which decision replaces which")


def _demand_seen(connection: Connection, ids: Sequence[str], reader: Reader) -> None:
    hidden = hidden_ids(connection, ids, reader)
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


NEAREST = 5
"""How many earlier decisions a new one is held against."""
_OVER = (DecisionStatus.SUPERSEDED, DecisionStatus.REJECTED)


@dataclass(frozen=True)
class SupersessionFinder:
    """Finds what new decisions replace or revise."""

    search: JournalSearch
    readers: SessionReaders = field(default_factory=SessionReaders)

    async def found(self, fresh: Sequence[Decision], tenant_id: str) -> list[FoundRelation]:
        """Judge each new decision against the nearest ones that were there before it."""
        order = {one.id: place for place, one in enumerate(fresh)}
        found = []
        for newer in fresh:
            if newer.origin == "action" or newer.status in _OVER:
                continue
            near = await self.search.near(newer, whole(tenant_id), limit=NEAREST)
            for hit in near:
                if not _may_follow(newer, hit.decision, order):
                    continue
                # A link shows in how both stand: nobody may learn by it of what is closed to them.
                ends = newer.session_id, hit.decision.session_id
                if not self.readers.are_alike(tenant_id, *ends):
                    continue
                how = judge_replacement(newer, hit.decision, hit.similarity or None)
                if how is not None:
                    found.append(FoundRelation(newer, hit.decision, how))
        return found


def _may_follow(newer: Decision, older: Decision, order: Mapping[str, int]) -> bool:
    """Tell whether one can have come after the other and be about the same things."""
    if older.origin == "action" or older.superseded_by or older.status in _OVER:
        return False
    if older.id in (newer.supersedes, newer.superseded_by) or older.supersedes == newer.id:
        return False
    if "record" in (newer.origin, older.origin) and not _are_beside(newer, older):
        return False
    return _is_before(older, newer, order)


def _are_beside(one: Decision, other: Decision) -> bool:
    """Tell whether two are records of one folder: each team has its own "use Postgres"."""
    if one.origin != other.origin:
        return False
    return PurePosixPath(one.source or "").parent == PurePosixPath(other.source or "").parent


def _is_before(older: Decision, newer: Decision, order: Mapping[str, int]) -> bool:
    numbers = record_number(older), record_number(newer)
    if numbers[0] is not None and numbers[1] is not None and numbers[0] != numbers[1]:
        return numbers[0] < numbers[1]
    if older.timestamp and newer.timestamp and older.timestamp != newer.timestamp:
        return older.timestamp < newer.timestamp
    return order.get(older.id, -1) < order[newer.id]
