"""Random streams with breaks, mutes, alarms and restarts: nothing lost, nothing told twice."""

import random
import re
from collections import Counter

from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.torture.counts import few_or_many

PLACES = ("sluice", "ferry", "crane", "quay", "weir")
BUSY = ("typing", "menu", "combat", "call", None, None)
BREAKS = ("typing_pause", "menu_closed", "combat_ended", "call_ended", "prompt")
SAID = (
    "be quiet for 5 minutes",
    "you can talk again",
    "what did I miss?",
    "stop telling me about the crane for 10 minutes",
    "the tide is lovely tonight",
)
LONGEST_SECONDS = 90_000
"""More than the longest a hold can live."""


class Stream:
    """Plays a random stream and keeps what became of its events."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.events: dict[str, str] = {}

    async def step(self, harbour: Harbour) -> None:
        """Let one thing happen."""
        harbour.pass_seconds(self.random.choice((0, 1, 3, 20, 90, 400)))
        await harbour.executive.release_due()
        kind = self.random.random()
        if kind < 0.15:
            await harbour.signals(busy=self.random.choice(BUSY))
        elif kind < 0.30:
            await harbour.signals(self.random.choice(BREAKS))
        elif kind < 0.37:
            await harbour.says(self.random.choice(SAID))
        else:
            await self._happens(harbour)
        await harbour.executive.resume_unfinished()

    async def _happens(self, harbour: Harbour) -> None:
        number = len(self.events)
        place = self.random.choice(PLACES)
        dimension = self.random.choice(("goal_relevance", "opportunity", "humor", "novelty"))
        salience = {dimension: round(self.random.uniform(0.6, 1), 2)}
        if self.random.random() < 0.08:
            salience["threat"] = 0.9
        letters = "".join(chr(97 + int(digit)) for digit in str(number))
        text = f"The {place} tells {letters}"
        fields = {"source": f"s-{place}", "entities": [place], "salience": salience}
        record = await harbour.happens(text, **fields)
        self.events[record.decision_id] = text


@few_or_many(120, 6_000)
async def test_every_event_of_a_stream_ends_once_and_is_told_at_most_once(
    open_harbour: OpenHarbour, count: int
) -> None:
    stream = Stream(seed=count)
    for _part in range(4):  # each part begins after a restart
        async with open_harbour() as harbour:
            for _step in range(count // 4):
                await stream.step(harbour)
    async with open_harbour() as harbour:
        harbour.pass_seconds(LONGEST_SECONDS)
        while await harbour.executive.release_due():
            pass
        assert await harbour.executive.initiative.next_due() is None
        endings = [await harbour.record(decision_id) for decision_id in stream.events]
        records = await harbour.executive.records.newest("default", limit=1_000_000)
    assert {one.outcome for one in endings} <= {"spoke", "merged", "passed"}
    assert all(one.reason for one in endings)
    _told_once(stream, endings, records)


def _told_once(
    stream: Stream, endings: list[DecisionRecord], records: list[DecisionRecord]
) -> None:
    by_id = {one.decision_id: one for one in records}
    told = Counter(
        text
        for record in records
        if record.spoke
        for text in stream.events.values()
        if re.search(rf"{text}(?![a-z])", record.text)
    )
    assert max(told.values(), default=0) <= 1
    for ending in endings:
        if ending.reason.startswith("told_with:"):
            assert by_id[ending.reason.partition(":")[2]].spoke
        if ending.spoke:
            assert told[stream.events[ending.decision_id]] == 1
