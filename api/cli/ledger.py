"""`prefrontal ledger`: verify, show, freeze and thaw, settle, prune."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from api.cli.options import AsJson, DataDir, Packs, Speaker, Tenant, read_settings, read_speaker
from api.cli.terminal import OUT, print_json, print_note, printable
from graph.settings import Settings
from state.audit import LedgerAudit
from state.errors import AgentError, BadInput, Busy

if TYPE_CHECKING:
    from tools.storage.database import Database

T = TypeVar("T")

ledger = typer.Typer(
    no_args_is_help=True,
    help="The ledger: verify, show, freeze, thaw, settle, prune.",
    epilog="Example: prefrontal ledger verify",
)

MOST_SHOWN = 20
ActionId = Annotated[str, typer.Argument(metavar="ACTION", help="The id of an action.")]
Because = Annotated[str, typer.Option("--reason", help="Why; it is kept.")]


def add_ledger(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(ledger, name="ledger")


@ledger.callback()
def _start() -> None:
    """The ledger: what was proposed, answered and done."""


@ledger.command(epilog="Example: prefrontal ledger verify --json")
def verify(
    tenant: Annotated[
        str | None, typer.Option("--tenant", metavar="NAME", help="Only this one's.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Verify every seal, end, row and yes; exit 1 on a fault. Reads beside a running service."""
    settings = read_settings(data_dir=data_dir)
    report = _on(settings, lambda database: _audited(settings, database, tenant))
    if tenant is not None and not report.entries and not report.actions and not report.faults:
        raise BadInput(f"the ledger has no tenant {tenant!r}; leave --tenant out to verify all")
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        for fault in report.faults[:MOST_SHOWN]:
            OUT.print(printable(f"× {fault.kind:<10} {fault}"))
        if len(report.faults) > MOST_SHOWN:
            OUT.print(f"… and {len(report.faults) - MOST_SHOWN} more; --json lists all of them")
        told = "is whole" if not report.faults else f"has {len(report.faults)} fault(s)"
        OUT.print(
            f"the ledger {told}: {report.entries} entries of {len(report.heads)} tenant(s), "
            f"{report.actions} actions, {report.seconds} s"
        )
    if report.faults:
        raise typer.Exit(1)


@ledger.command(epilog="Example: prefrontal ledger show 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e")
def show(
    action: ActionId, as_json: AsJson = False, data_dir: DataDir = None, tenant: Tenant = "default"
) -> None:
    """Show an action's every entry. Reads beside a running service."""
    from tools.gate.ledger.queries import history_of

    history = _on(
        read_settings(data_dir=data_dir),
        lambda database: database.read(lambda connection: history_of(connection, action, tenant)),
    )
    if as_json:
        print_json(history.model_dump(mode="json"))
        return
    OUT.print(printable(f"{history.summary}\n{history.state}, class {history.execution_class}"))
    for entry in history.entries:
        number = "" if entry.number is None else f"#{entry.number}"
        body = ", ".join(f"{name}: {value}" for name, value in entry.body.items() if value)
        when = entry.at.strftime("%Y-%m-%d %H:%M:%S")
        OUT.print(printable(f"{number:>6}  {when}  {entry.event:<18} {entry.actor}  {body}"))


@ledger.command(epilog="Example: prefrontal ledger freeze --reason 'the crane is being serviced'")
def freeze(reason: Because, data_dir: DataDir = None) -> None:
    """Start nothing that changes anything until it is thawed. Works beside a running service."""
    from tools.gate.ledger.operator_controls import ExecutionFreeze

    told = _reason(reason)
    _on(read_settings(data_dir=data_dir), lambda database: ExecutionFreeze(database).freeze(told))
    OUT.print("the ledger is frozen: only reads are started until `prefrontal ledger thaw`")


@ledger.command(epilog="Example: prefrontal ledger thaw --by ingrid --reason 'checked with port'")
def thaw(
    by: Annotated[str, typer.Option("--by", metavar="USER", help="Who has looked at it.")],
    reason: Because,
    data_dir: DataDir = None,
) -> None:
    """Let actions start again, whatever froze the ledger. Works beside a running service."""
    from tools.gate.ledger.operator_controls import ExecutionFreeze

    who, told = _reason(by), _reason(reason)
    lifted = _on(
        read_settings(data_dir=data_dir), lambda database: ExecutionFreeze(database).thaw(who, told)
    )
    for each in lifted:
        print_note(f"it was frozen: {each.reason}")
    OUT.print("actions are started again")


