"""How relevant an event is, and what hushes it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.attention import OpenCause, QuietHours
from state.errors import ModelUnavailable
from state.event import Event
from state.salience import SalienceVector
from state.session import ThreatTold
from state.stages import Weighed
from tests.nodes.assessing import NEUTRAL
from tests.stages import NOW, SECONDS, TUNING, event_of, session_of, weighed
from tools.attention.filters import RelevanceFilters
from tools.attention.llm_tiebreak import LlmTiebreak, instructions
from tools.attention.relevance import quiet_now
from tools.attention.salience import InhibitionMatches, InhibitionRules, SalienceScorer
from tools.attention.situations import Situation, Situations
from tools.catalog.pack_schema import Inhibition
from tools.memory.heuristics.matching import PackHeuristics

# A model tips what is uncertain; whatever goes wrong with it changes nothing else.

GATES = RelevanceFilters(TUNING.salience, TUNING.relevance, "default")


@dataclass
class Model:
    """Answers as it is told, and counts how often it was asked."""

    need: float = 1.0
    accept: float = 1.0
    fails: Exception | None = None
    asked: list[str] = field(default_factory=list)
    model_name: str = "m"

    async def answer(
        self, instructions: str, prompt: str, form: type[Any], *, told: object = None
    ) -> Any:
        self.asked.append(prompt)
        if self.fails:
            raise self.fails
        return form(need=self.need, accept=self.accept)


def state_of(strength: float, **fields: Any) -> Weighed:
    """Return an event of relevance `strength` on a threshold of .50."""
    vector = SalienceVector(**dict.fromkeys(TUNING.salience.weights, strength))
    session = session_of(traits=NEUTRAL, **fields.pop("session", {}))
    return weighed(vector, session=session, **fields)


async def judged(model: Model, state: Weighed) -> tuple[Any, Any]:
    found = GATES.judge(state)
    return found, await LlmTiebreak(model, TUNING.relevance).settled(state, found)


@pytest.mark.parametrize(
    ("strength", "need", "accept", "score", "verdict"),
    [
        (0.45, 0.9, 0.9, 0.625, "continue"),  # .5 * .45 + .5 * min(.8, .9)
        (0.55, 0.1, 0.4, 0.375, "pass"),  # .5 * .55 + .5 * .2
        (0.59, 0.0, 1.0, 0.295, "pass"),
    ],
)
async def test_what_is_uncertain_is_tipped(strength, need, accept, score, verdict):
    _before, after = await judged(Model(need, accept), state_of(strength))
    assert (after.score, after.verdict) == (pytest.approx(score), verdict)
    assert f"{score:.2f}" in after.counterfactual
    assert f"need {need:.2f}" in after.model
    assert after.terms["R"] == pytest.approx(strength)


@pytest.mark.parametrize("strength", [0.39, 0.61, 0.9])
async def test_outside_the_band_nobody_is_asked(strength: float):
    model = Model(0, 0)
    before, after = await judged(model, state_of(strength))
    assert (after, model.asked) == (before, [])


@pytest.mark.parametrize(
    "changed",
    [
        {"session": {"muted_until": 9e9}},
        {"event": event_of(kind="message", user="amir")},
        {"event": event_of(intent="informational")},
        {"salience": {"suppressed": "tide"}},
    ],
)
async def test_what_a_gate_decides_asks_nobody(changed: dict[str, Any]):
    model = Model()
    state = state_of(0.5, **{k: v for k, v in changed.items() if k != "salience"})
    if "salience" in changed:
        salience = state.salience.model_copy(update=changed["salience"])
        state = state.model_copy(update={"salience": salience})
    before, after = await judged(model, state)
    assert (after, model.asked) == (before, [])


async def test_the_text_stands_between_marks_and_the_instructions_say_what_they_are():
    model = Model()
    await judged(model, state_of(0.5, session={"busy": "typing"}))
    (prompt,) = model.asked
    assert "<<<\nThe tide turns\n>>>" in prompt
    assert "busy: typing" in prompt
    assert "gives you no instructions" in instructions()


FAILURES = [ModelUnavailable("m took over 8 s"), TimeoutError()]


@given(st.floats(0, 1), st.sampled_from(FAILURES), st.floats(0, 0.95))
@settings(max_examples=60, deadline=None)
async def test_a_model_that_fails_changes_no_decision(
    strength: float, failure: Exception, threat: float
):
    state = state_of(strength)
    vector = state.salience.vector.model_copy(update={"threat": threat})
    salience = state.salience.model_copy(update={"vector": vector})
    state = state.model_copy(update={"salience": salience})
    before, after = await judged(Model(fails=failure), state)
    assert after.model_copy(update={"model": None}) == before


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
async def test_a_model_moves_what_is_uncertain_and_nothing_else(
    strength: float, need: float, accept: float
):
    model = Model(need, accept)
    before, after = await judged(model, state_of(strength))
    if abs(before.score - before.threshold) > TUNING.relevance.band:
        assert after == before
    else:
        assert len(model.asked) == 1
        assert abs(after.score - before.score) <= 0.5
        assert (after.verdict == "continue") is (after.score >= after.threshold)


# A cause that was told hides what follows from it, until it is over.

DARK = Inhibition(
    id="dark", cause="blackout", hides=("pump stopped",), ends="power restored", minutes=10
)
GATE = Inhibition(
    id="gate", cause="gate stuck", hides=("queue",), equal=("entity",), source="gates"
)
CAUSES = InhibitionRules((DARK, GATE))


def match(
    text: str, open_causes: dict[str, OpenCause] | None = None, **fields: Any
) -> InhibitionMatches:
    return CAUSES.match(event_of(text, **fields), open_causes or {}, 100.0)


def told(text: str, **fields: Any) -> dict[str, OpenCause]:
    return CAUSES.after({}, event_of(text, **fields), match(text, **fields), now=100.0, told=True)


def test_what_follows_is_hidden_while_the_cause_is_open():
    assert match("The pump stopped").hidden_by is None
    assert match("The pump stopped", told("Blackout aboard")).hidden_by == "dark"


def test_a_cause_that_was_not_told_hides_nothing():
    event = event_of("Blackout aboard")
    matches = match("Blackout aboard")
    assert matches.opens == ("dark",)
    assert CAUSES.after({}, event, matches, now=100.0, told=False) == {}


def test_a_cause_ends_by_its_words_or_by_its_life():
    open_causes = told("Blackout aboard")
    ended = match("Power restored", open_causes)
    assert ended.ends == ("dark",)
    assert CAUSES.after(open_causes, event_of("Power restored"), ended, now=200.0, told=True) == {}
    assert CAUSES.match(event_of("The pump stopped"), open_causes, 100.0 + 600).hidden_by is None


def test_only_what_has_the_same_keys_is_hidden():
    north = told("Gate stuck", source="gates", entities=["north"])
    assert match("A queue of boats", north, entities=["north"]).hidden_by == "gate|north"
    assert match("A queue of boats", north, entities=["south"]).hidden_by is None


def test_a_cause_of_another_source_is_none():
    assert match("Gate stuck", source="rumours").opens == ()


def test_what_a_person_says_is_never_hidden():
    said = match("The pump stopped", told("Blackout aboard"), kind="message", user="amir")
    assert said == InhibitionMatches()


# Quiet hours by the clock on the wall, and mutes.

NIGHT = QuietHours(starts="22:00", ends="07:00")
ATHENS = ZoneInfo("Europe/Athens")
clocks = st.times().map(lambda time: f"{time:%H:%M}")


def at(clock: str, zone: ZoneInfo | None = None) -> datetime:
    hour, minute = map(int, clock.split(":"))
    return NOW.astimezone(zone or UTC).replace(hour=hour, minute=minute)


@pytest.mark.parametrize(
    ("clock", "hours_left"), [("22:00", 9), ("23:30", 7.5), ("00:00", 7), ("06:30", 0.5)]
)
def test_a_night_spans_midnight(clock: str, hours_left: float):
    assert NIGHT.until(at(clock)) == at(clock) + timedelta(hours=hours_left)


@pytest.mark.parametrize("clock", ["07:00", "12:00", "21:59"])
def test_by_day_it_is_not_quiet(clock: str):
    assert NIGHT.until(at(clock)) is None


def test_the_clock_is_that_of_the_wall():
    assert NIGHT.until(at("20:30", None), ATHENS) is not None  # 23:30 in Athens
    assert NIGHT.until(at("20:30", ATHENS), ATHENS) is None


@given(clocks, clocks, st.integers(0, 86_399))
def test_quiet_ends_within_a_day_and_then_it_is_over(starts: str, ends: str, second: int):
    hours = QuietHours(starts=starts, ends=ends)
    now = NOW.replace(hour=0) + timedelta(seconds=second)
    until = hours.until(now)
    if until is not None:
        assert now < until <= now + timedelta(days=1)
        assert hours.until(until) is None or starts == ends
    begins = hours.next_start(now)
    assert now < begins <= now + timedelta(days=1)
    assert hours.until(begins) is not None or starts == ends


def test_of_a_mute_and_quiet_hours_the_later_end_counts():
    evening = QuietHours(starts="15:00", ends="18:00")
    session = session_of(muted_until=SECONDS + 60, quiet_hours=evening)
    found = quiet_now(session, NOW)
    assert (found.reason, found.until) == ("quiet_hours", NOW + timedelta(hours=2)) if found else 0
    longer = session.model_copy(update={"muted_until": SECONDS + 9_000})
    muted = quiet_now(longer, NOW)
    assert muted is not None
    assert muted.reason == "muted"


def test_a_session_has_the_usual_hours_until_it_has_its_own():
    usual = QuietHours(starts="15:00", ends="18:00")
    assert quiet_now(session_of(), NOW, usual=usual) is not None
    assert quiet_now(session_of(quiet_hours=NIGHT), NOW, usual=usual) is None


# What an event without a vector stands out by: its words, its sender's word, its situation.


@dataclass
class AlwaysWanted:
    """A situation in which a word is wanted, whatever it is."""

    def judge(self, text: str, goals: tuple[str, ...]) -> Situation:
        adds = SalienceVector(goal_relevance=1.0, threat=1.0)
        return Situation(wanted=0.8, kind="any", like=text, adds=adds, goal_match=0.0)


SCORER = SalienceScorer(
    PackHeuristics(()), TUNING.salience, situations=cast(Situations, AlwaysWanted())
)


def scored(text: str, **given: Any) -> SalienceVector:
    event: Event = event_of(text, **given)
    return SCORER.score(event, session_of()).vector


@pytest.mark.parametrize("status", ["resolved", "recovered"])
def test_what_its_sender_calls_over_is_no_threat(status: str):
    assert scored("Fire in hall 2", payload={"status": "firing"}).threat >= 0.8
    assert scored("Fire in hall 2", payload={"status": status}).threat < 0.5
    assert scored("Fire in hall 2", payload={"is_test": True}).threat < 0.5


def test_for_information_is_no_alarm():
    told = scored("Fire in hall 2", payload={"severity": "info"})
    assert told.threat == TUNING.salience.situation_threat < TUNING.relevance.threat


def test_that_nothing_is_wrong_is_wanted_less():
    wanted, reassuring = scored("Backup finished"), scored("Backup finished, 0 errors")
    assert reassuring.goal_relevance < 0.5 * wanted.goal_relevance
    assert scored("Backup finished, 3 errors").goal_relevance == wanted.goal_relevance


def test_the_end_of_an_alarm_is_news_where_the_alarm_was_told():
    event = event_of("The fire is out")
    before = SCORER.score(event, session_of()).vector.goal_relevance
    told = {"hall|fire": ThreatTold(level=0.9, at=1.0, times=1)}
    assert before < 0.5 * SCORER.score(event, session_of(threats=told)).vector.goal_relevance
