"""The command `prefrontal evals simulate`.

How model calls fall, and accuracy holds, as heuristics are learned.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Annotated

import typer
from pydantic import Field
from rich.console import Group
from rich.text import Text

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_error, print_json, print_note, progress
from evals.loopback.openai_server import OpenAIServer
from evals.measures import Interval, wilson
from evals.options import WordsOnly, app
from evals.simulation.household import (
    Happening,
    ScriptedModel,
    SimulatedUser,
    World,
    read_world,
    stream,
)
from evals.simulation.streams import PLAIN, encoder_of
from graph.replay.harness import Harness, learned_cache
from state.errors import BadInput
from state.event import Event
from state.heuristic import Feedback, Rating
from state.model_use import ModelUse
from state.noun import Noun
from state.principal import Principal
from state.salience import SalienceVector

STARTS_AT = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
A_DAY = 20
"""Events a day, each day in a session of its own: what one session says again counts less."""
BETWEEN = timedelta(minutes=36)
USER = Principal(user="ines", tenant_id="default", roles=())

RELEVANT = SalienceVector(goal_relevance=0.79, opportunity=0.79)
"""Clear of the band in which a model is asked whether to speak, and below hybrid's stake."""
MATTERS = SalienceVector(goal_relevance=0.9)


class SimulatedTurn(Noun):
    """What came of one event."""

    number: int
    pattern: str | None
    text: str
    wanted: str
    said: str
    path: str = Field(description="heuristic: it was said alone, without a model")
    calls: int = Field(description="requests to the model server because of it")
    right: bool
    rating: Rating | None
    seconds: float = Field(default=0.0, description="what deciding took, by the wall clock")
    models: tuple[ModelUse, ...] = ()


async def play_household(
    happenings: Iterable[Happening],
    model: ScriptedModel,
    user: SimulatedUser,
    *,
    settings: Mapping[str, object] = MappingProxyType({}),
    words_only: bool = False,
    told: Callable[[int], None] = lambda _number: None,
) -> tuple[SimulatedTurn, ...]:
    """Play a stream on a fresh folder.

    Args:
        settings: that differ, such as the strategy that decides every session.
        words_only: compare by words alone, without the encoder.
        told: hears the number of each event that is done.
    """
    came: list[SimulatedTurn] = []
    with OpenAIServer(model.rule) as server:
        by_name = {**settings, "model": "scripted", "model_base_url": server.base_url}
        playground = Harness((str(PLAIN),), STARTS_AT, settings=by_name | encoder_of(words_only))
        try:
            await playground.open()
            for now in happenings:
                model.now = now
                came.append(await _play_turn(playground, now, user, server))
                told(now.number)
        finally:
            await playground.close()
    return tuple(came)


async def _play_turn(
    playground: Harness, now: Happening, user: SimulatedUser, server: OpenAIServer
) -> SimulatedTurn:
    day, hour = divmod(now.number - 1, A_DAY)
    await playground.move_to(STARTS_AT + timedelta(days=day) + hour * BETWEEN)
    before = len(server.asked)
    decided = await playground.decide(
        Event(
            event_id=f"event-{now.number}",
            source=now.source,
            text=now.text,
            session_id=f"day-{day}",
            salience=MATTERS if now.matters else RELEVANT,
            occurred_at=playground.clock.now(),
        )
    )
    record = decided.record
    rating = user.rating(now, record.text) if record.response_id and record.spoke else None
    if rating is not None:
        given = Feedback(
            response_id=record.response_id or "",
            rating=rating,
            attribution="wrong_answer" if rating == "bad" else None,
        )
        await playground.executive.feedback.rate(USER, given)
    return SimulatedTurn(
        number=now.number,
        pattern=now.pattern,
        text=now.text,
        wanted=now.wanted,
        said=record.text,
        path=record.path.value if record.path else "",
        calls=len(server.asked) - before,
        right=record.text == now.wanted,
        rating=rating,
        seconds=decided.seconds,
        models=record.models,
    )


FALL_AT_LEAST = 0.5
WRONG_AT_MOST = 0.02
WINDOW = 20
"""Events that make one point of the curve."""


class Window(Noun):
    """One point of the curve."""

    first: int
    last: int
    calls: int = Field(description="requests to the model")
    alone: int = Field(description="answers of a heuristic alone")
    wrong: int = Field(description="of those, the wrong ones")


