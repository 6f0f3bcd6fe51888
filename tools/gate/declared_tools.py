"""Tools that agents declare and keep: read strictly, pinned by hash, a person accepts a change."""

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import structlog
from sqlalchemy import Connection, RowMapping, String, cast, delete, func, insert, select, update

from state.action import DECLARED, FLOOR_OF_EFFECT, Action, Approvers, PermitTool
from state.declared_tool import MOST_DECLARED, MOST_DECLARED_CHARACTERS, DeclaredTool
from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.principal import Principal
from state.tool_pin import PinnedTool, ToolAcceptance
from state.tuning import AgentsTuning
from tools.adapters.mcp.tool_actions import is_template, slots_as_named, summary_of
from tools.adapters.mcp.tool_effects import effect_given_away, graver_effect
from tools.adapters.mcp.tool_pins import DescribedTool, differences
from tools.catalog import Catalogue, ToolKey
from tools.platform.serialization import canonical_json
from tools.platform.texts import t
from tools.platform.unicode_safety import looks_of, show_hidden
from tools.storage import Database
from tools.storage.tables.ledger import declared_tool as table
from tools.storage.tables.ledger import mcp_tool_acceptance

log = structlog.get_logger()

Built = tuple[str, str, bool]
"""What an action was made of: its keeper, the sha256 of the declaration, whether it is withheld."""

