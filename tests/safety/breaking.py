"""Things that wait for the end of a call and the break that tells them; and bursts."""

import asyncio
from collections.abc import Callable

from state.event import Event
from tests.safety.executives import Opened, message


async def tell_at_a_break(opened: Opened, arm: Callable[[], None]) -> None:
    """Let a break tell what waits about one thing, in one utterance."""
    await opened.executive.submit(signal_of("busy", busy="call"))
    for number in range(3):
        await opened.executive.submit(waiting_of(number))
    arm()
    await opened.executive.submit(signal_of("over", signal="call_ended"))
    await opened.executive.resume_unfinished()


BURSTS, AT_ONCE = 3, 24


async def take_a_burst(opened: Opened, acknowledge: Callable[[str], None]) -> None:
    """Take lists in which three sources repeat themselves: identical events are decided as one."""
    for start in range(0, BURSTS * AT_ONCE, AT_ONCE):
        accepted = await opened.executive.accept_all(
            [_repeated(number) for number in range(start, start + AT_ONCE)]
        )
        for one in accepted:
            acknowledge(one.event.event_id)
        await asyncio.gather(*map(opened.executive.decide_accepted, accepted))


def _repeated(number: int) -> Event:
    """Make an event that a sensor has told before: dull, of little weight, or worth telling."""
    source, relevance = (("tide", 0.05), ("wind", 0.3), ("sluice", 0.9))[number % 3]
    return message(
        f"{source} as before",
        f"b-{number}",
        source=source,
        kind="ambient",
        user=None,
        role=None,
        salience={"goal_relevance": relevance},
    )


def signal_of(name: str, **payload: str) -> Event:
    """Tell of a call that begins or ends."""
    return message("call", name, kind="signal", payload=payload)


def waiting_of(number: int) -> Event:
    """Tell of something that matters and is not urgent; all of it is about one valve."""
    text = ("Valve leaks a little", "Wheel of the valve is bent", "Paint comes off the flange")
    return message(
        text[number],
        f"w-{number}",
        kind="ambient",
        salience={"goal_relevance": 0.9},
        entities=["V-7"],
    )
