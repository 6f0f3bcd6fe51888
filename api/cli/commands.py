"""The root command: a table of all commands, imported when used; errors as exit codes."""

import asyncio
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from pydantic import JsonValue
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from api.cli.options import AsJson, DataDir, Packs, read_settings
from api.cli.terminal import OUT, configure_logs, print_error, print_json, print_note, printable
from state.errors import AgentError, BadInput, NotFound
from tools.platform.process_resources import gc_paused

if TYPE_CHECKING:
    from graph.settings import Settings

FAILED = 1
WRONG_USE = 2
_MALFORMED = (400, 413, 422)


class Command(NamedTuple):
    """Where a command is defined, and its line in the list of commands."""

    module: str
    name: str
    help: str
    example: str | None = None
    """For a single command; a family has examples of its own."""


COMMANDS: Mapping[str, Command] = {
    "serve": Command(
        "api.cli.commands",
        "serve",
        "Start the service.",
        "prefrontal serve --pack vessel --port 8765",
    ),
    "gate": Command(
        "api.cli.gate",
        "gate",
        "Put an MCP server behind the gate: reads run, changes wait for a person.",
        "prefrontal gate -- npx -y @modelcontextprotocol/server-filesystem /srv/shared",
    ),
    "mcp": Command(
        "api.cli.mcp",
        "mcp",
        "Speak MCP on stdin and stdout: each action that may be proposed is a tool.",
        "prefrontal mcp --as agent:engineer",
    ),
    "run": Command(
        "api.cli.run",
        "run",
        "Decide events in order and show each decision.",
        "prefrontal run events.jsonl --pack vessel --json",
    ),
    "route": Command(
        "api.cli.route",
        "route",
        "Show what each message asks for; nothing is executed or recorded.",
        'echo "close WO-1042" | prefrontal route - --pack vessel --json',
    ),
    "ask": Command(
        "api.cli.conversation",
        "ask",
        "Say something and get the answer; on a terminal, pick chips and answer approvals too.",
        'prefrontal ask "close WO-1042, the filter is changed" --as ben:engineer',
    ),
    "approvals": Command(
        "api.cli.approvals", "approvals", "List and answer what waits for approval."
    ),
    "refusals": Command("api.cli.approvals", "refusals", "Manage auto-reject rules."),
    "grants": Command("api.cli.grants", "grants", "Manage calls that are allowed in advance."),
    "offers": Command("api.cli.actions", "offers", "List suggestion chips and choose one."),
    "queries": Command("api.cli.queries", "queries", "Export and analyze the query log."),
    "ledger": Command(
        "api.cli.ledger", "ledger", "Verify, show, freeze, settle and prune the ledger."
    ),
    "backup": Command(
        "api.cli.data_folder", "backup", "Back up the data folder, verify a backup, restore it."
    ),
    "actions": Command("api.cli.actions", "actions", "List, show and undo actions."),
    "undo": Command(
        "api.cli.actions",
        "undo",
        "Undo an action, once, while its time runs; a dangerous undo asks for approval first.",
        "prefrontal undo 8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e --as ben:engineer",
    ),
    "why": Command(
        "api.cli.actions",
        "why",
        "Explain a decision: each stage with its numbers and reasons, and what would change it.",
        "prefrontal why --last",
    ),
    "listen": Command(
        "api.cli.actions",
        "listen",
        "Print what happens at a running service, a line of JSON each, until Ctrl-C.",
        "prefrontal listen",
    ),
    "tail": Command(
        "api.cli.tail",
        "tail",
        "Post each line of a log as an event: NDJSON, syslog or plain text.",
        "prefrontal tail /var/log/syslog --session server-room",
    ),
    "webhooks": Command(
        "api.cli.integrations", "webhooks", "List webhook deliveries and retry failed ones."
    ),
    "channels": Command(
        "api.cli.integrations", "channels", "List where people are told of approvals; send a test."
    ),
    "quiet": Command("api.cli.session", "quiet", "Show, start and end quiet in a session."),
    "memory": Command(
        "api.cli.memory",
        "memory",
        "Search what was said, show entities and goals, forget a person.",
    ),
    "reminders": Command("api.cli.session", "reminders", "List, ask for and cancel reminders."),
    "heuristics": Command(
        "api.cli.heuristics", "heuristics", "List and change what is said without a model."
    ),
    "feedback": Command(
        "api.cli.heuristics",
        "feedback",
        "Rate a response or a silence; rated again, the last rating counts.",
        "prefrontal feedback RESPONSE good --as ann:engineer",
    ),
    "personality": Command(
        "api.cli.session", "personality", "Show and change how it speaks: traits, mood, rapport."
    ),
    "skills": Command("api.cli.session", "skills", "List, load and unload skills."),
    "pack": Command("api.cli.packs", "pack", "Manage packs."),
    "tools": Command(
        "api.cli.integrations", "tools", "List the tools of MCP servers and accept changed ones."
    ),
    "keys": Command("api.cli.keys", "keys", "Create, list, rotate and revoke API keys."),
    "doctor": Command(
        "api.cli.commands",
        "doctor",
        "Check settings, folder, packs, database and model; exit 1 when one is broken.",
        "prefrontal doctor --json",
    ),
    "demo": Command(
        "api.cli.commands",
        "demo",
        "Play a pack's scenario on a temporary folder, with people's answers.",
        "prefrontal demo --pack vessel",
    ),
    "evals": Command("evals.cli", "app", "Judge the system on labelled cases."),
    "journal": Command(
        "api.cli.journal", "app", "Import, search and export the decisions that people took."
    ),
    "log": Command(
        "api.cli.decision_log", "app", "Export decision logs, replay them, compare policies."
    ),
}
IN_FOLDER = frozenset(
    {"serve", "gate", "run", "route", "backup", "webhooks", "pack", "keys", "doctor"}
) | {"demo", "evals", "log"}
"""Commands that no service has a route for; see api/cli/service.py."""


