"""What was just said is not said again, however much it matters. Source: executive.md §2."""

from typing import Any

from state.personality import Traits
from state.salience import SalienceVector
from state.session import Familiarity, Spoken
from tests.nodes.assessing import assess
from tests.stages import SECONDS, event_of
from tools.attention.alarms import remembered_text

OURS = "observation|buoy|ambient|"


async def _ruled(*args: Any, **given: Any) -> tuple[str, str]:
    relevance = await assess(*args, **given)
    assert relevance.counterfactual
    return relevance.verdict, relevance.reason


async def test_the_very_same_is_not_said_twice_in_a_burst_however_much_it_matters() -> None:
    eager = {"traits": Traits(proactive=1, helpfulness=1), "context": "gaming"}
    matters = SalienceVector(goal_relevance=1, opportunity=1, actionability=1, novelty=1)

    async def again(
        ago: float, about: str = "The tide turns", pattern: str = OURS, **given: Any
    ) -> tuple[str, str]:
        spoken = (Spoken(at=SECONDS - ago, text="x", about=about, pattern=pattern),)
        return await _ruled(matters, **eager, spoken=spoken, **given)

    assert await again(0) == await again(9.9) == ("pass", "just_said")
    for long in ("The tide turns. " * 40, "x" * 401):
        event = event_of(long, source="buoy")
        assert (await again(9, remembered_text(long), event=event))[1] == "just_said"
        assert (await again(9, remembered_text(f"{long}!"), event=event))[0] == "continue"
    assert (await again(10))[0] == (await again(0, "The tide is out"))[0] == "continue"
    assert (await again(0, pattern="observation|lighthouse|ambient|"))[0] == "continue"
    assert (await again(0, arrival={"released_by": "typing_pause"}))[0] == "continue"
    assert (await again(0, salience={"watched": "tide"}))[0] == "continue"
    calmer = Familiarity(level=0, at=SECONDS, seen=SalienceVector(), pace=0)
    worse = matters.model_copy(update={"threat": 0.5})
    spoken = (Spoken(at=SECONDS, text="x", about="The tide turns", pattern=OURS),)
    known = {"familiar": {"buoy|ambient|": calmer}, "spoken": spoken}
    assert (await _ruled(worse, **eager, **known))[0] == "continue"
