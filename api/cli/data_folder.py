"""Read a data folder beside a running service, without lock or packs; `prefrontal backup`."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Connection, or_, select
from sqlalchemy.engine import make_url

from api.cli.options import AsJson, DataDir, read_settings
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.settings import Settings
from graph.wiring.thresholds import read_tuning
from state.approval import ActionState, LedgerAction
from state.errors import AgentError, BadInput
from state.offer import Offer
from state.personality import Personality
from state.quietness import Quietness
from state.reader import whole
from state.record import DecisionTrace
from state.session import Session
from state.skill import LoadedSkill
from tools.attention.status import AttentionStatus
from tools.catalog.pack import Pack, packs_named
from tools.gate.ledger.conflicts import with_duplicates
from tools.gate.ledger.queries import with_request
from tools.gate.ledger.rows import read_action
from tools.gate.ledger.undo import list_changes
from tools.platform.clock import SystemClock
from tools.response.character import Character
from tools.response.skills import SkillSelection
from tools.storage.database import Database
from tools.storage.decision_rows import SqlRecords
from tools.storage.holds import SqlHolds
from tools.storage.offers import SqlOffers
from tools.storage.sessions import read_session
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action

SHORTEST_PREFIX = 8


@dataclass(frozen=True)
class SessionManner:
    """How a session is spoken to, and which skills speak."""

    personality: Personality
    skills: tuple[LoadedSkill, ...]


@dataclass(frozen=True)
class Stored:
    """The tables of a folder, for reading."""

    database: Database
    duplicate_minutes: float
    """See Ledger.duplicate_minutes."""

    async def approvals(self, tenant_id: str, state: ActionState | None) -> list[LedgerAction]:
        """List Class C actions, newest first; None: in any state."""

        def work(connection: Connection) -> list[LedgerAction]:
            query = select(ledger_action.c.action_id).where(
                ledger_action.c.tenant_id == tenant_id, ledger_action.c.execution_class == "C"
            )
            if state is not None:
                query = query.where(ledger_action.c.state == state)
            newest = query.order_by(ledger_action.c.proposed_at.desc()).limit(200)
            return self._named(connection, connection.scalars(newest).all())

        return await self.database.read(work)

    async def actions(self, tenant_id: str, *, undoable_only: bool) -> list[LedgerAction]:
        """List what was asked to be changed, newest first."""
        return await list_changes(self.database, tenant_id, undoable_only=undoable_only)

    async def approval(self, action_id: str, tenant_id: str) -> LedgerAction:
        """Read one action of the ledger.

        Raises:
            NotFound: none in this tenant.
        """
        [found] = await self.database.read(
            lambda connection: self._named(connection, [action_id], tenant_id)
        )
        return found

    def _named(
        self, connection: Connection, found: Sequence[str], tenant_id: str | None = None
    ) -> list[LedgerAction]:
        actions = [
            with_request(connection, one, whole(one.tenant_id))
            for one in (read_action(connection, action_id, tenant_id) for action_id in found)
        ]
        return with_duplicates(connection, self.database, actions, self.duplicate_minutes)

    async def offers(self, tenant_id: str, *, open_only: bool) -> list[Offer]:
        """List offers, newest first."""
        return await SqlOffers(self.database).list(tenant_id, open_only=open_only)

    async def trace(self, name: str, tenant_id: str) -> DecisionTrace:
        """Read a decision by its id, the start of it, or its event's id.

        Raises:
            NotFound: none in this tenant.
            BadInput: several.
        """
        like = decision.c.decision_id.startswith(name, autoescape=True)
        named = [decision.c.decision_id == name, decision.c.event_id == name]
        if len(name) >= SHORTEST_PREFIX:
            named.append(like)
        query = select(decision.c.decision_id).where(decision.c.tenant_id == tenant_id, or_(*named))
        found = await self.database.read(
            lambda connection: connection.scalars(query.limit(2)).all()
        )
        if len(found) > 1:
            raise BadInput(f"{name} names several decisions; give the whole decision id")
        return await SqlRecords(self.database).trace(found[0] if found else name, tenant_id)

    async def standing(self, settings: Settings, tenant_id: str, session_id: str) -> Quietness:
        """Say why a session is silent now, by the thresholds and the packs of here."""
        tuning = read_tuning(settings.policy_file)
        packs = _packs(settings)
        character = Character.of(packs, tuning.personality)
        session = await self._session(tenant_id, session_id)
        waiting = await SqlHolds(self.database).waiting(tenant_id, session_id)
        now = SystemClock().now()
        present = character.present(session, now.timestamp())
        context = packs[0].policy.context
        return AttentionStatus(tuning, context, settings.zone).of(present, waiting, now)

    async def manner(self, settings: Settings, tenant_id: str, session_id: str) -> SessionManner:
        """Say how a session is spoken to now, by the thresholds and the packs of here."""
        tuning, packs = read_tuning(settings.policy_file), _packs(settings)
        character = Character.of(packs, tuning.personality)
        session = await self._session(tenant_id, session_id)
        now = SystemClock().now().timestamp()
        standing = character.standing(session, now)
        listed = SkillSelection.of(packs).listed(character.present(session, now), standing.template)
        return SessionManner(standing, tuple(listed))

    async def _session(self, tenant_id: str, session_id: str) -> Session:
        return await self.database.read(
            lambda connection: read_session(connection, tenant_id, session_id)
        )

    async def last(self, tenant_id: str) -> DecisionTrace:
        """Read the newest decision.

        Raises:
            AgentError: none in this tenant.
        """
        records = SqlRecords(self.database)
        newest = await records.newest(tenant_id, limit=1)
        if not newest:
            raise AgentError(f"nothing was decided for the tenant {tenant_id} yet")
        return await records.trace(newest[0].decision_id, tenant_id)


@asynccontextmanager
async def open_stored(settings: Settings) -> AsyncIterator[Stored]:
    """Open the tables of a folder that has some.

    Raises:
        AgentError: nothing was ever decided there.
    """
    require_database(settings)
    database = Database(settings.database)
    try:
        yield Stored(database, read_tuning(settings.policy_file).execution.duplicate_minutes)
    finally:
        await database.close()


def _packs(settings: Settings) -> list[Pack]:
    return packs_named(settings.packs)


def require_database(settings: Settings) -> None:
    """Refuse a folder that nothing was kept in.

    Raises:
        AgentError: nothing was ever decided there.
    """
    if not has_database(settings):
        raise AgentError(
            f"nothing was decided in {settings.data_dir} yet; name another folder with --data-dir"
        )


def has_database(settings: Settings) -> bool:
    """Tell whether there is a database to read; one on a server is there."""
    url = make_url(settings.database)
    return url.get_backend_name() != "sqlite" or bool(url.database and Path(url.database).is_file())


backup = typer.Typer(
    no_args_is_help=True,
    help="Back the data folder up while the service runs, verify, restore.",
    epilog="Example: prefrontal backup make /backups/monday.tar.gz",
)
Archive = Annotated[Path, typer.Argument(metavar="ARCHIVE", help="A .tar.gz file.")]
Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The ledger.key that was left out of it."),
]


def add_backup(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(backup, name="backup")


@backup.command(epilog="Example: prefrontal backup make /backups/monday.tar.gz")
def make(
    archive: Archive,
    with_key: Annotated[
        bool, typer.Option("--with-key/--without-key", help="Put ledger.key in, or keep it apart.")
    ] = True,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Copy everything into one archive; works beside a running service. Never overwrites."""
    from graph.wiring.data_folder import back_up

    manifest = back_up(read_settings(data_dir=data_dir), archive, with_key=with_key)
    if as_json:
        print_json({"archive": str(archive), **manifest.model_dump(mode="json")})
        return
    size = sum(kept.size for kept in manifest.files.values())
    OUT.print(f"{archive}: {len(manifest.files)} files, {size:,} bytes, the key {manifest.key}")
    if manifest.key == "inside":
        print_note(
            "who has this archive can read all of it and forge the ledger: keep it as a secret"
        )


