"""Should we respond? The golden values of executive.md §1.1 and §1.2."""

from typing import Any

import pytest

from state.personality import Traits
from state.salience import SalienceVector
from state.session import Spoken
from state.tuning import Context
from tests.nodes.assessing import assess
from tests.stages import SECONDS, TUNING
from tools.attention.relevance import strength


async def threshold(**given: Any) -> float:
    return (await assess(SalienceVector(), **given)).threshold


@pytest.mark.parametrize(
    ("vector", "golden"),
    [
        (SalienceVector(humor=0.9), 0.506),
        (SalienceVector(goal_relevance=0.8), 0.566),
        (SalienceVector(opportunity=0.7, actionability=0.7), 0.557),
        (
            SalienceVector(
                goal_relevance=0.5,
                opportunity=0.5,
                actionability=0.5,
                novelty=0.5,
                social=0.5,
                humor=0.5,
            ),
            0.500,
        ),
        (SalienceVector(goal_relevance=0.9, opportunity=0.6, novelty=0.4), 0.669),
        (SalienceVector(threat=1.0), 0.0),
        (SalienceVector(), 0.0),
    ],
)
def test_strength_has_its_golden_values(vector: SalienceVector, golden: float) -> None:
    assert strength(vector, TUNING.salience.weights) == pytest.approx(golden, abs=0.0006)


@pytest.mark.parametrize(
    ("given", "factor"),
    [
        ({}, 1.0),
        ({"focus": 1.0}, 1.3),
        ({"focus": 0.0}, 0.7),
        ({"salience": {"habituation": 0.4}}, 0.6),
        ({"salience": {"boost": 2.0}}, 2.0),
        ({"spoken": (Spoken(at=SECONDS, text="The tide turns", pattern=""),)}, 0.4),
        ({"spoken": (Spoken(at=SECONDS - 120, text="The tide turns", pattern=""),)}, 0.7),
    ],
)
async def test_relevance_is_strength_times_what_speaks_for_this_moment(given, factor) -> None:
    vector = SalienceVector(goal_relevance=0.6)
    plain = (await assess(vector)).score
    assert (await assess(vector, **given)).score == pytest.approx(plain * factor, abs=2e-6)


async def test_relevance_never_exceeds_one() -> None:
    loud = SalienceVector(goal_relevance=1, opportunity=1, actionability=1, novelty=1)
    assert (await assess(loud, focus=1.0, salience={"boost": 2.0})).score == 1.0


@pytest.mark.parametrize(
    ("context", "golden"), [("gaming", 0.45), ("home", 0.50), ("work", 0.60), ("default", 0.50)]
)
async def test_a_context_has_its_threshold(context: Context, golden: float) -> None:
    assert await threshold(context=context) == golden


@pytest.mark.parametrize(("proactive", "golden"), [(0.0, 0.70), (0.5, 0.50), (1.0, 0.30)])
async def test_the_proactive_trait_says_what_a_false_alarm_costs(proactive, golden) -> None:
    assert await threshold(traits=Traits(proactive=proactive, helpfulness=0)) == golden


async def test_helpfulness_lowers_the_bar_for_what_can_be_done_and_raises_it_for_nothing() -> None:
    helpful, gruff = Traits(helpfulness=1.0), Traits(helpfulness=0.0)
    doable = SalienceVector(actionability=0.5)
    almost = SalienceVector(actionability=0.49)
    assert (await assess(doable, traits=helpful)).threshold == 0.44
    assert (await assess(almost, traits=helpful)).threshold == 0.50
    assert (await assess(doable, traits=gruff)).threshold == 0.50


@pytest.mark.parametrize(
    ("seconds", "golden"), [(0, 0.85), (900, 0.675), (1800, 0.5875), (3600, 0.521875), (3800, 0.5)]
)
async def test_be_quiet_raises_the_bar_and_halves_every_quarter_of_an_hour(seconds, golden) -> None:
    assert await threshold(quiet_asked_at=SECONDS - seconds) == pytest.approx(golden)


@pytest.mark.parametrize(("bias", "golden"), [(0.2, 0.7), (-0.2, 0.3)])
async def test_talk_less_and_talk_more_move_it(bias: float, golden: float) -> None:
    assert await threshold(talk_bias=bias) == golden


@pytest.mark.parametrize(
    ("utterances", "golden"), [(3, 0.50), (4, 0.55), (6, 0.65), (8, 0.75), (20, 0.75)]
)
async def test_having_talked_much_raises_it(utterances: int, golden: float) -> None:
    said = tuple(Spoken(at=SECONDS - 1, text="x", pattern="") for _one in range(utterances))
    assert await threshold(spoken=said) == pytest.approx(golden)


async def test_what_was_said_over_ten_minutes_ago_is_no_load() -> None:
    said = tuple(Spoken(at=SECONDS - 601, text="x", pattern="") for _one in range(20))
    assert await threshold(spoken=said) == 0.50


@pytest.mark.parametrize(
    ("ages", "golden"), [((0,), 0.60), ((600,), 0.55), ((0, 0), 0.70), ((0,) * 9, 0.80)]
)
async def test_annoyance_raises_it_and_fades(ages: tuple[float, ...], golden: float) -> None:
    assert await threshold(annoyed_at=tuple(SECONDS - age for age in ages)) == pytest.approx(golden)


async def test_a_watched_topic_lowers_it() -> None:
    assert await threshold(salience={"watched": "tide"}) == 0.40


async def test_the_bar_stays_between_its_ends() -> None:
    high = {"quiet_asked_at": SECONDS, "talk_bias": 0.2, "annoyed_at": (SECONDS,) * 9}
    low = {"traits": Traits(proactive=1), "talk_bias": -0.2, "salience": {"watched": "tide"}}
    assert (await threshold(**high), await threshold(**low)) == (0.95, 0.15)


async def test_every_number_that_counted_is_kept() -> None:
    relevance = await assess(talk_bias=0.1)
    assert set(relevance.terms) == {
        "S", "F", "H", "P", "B", "theta0", "proactive", "helpfulness", "quiet", "shift", "load",
        "annoyance", "watched",
    }  # fmt: skip
    assert relevance.terms["quiet"] == 0.1
