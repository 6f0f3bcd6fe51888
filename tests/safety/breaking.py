"""Things that wait for the end of a call, and the break that tells them."""

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
