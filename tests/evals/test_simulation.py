"""The simulation of learning: a small one through the real Executive, and its parts."""

import json
from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from api.cli.commands import cli
from evals.simulation.household import Happening, SimulatedUser, read_world, stream
from evals.simulation.simulate import SimulatedTurn, curve, figures_of, over_seeds

WORLD = read_world()
NOW = Happening(number=1, pattern="p", source="s", text="It rains", wanted="Take a coat.")


def came(number: int, *, calls: int = 0, right: bool = True) -> SimulatedTurn:
    return SimulatedTurn(
        number=number,
        pattern="p",
        text="It rains",
        wanted="Take a coat.",
        said="",
        path="llm" if calls else "heuristic",
        calls=calls,
        right=right,
        rating=None,
    )


def test_forty_events_are_enough_to_ask_a_model_less() -> None:
    call = ["evals", "simulate", "--events", "40", "--changes", "0", "--words-only", "--json"]
    few = ["--rates", "1", "--mistaken", "0", "--wrong", "0", "--once", "0", "--patterns", "2"]
    ended = CliRunner().invoke(cli, [*call, *few])
    told = json.loads(ended.stdout)
    assert (told["events"], told["rated"], told["wrong"]) == (40, 40, 0)
    assert told["calls_before"] + told["calls_after"] + told["alone"] == 40
    assert told["calls_after"] < told["calls_before"]
    assert [one["first"] for one in told["curve"]] == [1, 21]
    assert ended.exit_code == 0


@pytest.mark.parametrize("changed", [frozenset(), frozenset({WORLD.patterns[0].id})])
def test_the_same_seed_plays_the_same_stream(changed: frozenset[str]) -> None:
    def played(seed: int) -> list[Happening]:
        return list(stream(WORLD, 100, seed=seed, once=0.2, changed=changed, turns_at=51))

    assert played(3) == played(3)
    assert played(3) != played(4)
    answers = {one.wanted for one in played(3)[:50] if one.pattern in changed}
    later = {one.wanted for one in played(3)[50:] if one.pattern in changed}
    assert answers.isdisjoint(later)


def test_what_happens_once_is_never_the_same_twice() -> None:
    once = list(stream(WORLD, 200, seed=1, once=1.0, changed=frozenset(), turns_at=101))
    assert len({one.text for one in once}) == 200


def test_a_user_says_what_they_mean_unless_they_are_mistaken() -> None:
    sure, mistaken = SimulatedUser(1, 1.0, 0.0), SimulatedUser(1, 1.0, 1.0)
    assert sure.rating(NOW, "Take a coat.") == mistaken.rating(NOW, "Wait.") == "good"
    assert sure.rating(NOW, "Wait.") == mistaken.rating(NOW, "Take a coat.") == "bad"
    assert SimulatedUser(1, 0.0, 0.0).rating(NOW, "Wait.") is None


def test_wrong_lone_answers_count_against_lone_answers_alone() -> None:
    before = [came(number, calls=1, right=False) for number in range(1, 51)]
    after = [came(number, calls=number % 2) for number in range(51, 100)]
    figures = figures_of([*before, *after, came(100, right=False)])
    assert (figures.calls_before, figures.calls_after, figures.fall) == (50, 25, 0.5)
    assert (figures.alone, figures.wrong, figures.wrong_share) == (25, 1, 0.04)
    assert not figures.holds


def test_a_curve_is_drawn_on_the_terminal() -> None:
    fired = [came(number, right=number != 40) for number in range(21, 41)]
    figures = figures_of([*(came(number, calls=1) for number in range(1, 21)), *fired])
    console = Console(width=100, record=True, file=StringIO())
    console.print(curve("a user", figures, bounded=True))
    told = console.export_text()
    assert "100% fewer, must be ≥ 50%" in told
    assert "21 – 40                              0  1 wrong of 20 alone" in told
    half = figures.model_copy(update={"fall": 0.5, "wrong_share": 0.0})
    both = "2 seeds: 75% fewer (50% at worst), 2.5% of lone answers wrong (5.0% at worst)"
    assert over_seeds([figures, half]).plain.strip() == both
