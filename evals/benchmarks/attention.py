"""Attention: the stages alone, a tick over many held events, a day's stream and a flood."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import thread_time_ns

from sqlalchemy import Connection, insert, update

from api.cli.scenario import EventPlayer
from evals.benchmarks.measurement import Measurement, Stopwatch, summarise
from graph.executive import Executive
from graph.settings import Settings
from graph.wiring.composition import build_toolbox, open_executive
from state.arrival import Arrival
from state.event import Event
from state.salience import SalienceVector
from state.session import Familiarity, Session, Spoken
from state.stages import Assessed, Weighed
from tools.attention import TimingPolicy
from tools.platform.clock import VirtualClock
from tools.storage import Database, SqlDecisions
from tools.storage.tables.decisions import decision, hold

HOLDS, SESSIONS = 10_000, 100
DAY = 20_000
"""Events of a busy day: one in four seconds."""
AT_ONCE = 100
STARTS_AT = datetime(2026, 6, 14, tzinfo=UTC)
SOURCES = ("weather", "position", "inventory", "radar", "engine", "chat")


async def measure(folder: Path, *, runs: int) -> AsyncIterator[Measurement]:
    """Measure the stages, a tick, a stream and a flood; `runs` events of each of the latter."""
    yield _stages(_settings(folder / "stages"), runs)
    settings = _settings(folder / "holds")
    async with open_executive(settings) as executive:
        await _hold_many(settings)
        yield await _tick(executive, runs)
    clock = VirtualClock(STARTS_AT)
    async with open_executive(_settings(folder / "day"), clock=clock) as executive:
        yield await _stream(executive, clock, runs)
    async with open_executive(_settings(folder / "flood")) as executive:
        yield await _flood(executive, runs)


def day(count: int = DAY) -> Iterator[Event]:
    """Make the first events of a day: four of five dull, one of two hundred alarming."""
    chance, at = random.Random(5), STARTS_AT  # noqa: S311 - the same day each time
    for number in range(count):
        at += timedelta(seconds=chance.expovariate(DAY / 86_400))
        source = chance.choice(SOURCES)
        yield Event(
            event_id=f"day-{number}",
            source=source,
            text=f"{source} tells {chr(97 + number % 26) * 3} {chr(97 + number // 26 % 26) * 3}",
            salience=_drawn(chance),
            occurred_at=at,
        )


def _drawn(chance: random.Random) -> SalienceVector:
    drawn = chance.random()
    if drawn < 0.8:
        return SalienceVector(novelty=chance.uniform(0, 0.11))
    if drawn < 0.97:
        return SalienceVector(novelty=chance.uniform(0, 0.5), goal_relevance=chance.uniform(0, 0.5))
    if drawn < 0.995:
        return SalienceVector(goal_relevance=chance.uniform(0.5, 1))
    return SalienceVector(threat=chance.uniform(0.5, 1))


def _settings(folder: Path) -> Settings:
    folder.mkdir(parents=True)
    return Settings(data_dir=folder, packs=("companion",), database_url=None, embedder="none")


def _stages(settings: Settings, runs: int) -> Measurement:
    """Time weighing, gates, moment and type on a session that remembers as much as it may."""
    box = build_toolbox(settings)
    choosing = TimingPolicy.of(box.weighing, box.gates, box.tuning, box.context)
    session, samples = _experienced(), []
    for event in day(runs):
        at = event.occurred_at or STARTS_AT
        arrival = Arrival(
            decision_id=event.decision_id,
            standing="accepted",
            received_at=at,
            age_seconds=0,
            started_ns=0,
        )
        began = thread_time_ns()
        salience = box.weighing.weigh(event, arrival, session)
        state = Weighed(event=event, arrival=arrival, session=session, salience=salience)
        relevance = box.gates.judge(state)
        choosing.choose(Assessed(**dict(state), relevance=relevance))
        samples.append((thread_time_ns() - began) / 1e6)
    return summarise("decide, relevance to response type, CPU", samples, goal="p95 ≤ 3")


def _experienced() -> Session:
    known = Familiarity(level=0.5, at=STARTS_AT.timestamp(), seen=SalienceVector(novelty=0.5))
    told = Spoken(at=STARTS_AT.timestamp(), text="The ferry to the island is early", pattern="")
    return Session(
        tenant_id="default",
        session_id="full",
        familiar={f"{number}|ambient|": known for number in range(100)},
        spoken=(told,) * 20,
    )


async def _tick(executive: Executive, runs: int) -> Measurement:
    await executive.release_due()
    samples = []
    for _tick in range(runs):
        watch = Stopwatch()
        await executive.release_due()
        samples.append(watch.ms)
    return summarise(f"tick with {HOLDS:,} pending holds", samples, goal="≤ 1")


async def _hold_many(settings: Settings) -> None:
    events = [
        Event(event_id=f"held-{number}", text="The tide turns", session_id=f"s{number % SESSIONS}")
        for number in range(HOLDS)
    ]
    database = Database(settings.database)
    try:
        await SqlDecisions(database).accept(tuple(events))
        await database.write(lambda connection: _put_holds(connection, events))
    finally:
        await database.close()


def _put_holds(connection: Connection, events: Sequence[Event]) -> None:
    now = datetime.now(UTC).timestamp()
    connection.execute(update(decision).values(standing="held"))
    connection.execute(
        insert(hold),
        [
            {
                "decision_id": event.decision_id,
                "tenant_id": event.tenant_id,
                "session_id": event.session_id,
                "timing": "queued",
                "release_on": ["typing_pause"],
                "due_at": now + 3_600 + number,
                "held_at": now,
                "group_key": f"g{number}",
                "identity": f"i{number}",
                "relevance": 0.6,
                "urgency": 0.2,
                "life_seconds": 3_600.0,
            }
            for number, event in enumerate(events)
        ],
    )


async def _stream(executive: Executive, clock: VirtualClock, runs: int) -> Measurement:
    player = EventPlayer(executive, clock, lambda _event, _record: None)
    watch = Stopwatch()
    for event in day(runs):
        await player.play(event)
    rate = round(runs / (watch.ms / 1000), 1)
    return Measurement(name="a day's stream, one by one", n=runs, p50=rate, unit="/s", goal="≥ 100")


async def _flood(executive: Executive, runs: int) -> Measurement:
    """Send lists in which every source repeats itself, as a sensor does that reports its state."""
    chance = random.Random(7)  # noqa: S311 - the same flood each time
    states = {source: _drawn(chance) for source in SOURCES}
    watch = Stopwatch()
    for start in range(0, runs, AT_ONCE):
        sent = [
            Event(event_id=f"flood-{number}", source=source, text="as before", salience=vector)
            for number in range(start, min(runs, start + AT_ONCE))
            for source, vector in [chance.choice(list(states.items()))]
        ]
        accepted = await executive.accept_all(sent)
        await asyncio.gather(*map(executive.decide_accepted, accepted))
    rate = round(runs / (watch.ms / 1000), 1)
    return Measurement(
        name="inbox, sources that repeat themselves", n=runs, p50=rate, unit="/s", goal="≥ 150"
    )
