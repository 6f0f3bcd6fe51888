"""The words for several things told at once."""

import pytest

from state.talk import TalkRequest
from tests.kept import WAITED
from tests.stages import TUNING
from tools.response.template_replies import SHOWN, acknowledgement, batch_text, join_lines

(WAITING,) = WAITED["beside"]
TOLD = WAITING.model_copy(update={"ending": "told"})


def test_what_waits_on_is_not_told() -> None:
    assert batch_text("Fog", (WAITING,), after_quiet=False) == "Fog"


def test_others_are_told_below_the_one_that_called_for_it() -> None:
    assert batch_text("Fog", (TOLD,), after_quiet=False) == "Fog\nAlso:\n- The ferry is early"


def test_a_digest_counts_what_it_tells() -> None:
    digest = batch_text("Fog", (TOLD,), after_quiet=True)
    assert digest == "While it was quiet, 2 things:\n- Fog\n- The ferry is early"
    assert batch_text("Fog", (), after_quiet=True) == "While it was quiet: Fog"


def test_the_same_words_are_told_once_and_many_are_counted() -> None:
    assert join_lines(["a", "a", "b  c"]) == "- a\n- b c"
    many = join_lines([str(number) for number in range(SHOWN + 3)])
    assert many.endswith(f"- {SHOWN - 1}\n- and 3 more")


@pytest.mark.parametrize(("threats", "level"), [(False, 0.85), (True, 0.97)])
def test_the_threat_that_gets_through_is_said_as_the_gates_have_it(
    threats: bool, level: float
) -> None:
    tuning = TUNING.relevance.model_copy(update={"threat": 0.85, "threat_in_text": 0.97})
    words = acknowledgement(TalkRequest(kind="suppress", topic="fire", threats=threats), tuning)
    assert f"hreats of {level} or more still get through." in words
    assert "0.85" in acknowledgement(TalkRequest(kind="mute", seconds=60), tuning)
