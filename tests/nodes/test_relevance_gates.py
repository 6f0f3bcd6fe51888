"""The gates of executive.md §1.3 in their order, a test a reason code."""

from datetime import timedelta
from typing import Any

import pytest

from state.attention import OpenCause, QuietHours
from state.personality import Traits
from state.salience import SalienceVector
from state.session import Familiarity, Spoken, ThreatTold
from state.tuning import Context
from tests.nodes.assessing import SMOKE, assess
from tests.stages import NOW, SECONDS, TUNING, event_of
from tools.attention.alarms import announced_key, is_repeat_due, remembered_text, threat_key


async def verdict(*args: Any, **given: Any) -> tuple[str, str]:
    relevance = await assess(*args, **given)
    assert relevance.counterfactual
    return relevance.verdict, relevance.reason


async def test_addressed() -> None:
    old: dict[str, Any] = {"age_seconds": 9e9}
    for kind in ("message", "choice"):
        event = event_of(kind=kind)
        assert await verdict(SalienceVector(), event=event, arrival=old, muted_until=9e9) == (
            "continue",
            "addressed",
        )


@pytest.mark.parametrize(
    ("context", "life"), [("gaming", 5), ("home", 30), ("work", 60), ("default", 60)]
)
async def test_expired(context: Context, life: float) -> None:
    late = {"age_seconds": life + 0.1}
    assert await verdict(context=context, arrival=late) == ("drop", "expired")
    in_time = {"age_seconds": float(life)}
    assert (await verdict(context=context, arrival=in_time))[1] == "relevant"


async def test_an_alarm_that_comes_late_is_told_as_late() -> None:
    late: dict[str, Any] = {"arrival": {"age_seconds": 7_200.0}}
    told, in_time = await assess(SMOKE, **late), await assess(SMOKE)
    assert (told.verdict, told.reason, told.late) == ("alert", "threat", True)
    assert (in_time.reason, in_time.late) == ("threat", False)
    locked = await assess(salience={"locked": True}, **late)  # what a pack locks is grave as well
    assert (locked.reason, locked.late) == ("relevant", True)
    for limit in ({"expires_in_seconds": 600}, {"payload": {"backfill": True}}):
        assert await verdict(SMOKE, event=event_of(**limit), **late) == ("drop", "expired")


@pytest.mark.parametrize(
    ("judged", "late", "is_told"),
    [
        ("money, raised, real", 40_000.0, True),
        ("money, raised, real", 44_000.0, False),
        ("waiting, raised, real", 1_800.0, True),
        ("play, raised, real", 61.0, False),
        ("money, resolved, real", 61.0, False),
        ("money, raised, test", 61.0, False),
    ],
)
async def test_how_long_it_is_told_late_depends_on_what_is_at_stake(
    judged: str, late: float, is_told: bool
) -> None:
    given: dict[str, Any] = {"salience": {"judged": judged}, "arrival": {"age_seconds": late}}
    found = await assess(**given)
    assert (found.reason, found.late) == (("relevant", True) if is_told else ("expired", True))
    history = event_of(payload={"backfill": True})
    assert (await verdict(**given, event=history))[1] == "expired"


async def test_an_event_from_the_future_is_not_expired() -> None:
    assert (await verdict(arrival={"age_seconds": -9e9}))[1] == "relevant"


async def test_a_released_hold_is_not_expired_by_age_alone() -> None:
    released = {"age_seconds": 900.0, "released_by": "typing_pause"}
    assert (await verdict(arrival=released))[1] == "relevant"
    for life in (600, 900):  # at its very end too: a virtual clock would stand still there
        short = event_of(expires_in_seconds=life)
        assert await verdict(arrival=released, event=short) == ("drop", "expired")


async def test_threat() -> None:
    everything = {
        "salience": {"suppressed": "smoke", "habituation": 0.9},
        "muted_until": SECONDS + 600,
        "quiet_asked_at": SECONDS,
        "traits": Traits(proactive=0),
    }
    at = SalienceVector(threat=TUNING.relevance.threat)
    below = SalienceVector(threat=TUNING.relevance.threat - 0.01)
    assert await verdict(at, **everything) == ("alert", "threat")
    assert (await verdict(below, **everything))[0] == "pass"


def told(level: float = 0.9, ago: float = 0, times: int = 1) -> dict[str, Any]:
    known = ThreatTold(level=level, at=SECONDS - ago, times=times)
    return {"threats": {threat_key("buoy|ambient|", "The tide turns"): known}}


