"""Stored pins of MCP tools, and a person's approval of a tool that changed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

import structlog
from sqlalchemy import Connection, RowMapping, insert, select, update

from state.errors import Conflict, Forbidden, NotFound
from state.principal import Principal
from state.tool_pin import PinnedTool, ToolAcceptance
from tools.adapters.mcp.tool_actions import name_of_action
from tools.adapters.mcp.tool_pins import DescribedTool, Pin, differences
from tools.catalog import Pack, ToolKey
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.ledger import mcp_tool_acceptance, mcp_tool_pin

log = structlog.get_logger()


@dataclass(frozen=True)
class SqlToolPins:
    """Pins in the tables of this deployment; packs and their servers are no tenant's own."""

    database: Database

    async def sight(
        self, pack: str, server: str, tools: Sequence[DescribedTool]
    ) -> Mapping[str, Pin]:
        """Pin the tools that are new and note which differ; return every tool's pin by name.

        A tool that is gone keeps its pin.

        Raises:
            Busy: the database is held.
        """

        def work(connection: Connection) -> Mapping[str, Pin]:
            return _sighted(connection, self.database, ToolKey(pack, server, ""), tools)

        return await self.database.write(work, durable=True)

    async def list(self, packs: Sequence[Pack]) -> list[PinnedTool]:
        """List every pin, changed ones first; roles are those of the packs that are loaded."""

        def work(connection: Connection) -> list[PinnedTool]:
            rows = connection.execute(select(mcp_tool_pin)).mappings()
            return [_shown(row, packs) for row in rows]

        found = await self.database.read(work)
        return sorted(found, key=lambda one: (one.standing == "pinned", one.id))

    async def find(self, tool_id: str, packs: Sequence[Pack]) -> PinnedTool:
        """Read one pin. Raises NotFound: there is none of that id."""
        row = await self.database.read(lambda connection: _row(connection, tool_id))
        return _shown(row, packs)

    async def accept(
        self, given: ToolAcceptance, principal: Principal, packs: Sequence[Pack]
    ) -> PinnedTool:
        """Pin a tool as its server describes it now; the acceptance is kept for good.

        It takes effect at the next start: only then is an action made of the new description.

        Raises:
            NotFound: no such tool, or its server stands in no loaded pack.
            Forbidden: not a person who may approve what the tool does.
            Conflict: it has not changed, or is by now another than the one that was read.
        """

        def work(connection: Connection) -> PinnedTool:
            row = _row(connection, given.id)
            _demand_approver(_shown(row, packs), ToolKey.of(given.id), principal, packs)
            if row["seen_sha256"] is None:
                raise Conflict(t("gate.pin_same", id=given.id), "pinned")
            if row["seen_sha256"] != given.sha256:
                raise Conflict(t("gate.pin_changed_again", id=given.id), "changed")
            _accept(connection, self.database, row, principal)
            return _shown(_row(connection, given.id), packs)

        accepted = await self.database.write(work, durable=True)
        log.warning("mcp_tool_accepted", tool=given.id, by=principal.user, sha256=given.sha256)
        return accepted


@dataclass(frozen=True)
class KnownPins:
    """Pins that were read once: what is new counts as pinned, and nothing is written."""

    pins: Mapping[ToolKey, Pin]

    async def sight(
        self, pack: str, server: str, tools: Sequence[DescribedTool]
    ) -> Mapping[str, Pin]:
        """Return every tool's pin by name."""
        as_it_is = {tool.name: Pin(tool.pin_sha256, tool) for tool in tools}
        return {
            name: self.pins.get(ToolKey(pack, server, name), pin) for name, pin in as_it_is.items()
        }


def read_pins(connection: Connection) -> Mapping[ToolKey, Pin]:
    """Read every pin."""
    return {
        ToolKey(row["pack"], row["server"], row["tool"]): _pin(row)
        for row in connection.execute(select(mcp_tool_pin)).mappings()
    }


