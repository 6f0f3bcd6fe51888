"""`prefrontal pack`: is a pack sound, what would be gated, and what is known of its examples."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from graph.assembly.elsewhere import egress_of
from graph.assembly.elsewhere import told as what_is_missing
from graph.cli.looking_up import failed_lookups
from graph.cli.options import AsJson, Tenant, read_settings
from graph.cli.terminal.console import OUT, print_json, shown, stepping
from graph.cli.trying import missed_examples
from state.action import ExecutionClass
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.importing import import_faults
from tools.catalogue.pack import Pack, check_pack, find_pack, load_pack
from tools.embedding.shipped_vectors import FILE, write_shipped

MOST_SHOWN = 10

if TYPE_CHECKING:
    from tools.mcp.joining import Joined

pack = typer.Typer(
    no_args_is_help=True,
    help="Packs: check one, encode its examples.",
    epilog="Example: prefrontal pack check vessel",
)


def add_to(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.add_typer(pack, name="pack")


@pack.callback()
def _start() -> None:
    """Packs: check one, encode its examples."""


@pack.command(epilog="Example: prefrontal pack check ../mine --say")
def check(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A folder, or a shipped pack's name.")
    ],
    as_json: AsJson = False,
    tenant: Tenant = "default",
    connect: Annotated[
        bool, typer.Option("--connect", help="Ask the servers of mcp.yaml for their tools, too.")
    ] = False,
    say: Annotated[
        bool,
        typer.Option("--say", help="Say every example, too: does it reach its own action?"),
    ] = False,
) -> None:
    """Name every fault with file, line and field; a sound pack's actions are listed by class.

    The pack's modules are imported, as a start imports them.

    What may be mended and is no fault is a hint: the pack is sound all the same. Each lookup is
    called once, on what the pack has kept for the tenant, if anything; one that fails is a problem.
    """
    folder = find_pack(path)
    faults = check_pack(folder) or import_faults(load_pack(folder))
    sound = None if faults else load_pack(folder)
    missing: tuple[str, ...] = ()
    if sound and connect:
        joined = _connected(sound)
        sound, missing = joined.pack, what_is_missing(joined)
    hints = _hints(sound) if sound else ()
    problems = failed_lookups(sound, tenant) if sound else ()
    missed = missed_examples(folder, sound) if sound and say else ()
    if as_json:
        print_json(
            {
                "pack": folder.name,
                "faults": [
                    {
                        "file": str(fault.file),
                        "line": fault.line,
                        "field": fault.field,
                        "problem": fault.problem,
                    }
                    for fault in faults
                ],
                "classes": {name: list(found) for name, found in sound.classes.items()}
                if sound
                else {},
                "missing": list(missing),
                "problems": [one.as_json() for one in problems],
                "hints": list(hints),
                "missed": [one.as_json() for one in missed],
            }
        )
    elif sound:
        OUT.print(_classes(sound))
        for line in (*missing, *map(str, problems)):
            OUT.print(shown(line))
        _print_some(hints, "hint: ")
        if say:
            count = sum(len(action.examples) for action in sound.actions.values())
            lost = [one for one in missed if not one.is_reached]
            lacking = [one for one in missed if one.is_reached]
            OUT.print(f"{count - len(lost)} of {count} examples reach their actions")
            _print_some(list(map(str, lost)), "")
            OUT.print(f"{len(lacking)} of these leave something to be asked for")
            _print_some(list(map(str, lacking)), "")
    else:
        for fault in faults:
            OUT.print(shown(str(fault)))
        OUT.print(f"{folder.name}: {len(faults)} fault(s)")
    if faults or missing or problems:
        raise typer.Exit(1)


@pack.command(epilog="Example: prefrontal pack encode ../mine")
def encode(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A folder, or a shipped pack's name.")
    ],
) -> None:
    """Encode a pack's examples into its vectors.npz, with which a first start is faster.

    Write it again when many examples changed: those that are not in it are encoded at start.
    """
    from tools.embedding.minilm import AdaptedMiniLM
    from tools.routing.prepared import texts_to_encode

    folder = find_pack(path)
    texts = texts_to_encode(Catalogue.of([load_pack(folder)]))
    embedder = AdaptedMiniLM(None)
    with stepping(f"encoding {len(texts):,} sentences", 1) as step:
        write_shipped(folder / FILE, embedder.name, texts, embedder.embed(texts))
        step()
    OUT.print(f"{folder / FILE}: {len(texts):,} sentences")


def _print_some(lines: Sequence[str], before: str) -> None:
    for line in lines[:MOST_SHOWN]:
        OUT.print(shown(f"{before}{line}"))
    if len(lines) > MOST_SHOWN:
        OUT.print(f"… and {len(lines) - MOST_SHOWN} more; --json lists all of them")


def _hints(sound: Pack) -> tuple[str, ...]:
    from tools.routing.advice import advice_on

    return tuple(advice_on(sound.actions))


def _connected(sound: Pack) -> "Joined":
    from tools.mcp.joining import join_servers

    return asyncio.run(join_servers(sound, egress_of(read_settings(None, None, is_checked=False))))


def _classes(sound: Pack) -> Text:
    text = Text(f"{sound.name}: {len(sound.actions)} actions, no fault\n", style="bold")
    told: dict[ExecutionClass, str] = {
        "A": "runs by itself when it is clearly meant",
        "B": "is offered, and runs when a person picks it",
        "C": "is gated: it runs after an explicit yes",
    }
    for execution_class, meaning in told.items():
        names = sound.classes.get(execution_class, ())
        if names:
            text.append(f"class {execution_class} {meaning}\n", style="cyan")
        for name in names:
            text.append(f"  {name}")
            if (tool := sound.actions[name].mcp) is not None:
                text.append(f"  tool of {tool.server}", style="dim")
            if execution_class == "C":
                text.append(f"  {_gate(sound, name)}", style="dim")
            text.append("\n")
    for server in sound.mcp:
        if not any(action.mcp and action.mcp.server == server for action in sound.actions.values()):
            text.append(f"MCP server {server}: --connect lists its tools\n", style="cyan")
    text.right_crop(1)
    return text


def _gate(sound: Pack, name: str) -> str:
    action = sound.actions[name]
    approvers = action.approvers
    who = ", ".join(approvers.roles or action.roles) or "anyone"
    several = f", {approvers.quorum} of them" if approvers.quorum > 1 else ""
    others = ", not the asker" if approvers.four_eyes else ""
    return f"{action.effect}: {who}{several}{others}, within {approvers.expires_minutes:g} min"
