"""The root command: every command registered once, errors as exit codes.

`serve`, `doctor` and `demo`.

Families from other packages (evals, log, journal) are looked up by name and imported when used.
"""

import asyncio
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from api.cli.actions import add_actions, add_offers, add_why
from api.cli.approvals import add_approvals, add_refusals
from api.cli.data_folder import add_backup
from api.cli.heuristics import add_heuristics
from api.cli.integrations import add_tools, add_webhooks
from api.cli.keys import add_keys
from api.cli.ledger import add_ledger
from api.cli.memory import add_memory, add_reminders
from api.cli.options import AsJson, DataDir, Packs, read_settings
from api.cli.packs import add_pack
from api.cli.queries import add_queries
from api.cli.route import add_route
from api.cli.run import add_ask, add_run
from api.cli.session import add_personality, add_quiet
from api.cli.terminal import OUT, configure_logs, print_error, print_json, print_note, printable
from graph.settings import Settings
from state.errors import AgentError, BadInput, NotFound
from tools.catalog.pack import find_pack, shipped_packs
from tools.platform.process_resources import gc_paused

DEMO_EXAMPLE = "Example: prefrontal demo --pack vessel"


def add_demo(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(epilog=DEMO_EXAMPLE)(demo)


def demo(
    pack: Annotated[
        str, typer.Option(metavar="NAME|PATH", help="A pack with a scenario.jsonl.")
    ] = "vessel",
) -> None:
    """Play a pack's scenario on a temporary folder: silence with reasons, chips, approvals, why.

    The people's answers stand in its scenario.answers.yaml; only they change the pack's store.
    """
    from api.cli.scenario import play_scenario

    folder = find_pack(pack)
    if not (folder / "scenario.jsonl").is_file():
        raise BadInput(f"the pack {folder.name} has no scenario.jsonl to play")
    if not asyncio.run(play_scenario(folder, read_settings([str(folder)]))):
        raise typer.Exit(1)


DOCTOR_EXAMPLE = "Example: prefrontal doctor --json"

_MARKS = {"ok": ("✓", "green"), "degraded": ("~", "yellow"), "broken": ("×", "bold red")}


def add_doctor(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(epilog=DOCTOR_EXAMPLE)(doctor)


def doctor(
    pack: Packs = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    wait: Annotated[float, typer.Option(help="Seconds the model's server may take.")] = 5.0,
) -> None:
    """Look at settings, folder, packs, database and model; exit 1 when one of them is broken."""
    from api.cli.doctor.report import described_settings, run_checks

    settings = read_settings(pack, data_dir, is_checked=False)
    findings = asyncio.run(run_checks(settings, wait))
    if as_json:
        print_json(
            {
                "settings": {
                    name: list(told) for name, told in described_settings(settings).items()
                },
                "findings": [
                    {"what": found.what, "state": found.state, "says": found.says}
                    for found in findings
                ],
            }
        )
    else:
        OUT.print(_settings(settings))
        for found in findings:
            mark, style = _MARKS[found.state]
            line = Text(f"{mark} ", style=style)
            line.append(f"{found.what:<10} ", style="bold")
            line.append(printable(found.says).replace("\n", "\n" + " " * 13))
            OUT.print(line)
    if any(found.state == "broken" for found in findings):
        raise typer.Exit(1)


def _settings(settings: Settings) -> Text:
    from api.cli.doctor.report import described_settings

    text = Text()
    for name, (value, source) in described_settings(settings).items():
        text.append(f"  {name:<29} ", style="dim")
        text.append(printable(value) or "(empty)")
        text.append(f"  {source}\n" if source else "\n", style="dim")
    text.right_crop(1)
    return text


SERVE_EXAMPLE = "Example: prefrontal serve --pack vessel --port 8765"


def add_serve(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command(epilog=SERVE_EXAMPLE)(serve)


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
    """Start the service; on loopback without any key it makes one and shows it once.

    Ctrl-C ends it after what is under way.
    """
    from api.cli.server import serve_until_stopped

    listening: dict[str, Any] = {"host": host, "port": port}  # fields of Settings
    others = {name: given for name, given in listening.items() if given is not None}
    configure_logs("info")
    serve_until_stopped(read_settings(pack, data_dir, **others))


FAILED = 1
WRONG_USE = 2

VERBS_ELSEWHERE = frozenset(
    {"ask", "approvals", "offers", "undo", "why", "listen", "reminders", "quiet", "journal"}
)
"""What `api.cli.remote` has; everything else works on this machine's folders."""

FAMILIES: Mapping[str, str] = {
    "evals": "evals.cli",
    "journal": "api.cli.journal",
    "log": "api.cli.decision_log",
}
"""Families from elsewhere: name to the module whose `app` is mounted when it is there."""

_ABOUT: Mapping[str, str] = {
    "evals": "Judge the system on labelled cases.",
    "journal": "Import, search and export the decisions people took.",
    "log": "Keep decision logs, play them again, ask what another policy would have done.",
}
"""What the list of commands says of a family, without the seconds that importing it takes."""


class Prefrontal(TyperGroup):
    """The root group: families are looked up by name, so that nothing above graph is imported."""

    def list_commands(self, ctx: Any) -> list[str]:  # Typer's own click context is private
        """Name the commands, families that are installed among them."""
        return [*super().list_commands(ctx), *(name for name in FAMILIES if _is_there(name))]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # a private click command, as above
        """Find a command; of a family only what the list of commands says of it."""
        found = super().get_command(ctx, cmd_name)
        if found is None and cmd_name in FAMILIES and _is_there(cmd_name):
            found = TyperCommand(cmd_name, help=_ABOUT[cmd_name])
        return found

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # as above
        """Find the command that was asked for; a family or a remote verb is imported now."""
        if ctx.params.get("url") and self._goes_elsewhere(ctx, args):
            elsewhere = typer.main.get_command(import_module("api.cli.remote").app)
            return elsewhere.resolve_command(ctx, args)  # type: ignore[attr-defined]  # a group
        name, found, rest = super().resolve_command(ctx, args)
        if name is not None and name in FAMILIES:
            with gc_paused():
                found = typer.main.get_command(import_module(FAMILIES[name]).app)
            found.name = name
        return name, found, rest

    def _goes_elsewhere(self, ctx: Any, args: list[str]) -> bool:  # as above
        """Tell whether a command goes to the service: all behind --url, those it has otherwise."""
        is_said = ctx.get_parameter_source("url").name == "COMMANDLINE"
        return is_said or not args or args[0] in VERBS_ELSEWHERE

    def invoke(self, ctx: Any) -> Any:  # as above
        """Run a command; an error of ours is one sentence and an exit code."""
        try:
            return super().invoke(ctx)
        except AgentError as error:
            print_error(str(error))
            if _is_unknown_pack(error):
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


cli = typer.Typer(
    name="prefrontal",
    cls=Prefrontal,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="The executive for agents and assistants: decides, asks, acts and remembers why.",
    epilog="Example: prefrontal demo",
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"prefrontal {version('prefrontal')}")
        raise typer.Exit


@cli.callback()
def _start(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_tell_version, is_eager=True, help="Tell the version and end."
        ),
    ] = False,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="PREFRONTAL_URL",
            help="A running service: ask, approvals, offers, undo, why, listen, reminders, "
            "quiet and journal go to it, with PREFRONTAL_KEY as the key.",
        ),
    ] = None,
) -> None:
    configure_logs("warning")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that is not UTF-8


for add in (
    add_serve,
    add_run,
    add_route,
    add_ask,
    add_approvals,
    add_refusals,
    add_offers,
    add_queries,
    add_ledger,
    add_backup,
    add_actions,
    add_why,
    add_webhooks,
    add_quiet,
    add_memory,
    add_reminders,
    add_heuristics,
    add_personality,
    add_pack,
    add_tools,
    add_keys,
    add_doctor,
    add_demo,
):
    add(cli)


def main() -> None:
    """Run the command line of this process."""
    cli()


def _is_there(family: str) -> bool:
    try:
        return find_spec(FAMILIES[family]) is not None
    except ModuleNotFoundError:
        return False


def _code(error: AgentError) -> int:
    return WRONG_USE if isinstance(error, BadInput) or _is_unknown_pack(error) else FAILED


def _is_of_database(error: Exception) -> bool:
    known = sys.modules.get("sqlalchemy.exc")  # not imported for commands that need no database
    return known is not None and isinstance(error, known.DBAPIError)


def _is_unknown_pack(error: AgentError) -> bool:
    return isinstance(error, NotFound) and error.kind == "pack"
