"""`prefrontal evals compare`: two sides case by case, or all response strategies side by side.

Each strategy answers the same cases; accuracy, model calls, time and cost are compared.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, NamedTuple

import typer
from pydantic import Field
from rich.table import Table

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_json, print_note, printable, progress
from evals.dataset import find_datasets
from evals.loopback.openai_server import OpenAIServer, Rule
from evals.measures import CaseResult, Interval, mean_by_unit, model_use
from evals.options import PackInstead, WordsOnly, app
from evals.runner.compare import (
    STRATEGIES,
    compare_reports,
    render_comparison,
    report_of_side,
    require_side,
)
from evals.simulation.household import ScriptedModel, SimulatedUser, read_world, stream
from evals.simulation.simulate import A_DAY, play_household
from graph.replay.harness import learned_cache
from graph.settings import Settings
from state.errors import BadInput
from state.noun import Noun
from state.strategy import StrategyName


class Figure(Noun):
    """A mean over the cases, and what it differs by from the first strategy's on the same cases."""

    mean: float
    interval: Interval | None
    differs: float | None = Field(default=None, description="null: this is the first strategy")
    differs_interval: Interval | None = None


class StrategyFigures(Noun):
    """One strategy summed up."""

    strategy: StrategyName
    cases: int
    figures: Mapping[str, Figure]


class Shown(NamedTuple):
    """A measure: its figure of a case, how it is written, and of how many cases."""

    figure: Callable[[CaseResult], float]
    unit: str
    form: str
    cases: int = 1


MEASURES: Mapping[str, Shown] = {
    "right": Shown(lambda one: one.scores[RIGHT], "right", ".3f"),
    "calls": Shown(lambda one: float(one.calls), "calls of a model", ".2f"),
    "milliseconds": Shown(lambda one: (one.seconds or 0.0) * 1_000, "ms", ".0f"),
    "tokens": Shown(lambda one: float(one.tokens), "tokens", ".0f"),
    "cost": Shown(lambda one: one.cost, "cost of 1,000", ".2f", 1_000),
}
"""By name; each is a mean of a case."""
RIGHT = "right"
Found = Mapping[StrategyName, Sequence[CaseResult]]
"""The cases as each strategy answered them, in the same order."""


def compare_strategies(found: Found) -> tuple[StrategyFigures, ...]:
    """Put strategies side by side."""
    first = next(iter(found))
    return tuple(
        StrategyFigures(
            strategy=strategy,
            cases=len(cases),
            figures={
                name: _figure(cases, None if strategy == first else found[first], shown.figure)
                for name, shown in MEASURES.items()
            },
        )
        for strategy, cases in found.items()
    )


def _figure(
    cases: Sequence[CaseResult],
    others: Sequence[CaseResult] | None,
    of: Callable[[CaseResult], float],
) -> Figure:
    values, units = [of(one) for one in cases], [one.unit for one in cases]
    figure = Figure(mean=fmean(values), interval=mean_by_unit(values, units))
    if others is None:
        return figure
    changes = [value - of(other) for value, other in zip(values, others, strict=True)]
    update = {"differs": fmean(changes), "differs_interval": mean_by_unit(changes, units)}
    return figure.model_copy(update=update)


_DEFERS: Mapping[str, Any] = {  # a ModelAnswer
    "action": None,
    "arguments": [],
    "predicted_success": 0.5,
    "confidence": 0.5,
    "say": "That I cannot tell.",
}
_JUDGES = {"requests": "action_accuracy", "streams": "speaking_accuracy"}


@contextmanager
def answering_model() -> Iterator[Mapping[str, str]]:  # by setting
    """Yield the settings that lead to the model which is set, or to a scripted one on loopback."""
    if Settings().model is not None:
        yield {}
        return
    with OpenAIServer(Rule(says=_DEFERS)) as server:
        yield {"model": "scripted", "model_base_url": server.base_url}


def on_dataset(name: str, pack: str | None) -> tuple[str, Found]:
    """Answer every case of a dataset by each strategy; tells as well who answered for the model.

    Raises:
        BadInput: nothing in the dataset is decided, or the file holds several.
    """
    dataset, *others = find_datasets([name])
    judge = _JUDGES.get(dataset.header.target)
    if judge is None or others:
        raise BadInput(f"{dataset.name} asks for no decision, so no strategy makes a difference")
    found: dict[StrategyName, Sequence[CaseResult]] = {}
    with answering_model() as model:
        for one in STRATEGIES:
            (held,) = report_of_side(one, [dataset], pack=pack, settings=model).held
            found[one] = [
                case.model_copy(update={"scores": {RIGHT: case.scores[judge]}})
                for case in held.experiment.cases
            ]
    if not model:
        return f"{Settings().model} (EXECUTIVE_MODEL)", found
    scripted = "a scripted model on loopback that proposes nothing: what is right is what policy "
    return f"{scripted}decides alone (set EXECUTIVE_MODEL to compare with yours)", found


