"""Every property of speaking, on random cases and simulated lives."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from typer.testing import CliRunner

from api.cli.commands import cli
from api.cli.scenario import EventPlayer
from evals.benchmarks.attention import day
from evals.runner.strategies import on_household
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.attention import OpenCause
from state.event import Event
from state.judgement import Relevance
from state.personality import Traits
from state.salience import DIMENSIONS, SalienceVector
from state.session import Session, Spoken, TopicRule
from state.stages import Received, Weighed
from state.strategy import StrategyName
from tests.nodes.assessing import assessing, filtering
from tests.stages import SECONDS, arrival_of, event_of, session_of
from tests.torture.counts import few_or_many
from tests.torture.speaking_cases import Case, cases, check
from tests.torture.tally import Tally
from tools.attention.salience import InhibitionRules
from tools.catalog.pack_schema import Inhibition
from tools.platform.clock import VirtualClock

# Every property of speaking (executive.md §2) on random cases: 1,000, or 100,000 as torture.

SHARDS = 10
"""Of 10,000 each, with its own seed: they may run side by side, and one that fails names itself."""


@pytest.mark.parametrize(
    ("shard", "count"),
    [
        pytest.param(0, 1_000, id="1000"),
        *(
            pytest.param(shard, 10_000, id=f"10000-{shard}", marks=pytest.mark.torture)
            for shard in range(1, SHARDS + 1)
        ),
    ],
)
def test_what_must_hold_of_speaking_holds_in_every_case(tally: Tally, shard: int, count: int):
    @seed(shard)
    @given(cases)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    def holds(case: Case) -> None:
        tally.add("random cases of speaking")
        check(case, runner)

    with asyncio.Runner() as runner:
        holds()
    assert tally.counts["random cases of speaking"] >= count


# A day is decided the same to the byte, also by a process that is stopped in its middle.


async def log_of(events: list[Event], folder: Path, *, pieces: int) -> list[str]:
    """Play events and return every record as a line, what it said of itself too."""
    first = events[0].occurred_at
    assert first is not None
    clock, size = VirtualClock(first), -(-len(events) // pieces)
    settings = Settings(data_dir=folder, packs=("companion",), database_url=None, embedder="none")
    for start in range(0, len(events), size):
        async with open_executive(settings, clock=clock) as executive:
            player = EventPlayer(executive, clock, lambda _event, _record: None)
            for event in events[start : start + size]:
                await player.play(event)
    async with open_executive(settings, clock=clock) as executive:
        records = await executive.records.newest("default", limit=10 * len(events))
    lines = [json.dumps(one.model_dump(mode="json"), sort_keys=True) for one in records]
    assert len(lines) >= len(events)
    return sorted(lines)


@few_or_many(200, 20_000)
async def test_a_day_is_the_same_whole_and_cut_in_two(tmp_path: Path, tally: Tally, count: int):
    events = list(day(count))
    whole = await log_of(events, tmp_path / "whole", pieces=1)
    assert await log_of(events, tmp_path / "cut", pieces=2) == whole
    assert len({json.loads(line)["outcome"] for line in whole}) > 1
    tally.add("events of a day, played twice", count)


# What a silent decision says would have changed it does change it. Source: executive.md §3.

CAUSES = InhibitionRules((Inhibition(id="dark", cause="blackout", hides=("tide",)),))
OPEN = {"dark": OpenCause(rule="dark", decision_id="d", text="Blackout", at=0, until=9e9)}


async def judge(event: Event, session: Session, **arrival: Any) -> Relevance | None:
    received = Received(event=event, arrival=arrival_of(event, **arrival), session=session)
    salience = (await filtering("default", CAUSES)(received))["salience"]
    weighed = Weighed(**dict(received), salience=salience)
    if salience.dull:
        return None
    return (await assessing("default")(weighed))["relevance"]


def drawn(chance: random.Random) -> tuple[Event, Session, dict[str, Any]]:
    """Draw an event in a state with many reasons to be silent."""
    scores = {name: chance.random() * 0.9 for name in chance.sample(DIMENSIONS, 3)}
    if chance.random() < 0.9:
        scores.pop("threat", None)
    event = event_of(
        "The tide turns",
        salience=SalienceVector(**scores),
        intent=chance.choice(("unknown", "unknown", "informational")),
        payload={"backfill": True} if chance.random() < 0.1 else {},
    )
    topic = TopicRule(topic="tide", kind="suppress", at=0)
    session = session_of(
        traits=Traits(proactive=chance.random(), helpfulness=chance.random()),
        muted_until=SECONDS + 600 if chance.random() < 0.1 else None,
        topics=(topic,) if chance.random() < 0.1 else (),
        causes=OPEN if chance.random() < 0.1 else {},
        quiet_asked_at=SECONDS if chance.random() < 0.2 else None,
        spoken=(Spoken(at=SECONDS - 30, text="The tide turns", pattern=""),)
        if chance.random() < 0.2
        else (),
    )
    age = {"age_seconds": 500.0} if chance.random() < 0.1 else {}
    return event, session, age


def changed(
    reason: str, relevance: Relevance | None, event: Event, session: Session, age: dict[str, Any]
) -> tuple[Event, Session, dict[str, Any]]:
    """Change what the counterfactual of a reason names, and nothing else."""
    match reason:
        case "expired":
            return event, session, {}
        case "suppressed":
            return event, session.model_copy(update={"topics": ()}), age
        case "muted":
            return event, session.model_copy(update={"muted_until": None}), age
        case "informational":
            return event.model_copy(update={"intent": "unknown"}), session, age
        case "backfill":
            return event.model_copy(update={"payload": {}}), session, age
        case "inhibited":
            return event, session.model_copy(update={"causes": {}}), age
        case "just_said" | "habituated":
            return event, session.model_copy(update={"spoken": (), "familiar": {}}), age
        case _:
            # More relevance, with what damps it left as it is: every dimension is raised.
            assert relevance is not None
            damped = relevance.score / max(relevance.terms["S"], 1e-9)
            needed = min(1.0, (relevance.threshold + 1e-5) / max(damped, 1e-9))
            given = event.salience or SalienceVector()
            raised = {
                name: max(needed, getattr(given, name)) for name in DIMENSIONS if name != "threat"
            }
            louder = SalienceVector(**raised, threat=given.threat)
            return event.model_copy(update={"salience": louder}), session, age


@few_or_many(1_000, 100_000)
async def test_what_would_have_changed_a_silence_changes_it(tally: Tally, count: int):
    chance = random.Random(11)
    silent = flipped = 0
    while silent < count:
        event, session, age = drawn(chance)
        relevance = await judge(event, session, **age)
        if relevance is None or relevance.verdict in ("alert", "continue"):
            continue
        silent += 1
        assert relevance.counterfactual
        again = changed(relevance.reason, relevance, event, session, age)
        after = await judge(again[0], again[1], **again[2])
        assert after is not None
        # Behind one closed gate there may be another: then it is that one which is told.
        flipped += after.reason != relevance.reason
    tally.add("counterfactuals replayed", silent)
    assert flipped / silent >= 0.99


# A simulated life of 400 events, of a user who knows their mind and of one who changes it.


@pytest.mark.torture
def test_four_hundred_events_halve_the_calls_and_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tally: Tally
):
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))  # matplotlib keeps what it knows of fonts
    png = tmp_path / "curve.png"
    ended = CliRunner().invoke(cli, ["evals", "simulate", "--json", "--png", str(png)])
    steady, turning = (json.loads(line) for line in ended.stdout.splitlines())
    tally.add("calls of a model for the first 200 events of a household", steady["calls_before"])
    tally.add("calls of a model for its second 200 events", steady["calls_after"])
    tally.add("lone answers in it", steady["alone"])
    tally.add("wrong ones of them", steady["wrong"])
    assert (ended.exit_code, steady["holds"]) == (0, True)
    assert turning["calls_after"] < turning["calls_before"]
    wrong = [one["wrong"] for one in turning["curve"]]
    assert sum(wrong[:10]) == 0
    assert sum(wrong[10:15]) > sum(wrong[15:])  # it unlearns
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.torture
def test_who_always_asks_asks_at_every_event_and_the_others_less(tmp_path: Path):
    def calls(strategy: StrategyName) -> int:
        played = on_household(200, 6, strategy, learnt=tmp_path)
        return sum(one.calls for one in played)

    always = calls("always_llm")
    assert always == 200
    assert calls("heuristic_first") < always
    assert calls("hybrid") <= always
