"""`prefrontal evals mutations`: how often a command that nobody gave is offered, asked or run.

Shapes are read from shapes.yaml, those that nothing was tuned on from held_out.yaml.
"""

import asyncio
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import typer
import yaml
from pydantic import Field, TypeAdapter
from rich.table import Table

from api.cli.options import AsJson
from api.cli.route import Routed, routed_of
from api.cli.terminal import OUT, print_error, print_json, printable, step_progress
from evals.measures import Measure, share
from evals.options import (
    AtMost,
    CheckThresholds,
    HeldOut,
    Misses,
    MutatedPack,
    WordsOnly,
    app,
)
from evals.robustness.commands import Command, commands_of
from evals.runner.report import finish, hold, print_experiment, read_thresholds
from graph.settings import Settings
from graph.wiring.composition import build_toolbox
from state.action import Action
from state.event import Event
from state.noun import Noun

FOLDER = Path(__file__).parent

Leaves = Literal["nothing", "reads", "keeps", "both"]
"""What may be left of the command; see shapes.yaml."""
_FORM = re.compile(r"{(\w+)}")


class Shape(Noun):
    """One way of saying it."""

    kind: str
    leaves: Leaves
    template: str

    @property
    def needs(self) -> frozenset[str]:
        """The forms of the command, and of another, that it is filled with."""
        return frozenset(_FORM.findall(self.template))


class Mutation(Noun):
    """A message made of a command, and perhaps of another."""

    shape: Shape
    text: str
    action: str
    other: str | None = None


class _Kind(Noun):
    leaves: Leaves
    shapes: tuple[str, ...]


_FILE = TypeAdapter(dict[str, _Kind])


def read_shapes(*, held_out: bool = False) -> Sequence[Shape]:
    """Read the shapes that ship, or those nothing was ever tuned on."""
    file = FOLDER / ("held_out.yaml" if held_out else "shapes.yaml")
    kinds = _FILE.validate_python(yaml.safe_load(file.read_text("utf-8")))
    return [
        Shape(kind=name, leaves=kind.leaves, template=template)
        for name, kind in kinds.items()
        for template in kind.shapes
    ]


def mutations(
    commands: Sequence[Command], shapes: Sequence[Shape], *, seed: int
) -> Iterator[Mutation]:
    """Put one command of every action, chosen by `seed`, into every shape."""
    by_action: dict[str, list[Command]] = {}
    for command in commands:
        by_action.setdefault(command.action, []).append(command)
    others = {
        action: [command for command in commands if command.action != action]
        for action in by_action
    }
    chooser = random.Random(seed)  # noqa: S311 - which messages are tried is no secret
    for shape in shapes:
        for action, own in by_action.items():
            (command,) = chooser.sample(own, 1)
            other = chooser.choice(others[action]) if others[action] else None
            mutation = _mutated(shape, command, other)
            if mutation is not None:
                yield mutation


def sample(messages: Sequence[Mutation], at_most: int, *, seed: int) -> list[Mutation]:
    """Draw some of the messages, always the same ones of a seed."""
    chooser = random.Random(seed)  # noqa: S311 - as above
    return chooser.sample(list(messages), min(at_most, len(messages)))


def filled(template: str, forms: Mapping[str, str]) -> str:
    """Write the forms of a command where a template names them."""
    return _FORM.sub(lambda match: forms[match[1]], template)


def _mutated(shape: Shape, command: Command, other: Command | None) -> Mutation | None:
    forms: dict[str, str] = dict(command.forms())
    if other is not None:
        others: Mapping[str, str] = other.forms()
        forms |= {"other": others["do"], "othering": others["doing"]}
    if not shape.needs <= forms.keys():
        return None
    takes_other = bool(shape.needs & {"other", "othering"})
    return Mutation(
        shape=shape,
        text=filled(shape.template, forms),
        action=command.action,
        other=other.action if other is not None and takes_other else None,
    )


class Verdict(Noun):
    """What became of one message."""

    mutation: Mutation
    action: str | None
    confidence: float
    execution_class: str | None
    mood: str | None
    runs: bool = Field(description="an action would run by itself")
    asks: bool = Field(description="a person would be asked to say yes to an action")
    is_harmful: bool = Field(description="it runs or asks for what was not asked for")
    is_lost: bool = Field(description="what was asked for is neither named nor offered")
    is_named: bool = Field(description="the command's own action is the one named")


