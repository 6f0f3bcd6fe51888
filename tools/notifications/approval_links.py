"""Links to approvals: signed, short-lived, for one person, and good for one answer.

A link is a row; its token names the row and carries an HMAC over all of it under the ledger's key,
so that neither a made-up token nor a row that another hand wrote is one.
"""

import hmac
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, insert, select, update

from state.approval import LedgerAction
from state.channel import ApprovalLink
from state.errors import Conflict, NotFound
from tools.platform.clock import instant_of
from tools.platform.serialization import canonical_json
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.outboxes import approval_link as table

_PURPOSE = "approval-link 1"
"""Signed with it, so that no other seal of the same key can stand for a link's."""
_LONGEST = 200


@dataclass(frozen=True)
class ApprovalLinks:
    """Makes links, and finds what a token stands for."""

    database: Database

    async def make(self, standing: LedgerAction, person: str, minutes: float) -> str:
        """Make a link for one person and return its token; it ends with the approval at the latest.

        Args:
            minutes: its life.
        """
        link_id = secrets.token_urlsafe(16)

        def work(connection: Connection) -> ApprovalLink:
            now = connection.scalar(select(self.database.now())) or 0.0
            ends = now + 60 * minutes
            if standing.expires_at is not None:
                ends = min(ends, standing.expires_at.timestamp())
            row = {
                "link_id": link_id,
                "tenant_id": standing.tenant_id,
                "action_id": standing.action_id,
                "digest": standing.digest,
                "person": person,
                "made_at": now,
                "expires_at": float(int(ends)),  # as it is signed
            }
            connection.execute(insert(table).values(row))
            return _read(connection, link_id)

        link = await self.database.write(work, durable=True)
        return f"{link_id}.{self._seal(link)}"

    async def find(self, token: str) -> ApprovalLink:
        """Find what a token stands for, while it can be used.

        Raises:
            NotFound: it is no token of ours.
            Conflict: it was used, or its time is over; `standing` says which.
        """
        link_id, _dot, seal = token.partition(".")
        if len(token) > _LONGEST or not token.isascii():
            raise NotFound("link", "")

        def work(connection: Connection) -> tuple[ApprovalLink, bool]:
            over = table.c.expires_at <= self.database.now()
            is_over = connection.scalar(select(over).where(table.c.link_id == link_id))
            return _read(connection, link_id), bool(is_over)

        link, is_over = await self.database.read(work)
        if not hmac.compare_digest(seal, self._seal(link)):
            raise NotFound("link", "")
        if link.used_at is not None:
            raise _used(link.used_at)
        if is_over:
            raise Conflict(t("channel.link_expired", at=_until(link.expires_at)), "expired")
        return link

    async def claim(self, link: ApprovalLink) -> None:
        """Use a link up; of two at once the first has it.

        Raises:
            Conflict: somebody was first, or its time is over.
        """
        is_open = (table.c.link_id == link.link_id) & table.c.used_at.is_(None)
        taken = (
            update(table)
            .where(is_open, table.c.expires_at > self.database.now())
            .values(used_at=self.database.now())
        )
        count = await self.database.write(lambda one: one.execute(taken).rowcount, durable=True)
        if count == 0:
            raise _used(None)

    async def release(self, link: ApprovalLink) -> None:
        """Let a link be used after all: the answer lacked something, and nothing came of it."""
        again = update(table).where(table.c.link_id == link.link_id).values(used_at=None)
        await self.database.write(lambda one: one.execute(again).rowcount, durable=True)

    def _seal(self, link: ApprovalLink) -> str:
        signed = {
            "purpose": _PURPOSE,
            **link.model_dump(exclude={"expires_at", "used_at"}),
            "expires_at": int(link.expires_at.timestamp()),
        }
        return self.database.seal.over(canonical_json(signed))


def _read(connection: Connection, link_id: str) -> ApprovalLink:
    row = connection.execute(select(table).where(table.c.link_id == link_id)).mappings().first()
    if row is None:
        raise NotFound("link", "")
    fields = {name: row[name] for name in ApprovalLink.model_fields}
    fields["expires_at"] = datetime.fromtimestamp(row["expires_at"], UTC)
    return ApprovalLink.model_validate(fields | {"used_at": instant_of(row["used_at"])})


def _used(at: datetime | None) -> Conflict:
    return Conflict(t("channel.link_used", at=_until(at) if at else ""), "used")


def _until(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M} UTC"
