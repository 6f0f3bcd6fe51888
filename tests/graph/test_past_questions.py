"""How often something happened, whether it did before, and goals that end by their own verb."""

from tests.graph.harbour import MASTER, Harbour


async def asked(harbour: Harbour, text: str) -> str:
    return (await harbour.says(text)).text or ""


async def test_events_are_counted_with_the_last_one(harbour: Harbour) -> None:
    assert "as far as my records go" in await asked(harbour, "has the smoke alarm gone off before?")
    await harbour.happens("Smoke alarm in the galley")
    harbour.pass_seconds(600)
    assert await asked(harbour, "how often did the smoke alarm go off?") == (
        "Once, 16:00: “Smoke alarm in the galley”."
    )
    await harbour.happens("Smoke alarm in the hold")
    await harbour.happens("Smoke alarm in the hold", session_id="elsewhere")
    assert await asked(harbour, "has the smoke alarm gone off before?") == (
        "2 times, last 16:10: “Smoke alarm in the hold”."
    )


async def test_another_state_of_the_thing_is_not_counted(harbour: Harbour) -> None:
    await harbour.happens("Washing machine started")
    await harbour.happens("Washing machine finished")
    await harbour.happens("Washing machine started")
    told = await asked(harbour, "how many times did the washing machine start?")
    assert told == "2 times, last 16:00: “Washing machine started”."


async def test_this_is_the_last_thing_that_happened(harbour: Harbour) -> None:
    await harbour.happens("Pump 3 tripped")
    await harbour.happens("Pump 4 tripped")
    assert await asked(harbour, "has this happened before?") == "Once, 16:00: “Pump 3 tripped”."


async def test_a_goal_is_reached_by_its_own_verb_and_nothing_else(harbour: Harbour) -> None:
    await harbour.says("my goal is to find the anchor")
    for other in ("I found a map of the anchor", "I found no anchor", "I lost the anchor"):
        await harbour.says(other)
    await harbour.says("I found the anchor", MASTER)
    [goal] = (await harbour.session()).goals
    assert goal.standing == "open"
    assert await asked(harbour, "I found the anchor!") == "Well done: find the anchor."