class Prefrontal(TyperGroup):
    """The root group: lists the table, and imports the command that is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # Typer's own click context is private
        """Name the commands that are installed."""
        return [name for name in COMMANDS if _is_installed(name)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # a private click command, as above
        """Find what the list of commands shows of one."""
        if cmd_name not in COMMANDS or not _is_installed(cmd_name):
            return None
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name].help)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # as above
        """Find the command that was asked for, and import it."""
        name, found, rest = super().resolve_command(ctx, args)
        if name is None or name not in COMMANDS:
            return name, found, rest
        source = ctx.get_parameter_source("url")
        if name in IN_FOLDER and source is not None and source.name == "COMMANDLINE":
            raise BadInput(f"no service has {name}: it works on this machine; leave --url out")
        return name, load_command(name), rest

    def invoke(self, ctx: Any) -> Any:  # as above
        """Run a command; an error of ours is one sentence and an exit code."""
        try:
            return super().invoke(ctx)
        except AgentError as error:
            print_error(_sentence(error))
            if _is_unknown_pack(error):
                from tools.catalog import shipped_packs

                print_note(f"shipped packs: {', '.join(shipped_packs())}; a folder works too")
            raise typer.Exit(_code(error)) from error
        except OSError as error:
            if error.filename is None:  # no mistake about a path
                raise
            print_error(f"{error.filename}: {error.strerror}")
            raise typer.Exit(FAILED) from error
        except Exception as error:
            if not _is_of_database(error):
                raise
            print_error(f"the database does not answer: {error.__cause__ or error}".split("\n")[0])
            raise typer.Exit(FAILED) from error


def load_command(name: str) -> Any:  # a private click command
    """Import a command of the table."""
    known = COMMANDS[name]
    if not known.module.startswith("api.cli."):
        configure_logs()
    with gc_paused():
        made = getattr(import_module(known.module), known.name)
    found: Any  # as above
    if isinstance(made, typer.Typer):
        found = typer.main.get_group(made)
        found.help = known.help
    else:
        single = typer.Typer(add_completion=False)
        single.command(name, epilog=f"Example: {known.example}")(made)
        found = typer.main.get_command(single)
    found.name = name
    return found


cli = typer.Typer(
    name="prefrontal",
    cls=Prefrontal,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="The executive for agents and assistants: decides, asks, acts and remembers why.",
    epilog="Example: prefrontal demo",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"prefrontal {version('prefrontal-server')}")
        raise typer.Exit


@cli.callback()
def _start(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show version and exit."
        ),
    ] = False,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="PREFRONTAL_URL",
            help="A running service elsewhere, called with PREFRONTAL_KEY. "
            "Default: the one on the data folder, else none is needed.",
        ),
    ] = None,
) -> None:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that is not UTF-8


def main() -> None:
    """Run the command line of this process."""
    cli()


def demo(
    pack: Annotated[
        str, typer.Option(metavar="NAME|PATH", help="A pack with a scenario.jsonl.")
    ] = "vessel",
) -> None:
    """Play a pack's scenario on a temporary folder, with people's answers.

    The answers come from its scenario.answers.yaml; only they change the pack's store.
    """
    from api.cli.scenario import play_scenario
    from tools.catalog import find_pack

    folder = find_pack(pack)
    if not (folder / "scenario.jsonl").is_file():
        raise BadInput(f"the pack {folder.name} has no scenario.jsonl to play")
    if not asyncio.run(play_scenario(folder, read_settings([str(folder)]))):
        raise typer.Exit(FAILED)


_MARKS = {"ok": ("✓", "green"), "degraded": ("~", "yellow"), "broken": ("×", "bold red")}


def doctor(
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    wait: Annotated[float, typer.Option(help="Seconds to wait for the model's server.")] = 5.0,
) -> None:
    """Check settings, folder, packs, database and model; exit 1 when one is broken."""
    from api.cli.doctor.report import described_settings, run_checks

    settings = read_settings(pack, data_dir, is_checked=False)
    findings = asyncio.run(run_checks(settings, wait))
    if as_json:
        described: JsonValue = {
            name: list(told) for name, told in described_settings(settings).items()
        }
        found: JsonValue = [
            {"what": one.what, "state": one.state, "says": one.says} for one in findings
        ]
        print_json({"settings": described, "findings": found})
    else:
        OUT.print(_settings(settings))
        for one in findings:
            mark, style = _MARKS[one.state]
            line = Text(f"{mark} ", style=style)
            line.append(f"{one.what:<10} ", style="bold")
            line.append(printable(one.says).replace("\n", "\n" + " " * 13))
            OUT.print(line)
    if any(one.state == "broken" for one in findings):
        raise typer.Exit(FAILED)


def _settings(settings: "Settings") -> Text:
    from api.cli.doctor.report import described_settings

    text = Text()
    for name, (value, source) in described_settings(settings).items():
        text.append(f"  {name:<29} ", style="dim")
        text.append(printable(value) or "(empty)")
        text.append(f"  {source}\n" if source else "\n", style="dim")
    text.right_crop(1)
    return text


def serve(
    pack: Packs = None,
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on. Default: EXECUTIVE_HOST, else loopback."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65_535, help="Default: EXECUTIVE_PORT, else 8765; 0: any."),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Start the service.

    On loopback, the first start creates a key and shows it once. Ctrl-C finishes what is under way
    and stops the service.
    """
    from api.cli.server import serve_until_stopped

    listening: dict[str, Any] = {"host": host, "port": port}  # fields of Settings
    others = {name: given for name, given in listening.items() if given is not None}
    settings = read_settings(pack, data_dir, **others)
    configure_logs("info")
    serve_until_stopped(settings)


def _is_installed(name: str) -> bool:
    try:
        return find_spec(COMMANDS[name].module) is not None
    except ModuleNotFoundError:
        return False


def _sentence(error: AgentError) -> str:
    """Word an error; a refusal by a service reads as it does in this process, but for its key."""
    detail, status = getattr(error, "detail", None), getattr(error, "status", None)
    return str(error) if detail is None or status == 401 else str(detail)


def _code(error: AgentError) -> int:
    is_malformed = getattr(error, "status", None) in _MALFORMED
    is_other_digest = getattr(error, "slug", None) == "digest-mismatch"
    is_wrong_use = is_malformed or is_other_digest or isinstance(error, BadInput)
    return WRONG_USE if is_wrong_use or _is_unknown_pack(error) else FAILED


def _is_of_database(error: Exception) -> bool:
    known = sys.modules.get("sqlalchemy.exc")  # not imported for commands that need no database
    return known is not None and isinstance(error, known.DBAPIError)


def _is_unknown_pack(error: AgentError) -> bool:
    return isinstance(error, NotFound) and error.kind == "pack"