@ledger.command(
    epilog="Example: prefrontal ledger settle ID --happened --evidence 'seen in port log' "
    "--as ingrid:captain"
)
def settle(
    action: ActionId,
    happened: Annotated[
        bool, typer.Option("--happened/--not-happened", help="What you found at the target.")
    ],
    evidence: Annotated[str, typer.Option(help="What you saw, and where; it is kept.")],
    speaker: Speaker,
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Say what became of an action that nobody can tell. Works beside a running service."""
    from tools.catalog.action_catalog import Catalogue
    from tools.catalog.pack import packs_named
    from tools.gate.ledger.operator_controls import ManualResolution

    settings = read_settings(pack, data_dir)
    principal = read_speaker(speaker, tenant)
    catalogue = Catalogue.of(packs_named(settings.packs))
    settled = _on(
        settings,
        lambda database: ManualResolution(database, catalogue).settle(
            action, principal, happened, evidence
        ),
    )
    if as_json:
        print_json(settled.model_dump(mode="json", include={"action_id", "state", "settled_by"}))
    else:
        OUT.print(printable(f"{settled.summary}: {settled.state}, says {settled.settled_by}"))


@ledger.command(epilog="Example: prefrontal ledger prune --dry-run")
def prune(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Let go what ended long ago ("retention" in policy.toml). Works beside a running service."""
    from graph.execution.maintenance import open_saver
    from graph.execution.maintenance import prune as prune_all
    from graph.wiring.data_folder import archive_folder
    from graph.wiring.thresholds import read_tuning
    from state.retention import Pruned

    settings = read_settings(data_dir=data_dir)
    retention = read_tuning(settings.policy_file).retention

    async def work(database: "Database") -> Pruned:
        async with open_saver(settings.data_dir) as saver:
            archive = archive_folder(settings)
            return await prune_all(database, retention, saver, archive=archive, is_trial=dry_run)

    pruned = _on(settings, work)
    if as_json:
        print_json(pruned.model_dump())
        return
    told = ", ".join(
        f"{count} {name.replace('_', ' ')}" for name, count in pruned.model_dump().items()
    )
    OUT.print(f"{'would let go' if dry_run else 'let go'}: {told}")


def _on(settings: Settings, work: Callable[["Database"], Awaitable[T]]) -> T:
    """Run work on the tables of a folder that has some."""
    from api.cli.data_folder import has_database
    from graph.wiring.data_folder import open_database

    if not has_database(settings):
        raise AgentError(
            f"nothing was decided in {settings.data_dir} yet; name another folder with --data-dir"
        )

    async def run() -> T:
        database = open_database(settings)
        try:
            done = await work(database)
            await _write_heads(settings, database)
            return done
        finally:
            await database.close()

    return asyncio.run(run())


async def _write_heads(settings: Settings, database: "Database") -> None:
    """Keep outside what this command added to the chains; a running service does it itself."""
    from graph.wiring.data_folder import lock_folder
    from tools.gate.ledger.audit import HEAD_FILE, HeadFile
    from tools.gate.ledger.maintenance import AuditMonitor

    if not database.dirty_chains:
        return
    with suppress(Busy), lock_folder(settings.data_dir.resolve()):
        watching = AuditMonitor(database, HeadFile(settings.data_dir.resolve() / HEAD_FILE), None)
        await watching.write_heads_beside()


async def _audited(settings: Settings, database: "Database", tenant: str | None) -> LedgerAudit:
    from tools.gate.ledger.audit import HEAD_FILE, HeadFile, audit
    from tools.storage.seal_key import KEY_FILE

    folder = settings.data_dir.resolve()
    if settings.ledger_key is None and not (folder / KEY_FILE).exists():
        raise AgentError(f"{folder / KEY_FILE} is missing: without it no seal can be verified")
    heads = HeadFile(folder / HEAD_FILE).read()
    report = (await audit(database, heads or {}, tenant_id=tenant)).report
    if heads is None and report.heads:
        raise AgentError(f"{folder / HEAD_FILE} is missing: a chain cut short would look whole")
    return report


def _reason(told: str) -> str:
    if not told.strip() or len(told) > 500:
        raise BadInput("this takes 1 to 500 characters; say who or why")
    return told.strip()
