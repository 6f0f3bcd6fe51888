"""`prefrontal evals frames`: how often a request is recognised, by sentence frame and kind.

Frames of frames.yaml are filled with commands that are recognised as they stand.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import typer
from pydantic import Field, JsonValue, TypeAdapter, ValidationError
from rich.box import SIMPLE_HEAD
from rich.table import Table

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_error, print_json, printable
from evals.measures import Measure, rate
from evals.options import AtMost, CheckThresholds, WordsOnly, app
from evals.robustness.commands import MOST_WORDS, Command, forms_of
from evals.robustness.mutations import (
    Mutation,
    RoutingBench,
    Shape,
    Verdict,
    filled,
    judge_mutations,
    sample,
)
from evals.runner.report import Thresholds, finish, hold, print_experiment, read_thresholds
from state.action import Action
from state.errors import BadInput
from state.noun import Noun
from tools.catalog.yaml_with_lines import read_yaml
from tools.nlu import word_set

SHIPPED = Path(__file__).parent / "frames.yaml"
FORMS = frozenset(("do", "doing", "thing", "gerund", "participle", "verb", "do_it", "seen"))
FRAME_MEASURES = ("changes_right", "reads_right", "another", "mixed_up")
"""Of messages that ask for a change, and of those that ask for a read, the share that is named, or
offered where the frame wants no more; of all, that in which another of the same nature is named,
and that in which a read is for a change or the reverse."""
_MOST_TRIED = 5
_OF_FRAMES = word_set("again asap it me my now pls plz thanks them thx today us your")
"""`me` among them, which is odd behind `could we`, and `it`, as nothing was said before."""
_MORE = re.compile("[,;–—]")
_MOST_SHOWN = 12
_SEED = 1

Of = Literal["changes", "reads", "both"]
Enough = Literal["named", "offered"]


class Frame(Noun):
    """One way of asking for it."""

    shape: Shape
    of: Of
    enough: Enough

    def takes(self, action: Action) -> bool:
        """Tell whether people ask so for what an action does."""
        return self.of in ("both", "reads" if action.effect == "read" else "changes")


class Kind(Noun):
    """Frames of one kind, as they stand in the file."""

    of: Of
    enough: Enough = "named"
    frames: tuple[str, ...]


_FILE = TypeAdapter(dict[str, Kind])


def read_frames(path: Path = SHIPPED) -> Mapping[str, Frame]:
    """Read frames, by their template.

    Raises:
        BadInput: the file cannot be read or is none of frames, names a form that there is not, or
            holds a kind or a frame twice.
    """
    marked = read_yaml(path)
    if marked.faults:
        raise BadInput("\n".join(map(str, marked.faults)))
    try:
        kinds = _FILE.validate_python(marked.value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise BadInput(f"{path}: {where}: {first['msg']}") from error
    found: dict[str, Frame] = {}
    for name, kind in kinds.items():
        for template in kind.frames:
            shape = Shape(kind=name, leaves="keeps", template=template)
            if not shape.needs or not shape.needs <= FORMS:
                needed = "}, {".join(sorted(FORMS))
                raise BadInput(f"{path}: {template!r} needs one of {{{needed}}}")
            if template in found:
                raise BadInput(f"{path}: {template!r} stands there twice")
            found[template] = Frame(shape=shape, of=kind.of, enough=kind.enough)
    if not found:
        raise BadInput(f"{path} holds no frame")
    return found


class FramedMessages(Noun):
    """The messages that commands and frames make."""

    messages: tuple[Mutation, ...]
    unfilled: int = 0
    """Frames that take an action, and that its command has no words for."""


def frame_messages(
    commands: Sequence[Command], frames: Sequence[Frame], actions: Mapping[str, Action]
) -> FramedMessages:
    """Put every command into every frame that takes its action."""
    messages, unfilled = [], 0
    for command in commands:
        forms = forms_of(command)
        for shape in (one.shape for one in frames if one.takes(actions[command.action])):
            if shape.needs <= forms.keys():
                text = filled(shape.template, forms)
                messages.append(Mutation(shape=shape, text=text, action=command.action))
            else:
                unfilled += 1
    return FramedMessages(messages=tuple(messages), unfilled=unfilled)


class ChosenCommands(Noun):
    """Commands of a catalogue, and whose there are none of."""

    commands: tuple[Command, ...]
    not_named: int = Field(description="commands that were tried, and not named as they stand")
    without_command: tuple[str, ...] = Field(description="actions no example of which is a command")
    never_named: tuple[str, ...] = Field(description="actions none of whose commands was named")


def choose_commands(bench: RoutingBench, *, per_action: int) -> ChosenCommands:
    """Draw commands of every action, those first that fill most frames.

    What a frame does to a command can only be told of one that is named without it.
    """
    own: dict[str, list[Command]] = {name: [] for name in bench.actions}
    for command in filter(_fits, bench.commands()):
        own[command.action].append(command)
    chooser = random.Random(_SEED)  # noqa: S311 - which commands are tried is no secret
    found: dict[str, list[Command]] = {name: [] for name in own}
    not_named = 0
    for name, commands in own.items():
        mixed = chooser.sample(commands, len(commands))
        for command in sorted(mixed, key=lambda one: -len(forms_of(one)))[
            : per_action + _MOST_TRIED
        ]:
            if len(found[name]) == per_action:
                break
            if bench.route(command.text).action == name:
                found[name].append(command)
            else:
                not_named += 1
    return ChosenCommands(
        commands=tuple(command for commands in found.values() for command in commands),
        not_named=not_named,
        without_command=tuple(name for name, commands in own.items() if not commands),
        never_named=tuple(name for name in found if own[name] and not found[name]),
    )


def _fits(command: Command) -> bool:
    """Tell whether a command is short, and holds nothing that a frame says for itself."""
    words = command.text.lower().split()
    if len(words) > MOST_WORDS + 1 or not _OF_FRAMES.isdisjoint(words):
        return False
    return _MORE.search(command.text) is None


class Outcome(StrEnum):
    """What was made of a request."""

    NAMED = "named"
    OFFERED = "offered"
    NOTHING = "nothing"
    ANOTHER = "another"  # which changes as little, or as much
    MIXED = "mixed"  # a read for a change, or the reverse


def outcome_of(verdict: Verdict, reads: Collection[str]) -> Outcome:
    """Say what was made of a request, by which actions only read."""
    if verdict.is_named:
        return Outcome.NAMED
    if verdict.action is None:
        return Outcome.NOTHING if verdict.is_lost else Outcome.OFFERED
    is_same = (verdict.action in reads) == (verdict.mutation.action in reads)
    return Outcome.ANOTHER if is_same else Outcome.MIXED


class Answer(Noun):
    """What became of one message."""

    verdict: Verdict
    frame: Frame
    outcome: Outcome
    is_read: bool

    @property
    def is_right(self) -> bool:
        """Tell whether as much was shown as the frame wants."""
        return self.outcome in (Outcome.NAMED, self.frame.enough)


def frame_measures(found: Sequence[Answer]) -> tuple[Measure, ...]:
    """Measure the shares; messages of one action hang together, so whole actions are drawn."""
    changes = [(one, one.is_right) for one in found if not one.is_read]
    reads = [(one, one.is_right) for one in found if one.is_read]
    another = [(one, one.outcome is Outcome.ANOTHER) for one in found]
    mixed = [(one, one.outcome is Outcome.MIXED) for one in found]
    return tuple(
        rate(
            name,
            [float(is_hit) for _one, is_hit in judged],
            [one.verdict.mutation.action for one, _is_hit in judged],
        )
        for name, judged in zip(FRAME_MEASURES, (changes, reads, another, mixed), strict=True)
    )


class Count(Noun):
    """The answers to one kind or frame, counted by outcome."""

    name: str
    of: str
    messages: int
    right: int
    named: int
    offered: int
    nothing: int
    another: int
    mixed: int


def counts(found: Iterable[Answer], name: Callable[[Shape], str]) -> list[Count]:
    """Count answers by kind, by template, or by whatever `name` calls a shape; reads apart."""
    by_name: dict[tuple[str, str], Counter[str]] = {}
    for one in found:
        key = name(one.frame.shape), "reads" if one.is_read else "changes"
        counter = by_name.setdefault(key, Counter(dict.fromkeys(Outcome, 0)))
        counter.update({"messages": 1, "right": one.is_right, one.outcome: 1})
    return [Count(name=key, of=of, **counter) for (key, of), counter in by_name.items()]


def _kind(shape: Shape) -> str:
    return shape.kind


def _template(shape: Shape) -> str:
    return shape.template


class _Run(Noun):
    pack: str
    chosen: ChosenCommands
    framed: FramedMessages
    answers: tuple[Answer, ...]


@app.command(
    "frames",
    epilog="Examples: prefrontal evals frames --pack vessel --list mixed; "
    "prefrontal evals frames --pack ../mine --words-only --frames ours.yaml --json",
)
def frame(
    pack: Annotated[
        str, typer.Option("--pack", metavar="NAME|PATH", help="Whose commands are asked for.")
    ] = "vessel",
    per_action: Annotated[
        int, typer.Option(min=1, max=50, help="Commands of each action, always the same.")
    ] = 1,
    at_most: AtMost = None,
    words_only: WordsOnly = False,
    frames: Annotated[
        Path | None, typer.Option(metavar="FILE.yaml", help="Frames of your own instead.")
    ] = None,
    listed: Annotated[
        list[Outcome] | None,
        typer.Option("--list", help="List the texts of an outcome; again: of a further one."),
    ] = None,
    as_json: AsJson = False,
    gates: CheckThresholds = True,
) -> None:
    """Ask for a pack's actions in the sentences people use, and count how many are named.

    A command of each action, one that is named as it stands, is put into each frame: "would you
    mind closing WO-1042?", "WO-1042 needs closing". A message is mixed up when a read is named for
    a change or the reverse.
    """
    known = read_frames(frames or SHIPPED)
    run = _asked(pack, known, per_action, at_most, words_only=words_only)
    is_whole = frames is None and at_most is None and per_action == 1
    bounds = bounds_of(pack, words_only=words_only) if gates and is_whole else {}
    measured = frame_measures(run.answers)
    held = hold(_section(pack, words_only=words_only), pack, measured, bounds, n=len(run.answers))
    if as_json:
        print_json(_as_json(run, measured, listed or []))
    else:
        _print(run, listed or [])
        print_experiment(held, as_json=False)
    finish([held])


def bounds_of(pack: str, *, words_only: bool) -> Thresholds:
    """Read the thresholds of a whole run of this pack; one that has none passes."""
    return read_thresholds(_section(pack, words_only=words_only), FRAME_MEASURES)


def _section(pack: str, *, words_only: bool) -> str:
    return f"frames_{Path(pack).name}" + ("_words" if words_only else "")


def _asked(
    pack: str, known: Mapping[str, Frame], per_action: int, at_most: int | None, *, words_only: bool
) -> _Run:
    """Route what the commands of a pack and the frames make."""
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        bench = RoutingBench(pack, Path(folder), words_only=words_only)
        chosen = choose_commands(bench, per_action=per_action)
        framed = frame_messages(chosen.commands, list(known.values()), bench.actions)
        messages: Sequence[Mutation] = framed.messages
        if at_most is not None:
            messages = sample(messages, at_most, seed=_SEED)
        if not messages:
            print_error(f"{pack} has no example that begins with a verb and is named as it stands")
            raise typer.Exit(1)
        reads = {name for name, action in bench.actions.items() if action.effect == "read"}
        verdicts = judge_mutations(bench, messages)
        bench.close()
    answers = tuple(
        Answer(
            verdict=one,
            frame=known[one.mutation.shape.template],
            outcome=outcome_of(one, reads),
            is_read=one.mutation.action in reads,
        )
        for one in verdicts
    )
    return _Run(pack=pack, chosen=chosen, framed=framed, answers=answers)


def _print(run: _Run, listed: Sequence[Outcome]) -> None:
    """Print counts by kind, the worst frames, what was left out, and the texts of some outcomes."""
    chosen = run.chosen
    title = f"{len(run.answers)} requests made of {len(chosen.commands)} commands of {run.pack}"
    table = Table(
        title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
    table.add_column("asked as", no_wrap=True)
    table.add_column("of")
    for column in ("texts", "right", *Outcome):
        table.add_column(column, justify="right")
    for one in counts(run.answers, _kind):
        right = f"{one.right / one.messages:.1%}"
        by_outcome = (str(getattr(one, outcome) or "") for outcome in Outcome)
        table.add_row(printable(one.name), one.of, str(one.messages), right, *by_outcome)
    OUT.print(table)
    failed = [
        one for one in counts(run.answers, _template) if one.right < one.messages or one.mixed
    ]
    failed.sort(key=lambda one: (one.right / one.messages, -one.mixed))
    for one in failed[:_MOST_SHOWN]:
        wrong = [(getattr(one, outcome), outcome) for outcome in Outcome if outcome != "named"]
        told = ", ".join(f"{count} {what}" for count, what in wrong if count)
        share = f"{one.right / one.messages:6.1%} of {one.messages} {one.of}"
        OUT.print(f"{share}: {printable(one.name)}  ({told})")
    OUT.print(
        f"left out: {len(chosen.without_command)} actions no example of which is a command,"
        f" {len(chosen.never_named)} whose commands are not named as they stand\n"
        f"          {chosen.not_named} commands that are not named as they stand,"
        f" {run.framed.unfilled} times a frame that a command has no words for"
    )
    for outcome in listed:
        for verdict in (one.verdict for one in run.answers if one.outcome is outcome):
            OUT.print(f"{outcome}: {printable(verdict.mutation.text)!r}")
            OUT.print(
                f"    {verdict.mutation.action} → {verdict.action or 'no action'}"
                f" {verdict.confidence:.2f} · {verdict.mood}"
            )


def _as_json(run: _Run, measured: Sequence[Measure], listed: Sequence[Outcome]) -> JsonValue:
    chosen = run.chosen
    left_out = chosen.model_dump(mode="json", exclude={"commands"})
    return {
        "pack": run.pack,
        "messages": len(run.answers),
        "commands": [one.text for one in chosen.commands],
        "left_out": {**left_out, "unfilled": run.framed.unfilled},
        "measures": [one.model_dump(mode="json") for one in measured],
        "kinds": [one.model_dump(mode="json") for one in counts(run.answers, _kind)],
        "frames": [one.model_dump(mode="json") for one in counts(run.answers, _template)],
        "listed": [
            {
                "outcome": one.outcome,
                "text": one.verdict.mutation.text,
                "frame": one.frame.shape.template,
                "wanted": one.verdict.mutation.action,
                **one.verdict.model_dump(mode="json", include={"action", "confidence", "mood"}),
            }
            for one in run.answers
            if one.outcome in listed
        ],
    }
