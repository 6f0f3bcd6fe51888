"""What nobody orders is offered: a read as sure as it is likely, and it never runs by itself."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from state.policy import IMPLIED, Routing
from tools.nlu.actionability.decision import Prediction, as_likely_as, followed
from tools.nlu.intent_classifier.calibration import DECLINED, OFFERED
from tools.nlu.intents.ranking import Ranked

_CHANCE = st.floats(0, 1)


def _ranked(confidence: float) -> Ranked:
    shares = np.array([0.9, 0.1, 0.0], np.float32)
    return Ranked((0, 1), shares, confidence, False, True, frozenset(), (), None, 0.0)


def test_both_chances_count() -> None:
    offered = Prediction(_ranked(0.9), OFFERED, follows=True)
    assert as_likely_as(offered, 0.8).cap == 0.9 * 0.8


@given(confidence=_CHANCE, chance=_CHANCE)
def test_it_is_never_surer_than_the_ranking_or_less_than_offered(
    confidence: float, chance: float
) -> None:
    settled = as_likely_as(Prediction(_ranked(confidence), OFFERED, follows=True), chance)
    assert min(confidence, OFFERED) <= min(confidence, settled.cap) <= max(confidence, OFFERED)


@given(confidence=_CHANCE, chance=_CHANCE)
def test_what_is_declined_or_ordered_stays_as_it_is(confidence: float, chance: float) -> None:
    ranked = _ranked(confidence)
    follows = Prediction(ranked, OFFERED, follows=True)
    declined = followed(follows, ranked, "nothing", chance)
    assert declined.cap == DECLINED
    for settled in (declined, Prediction(ranked, OFFERED), Prediction(ranked, 1.0)):
        assert as_likely_as(settled, chance) == settled


def test_what_is_implied_is_not_asked_for_however_likely_it_is() -> None:
    ordered = Routing(
        text="", normalized="", tokens=(), action="show", confidence=0.9, mood="statement"
    )
    implied = ordered.model_copy(update={"reasons": (IMPLIED,)})
    assert (ordered.asked_confidence, implied.asked_confidence) == (0.9, 0.0)
