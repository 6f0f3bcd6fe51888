"""`prefrontal evals frames`: how often a request is named, in whatever sentence it is asked."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from pydantic import JsonValue

from evals.frames.choosing import Chosen, chosen
from evals.frames.framing import SHIPPED, Frame, Framed, framed, read_frames
from evals.frames.judging import MEASURES, Answer, Outcome, answers, counts, figures
from evals.frames.printing import listed_as, print_answers, print_listed
from evals.gated import exit_past, print_measures
from evals.gates import Gates, read_gates
from evals.measures import Measure
from evals.mutations.judging import Bench
from evals.mutations.shapes import sample
from evals.options import AtMost, Gated, WordsOnly
from graph.cli.options import AsJson
from graph.cli.terminal.console import complain, print_json, stepping
from state.noun import Noun

EXAMPLE = (
    "Examples: prefrontal evals frames --pack vessel --list mixed; "
    "prefrontal evals frames --pack ../mine --words-only --frames ours.yaml --json"
)
_SEED = 1


class _Run(Noun):
    pack: str
    chosen: Chosen
    framed: Framed
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
    gates: Gated = True,
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
    measured = figures(run.answers)
    if as_json:
        print_json(_as_json(run, measured, listed or []))
    else:
        print_answers(pack, run.chosen, run.framed, run.answers)
        print_measures(measured, bounds)
        print_listed(run.answers, listed or [])
    exit_past(bounds, measured)


def bounds_of(pack: str, *, words_only: bool) -> Gates:
    """Read the gates of a whole run of this pack; one that has none passes."""
    name = f"frames_{Path(pack).name}"
    return read_gates(f"{name}_words" if words_only else name, MEASURES)


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
        bench = Bench(pack, Path(folder), words_only=words_only)
        found = chosen(bench, per_action=per_action, seed=_SEED)
        made = framed(found.commands, list(known.values()), bench.actions)
        messages = made.messages
        if at_most is not None:
            messages = tuple(sample(messages, at_most, seed=_SEED))
        if not messages:
            complain(f"{pack} has no example that begins with a verb and is named as it stands")
            raise typer.Exit(1)
        with stepping("routing", len(messages)) as step:
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
