"""`prefrontal evals simulate`: does it ask a model less and less, and stay right?"""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from evals.options import WordsOnly
from evals.playground import learnt_once
from evals.simulation.drawing import curve, draw_png, over_seeds
from evals.simulation.figures import Figures, figures_of
from evals.simulation.people import ScriptedModel, SimulatedUser
from evals.simulation.playing import Came, play
from evals.simulation.world import World, read_world, stream
from graph.cli.options import AsJson
from graph.cli.terminal.console import OUT, complain, note, print_json, progress
from state.noun import Noun

EXAMPLE = "Example: prefrontal evals simulate --events 400 --png curve.png"
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
    setting = Setting(
        events=events,
        seed=seed,
        once=once,
        wrong=wrong,
        rates=rates,
        mistaken=mistaken,
        words_only=words_only,
    )
    quarter = len(world.patterns) // 4
    turning = min(len(world.patterns), quarter if changes is None else changes)
    runs = {"a user who knows their mind": 0}
    if turning:
        runs[f"a user who changes their mind about {turning} of {len(world.patterns)}"] = turning
    found: dict[str, list[Figures]] = {title: [] for title in runs}
    with learnt_once() as learnt:
        for title, changed in runs.items():
            for each in range(seed, seed + seeds):
                one = setting.model_copy(update={"seed": each})
                figures = figures_of(_played(world, one, changed, learnt))
                found[title].append(figures)
                if as_json:
                    print_json({"run": title, "setting": one.model_dump(), **_row(figures)})
                elif each == seed:
                    OUT.print(curve(title, figures, bounded=changed == 0))
            if seeds > 1 and not as_json:
                OUT.print(over_seeds(found[title]))
    if png is not None:
        draw_png(png, {title: several[0] for title, several in found.items()})
        note(f"drawn: {png}")
    if not all(one.holds for one in next(iter(found.values()))):
        complain("it does not learn as it should")
        raise typer.Exit(1)


def _played(world: World, setting: Setting, changed: int, learnt: Path) -> tuple[Came, ...]:
    happenings = stream(
        world,
        setting.events,
        seed=setting.seed,
        once=setting.once,
        changed=frozenset(one.id for one in world.patterns[:changed]),
        turns_at=setting.events // 2 + 1,
    )
    with progress("living", setting.events) as show:
        return asyncio.run(
            play(
                happenings,
                ScriptedModel(world, setting.seed, setting.wrong),
                SimulatedUser(setting.seed, setting.rates, setting.mistaken),
                learnt=learnt,
                words_only=setting.words_only,
                told=show,
            )
        )


def _row(figures: Figures) -> dict[str, JsonValue]:
    return {**figures.model_dump(mode="json"), "holds": figures.holds}
