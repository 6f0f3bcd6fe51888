"""`prefrontal pack`: check a pack, its lookups and examples; encode its texts."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, get_args

import typer
from pydantic import JsonValue
from rich.text import Text

from api.cli.options import AsJson, Tenant, read_settings, stream_settings
from api.cli.route import routed_of
from api.cli.terminal import OUT, counted, print_json, printable, step_progress
from graph.wiring.external_services import build_egress
from graph.wiring.external_services import missing_tools as what_is_missing
from state.action import ExecutionClass
from state.errors import LookupFailed
from state.event import Event
from tools.adapters.embedding.vector_cache import FILE, write_shipped
from tools.catalog import Catalogue, Pack, find_pack, load_pack
from tools.catalog.entity_values import look_up
from tools.catalog.pack import check_pack
from tools.catalog.pack_code import import_faults
from tools.platform.clock import SystemClock
from tools.platform.texts import t

_MOST_OF_AN_ERROR = 200


@dataclass(frozen=True)
class FailedLookup:
    """A lookup that raised, and what to do about it."""

    pack: str
    entity: str
    lookup: str
    error: str
    todo: str

    def __str__(self) -> str:
        return t("cli.pack.lookup", **asdict(self))

    def as_json(self) -> dict[str, JsonValue]:
        """Give its fields."""
        return dict(asdict(self))


def failed_lookups(pack: Pack, tenant: str) -> tuple[FailedLookup, ...]:
    """Call every lookup of a pack on a tenant's store; what answers is not told of."""
    with _store_of(pack, tenant) as folder:
        return tuple(_failing(pack, folder))


def _failing(pack: Pack, folder: Path) -> Iterator[FailedLookup]:
    for name, entity in pack.entities.items():
        if entity.lookup is None:
            continue
        try:
            look_up(pack, name, folder)
        except LookupFailed as failed:
            told = " ".join(f"{failed.cause}: {failed.__cause__}".split())[:_MOST_OF_AN_ERROR]
            what = name.replace("_", " ")
            todo = t("cli.pack.lookup_todo", folder=folder, entity=what)
            yield FailedLookup(pack.name, name, entity.lookup, told, todo)


@contextmanager
def _store_of(pack: Pack, tenant: str) -> Iterator[Path]:
    """Give the tenant's folder if the pack has kept something there, else a fresh one.

    A check makes no files in a deployment that the pack has never worked in.
    """
    settings = read_settings(None, None, is_checked=False)
    kept = settings.data_dir.resolve() / "packs" / tenant
    if (kept / pack.name).exists() or any(kept.glob(f"{pack.name}.*")):
        yield kept
        return
    with TemporaryDirectory(prefix="prefrontal-") as folder:
        yield Path(folder)


@dataclass(frozen=True)
class MissedExample:
    """An example that does not reach its own action, or not with all that it needs."""

    action: str
    text: str
    reached: str | None
    """The action that is named, or stands first among what is offered; None: nothing."""
    lacks: tuple[str, ...] = ()
    """Slots that have to be asked for: the text does not fill them."""

    @property
    def is_reached(self) -> bool:
        """Tell whether it reaches its own action at all."""
        return self.reached == self.action

    def __str__(self) -> str:
        if self.is_reached:
            slots = " and ".join(self.lacks).replace("_", " ")
            return t("cli.pack.missed_slots", text=self.text, action=self.action, slots=slots)
        reached = self.reached or t("cli.pack.missed_nothing")
        return t("cli.pack.missed", text=self.text, reached=reached, action=self.action)

    def as_json(self) -> dict[str, JsonValue]:
        """Give its fields."""
        return {**asdict(self), "lacks": list(self.lacks)}


def missed_examples(folder: Path, pack: Pack) -> Sequence[MissedExample]:
    """Say each example by itself, as somebody who may ask for everything; in order."""
    from graph.wiring.composition import build_toolbox

    missed: list[MissedExample] = []
    examples = [(one.name, text) for one in pack.actions.values() for text in one.examples]
    with stream_settings([str(folder)], None) as settings:
        box = build_toolbox(settings)
        clock, roles = SystemClock(), ",".join(sorted(box.catalogue.roles))
        try:
            with step_progress("saying the examples", len(examples)) as step:
                for action, text in examples:
                    event = Event(kind="message", text=text, user="author", role=roles or None)
                    event = event.at(clock.now())
                    said = routed_of(event, box.messages.read(event), box.classifier)
                    first = next((one.action for one in said.alternatives), None)
                    reached = None if said.verdict == "none" else said.action or first
                    if reached != action or said.missing_slots:
                        missed.append(MissedExample(action, text, reached, said.missing_slots))
                    step()
        finally:
            asyncio.run(box.database.close())
    return missed


MOST_SHOWN = 10

if TYPE_CHECKING:
    from tools.adapters.mcp.discovery import PackWithTools