class Figures(Noun):
    """A stream summed up; its halves are compared, since a user may change their mind between."""

    events: int
    calls_before: int
    calls_after: int
    fall: float = Field(description="share of the first half's calls that the second needs no more")
    alone: int
    wrong: int
    wrong_share: float = Field(description="of what was said alone")
    wrong_interval: Interval
    rated: int
    curve: tuple[Window, ...]

    @property
    def holds(self) -> bool:
        """Tell whether it learns as it should, and says little that is wrong meanwhile."""
        return self.fall >= FALL_AT_LEAST and self.wrong_share <= WRONG_AT_MOST


def figures_of(came: Sequence[SimulatedTurn]) -> Figures:
    """Sum a stream up."""
    half = len(came) // 2
    before, after = _calls(came[:half]), _calls(came[half:])
    alone, wrong = _alone(came)
    return Figures(
        events=len(came),
        calls_before=before,
        calls_after=after,
        fall=1 - after / before if before else 0.0,
        alone=alone,
        wrong=wrong,
        wrong_share=wrong / alone if alone else 0.0,
        wrong_interval=wilson(wrong, alone),
        rated=sum(one.rating is not None for one in came),
        curve=tuple(_window(came[at : at + WINDOW]) for at in range(0, len(came), WINDOW)),
    )


def _window(came: Sequence[SimulatedTurn]) -> Window:
    alone, wrong = _alone(came)
    return Window(
        first=came[0].number, last=came[-1].number, calls=_calls(came), alone=alone, wrong=wrong
    )


def _calls(came: Sequence[SimulatedTurn]) -> int:
    return sum(one.calls for one in came)


def _alone(came: Sequence[SimulatedTurn]) -> tuple[int, int]:
    fired = [one for one in came if one.path == "heuristic"]
    return len(fired), sum(not one.right for one in fired)


_INCHES = (8, 4.5)
_WIDEST = 4
"""Points of the first line."""


def curve(title: str, figures: Figures, *, bounded: bool) -> Group:
    """Draw a bar for every so many events, and what they come to."""
    lines = [Text(title, style="bold")]
    for one in figures.curve:
        bar = "█" * one.calls
        wrong = f"  {one.wrong} wrong of {one.alone} alone" if one.wrong else ""
        lines.append(Text(f"{one.first:>4} – {one.last:<4} {bar:<24} {one.calls:>3}{wrong}"))
    low, high = figures.wrong_interval.low, figures.wrong_interval.high
    half = figures.events // 2
    least, most = (f", must be ≥ {FALL_AT_LEAST:.0%}", f", must be ≤ {WRONG_AT_MOST:.0%}")
    asked = f"{figures.calls_before} calls for the first {half}, {figures.calls_after} for the rest"
    said = f"{figures.wrong} of {figures.alone} lone answers wrong"
    share = f"{figures.wrong_share:.1%} (95 %: {low:.1%} – {high:.1%})"
    lines += [
        Text(f"{asked}: {figures.fall:.0%} fewer{least if bounded else ''}"),
        Text(f"{said}: {share}{most if bounded else ''}"),
    ]
    return Group(*lines, Text(""))


def over_seeds(figures: Sequence[Figures]) -> Text:
    """Sum several seeds up: the mean, and the worst of them."""
    falls, wrong = ([getattr(one, name) for one in figures] for name in ("fall", "wrong_share"))
    return Text(
        f"{len(figures)} seeds: {fmean(falls):.0%} fewer ({min(falls):.0%} at worst), "
        f"{fmean(wrong):.1%} of lone answers wrong ({max(wrong):.1%} at worst)\n"
    )