async def test_threat_told() -> None:
    assert await verdict(SMOKE, **told()) == ("pass", "threat_told")


async def test_another_alarm_of_the_same_source_is_told_at_once() -> None:
    assert await verdict(SMOKE, event=event_of("The lock bursts"), **told()) == ("alert", "threat")


async def test_the_same_alarm_with_another_figure_is_the_same() -> None:
    again = event_of("The tide turns 3.5")
    assert await verdict(SMOKE, event=again, **told()) == ("pass", "threat_told")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Smoke in cabin 3", "Smoke in cabin 4", False),
        ("Fire pump 1 failed", "Fire pump 2 failed", False),
        ("Pump P-101 is hot", "Pump P-102 is hot", False),
        ("Smoke in zone #3.", "Smoke in zone #4.", False),
        ("Fire on level 2", "Fire on level 3", False),
        ("panel " * 12 + "galley", "panel " * 12 + "bridge", False),
        ("Bilge level 40", "Bilge level 41", True),
        ("Creeper 4 blocks behind you", "Creeper 3 blocks behind you", True),
        ("Engine at 95 °C, 12%", "Engine at 96 °C, 13%", True),
        ("14:32:05 Smoke, 2.5 bar", "14:33:00 Smoke, 2.6 bar", True),
    ],
)
def test_what_is_named_tells_alarms_apart_and_what_is_measured_does_not(
    one: str, other: str, is_same: bool
) -> None:
    assert (threat_key("panel|ambient|", one) == threat_key("panel|ambient|", other)) is is_same


async def test_many_alarms_at_once_are_one() -> None:
    def burst(ago: float) -> dict[str, Any]:
        known = ThreatTold(level=0.9, at=SECONDS - ago, times=1)
        return {"threats": {f"buoy|ambient||alarm {word}": known for word in "abcde"}}

    assert await verdict(SMOKE, **burst(9.9)) == ("pass", "threat_told")
    assert await verdict(SMOKE, **burst(10)) == ("alert", "threat")
    elsewhere = event_of(source="weir")
    salience = {"pattern": "weir|ambient|"}
    assert (await verdict(SMOKE, event=elsewhere, salience=salience, **burst(1)))[1] == "threat"


async def test_what_another_sender_told_silences_nobody() -> None:
    def said_by(sender: str | None, text: str, times: int = 1) -> dict[str, ThreatTold]:
        key = announced_key(sender, "buoy|ambient|", text)
        return {key: ThreatTold(level=0.9, at=SECONDS, times=times)}

    own, forged = event_of(sender="sensor"), event_of(sender="bridge")
    alike = said_by("bridge", "The tide turns", 6)
    burst = {key: told for word in "abcdef" for key, told in said_by("bridge", word).items()}
    for threats in (alike, burst):
        assert await verdict(SMOKE, event=own, threats=threats) == ("alert", "threat")
        assert await verdict(SMOKE, event=event_of(), threats=threats) == ("alert", "threat")
        assert await verdict(SMOKE, event=forged, threats=threats) == ("pass", "threat_told")
    long_ago = ThreatTold(level=0.9, at=SECONDS - 5, times=1)
    due = {**alike, announced_key("sensor", "buoy|ambient|", "The tide turns"): long_ago}
    assert await verdict(SMOKE, event=own, threats=due) == ("alert", "threat")


@pytest.mark.parametrize(
    ("times", "wait"), [(1, 5), (2, 10), (3, 20), (4, 40), (5, 60), (6, 60), (99, 60)]
)
def test_a_told_threat_is_due_again_on_its_schedule(times: int, wait: float) -> None:
    early = ThreatTold(level=0.9, at=SECONDS - wait + 0.1, times=times)
    due = ThreatTold(level=0.9, at=SECONDS - wait, times=times)
    assert not is_repeat_due(early, 0.9, SECONDS, TUNING.relevance)
    assert is_repeat_due(due, 0.9, SECONDS, TUNING.relevance)


@pytest.mark.parametrize(("now", "again"), [(0.89, False), (0.9, True), (1.0, True), (0.7, False)])
def test_a_threat_that_rose_is_told_at_once(now: float, again: bool) -> None:
    known = ThreatTold(level=0.8, at=SECONDS, times=3)
    assert is_repeat_due(known, now, SECONDS, TUNING.relevance) is again


async def test_a_told_threat_that_is_relevant_besides_is_weighed_like_any_event() -> None:
    vector = SMOKE.model_copy(update={"goal_relevance": 0.9})
    assert await verdict(vector, **told()) == ("continue", "relevant")