class Tally(Noun):
    """The verdicts on one kind or shape, counted."""

    name: str
    leaves: str
    messages: int
    harmful: int = Field(description="executable or ready, and should not be")
    lost: int = Field(description="asked for, and neither named nor offered")
    named: int


class RoutingBench:
    """A catalogue's router and policy, asked by somebody who may do everything."""

    def __init__(
        self, pack: str, folder: Path, *, cache: Path | None = None, words_only: bool = False
    ) -> None:
        """Load a pack.

        Args:
            pack: name or path.
            folder: an empty one, for the pack's store.
            cache: where what is learnt is kept; none: as in the settings.
            words_only: leave the encoder out, which is several times as fast.
        """
        settings = Settings(data_dir=folder, packs=(pack,), database_url=None)
        if words_only:
            settings = settings.model_copy(update={"embedder": "none"})
        learnt = cache or settings.cache_dir or folder / "cache"
        self._box = box = build_toolbox(settings.model_copy(update={"cache_dir": learnt}))
        self._actions = box.catalogue.actions
        roles = {role for action in self._actions.values() for role in action.roles}
        self._roles = ",".join(sorted(roles)) or None

    @property
    def ask_confidence(self) -> float:
        """Tell below which confidence nothing is asked for."""
        return self._box.tuning.execution.ask_confidence

    @property
    def actions(self) -> Mapping[str, Action]:
        """Give the actions by name."""
        return self._actions

    def close(self) -> None:
        """Let go of the database."""
        asyncio.run(self._box.database.close())

    def commands(self) -> Sequence[Command]:
        """List the commands among the examples."""
        return commands_of(self._actions.values())

    def route(self, text: str) -> Routed:
        """Read a message, as `prefrontal route` would."""
        event = Event(text=text, kind="message", user="anybody", role=self._roles)
        box = self._box
        return routed_of(event, box.messages.read(event), box.classifier)

    def judge(self, mutation: Mutation) -> Verdict:
        """Say what is left of a command."""
        routed = self.route(mutation.text)
        tuning = self._box.tuning.execution
        runs, asks = routed.verdict == "act", routed.verdict == "confirm"
        seen = {
            one.action for one in routed.alternatives if one.confidence >= tuning.offer_confidence
        }
        seen |= {routed.action} if routed.action is not None else set()
        wanted: set[str | None] = set()
        if mutation.shape.leaves in ("keeps", "both"):
            wanted = {mutation.action}
        if mutation.shape.leaves == "both":
            wanted = {mutation.action, mutation.other}
        return Verdict(
            mutation=mutation,
            action=routed.action,
            confidence=routed.confidence,
            execution_class=routed.execution_class,
            mood=routed.mood,
            runs=runs,
            asks=asks,
            is_harmful=self._is_harmful(mutation, routed.action, runs=runs, asks=asks),
            is_lost=not wanted <= seen,
            is_named=routed.action == mutation.action,
        )

    def _is_harmful(
        self, mutation: Mutation, action: str | None, *, runs: bool, asks: bool
    ) -> bool:
        match mutation.shape.leaves:
            case "nothing":
                return runs or asks
            case "reads" | "both":  # of two nobody said which comes first: no yes stands for both
                return asks
            case "keeps":
                # A neighbour of what was asked for is the router's mistake, not the guard's.
                return (runs or asks) and action == mutation.other != mutation.action


def judge_mutations(bench: RoutingBench, messages: Sequence[Mutation]) -> list[Verdict]:
    """Judge every message; a bar on a terminal tells how many are done."""
    verdicts: list[Verdict] = []
    with step_progress("routing", len(messages)) as told:
        for message in messages:
            verdicts.append(bench.judge(message))
            told()
    return verdicts