pack = typer.Typer(no_args_is_help=True, epilog="Example: prefrontal pack check vessel")


@pack.command(epilog="Example: prefrontal pack check ../mine --say")
def check(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A folder, or a shipped pack's name.")
    ],
    as_json: AsJson = False,
    tenant: Tenant = "default",
    connect: Annotated[
        bool, typer.Option("--connect", help="Also ask the servers of mcp.yaml for their tools.")
    ] = False,
    say: Annotated[
        bool,
        typer.Option(
            "--say", help="Also route every example and report those that miss their action."
        ),
    ] = False,
) -> None:
    """Report every fault with file, line and field; list the actions of a sound pack by class.

    The pack's modules are imported, as a start imports them. Each lookup is called once, on the
    tenant's data if there is any; one that fails is a problem. A hint is no fault.
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
            OUT.print(printable(line))
        _print_some([t("cli.pack.hint", hint=one) for one in hints])
        if say:
            count = sum(len(action.examples) for action in sound.actions.values())
            lost = [one for one in missed if not one.is_reached]
            lacking = [one for one in missed if one.is_reached]
            reached, examples = count - len(lost), counted(count, "example")
            OUT.print(t("cli.pack.reached", reached=reached, examples=examples))
            _print_some(list(map(str, lost)))
            if lacking:
                OUT.print(t("cli.pack.lacking", lacking=_need(len(lacking))))
                _print_some(list(map(str, lacking)))
    else:
        for fault in faults:
            OUT.print(printable(str(fault)))
        faulty = counted(len(faults), "fault")
        OUT.print(t("cli.pack.faults", pack=folder.name, faults=faulty))
    if faults or missing or problems:
        raise typer.Exit(1)


@pack.command(epilog="Example: prefrontal pack encode ../mine")
def encode(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A folder, or a shipped pack's name.")
    ],
) -> None:
    """Encode a pack's examples into its vectors.npz, which makes the first start faster.

    Run it again when many examples changed: missing ones are encoded at the start.
    """
    from tools.adapters.embedding.minilm import AdaptedMiniLM
    from tools.nlu.intents.router import texts_to_encode

    folder = find_pack(path)
    texts = texts_to_encode(Catalogue.of([load_pack(folder)]))
    embedder = AdaptedMiniLM(None)
    with step_progress(f"encoding {len(texts):,} sentences", 1) as step:
        write_shipped(folder / FILE, embedder.name, texts, embedder.embed(texts))
        step()
    OUT.print(t("cli.pack.encoded", file=folder / FILE, count=len(texts)))


def _need(count: int) -> str:
    return f"{counted(count, 'example')} {'needs' if count == 1 else 'need'}"


def _print_some(lines: Sequence[str]) -> None:
    for line in lines[:MOST_SHOWN]:
        OUT.print(printable(line))
    if len(lines) > MOST_SHOWN:
        OUT.print(t("cli.pack.more", count=len(lines) - MOST_SHOWN))


def _hints(sound: Pack) -> tuple[str, ...]:
    from tools.nlu.intents.explanation import advice_on

    return tuple(advice_on(sound.actions))


def _connected(sound: Pack) -> "PackWithTools":
    from tools.adapters.mcp.discovery import discover_tools

    return asyncio.run(
        discover_tools(sound, build_egress(read_settings(None, None, is_checked=False)))
    )


def _classes(sound: Pack) -> Text:
    actions = counted(len(sound.actions), "action")
    text = Text(t("cli.pack.head", pack=sound.name, actions=actions) + "\n", style="bold")
    for execution_class in get_args(ExecutionClass):
        names = sound.classes.get(execution_class, ())
        if names:
            text.append(t(f"cli.pack.class_{execution_class}") + "\n", style="cyan")
        for name in names:
            text.append(f"  {name}")
            if (tool := sound.actions[name].mcp) is not None:
                text.append("  " + t("cli.pack.tool", server=tool.server), style="dim")
            if execution_class == "C":
                text.append(f"  {_gate(sound, name)}", style="dim")
            text.append("\n")
    for server in sound.mcp:
        if not any(action.mcp and action.mcp.server == server for action in sound.actions.values()):
            text.append(t("cli.pack.unlisted", server=server) + "\n", style="cyan")
    text.right_crop(1)
    return text


def _gate(sound: Pack, name: str) -> str:
    action = sound.actions[name]
    approvers = action.approvers
    who = " or ".join(approvers.roles or action.roles) or "anyone"
    is_said = "expires_minutes" in approvers.model_fields_set
    return t(
        "cli.pack.approval",
        effect=action.effect,
        who=who,
        quorum=approvers.quorum if approvers.quorum > 1 else None,
        not_requester=t("cli.pack.not_requester") if approvers.four_eyes else "",
        minutes=approvers.expires_minutes if is_said else None,
    )