@backup.command(epilog="Example: prefrontal backup verify /backups/monday.tar.gz")
def verify(archive: Archive, key: Key = None, as_json: AsJson = False) -> None:
    """Restore to a folder that goes away, with every sum, page, row and seal checked."""
    from graph.wiring.data_folder import verify as verified

    manifest = verified(archive, read_settings(), key_file=key)
    if as_json:
        print_json(manifest.model_dump(mode="json"))
        return
    rows = sum(sum(kept.rows.values()) for kept in manifest.files.values())
    OUT.print(f"{archive} is whole: {len(manifest.files)} files, {rows:,} rows, as of")
    OUT.print(f"  {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC")


@backup.command(
    epilog="Example: prefrontal backup restore /backups/monday.tar.gz --data-dir ./data"
)
def restore(
    archive: Archive, key: Key = None, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """Put a backup back where nothing is; the ledger is frozen until a person thaws it.

    What was under way becomes unknown, what was approved and not done has to be asked for again,
    and open questions stay open: nothing runs by itself.
    """
    from graph.wiring.data_folder import restore as restored

    settings = read_settings(data_dir=data_dir)
    aside = restored(archive, settings, key_file=key)
    if as_json:
        print_json({"folder": str(settings.data_dir.resolve()), **aside.model_dump()})
        return
    OUT.print(printable(f"restored to {settings.data_dir.resolve()}, and its ledger is frozen"))
    OUT.print(f"  {aside.unknown} unknown, {aside.stale} to be asked again, {aside.pending} open")
    if settings.database_url is not None:
        print_note("our tables are in it too, not at EXECUTIVE_DATABASE_URL; move or unset that")
    print_note("keys revoked since the backup are good again: see `prefrontal keys list`")
    print_note(
        "check the targets, `prefrontal ledger settle` what is unknown, `prefrontal ledger thaw`"
    )
