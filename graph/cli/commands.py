"""Every command in one place, and what happens to an error on its way out."""

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from graph.cli.actions import add_to as add_actions
from graph.cli.approvals import add_to as add_approvals
from graph.cli.ask import add_to as add_ask
from graph.cli.backup import add_to as add_backup
from graph.cli.demo import add_to as add_demo
from graph.cli.doctor import add_to as add_doctor
from graph.cli.heuristics import add_to as add_heuristics
from graph.cli.keys import add_to as add_keys
from graph.cli.ledger import add_to as add_ledger
from graph.cli.memory import add_to as add_memory
from graph.cli.offers import add_to as add_offers
from graph.cli.pack import add_to as add_pack
from graph.cli.personality import add_to as add_personality
from graph.cli.queries import add_to as add_queries
from graph.cli.quiet import add_to as add_quiet
from graph.cli.refusals import add_to as add_refusals
from graph.cli.reminders import add_to as add_reminders
from graph.cli.route import add_to as add_route
from graph.cli.run import add_to as add_run
from graph.cli.serve import add_to as add_serve
from graph.cli.terminal.console import complain, note
from graph.cli.terminal.logs import configure_logs
from graph.cli.tools import add_to as add_tools
from graph.cli.webhooks import add_to as add_webhooks
from graph.cli.why import add_to as add_why
from state.errors import AgentError, BadInput, NotFound
from tools.catalogue.pack import shipped_packs
from tools.garbage import spared

FAILED = 1
WRONG_USE = 2

VERBS_ELSEWHERE = frozenset(
    {"ask", "approvals", "offers", "undo", "why", "listen", "reminders", "quiet", "journal"}
)
"""What `graph.cli.remote` has; everything else works on this machine's folders."""

FAMILIES: Mapping[str, str] = {
    "evals": "evals.cli",
    "journal": "graph.cli.journal.commands",
    "log": "evals.decision_log.cli",
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
            elsewhere = typer.main.get_command(import_module("graph.cli.remote.verbs").app)
            return elsewhere.resolve_command(ctx, args)  # type: ignore[attr-defined]  # a group
        name, found, rest = super().resolve_command(ctx, args)
        if name is not None and name in FAMILIES:
            with spared():
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
            complain(str(error))
            if _is_unknown_pack(error):
                note(f"shipped packs: {', '.join(shipped_packs())}; a folder works too")
            raise typer.Exit(_code(error)) from error
        except OSError as error:
            if error.filename is None:  # no mistake about a path
                raise
            complain(f"{error.filename}: {error.strerror}")
            raise typer.Exit(FAILED) from error
        except Exception as error:
            if not _is_of_database(error):
                raise
            complain(f"the database does not answer: {error.__cause__ or error}".split("\n")[0])
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