async def test_suppressed() -> None:
    assert await verdict(salience={"suppressed": "tide"}) == ("pass", "suppressed")


async def test_muted() -> None:
    relevance = await assess(muted_until=SECONDS + 90)
    assert (relevance.verdict, relevance.reason) == ("hold", "muted")
    assert "90 s" in relevance.counterfactual
    assert relevance.until == NOW + timedelta(seconds=90)
    assert await verdict(SalienceVector(novelty=0.9), muted_until=SECONDS + 90) == ("drop", "muted")
    assert (await verdict(muted_until=SECONDS))[1] == "relevant"


async def test_a_clock_that_was_set_back_makes_no_quiet_last() -> None:
    later = SECONDS + 1_000 * 86_400
    asked = {"muted_from": later, "muted_until": later + 1_200, "quiet_asked_at": later}
    assert (await verdict(**asked, annoyed_at=(later,)))[1] == "relevant"
    assert (await verdict(muted_from=SECONDS + 1, muted_until=SECONDS + 90))[1] == "muted"


async def test_quiet_hours() -> None:
    hours = QuietHours(starts="15:30", ends="07:00")
    relevance = await assess(quiet_hours=hours)
    assert (relevance.verdict, relevance.reason) == ("hold", "quiet_hours")
    assert relevance.until == NOW.replace(hour=7) + timedelta(days=1)
    assert (await verdict(SMOKE, quiet_hours=hours))[1] == "threat"
    assert (await verdict(quiet_hours=QuietHours(starts="17:00", ends="07:00")))[1] == "relevant"


async def test_nothing_is_kept_longer_than_it_is_true() -> None:
    short = event_of(expires_in_seconds=60)
    relevance = await assess(event=short, muted_until=SECONDS + 900)
    assert relevance.until == NOW + timedelta(seconds=60)


async def test_a_threat_of_a_topic_is_left_alone_only_when_threats_were_named() -> None:
    rule = {"suppressed": "smoke", "suppressed_threats": True}
    assert (await verdict(SMOKE, salience={"suppressed": "smoke"}))[1] == "threat"
    assert (await verdict(SMOKE, salience=rule))[1] == "suppressed"
    gravest = SalienceVector(threat=TUNING.relevance.threat_in_text)
    assert (await verdict(gravest, salience=rule))[1] == "threat"


async def test_inhibited() -> None:
    cause = OpenCause(rule="boat.dark", decision_id="d", text="Blackout", at=0, until=9e9)
    state: dict[str, Any] = {"salience": {"hidden_by": "boat.dark"}}
    relevance = await assess(causes={"boat.dark": cause}, **state)
    assert (relevance.verdict, relevance.reason) == ("pass", "inhibited")
    assert (relevance.rule, "Blackout" in relevance.counterfactual) == ("boat.dark:d", True)
    assert (await verdict(**state))[1] == "relevant"


async def test_backfill() -> None:
    assert await verdict(event=event_of(payload={"backfill": True})) == ("pass", "backfill")


async def test_informational() -> None:
    assert await verdict(event=event_of(intent="informational")) == ("pass", "informational")


async def test_below_threshold() -> None:
    relevance = await assess(SalienceVector(novelty=0.5))
    assert (relevance.verdict, relevance.reason) == ("pass", "below_threshold")
    assert relevance.counterfactual == (
        f"relevance of at least 0.50 (it was {relevance.score:.2f})"
    )


async def test_relevant() -> None:
    assert await verdict() == ("continue", "relevant")


async def test_the_first_gate_that_decides_gives_the_reason() -> None:
    everything: dict[str, Any] = {
        "salience": {"suppressed": "tide"},
        "muted_until": SECONDS + 90,
        "event": event_of(intent="informational"),
    }
    weak = SalienceVector()
    order = [
        (await verdict(weak, arrival={"age_seconds": 61.0}, **everything))[1],
        (await verdict(SMOKE, **everything))[1],
        (await verdict(weak, **everything))[1],
        (await verdict(weak, **everything | {"salience": {}}))[1],
        (await verdict(weak, **everything | {"salience": {}, "muted_until": None}))[1],
        (await verdict(weak))[1],
    ]
    assert order == [
        "expired",
        "threat",
        "suppressed",
        "muted",
        "informational",
        "below_threshold",
    ]


# What was just said is not said again, however much it matters. Source: executive.md §2.


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