def draw_png(path: Path, drawn: Mapping[str, Figures]) -> None:
    """Draw the curves into one picture.

    Raises:
        BadInput: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # without pyplot: it needs no display
        from matplotlib.ticker import MaxNLocator
    except ImportError as missing:
        raise BadInput("a picture needs matplotlib, which `make` sets up") from missing

    figure = Figure(figsize=_INCHES, layout="constrained")
    axes = figure.subplots()
    for title, one in drawn.items():
        events = [window.last for window in one.curve]
        calls = [window.calls for window in one.curve]
        width = _WIDEST - 2 * len(axes.lines)  # a later line leaves the one beneath to be seen
        (line,) = axes.step([0, *events], [calls[0], *calls], label=title, linewidth=width)
        wrong = [(window.last, window.wrong) for window in one.curve if window.wrong]
        if wrong:
            places, numbers = zip(*wrong, strict=True)
            color = line.get_color()
            axes.scatter(
                places, numbers, marker="x", color=color, label="wrong without a model", zorder=3
            )
    axes.set_xlabel("events")
    axes.set_ylabel(f"calls of the model in {WINDOW} events")
    axes.set_ylim(bottom=0)
    axes.set_xlim(0, max(one.events for one in drawn.values()))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend()
    figure.savefig(path, format="png", dpi=120)


Share = typer.Option(min=0, max=1)


class Setting(Noun):
    """Who takes part, and how long; shares are 0 to 1."""

    events: int
    seed: int
    once: float
    wrong: float
    rates: float
    mistaken: float
    words_only: bool


@app.command(epilog="Example: prefrontal evals simulate --events 400 --png curve.png")
def simulate(  # noqa: PLR0913, PLR0917  # an option each
    events: Annotated[int, typer.Option(min=20, help="How many things happen.")] = 400,
    seed: Annotated[int, typer.Option(help="Another one plays another stream.")] = 6,
    seeds: Annotated[int, typer.Option(min=1, help="Play so many, counted from --seed.")] = 1,
    changes: Annotated[
        int | None,
        typer.Option(min=0, help="Patterns they change their mind about; 0: no second run."),
    ] = None,
    patterns: Annotated[
        int | None, typer.Option(min=1, help="Only the most frequent ones; none: all.")
    ] = None,
    once: Annotated[float, Share] = 0.1,
    wrong: Annotated[float, Share] = 0.08,
    rates: Annotated[float, Share] = 0.8,
    mistaken: Annotated[float, Share] = 0.02,
    png: Annotated[Path | None, typer.Option(help="Draw the curves there too.")] = None,
    words_only: WordsOnly = False,
    as_json: AsJson = False,
) -> None:
    """Play a repeating stream with a user who rates answers, and count calls of the model.

    The Executive and the client are the real ones; the model is scripted and served on loopback: it
    knows what is right, but for a share of its answers (--wrong). The user rates a share of the
    answers (--rates), some by mistake (--mistaken); a share of events (--once) has figures of its
    own. A second run has a user who changes their mind halfway, about a quarter of the patterns.

    Exit code 1 when in a first run calls fall by less than half from the first half of the
    stream to the second, or over 2 % of what was said without a model is wrong. A picture shows
    the first seed.
    """
    world = read_world(patterns=patterns)
    shares = {"once": once, "wrong": wrong, "rates": rates, "mistaken": mistaken}
    setting = Setting(events=events, seed=seed, words_only=words_only, **shares)
    quarter = len(world.patterns) // 4
    turning = min(len(world.patterns), quarter if changes is None else changes)
    runs = {"a user who knows their mind": 0}
    if turning:
        runs[f"a user who changes their mind about {turning} of {len(world.patterns)}"] = turning
    found: dict[str, list[Figures]] = {title: [] for title in runs}
    with learned_cache() as learnt:
        for title, changed in runs.items():
            for each in range(seed, seed + seeds):
                one = setting.model_copy(update={"seed": each})
                figures = _play_seed(world, one, changed, learnt)
                found[title].append(figures)
                if as_json:
                    row = {**figures.model_dump(mode="json"), "holds": figures.holds}
                    print_json({"run": title, "setting": one.model_dump(), **row})
                elif each == seed:
                    OUT.print(curve(title, figures, bounded=changed == 0))
            if seeds > 1 and not as_json:
                OUT.print(over_seeds(found[title]))
    if png is not None:
        draw_png(png, {title: several[0] for title, several in found.items()})
        print_note(f"drawn: {png}")
    if not all(one.holds for one in next(iter(found.values()))):
        print_error("it does not learn as it should")
        raise typer.Exit(1)


def _play_seed(world: World, setting: Setting, changed: int, learnt: Path) -> Figures:
    happenings = stream(
        world,
        setting.events,
        seed=setting.seed,
        once=setting.once,
        changed=frozenset(one.id for one in world.patterns[:changed]),
        turns_at=setting.events // 2 + 1,
    )
    model = ScriptedModel(world, setting.seed, setting.wrong)
    user = SimulatedUser(setting.seed, setting.rates, setting.mistaken)
    given = {"cache_dir": learnt}
    with progress("living", setting.events) as show:
        playing = play_household(
            happenings, model, user, settings=given, words_only=setting.words_only, told=show
        )
        return figures_of(asyncio.run(playing))