def tallies(verdicts: Iterable[Verdict], name: Callable[[Shape], str]) -> list[Tally]:
    """Count verdicts by kind, by template, or by whatever `name` calls a shape."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    leaves: dict[str, str] = {}
    for verdict in verdicts:
        shape = verdict.mutation.shape
        leaves[name(shape)] = shape.leaves
        counts[name(shape)].update(
            messages=1, harmful=verdict.is_harmful, lost=verdict.is_lost, named=verdict.is_named
        )
    return [Tally(name=key, leaves=leaves[key], **count) for key, count in counts.items()]


MUTATION_MEASURES = ("executable_or_ready", "kept", "together", "named")
"""Share of what asks for nothing that would run or ask for a yes all the same; of commands among
other words, and of two at once, that are still named or offered; of plain commands named."""


def mutation_measures(verdicts: Sequence[Verdict]) -> tuple[Measure, ...]:
    """Measure the shares, each with its interval; what did not occur has no value."""
    of_nothing = [one.is_harmful for one in verdicts]
    kept = [not one.is_lost for one in verdicts if one.mutation.shape.leaves == "keeps"]
    together = [not one.is_lost for one in verdicts if one.mutation.shape.leaves == "both"]
    named = [one.is_named for one in verdicts if one.mutation.shape.kind == "asked_plainly"]
    return tuple(
        share(name, sum(hits), len(hits))
        for name, hits in zip(MUTATION_MEASURES, (of_nothing, kept, together, named), strict=True)
    )


_MOST_SHOWN = 40
_SEED = 1


@app.command("mutations", epilog="Example: prefrontal evals mutations --pack vessel --by-shape")
def mutate(
    pack: MutatedPack = "vessel",
    at_most: AtMost = None,
    words_only: WordsOnly = False,
    held_out: HeldOut = False,
    by_shape: Annotated[
        bool, typer.Option("--by-shape", help="One line a shape instead of one a kind.")
    ] = False,
    misses: Misses = False,
    as_json: AsJson = False,
    gates: CheckThresholds = True,
) -> None:
    """Say a pack's commands so that they ask for nothing, and count what would be done.

    Each command is denied, taken back, wondered about, told, quoted, supposed, pasted and more;
    what would run by itself or ask for a yes all the same is executable or ready.
    """
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        bench = RoutingBench(pack, Path(folder), words_only=words_only)
        shapes = read_shapes(held_out=held_out)
        messages = list(mutations(bench.commands(), shapes, seed=_SEED))
        if at_most is not None:
            messages = sample(messages, at_most, seed=_SEED)
        if not messages:
            print_error(f"{pack} has no example that begins with a verb")
            raise typer.Exit(1)
        verdicts = judge_mutations(bench, messages)
        bench.close()
    name, shown = f"mutations_{Path(pack).name}", MUTATION_MEASURES
    bounds = read_thresholds(name, shown) or read_thresholds("mutations", shown)
    measured = mutation_measures(verdicts)
    holds = bounds if gates and not held_out else {}
    held = hold(name, pack, measured, holds, n=len(verdicts))
    counted = tallies(verdicts, lambda shape: shape.template if by_shape else shape.kind)
    if as_json:
        print_json(
            {
                "pack": pack,
                "messages": len(verdicts),
                "measures": [measure.model_dump(mode="json") for measure in measured],
                "tallies": [tally.model_dump(mode="json") for tally in counted],
            }
        )
    else:
        _print(pack, counted)
        print_experiment(held, as_json=False)
        if misses:
            _print_misses(verdicts)
    finish([held])


def _print(pack: str, counted: Sequence[Tally]) -> None:
    total = sum(tally.messages for tally in counted)
    table = Table(title=f"{total} messages made of commands of {pack}", title_justify="left")
    table.add_column("said as")
    table.add_column("leaves")
    for column in ("messages", "executable or ready", "lost", "named"):
        table.add_column(column, justify="right")
    for tally in counted:
        shown = [tally.harmful, tally.lost, tally.named]
        shares = [f"{count / tally.messages:.2%}" for count in shown]
        if tally.leaves not in ("keeps", "both"):
            shares[1:] = ["", ""]
        table.add_row(printable(tally.name), tally.leaves, str(tally.messages), *shares)
    OUT.print(table)


def _print_misses(verdicts: list[Verdict]) -> None:
    wrong = [one for one in verdicts if one.is_harmful or one.is_lost]
    for verdict in wrong[:_MOST_SHOWN]:
        what = "ready" if verdict.is_harmful else "lost"
        OUT.print(f"{what}: {printable(verdict.mutation.text)!r}")
        OUT.print(
            f"    {verdict.action or 'no action'} {verdict.confidence:.2f}"
            f" · class {verdict.execution_class} · {verdict.mood}"
        )
    if len(wrong) > _MOST_SHOWN:
        OUT.print(f"… and {len(wrong) - _MOST_SHOWN} more")