def _sighted(
    connection: Connection, database: Database, of: ToolKey, tools: Sequence[DescribedTool]
) -> Mapping[str, Pin]:
    table = mcp_tool_pin
    is_theirs = (table.c.pack == of.pack) & (table.c.server == of.server)
    known = {
        row["tool"]: row
        for row in connection.execute(select(table).where(is_theirs)).mappings().all()
    }
    pins = {name: _pin(row) for name, row in known.items()}
    for tool in tools:
        row, sha256 = known.get(tool.name), tool.pin_sha256
        if row is None and tool.name not in pins:
            pins[tool.name] = Pin(sha256, tool)
            connection.execute(
                insert(table).values(
                    pack=of.pack,
                    server=of.server,
                    tool=tool.name,
                    sha256=sha256,
                    described=asdict(tool),
                    pinned_at=database.now(),
                )
            )
            continue
        differs = sha256 != pins[tool.name].sha256
        seen = sha256 if differs else None
        if row is not None and row["seen_sha256"] == seen:
            continue
        if differs:
            named = of._replace(tool=tool.name).id
            log.warning("mcp_tool_changed", tool=named, pinned=pins[tool.name].sha256, seen=sha256)
        connection.execute(
            update(table)
            .where(is_theirs, table.c.tool == tool.name)
            .values(
                seen_sha256=seen,
                seen=asdict(tool) if differs else None,
                seen_at=database.now() if differs else None,
            )
        )
    return pins


def _accept(
    connection: Connection, database: Database, row: RowMapping, principal: Principal
) -> None:
    key = {name: row[name] for name in ("pack", "server", "tool")}
    connection.execute(
        insert(mcp_tool_acceptance).values(
            **key,
            before_sha256=row["sha256"],
            after_sha256=row["seen_sha256"],
            before=row["described"],
            after=row["seen"],
            tenant_id=principal.tenant_id,
            accepted_by=principal.user,
            accepted_at=database.now(),
        )
    )
    connection.execute(
        update(mcp_tool_pin)
        .where(*(mcp_tool_pin.c[name] == value for name, value in key.items()))
        .values(
            sha256=row["seen_sha256"],
            described=row["seen"],
            pinned_at=database.now(),
            accepted_by=principal.user,
            seen_sha256=None,
            seen=None,
            seen_at=None,
        )
    )


def _row(connection: Connection, tool_id: str) -> RowMapping:
    pack, server, tool = ToolKey.of(tool_id)
    table = mcp_tool_pin
    query = select(table).where(
        table.c.pack == pack, table.c.server == server, table.c.tool == tool
    )
    row = connection.execute(query).mappings().first()
    if row is None:
        raise NotFound("tool", tool_id)
    return row


def _pin(row: RowMapping) -> Pin:
    return Pin(row["sha256"], DescribedTool(**row["described"]))


def _roles(key: ToolKey, packs: Sequence[Pack]) -> tuple[str, ...] | None:
    """Name the roles that may say yes to what a tool does; None: its pack is not loaded."""
    for pack in packs:
        if pack.name == key.pack and key.server in pack.mcp:
            server = pack.mcp[key.server]
            rule = server.tools.get(key.tool)
            return server.approvers.roles or (rule.roles if rule else ()) or server.roles
    return None


def _demand_approver(
    shown: PinnedTool, key: ToolKey, principal: Principal, packs: Sequence[Pack]
) -> None:
    if _roles(key, packs) is None:
        raise NotFound("tool", shown.id)
    if principal.kind != "person":
        raise Forbidden(t("gate.only_people_accept_tools"))
    if "approve" not in principal.scopes:
        raise Forbidden(t("gate.key_cannot_answer"))
    if not principal.has_any(shown.approver_roles):
        raise Forbidden(t("gate.needs_role", approver_roles=", ".join(shown.approver_roles)))


def _shown(row: RowMapping, packs: Sequence[Pack]) -> PinnedTool:
    key = ToolKey(row["pack"], row["server"], row["tool"])
    roles = _roles(key, packs)
    seen = row["seen"]
    return PinnedTool(
        id=key.id,
        action=None if roles is None else name_of_action(key.server, key.tool),
        standing="pinned" if seen is None else "changed",
        sha256=row["sha256"],
        pinned_at=datetime.fromtimestamp(row["pinned_at"], UTC),
        accepted_by=row["accepted_by"],
        seen_sha256=row["seen_sha256"],
        seen_at=None if seen is None else datetime.fromtimestamp(row["seen_at"], UTC),
        changes=() if seen is None else differences(_pin(row).tool, DescribedTool(**seen)),
        approver_roles=roles or (),
    )
