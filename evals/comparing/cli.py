"""`prefrontal evals compare`: the three strategies side by side on the same cases."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table

from evals.comparing import pairs, telling
from evals.comparing.figures import MEASURES, Compared, Figure, Scored, compared
from evals.comparing.playing import SCRIPTED, answering_model, on_dataset, on_household
from evals.comparing.sides import STRATEGIES, demand_side, report_of_side
from evals.dataset import find_datasets, read_dataset
from evals.intervals import Interval
from evals.options import PackInstead, WordsOnly
from evals.playground import learnt_once
from graph.cli.options import AsJson
from graph.cli.terminal.console import OUT, note, print_json, progress, shown, stepping
from graph.settings import Settings
from state.errors import BadInput
from state.strategy import StrategyName

EXAMPLE = "Example: prefrontal evals compare HEAD~20 HEAD --on vessel_requests"
_UNITS = {
    "right": "right",
    "calls": "calls of a model",
    "milliseconds": "ms",
    "tokens": "tokens",
    "cost": "cost of 1,000",
}
_OF = {"cost": 1_000}
"""Cases that a figure is told of where it would be too small to be read."""


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
    dataset = what[0] if what else None
    if dataset is None:
        who = "a scripted model on loopback, wrong in 8 of 100 answers"
        found = _household(events, seed, words_only=words_only)
    else:
        who, found = _dataset(dataset, pack)
    rows = compared(found)
    if as_json:
        for row in rows:
            print_json({"model": who, **row.model_dump(mode="json")})
        return
    OUT.print(_table(dataset or f"household, {events} events", rows))
    note(f"answered by {who}")
    if any(row.figures["tokens"].mean and not row.figures["cost"].mean for row in rows):
        note("tokens cost nothing here: `prices` under [strategy] in policy.toml is 0")


def _sides(first: str, second: str, on: list[str], pack: str | None, *, as_json: bool) -> None:
    datasets = find_datasets(on)
    for side in (first, second):
        demand_side(side)
    with answering_model() as model:
        given = {name: str(value) for name, value in model.items()}
        before, after = (
            report_of_side(side, datasets, pack=pack, settings=given) for side in (first, second)
        )
    comparison = pairs.compared(before, after)
    if as_json:
        print_json(comparison.model_dump(mode="json"))
    else:
        OUT.print(telling.told(comparison))


def _household(
    events: int, seed: int, *, words_only: bool
) -> dict[StrategyName, tuple[Scored, ...]]:
    found: dict[StrategyName, tuple[Scored, ...]] = {}
    with learnt_once() as learnt:
        for strategy in STRATEGIES:
            with progress(strategy, events) as show:
                found[strategy] = on_household(
                    events, seed, strategy, learnt=learnt, told=show, words_only=words_only
                )
    return found


def _dataset(name: str, pack: str | None) -> tuple[str, dict[StrategyName, tuple[Scored, ...]]]:
    """Answer a dataset by each strategy; tells as well who answered for the model."""
    (path,) = find_datasets([name])
    dataset = read_dataset(path)
    found: dict[StrategyName, tuple[Scored, ...]] = {}
    with learnt_once() as learnt, answering_model() as model:
        for strategy in STRATEGIES:
            with stepping(strategy, len(dataset.cases)) as told:
                found[strategy] = on_dataset(
                    dataset, strategy, model, pack=pack, learnt=learnt, told=told
                )
        return _who(model.get("model")), found


def _who(scripted: str | None) -> str:
    if scripted == SCRIPTED:
        return (
            "a scripted model on loopback that proposes nothing: what is right is what policy "
            "decides alone (set EXECUTIVE_MODEL to compare with yours)"
        )
    return f"{Settings().model} (EXECUTIVE_MODEL)"


def _table(title: str, rows: Sequence[Compared]) -> Table:
    table = Table(title=shown(f"{title} ({rows[0].cases} cases)"), title_justify="left")
    for column in ("strategy", "a case"):
        table.add_column(column, no_wrap=True)
    for column in ("mean", "95 %", "differs by", "95 %"):
        table.add_column(column, justify="right")
    for row in rows:
        for name in MEASURES:
            first = name == next(iter(MEASURES))
            table.add_row(
                row.strategy if first else "", _UNITS[name], *_told(name, row.figures[name])
            )
        table.add_section()
    return table


def _told(name: str, figure: Figure) -> tuple[str, str, str, str]:
    return (
        _number(name, figure.mean),
        _between(name, figure.interval),
        "" if figure.differs is None else _number(name, figure.differs, "+"),
        _between(name, figure.differs_interval, "+"),
    )


def _between(name: str, interval: Interval | None, sign: str = "") -> str:
    if interval is None:
        return ""
    return f"{_number(name, interval.low, sign)} – {_number(name, interval.high, sign)}"


def _number(name: str, value: float, sign: str = "") -> str:
    if not value:
        return "0"
    form = {"right": ".3f", "calls": ".2f", "cost": ".2f"}.get(name, ".0f")
    return f"{value * _OF.get(name, 1):{sign}{form}}"