def on_household(
    events: int, seed: int, strategy: StrategyName, *, learnt: Path, words_only: bool = False
) -> Sequence[CaseResult]:
    """Play the household of `evals simulate`: what is learned on the way counts."""
    world = read_world()
    happenings = stream(
        world, events, seed=seed, once=0.1, changed=frozenset(), turns_at=events + 1
    )
    model, user = ScriptedModel(world, seed, 0.08), SimulatedUser(seed, 0.8, 0.02)
    settings = {"decision_strategy": strategy, "cache_dir": learnt}
    with progress(strategy, events) as told:
        playing = play_household(
            happenings, model, user, settings=settings, words_only=words_only, told=told
        )
        came = asyncio.run(playing)
    return [
        CaseResult(
            case=str(one.number),
            unit=f"day {(one.number - 1) // A_DAY}",
            fingerprint="",
            scores={RIGHT: float(one.right)},
            answered=one.path,
            seconds=one.seconds,
            **model_use(one.models),
        )
        for one in came
    ]


@app.command(epilog="Example: prefrontal evals compare HEAD~20 HEAD --on vessel_requests")
def compare(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DATASET | A B]",
            help="Two sides, each a report (FILE.json), a strategy or a git revision; or a dataset "
            "to answer by all strategies; none: the household of `evals simulate`, likewise.",
        ),
    ] = None,
    on: Annotated[
        list[str] | None,
        typer.Option(metavar="DATASET", help="What both sides answer; none: all that ship."),
    ] = None,
    pack: PackInstead = None,
    events: Annotated[int, typer.Option(min=20, help="Of the household.")] = 400,
    seed: Annotated[int, typer.Option(help="Of the household.")] = 6,
    words_only: WordsOnly = False,
    as_json: AsJson = False,
) -> None:
    """Say what differs between two sides on the same cases, and which cases flipped.

    Of two sides each case is paired with itself: p is McNemar's exact test, the interval a paired
    bootstrap of whole units (streams hang together). A revision runs in a temporary worktree, with
    the libraries of this one. Of blind datasets only ids are told.

    One dataset, or none, is answered by each strategy: how many are right, and what that takes,
    with the model that is set (EXECUTIVE_MODEL), else with a scripted one on loopback. Time is by
    the wall clock; cost is that of 1,000 cases, by `prices` in policy.toml.
    """
    if len(what or ()) > 2:
        raise BadInput("compare takes two sides at most")
    if what and len(what) == 2:
        _sides(what[0], what[1], on or [], pack, as_json=as_json)
        return
    if what:
        title, (who, found) = what[0], on_dataset(what[0], pack)
    else:
        title, who = f"household, {events} events", "a scripted model, wrong in 8 of 100 answers"
        with learned_cache() as learnt:
            found = {
                one: on_household(events, seed, one, learnt=learnt, words_only=words_only)
                for one in STRATEGIES
            }
    rows = compare_strategies(found)
    if as_json:
        for row in rows:
            print_json({"model": who, **row.model_dump(mode="json")})
        return
    OUT.print(_table(title, rows))
    print_note(f"answered by {who}")
    if any(row.figures["tokens"].mean and not row.figures["cost"].mean for row in rows):
        print_note("tokens cost nothing here: `prices` under [strategy] in policy.toml is 0")


def _sides(first: str, second: str, on: list[str], pack: str | None, *, as_json: bool) -> None:
    datasets = find_datasets(on)
    for side in (first, second):
        require_side(side)
    with answering_model() as model:
        before, after = (
            report_of_side(side, datasets, pack=pack, settings=model) for side in (first, second)
        )
    comparison = compare_reports(before, after)
    if as_json:
        print_json(comparison.model_dump(mode="json"))
    else:
        OUT.print(render_comparison(comparison))


def _table(title: str, rows: Sequence[StrategyFigures]) -> Table:
    table = Table(title=printable(f"{title} ({rows[0].cases} cases)"), title_justify="left")
    for column in ("strategy", "a case"):
        table.add_column(column, no_wrap=True)
    for column in ("mean", "95 %", "differs by", "95 %"):
        table.add_column(column, justify="right")
    for row in rows:
        for name in MEASURES:
            first = name == next(iter(MEASURES))
            table.add_row(
                row.strategy if first else "", MEASURES[name].unit, *_told(name, row.figures[name])
            )
        table.add_section()
    return table


def _told(name: str, figure: Figure) -> tuple[str, str, str, str]:
    shown = MEASURES[name]

    def number(value: float | None, sign: str = "") -> str:
        if not value:
            return "" if value is None else "0"
        return f"{value * shown.cases:{sign}{shown.form}}"

    def between(interval: Interval | None, sign: str = "") -> str:
        if interval is None:
            return ""
        return f"{number(interval.low, sign)} – {number(interval.high, sign)}"

    differs = number(figure.differs, "+"), between(figure.differs_interval, "+")
    return (number(figure.mean), between(figure.interval), *differs)
