"""Events three times over and in any order lead to the decisions of one orderly delivery."""

import asyncio
import random
import shutil
from collections import Counter
from pathlib import Path

from state.event import Event
from tests.safety.benches import sql
from tests.safety.executives import message, opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally

TEXTS = ("open valve V-{}", "label valve V-{}", "read gauge G-{}", "hello {}", "noise {} on deck")
AT_ONCE = 16
DECIDED = "select decision_id, standing, outcome from decision order by decision_id"
FROZEN = "select action, arguments, digest, execution_class from ledger_action order by digest"


@few_or_many(40, 10_000)
async def test_three_shuffled_deliveries_decide_what_one_decides(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
) -> None:
    other = Path(shutil.copytree(data_dir, tmp_path / "other"))
    once = [_event(number) for number in range(count)]
    thrice = once * 3
    random.Random(3).shuffle(thrice)
    for folder, events in ((data_dir, once), (other, thrice)):
        async with opened_executive(folder, pack) as opened:
            waiting = iter(events)

            async def work() -> None:
                for event in waiting:  # noqa: B023 - shared by the workers of this round
                    await opened.executive.submit(event)
                    tally.add("deliveries")

            await asyncio.gather(*(work() for _worker in range(AT_ONCE)))
    assert len(sql(data_dir, DECIDED)) == count
    assert sql(other, DECIDED) == sql(data_dir, DECIDED)
    assert sql(other, FROZEN) == sql(data_dir, FROZEN)
    assert _ran(other) == _ran(data_dir)


def _event(number: int) -> Event:
    """Say or report something, in a session of its own: order has no say in what is decided."""
    text = TEXTS[number % len(TEXTS)].format(number)
    named = {"session_id": f"s-{number}", "user": f"amir-{number // 20}"}
    if number % len(TEXTS) == len(TEXTS) - 1:
        named |= {"kind": "ambient"}
    return message(text, f"e-{number}", **named)


def _ran(folder: Path) -> Counter[str]:
    return Counter(str(each["arguments"]) for each in effects(folder))
