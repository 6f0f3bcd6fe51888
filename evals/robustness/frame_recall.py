"""`prefrontal evals frames`: how often a framed request is recognised, by frame and kind."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.box import SIMPLE_HEAD
from rich.table import Table

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_error, print_json, printable, step_progress
from evals.robustness.frames import (
    SHIPPED,
    ChosenCommands,
    Frame,
    FramedMessage,
    choose_commands,
    frame_messages,
    read_frames,
)
from evals.robustness.mutations import Mutation, RoutingBench, Verdict, judge_mutations, sample
from evals.runner.measures import Measure, rate
from evals.runner.run import AtMost, CheckThresholds, WordsOnly
from evals.runner.thresholds import (
    Thresholds,
    exit_past_thresholds,
    print_measures,
    read_thresholds,
)
from state.noun import Noun

FRAME_MEASURES = ("changes_right", "reads_right", "another", "mixed_up")
"""Of messages that ask for a change, and of those that ask for a read, the share that is named, or
offered where the frame wants no more; of all, that in which another of the same nature is named,
and that in which a read is for a change or the reverse."""


class Outcome(StrEnum):
    """What was made of a request."""

    NAMED = "named"
    OFFERED = "offered"
    NOTHING = "nothing"
    ANOTHER = "another"  # which changes as little, or as much
    MIXED = "mixed"  # a read for a change, or the reverse


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


def answers(
    bench: RoutingBench,
    messages: Sequence[Mutation],
    frames: Mapping[str, Frame],
    told: Callable[[int], None] = lambda _done: None,
) -> list[Answer]:
    """Route every message; `told` learns after each how many are done."""
    reads = {name for name, action in bench.actions.items() if action.effect == "read"}
    return [
        Answer(
            verdict=verdict,
            frame=frames[verdict.mutation.shape.template],
            outcome=outcome_of(verdict, reads),
            is_read=verdict.mutation.action in reads,
        )
        for verdict in judge_mutations(bench, messages, told=told)
    ]


def outcome_of(verdict: Verdict, reads: Collection[str]) -> Outcome:
    """Say what was made of a request, by which actions only read."""
    if verdict.is_named:
        return Outcome.NAMED
    if verdict.action is None:
        return Outcome.NOTHING if verdict.is_lost else Outcome.OFFERED
    is_same = (verdict.action in reads) == (verdict.mutation.action in reads)
    return Outcome.ANOTHER if is_same else Outcome.MIXED


def frame_measures(found: Sequence[Answer]) -> tuple[Measure, ...]:
    """Measure the shares; messages of one action hang together, so whole actions are drawn."""
    changes = [one for one in found if not one.is_read]
    reads = [one for one in found if one.is_read]
    return tuple(
        rate(name, [float(is_hit(one)) for one in of], [one.verdict.mutation.action for one in of])
        for name, of, is_hit in zip(
            FRAME_MEASURES,
            (changes, reads, found, found),
            (_is_right, _is_right, _names_another, _mixes_up),
            strict=True,
        )
    )


def counts(found: Iterable[Answer], name: Callable[[Answer], str]) -> list[Count]:
    """Count answers by kind, by template, or by whatever `name` calls one; reads apart."""
    by_name: dict[tuple[str, str], Counter[str]] = {}
    for one in found:
        key = name(one), "reads" if one.is_read else "changes"
        counter = by_name.setdefault(key, Counter(dict.fromkeys(Outcome, 0)))
        counter.update({"messages": 1, "right": one.is_right, one.outcome: 1})
    return [Count(name=key, of=of, **counter) for (key, of), counter in by_name.items()]


def worst(counted: Iterable[Count], at_most: int) -> list[Count]:
    """Give the frames that went wrong most often, worst first; none that is always right."""
    failed = [one for one in counted if one.right < one.messages or one.mixed]
    return sorted(failed, key=lambda one: (one.right / one.messages, -one.mixed))[:at_most]


def _is_right(one: Answer) -> bool:
    return one.is_right


def _names_another(one: Answer) -> bool:
    return one.outcome is Outcome.ANOTHER


def _mixes_up(one: Answer) -> bool:
    return one.outcome is Outcome.MIXED


_MOST_SHOWN = 12


def print_answers(
    pack: str, chosen: ChosenCommands, framed: FramedMessage, found: Sequence[Answer]
) -> None:
    """Print counts by kind, the worst frames, and what was left out."""
    title = f"{len(found)} requests made of {len(chosen.commands)} commands of {pack}"
    OUT.print(_table(title, counts(found, lambda one: one.frame.shape.kind)))
    for one in worst(counts(found, lambda one: one.frame.shape.template), _MOST_SHOWN):
        OUT.print(_line(one))
    _print_left_out(chosen, framed)


def print_listed(found: Sequence[Answer], outcomes: Sequence[Outcome]) -> None:
    """Print the texts that came out so, by outcome."""
    for outcome in outcomes:
        for one in found:
            if one.outcome is outcome:
                verdict = one.verdict
                OUT.print(f"{outcome}: {printable(verdict.mutation.text)!r}")
                OUT.print(
                    f"    {verdict.mutation.action} → {verdict.action or 'no action'}"
                    f" {verdict.confidence:.2f} · {verdict.mood}"
                )


def listed_as(one: Answer) -> JsonValue:
    """Tell a text and what was made of it, for JSON."""
    verdict = one.verdict
    return {
        "outcome": one.outcome,
        "text": verdict.mutation.text,
        "frame": one.frame.shape.template,
        "wanted": verdict.mutation.action,
        "action": verdict.action,
        "confidence": verdict.confidence,
        "mood": verdict.mood,
    }


def _table(title: str, counted: Sequence[Count]) -> Table:
    table = Table(
        title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
    )
    table.add_column("asked as", no_wrap=True)
    table.add_column("of")
    for column in ("texts", "right", "named", "offered", "nothing", "another", "mixed"):
        table.add_column(column, justify="right")
    for one in counted:
        by_outcome = (one.named, one.offered, one.nothing, one.another, one.mixed)
        table.add_row(
            printable(one.name),
            one.of,
            str(one.messages),
            f"{one.right / one.messages:.1%}",
            *(str(count or "") for count in by_outcome),
        )
    return table


def _line(one: Count) -> str:
    named = (
        (one.offered, "offered"),
        (one.nothing, "nothing"),
        (one.another, "another"),
        (one.mixed, "mixed up"),
    )
    wrong = ", ".join(f"{count} {what}" for count, what in named if count)
    share = f"{one.right / one.messages:6.1%} of {one.messages} {one.of}"
    return f"{share}: {printable(one.name)}  ({wrong})"


def _print_left_out(chosen: ChosenCommands, framed: FramedMessage) -> None:
    OUT.print(
        f"left out: {len(chosen.without_command)} actions no example of which is a command,"
        f" {len(chosen.never_named)} whose commands are not named as they stand"
    )
    OUT.print(
        f"          {chosen.not_named} commands that are not named as they stand,"
        f" {framed.unfilled} times a frame that a command has no words for"
    )


EXAMPLE = (
    "Examples: prefrontal evals frames --pack vessel --list mixed; "
    "prefrontal evals frames --pack ../mine --words-only --frames ours.yaml --json"
)
_SEED = 1


class _Run(Noun):
    pack: str
    chosen: ChosenCommands
    framed: FramedMessage
    answers: tuple[Answer, ...]


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
    if as_json:
        print_json(_as_json(run, measured, listed or []))
    else:
        print_answers(pack, run.chosen, run.framed, run.answers)
        print_measures(measured, bounds)
        print_listed(run.answers, listed or [])
    exit_past_thresholds(bounds, measured)


def bounds_of(pack: str, *, words_only: bool) -> Thresholds:
    """Read the gates of a whole run of this pack; one that has none passes."""
    name = f"frames_{Path(pack).name}"
    return read_thresholds(f"{name}_words" if words_only else name, FRAME_MEASURES)


def _asked(
    pack: str,
    known: Mapping[str, Frame],
    per_action: int,
    at_most: int | None,
    *,
    words_only: bool,
) -> _Run:
    """Route what the commands of a pack and the frames make."""
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        bench = RoutingBench(pack, Path(folder), words_only=words_only)
        found = choose_commands(bench, per_action=per_action, seed=_SEED)
        made = frame_messages(found.commands, list(known.values()), bench.actions)
        messages = made.messages
        if at_most is not None:
            messages = tuple(sample(messages, at_most, seed=_SEED))
        if not messages:
            print_error(f"{pack} has no example that begins with a verb and is named as it stands")
            raise typer.Exit(1)
        with step_progress("routing", len(messages)) as step:
            judged = answers(bench, messages, known, told=lambda _done: step())
        bench.close()
    return _Run(pack=pack, chosen=found, framed=made, answers=tuple(judged))


def _as_json(run: _Run, measured: Sequence[Measure], listed: Sequence[Outcome]) -> JsonValue:
    by_frame = counts(run.answers, lambda one: one.frame.shape.template)
    return {
        "pack": run.pack,
        "messages": len(run.answers),
        "commands": [one.text for one in run.chosen.commands],
        "left_out": {
            "not_named": run.chosen.not_named,
            "without_command": list(run.chosen.without_command),
            "never_named": list(run.chosen.never_named),
            "unfilled": run.framed.unfilled,
        },
        "measures": [one.model_dump(mode="json") for one in measured],
        "kinds": [
            one.model_dump(mode="json")
            for one in counts(run.answers, lambda one: one.frame.shape.kind)
        ],
        "frames": [one.model_dump(mode="json") for one in by_frame],
        "listed": [listed_as(one) for one in run.answers if one.outcome in listed],
    }
