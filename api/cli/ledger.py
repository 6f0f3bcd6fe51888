"""`prefrontal ledger`: verify, show, freeze and thaw, settle, prune."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from api.cli.data_folder import on_tables
from api.cli.options import AsJson, DataDir, Speaker, Tenant, read_settings, with_service
from api.cli.service import Service
from api.cli.terminal import OUT, print_json, print_note, printable
from state.audit import LedgerAudit
from state.errors import AgentError, BadInput, Busy

if TYPE_CHECKING:
    from graph.settings import Settings
    from tools.storage import Database

T = TypeVar("T")

ledger = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal ledger verify")

MOST_SHOWN = 20
ActionId = Annotated[str, typer.Argument(metavar="ACTION", help="The id of an action.")]
Because = Annotated[str, typer.Option("--reason", help="The reason; it goes on record.")]


@ledger.command(epilog="Example: prefrontal ledger verify --json")
def verify(
    tenant: Annotated[
        str | None, typer.Option("--tenant", metavar="NAME", help="Only this tenant's.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Verify every seal, chain end, row and approval; exit 1 on a fault."""
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
    """Show every ledger entry of an action."""
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
    """Stop starting changes until `prefrontal ledger thaw`; reads go on."""
    from tools.gate.ledger.operator_controls import ExecutionFreeze

    told = _reason(reason)
    _on(read_settings(data_dir=data_dir), lambda database: ExecutionFreeze(database).freeze(told))
    OUT.print("the ledger is frozen: only reads are started until `prefrontal ledger thaw`")


@ledger.command(epilog="Example: prefrontal ledger thaw --by ingrid --reason 'checked with port'")
def thaw(
    by: Annotated[str, typer.Option("--by", metavar="USER", help="Who checked it.")],
    reason: Because,
    data_dir: DataDir = None,
) -> None:
    """Start changes again, whatever froze the ledger."""
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
@with_service
def settle(
    action: ActionId,
    happened: Annotated[
        bool, typer.Option("--happened/--not-happened", help="What you found at the target.")
    ],
    evidence: Annotated[str, typer.Option(help="What you saw, and where; it goes on record.")],
    service: Service,
    speaker: Speaker = None,
) -> None:
    """Record the outcome of an action whose outcome is unknown."""
    from tools.catalog import Catalogue, packs_named
    from tools.gate.ledger.operator_controls import ManualResolution

    settings, principal = service.in_folder(), service.named_caller(speaker)
    catalogue = Catalogue.of(packs_named(settings.packs))
    settled = _on(
        settings,
        lambda database: ManualResolution(database, catalogue).settle(
            action, principal, happened, evidence
        ),
    )
    if service.as_json:
        print_json(settled.model_dump(mode="json", include={"action_id", "state", "settled_by"}))
    else:
        OUT.print(printable(f"{settled.summary}: {settled.state}, says {settled.settled_by}"))


@ledger.command(epilog="Example: prefrontal ledger prune --dry-run")
def prune(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count.")] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Delete records past their retention (`retention` in policy.toml)."""
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
    OUT.print(f"{'would delete' if dry_run else 'deleted'}: {told}")


def _on(settings: "Settings", work: Callable[["Database"], Awaitable[T]]) -> T:
    """Run work on the tables of a folder, and write the heads of the chains that it extended."""

    async def run(database: "Database") -> T:
        done = await work(database)
        await _write_heads(settings, database)
        return done

    return on_tables(settings, run)


async def _write_heads(settings: "Settings", database: "Database") -> None:
    """Keep outside what this command added to the chains; a running service does it itself."""
    from graph.wiring.data_folder import lock_folder
    from tools.gate import AuditMonitor
    from tools.gate.ledger.audit import HEAD_FILE, HeadFile

    if not database.dirty_chains:
        return
    with suppress(Busy), lock_folder(settings.data_dir.resolve()):
        watching = AuditMonitor(database, HeadFile(settings.data_dir.resolve() / HEAD_FILE), None)
        await watching.write_heads_beside()


async def _audited(settings: "Settings", database: "Database", tenant: str | None) -> LedgerAudit:
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