MOST_UNUSED = 2 * MOST_DECLARED
"""Removed tools of a tenant that nobody used, whose pins are kept."""
MOST_PINNED = 5 * MOST_DECLARED
"""Tools of a tenant with all whose pins are kept."""
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_NOT_CHECKED = frozenset(
    {
        *("$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "const"),
        *("enum", "dependentRequired", "dependentSchemas", "dependencies", "patternProperties"),
        *("propertyNames", "minProperties", "maxProperties", "unevaluatedProperties"),
    }
)
"""What a schema of arguments may not say of them as a whole: we read them one by one."""


def _sha256(tool: DeclaredTool) -> str:
    return hashlib.sha256(canonical_json(tool.model_dump(mode="json"))).hexdigest()


def _counted(tool: DeclaredTool) -> DeclaredTool:
    """Take a tool for as grave as its name and its arguments give away, if that is graver."""
    if FLOOR_OF_EFFECT[tool.effect] == "C":
        return tool
    hints = {"readOnlyHint": tool.effect == "read"}
    guess = effect_given_away(_described(tool, hints), "")
    return tool.model_copy(update={"effect": graver_effect(tool.effect, guess)})


def _to_action(
    tool: DeclaredTool, keeper: str, rules: AgentsTuning, *, withheld: bool = False
) -> Action:
    """Make the action that a declared tool is for the gate.

    Raises:
        BadInput: its schema is not of the kind we can check, or its summary is no template.
    """
    try:
        slots = slots_as_named(_readable(tool.arguments))
    except ValueError as error:
        raise BadInput(t("gate.declared.schema", name=tool.name, error=error)) from error
    if tool.summary is not None and not is_template(tool.summary, slots):
        raise BadInput(t("gate.declared.summary", name=tool.name))
    return Action(
        name=tool.name,
        pack=DECLARED,
        summary=tool.summary or summary_of(tool.name, slots),
        verb="show" if tool.effect == "read" else "update",
        object=tool.name,
        slots=slots,
        effect=tool.effect,
        approvers=Approvers(
            roles=rules.approver_roles, quorum=rules.quorum, expires_minutes=rules.expires_minutes
        ),
        permit=PermitTool(keeper=keeper, sha256=_sha256(tool), withheld=withheld),
    )


def _readable(schema: Mapping[str, Any]) -> Mapping[str, Any]:  # JSON Schema's own values
    if schema.get("type") != "object":
        raise ValueError("it needs `type: object`")
    if schema.get("$schema", _DRAFT).rstrip("#") != _DRAFT:
        raise ValueError("it is not draft 2020-12")
    found = sorted(_NOT_CHECKED & schema.keys())
    if found:
        raise ValueError(f"`{found[0]}` at its top cannot be checked; say it of single arguments")
    return schema


_OURS = ("check_proposal", "withdraw_proposal", "why", "search_decisions", "what_is_waiting")
"""Tools of our MCP server, see api/mcp/tools.py."""


def _looks(name: str) -> set[tuple[int, str]]:
    """Fold a name in each way in which it may pass for another, without prefix and joints."""
    bare = re.sub(r"[^0-9A-Za-z]", "", name.rpartition(".")[2])
    return set(enumerate(looks_of(bare)))


@dataclass(frozen=True)
class StoredTool:
    """A declared tool as the table has it."""

    keeper: str
    pinned: DeclaredTool
    """As it counts; what was seen first or accepted last."""
    seen: DeclaredTool | None
    """What its agent declares instead; None: the same."""
    declared_at: datetime
    accepted_by: str | None

    @property
    def name(self) -> str:
        """Return what it is called."""
        return self.pinned.name

    @property
    def id(self) -> str:
        """Name it as people do who accept its change."""
        return _id(self.keeper, self.name)

    @property
    def sha256(self) -> str:
        """Hash what counts."""
        return _sha256(self.pinned)

    @property
    def seen_sha256(self) -> str | None:
        """Hash what is declared instead; None: it is the same."""
        return None if self.seen is None else _sha256(self.seen)

    @property
    def is_withheld(self) -> bool:
        """Tell whether what is pinned is not what the tool does by now.

        Where only the effect differs, and is no graver, the pinned one is the more careful.
        """
        if self.seen is None:
            return False
        same = self.seen.model_copy(update={"effect": self.pinned.effect}) == self.pinned
        return not same or _floor(self.seen) > _floor(self.pinned)


@dataclass(frozen=True)
class SqlDeclaredTools:
    """Keeps the declarations of every tenant, and lets the catalogue know of them."""

    database: Database
    catalogue: Catalogue
    rules: AgentsTuning
    _changing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held from a write until the catalogue knows of it: written last is published last."""
    _built: dict[str, Mapping[Built, Action]] = field(default_factory=dict, init=False)
    """Tenant → the actions it has, each made once: a large schema takes a second to check."""

    async def load(self) -> None:
        """Let the catalogue know every tool that is declared."""
        tenants = select(table.c.tenant_id).distinct()
        found = await self.database.read(lambda connection: connection.scalars(tenants).all())
        async with self._changing:
            for tenant_id in found:
                await self._publish(tenant_id)

    async def list(self, tenant_id: str) -> Sequence[StoredTool]:
        """List what the agents of a tenant keep, by name."""
        return await self.database.read(lambda connection: _stored(connection, tenant_id))

    async def declare(self, tools: Sequence[DeclaredTool], principal: Principal) -> None:
        """Take what an agent says of its tools, all of it or nothing.

        A new tool counts at once. A change of one that was used, and a lower effect of any, waits
        for a person.

        Raises:
            Forbidden: not an agent's key.
            BadInput: a schema or a summary cannot be used, one name twice, too many tools, or too
                much to say of them.
            Conflict: a pack or another agent has the name.
        """
        if principal.kind != "service":
            raise Forbidden(t("gate.declared.only_agents"))
        names = [tool.name for tool in tools]
        if len(set(names)) < len(names):
            raise BadInput(t("gate.declared.twice"))
        taken = {look for each in (*self.catalogue.actions, *_OURS) for look in _looks(each)}
        for tool in tools:
            if not taken.isdisjoint(_looks(tool.name)):
                raise Conflict(t("gate.declared.taken", name=tool.name), "taken")
        built = await asyncio.to_thread(self._build, tools, principal)

        def work(connection: Connection) -> None:
            for tool in tools:
                _declare(connection, self.database, tool, principal)
            _demand_room(connection, principal.tenant_id)

        async with self._changing:
            await self.database.write(work, durable=True)
            await self._publish(principal.tenant_id, built)

    async def remove(self, name: str, principal: Principal) -> None:
        """Let a tool be proposed no more; what it was pinned as stays known.

        Of those that nobody ever used or accepted, the ones removed longest ago are forgotten.

        Raises:
            NotFound: the tenant has none of that name.
            Forbidden: neither the agent that keeps it nor a person.
        """

        def work(connection: Connection) -> None:
            row = _row(connection, principal.tenant_id, name)
            if principal.kind != "person" and row["keeper"] != principal.user:
                raise Forbidden(t("gate.declared.not_yours", name=name, keeper=row["keeper"]))
            removed = update(table).where(*_is(principal.tenant_id, name))
            connection.execute(removed.values(removed_at=self.database.now()))
            _forget_unused(connection, principal.tenant_id)

        async with self._changing:
            await self.database.write(work, durable=True)
            await self._publish(principal.tenant_id)

    async def pins(self, tenant_id: str) -> Sequence[PinnedTool]:
        """List the tools of a tenant as people review them, changed ones first."""
        found = [self._pin(one) for one in await self.list(tenant_id)]
        return sorted(found, key=lambda one: (one.standing == "pinned", one.id))

    async def accept(self, given: ToolAcceptance, principal: Principal) -> PinnedTool:
        """Pin a tool as its agent declares it now; it counts at once, and is kept for good.

        Raises:
            NotFound: no such tool in the tenant.
            Forbidden: not a person who may approve what agents' tools do.
            Conflict: it has not changed, or is by now another than the one that was read.
        """
        _demand_approver(principal, self.rules.approver_roles)
        name = ToolKey.of(given.id).tool

        def work(connection: Connection) -> StoredTool:
            row = _row(connection, principal.tenant_id, name)
            if _id(row["keeper"], name) != given.id:
                raise NotFound("tool", given.id)
            if row["seen_sha256"] is None:
                raise Conflict(t("gate.pin_same", id=given.id), "pinned")
            if row["seen_sha256"] != given.sha256:
                raise Conflict(t("gate.pin_changed_again", id=given.id), "changed")
            _accept(connection, self.database, row, principal)
            return _tool(_row(connection, principal.tenant_id, name))

        async with self._changing:
            accepted = await self.database.write(work, durable=True)
            log.warning(
                "declared_tool_accepted", tool=given.id, by=principal.user, sha256=given.sha256
            )
            await self._publish(principal.tenant_id)
        return self._pin(accepted)

    def _build(self, tools: Sequence[DeclaredTool], principal: Principal) -> dict[Built, Action]:
        """Make the actions of what is declared, as it would count if it were new."""
        known, built = self._built.get(principal.tenant_id, {}), {}
        for tool in map(_counted, tools):
            key = (principal.user, _sha256(tool), False)
            built[key] = known.get(key) or _to_action(tool, principal.user, self.rules)
        return built

    async def _publish(
        self, tenant_id: str, built: Mapping[Built, Action] = MappingProxyType({})
    ) -> None:
        """Let the catalogue know what a tenant has; call it with `_changing` held."""
        stored = await self.list(tenant_id)
        known = {**self._built.get(tenant_id, {}), **built}

        def work() -> dict[Built, Action]:
            made = {}
            for one in stored:
                key = (one.keeper, one.sha256, one.is_withheld)
                try:
                    made[key] = known.get(key) or self._action(one)
                except BadInput as fault:  # an older version took it
                    log.error("declared_tool_left_out", tool=one.id, reason=str(fault))
            self.catalogue.declared.put(tenant_id, {each.name: each for each in made.values()})
            return made

        self._built[tenant_id] = await asyncio.to_thread(work)

    def _action(self, one: StoredTool) -> Action:
        return _to_action(one.pinned, one.keeper, self.rules, withheld=one.is_withheld)

    def _pin(self, one: StoredTool) -> PinnedTool:
        return PinnedTool(
            id=one.id,
            action=one.name,
            standing="pinned" if one.seen is None else "changed",
            sha256=one.sha256,
            pinned_at=one.declared_at,
            accepted_by=one.accepted_by,
            seen_sha256=one.seen_sha256,
            changes=()
            if one.seen is None
            else differences(*map(_described, (one.pinned, one.seen))),
            approver_roles=self.rules.approver_roles,
        )


def _id(keeper: str, name: str) -> str:
    return ToolKey(DECLARED, keeper, name).id


def _floor(tool: DeclaredTool) -> str:
    return FLOOR_OF_EFFECT[tool.effect]


def _described(tool: DeclaredTool, annotations: Mapping[str, Any] | None = None) -> DescribedTool:
    told = {"effect": tool.effect} if annotations is None else annotations
    return DescribedTool(tool.name, tool.summary or "", tool.description, tool.arguments, told)


def _demand_approver(principal: Principal, roles: tuple[str, ...]) -> None:
    if principal.kind != "person":
        raise Forbidden(t("gate.only_people_accept_tools"))
    if "approve" not in principal.scopes:
        raise Forbidden(t("gate.key_cannot_answer"))
    if not principal.has_any(roles):
        raise Forbidden(t("gate.needs_role", approver_roles=", ".join(roles)))


def _declare(
    connection: Connection, database: Database, tool: DeclaredTool, principal: Principal
) -> None:
    mine = _is(principal.tenant_id, tool.name)
    row = connection.execute(select(table).where(*mine)).mappings().first()
    if row is None:
        key = {"tenant_id": principal.tenant_id, "name": tool.name, "keeper": principal.user}
        connection.execute(insert(table).values(**key, **_pinned_now(database, tool)))
        return
    if row["keeper"] != principal.user:
        told = t("gate.declared.other_keeper", name=tool.name, keeper=row["keeper"])
        raise Conflict(told, "taken")
    before = DeclaredTool.model_validate(row["declared"])
    waits = row["used_at"] is not None or row["accepted_by"] is not None
    changed: dict[str, Any] = {}
    if _sha256(tool) == (row["seen_sha256"] or row["sha256"]):
        if row["removed_at"] is None:
            return
    elif tool == before:
        changed = _seen(database, None)
    elif waits or _floor(tool) < _floor(before):
        changed = _seen(database, tool)
        log.warning("declared_tool_changed", tool=_id(principal.user, tool.name))
    else:
        changed = _pinned_now(database, tool)
    connection.execute(update(table).where(*mine).values(**changed, removed_at=None))


def _pinned_now(database: Database, tool: DeclaredTool) -> dict[str, Any]:  # by column
    """Lay out a tool that nobody has used: as grave as it looks, until a person says less."""
    grave = _counted(tool)
    return {
        "sha256": _sha256(grave),
        "declared": grave.model_dump(mode="json"),
        "declared_at": database.now(),
        **_seen(database, None if grave == tool else tool),
    }


def _seen(database: Database, tool: DeclaredTool | None) -> dict[str, Any]:  # by column
    return {
        "seen_sha256": None if tool is None else _sha256(tool),
        "seen": None if tool is None else tool.model_dump(mode="json"),
        "seen_at": None if tool is None else database.now(),
    }


def _accept(
    connection: Connection, database: Database, row: RowMapping, principal: Principal
) -> None:
    connection.execute(
        insert(mcp_tool_acceptance).values(
            pack=DECLARED,
            server=row["keeper"],
            tool=row["name"],
            before_sha256=row["sha256"],
            after_sha256=row["seen_sha256"],
            before=row["declared"],
            after=row["seen"],
            tenant_id=principal.tenant_id,
            accepted_by=principal.user,
            accepted_at=database.now(),
        )
    )
    accepted = {
        "sha256": row["seen_sha256"],
        "declared": row["seen"],
        "declared_at": database.now(),
        "accepted_by": principal.user,
        **_seen(database, None),
    }
    mine = _is(principal.tenant_id, row["name"])
    connection.execute(update(table).where(*mine).values(**accepted))


def _demand_room(connection: Connection, tenant_id: str) -> None:
    here = table.c
    said = [func.length(cast(each, String)) for each in (here.declared, here.seen)]
    columns = (func.count(), *(func.coalesce(func.sum(each), 0) for each in said))
    there = (here.tenant_id == tenant_id, here.removed_at.is_(None))
    count, *sizes = connection.execute(select(*columns).where(*there)).one()
    if count > MOST_DECLARED:
        raise BadInput(t("gate.declared.too_many", most=MOST_DECLARED))
    known = select(func.count()).select_from(table).where(here.tenant_id == tenant_id)
    if connection.execute(known).scalar_one() > MOST_PINNED:
        raise BadInput(t("gate.declared.too_many_pins", most=MOST_PINNED))
    if sum(sizes) > MOST_DECLARED_CHARACTERS:
        raise BadInput(t("gate.declared.too_large", most=MOST_DECLARED_CHARACTERS))


def _forget_unused(connection: Connection, tenant_id: str) -> None:
    here = table.c
    is_removed = (here.tenant_id == tenant_id, here.removed_at.is_not(None))
    unused = (*is_removed, here.used_at.is_(None), here.accepted_by.is_(None))
    newest = select(here.name).where(*unused).order_by(here.removed_at.desc())
    connection.execute(delete(table).where(*unused, here.name.not_in(newest.limit(MOST_UNUSED))))


def _is(tenant_id: str, name: str) -> tuple[Any, Any]:  # SQLAlchemy's conditions
    return table.c.tenant_id == tenant_id, table.c.name == name


def _row(connection: Connection, tenant_id: str, name: str) -> RowMapping:
    query = select(table).where(*_is(tenant_id, name), table.c.removed_at.is_(None))
    row = connection.execute(query).mappings().first()
    if row is None:
        raise NotFound("tool", show_hidden(name))
    return row


def _stored(connection: Connection, tenant_id: str) -> Sequence[StoredTool]:
    there = (table.c.tenant_id == tenant_id, table.c.removed_at.is_(None))
    rows = connection.execute(select(table).where(*there).order_by(table.c.name)).mappings()
    return [_tool(row) for row in rows]


def _tool(row: RowMapping) -> StoredTool:
    return StoredTool(
        keeper=row["keeper"],
        pinned=DeclaredTool.model_validate(row["declared"]),
        seen=None if row["seen"] is None else DeclaredTool.model_validate(row["seen"]),
        declared_at=datetime.fromtimestamp(row["declared_at"], UTC),
        accepted_by=row["accepted_by"],
    )
