"""Where words go: the pack's preferences, a voice or none, who is busy, what is quiet."""

import pytest

from state.response import ResponseType
from tools.catalogue.models import OutputPreference
from tools.outputs.preferences import Chosen, Moment, OutputChoosing

VOICE = Moment(has_voice=True)
USUAL = OutputChoosing()


@pytest.mark.parametrize(
    ("kind", "moment", "chosen"),
    [
        ("alert", VOICE, Chosen("speech", interrupt=True)),
        ("alert", Moment(has_voice=True, is_busy=True, is_quiet=True), Chosen("speech", True)),
        ("alert", Moment(has_voice=False), Chosen("text", True, "no_voice")),
        ("observation", VOICE, Chosen("speech")),
        ("observation", Moment(has_voice=True, is_busy=True), Chosen("text", instead="busy")),
        ("observation", Moment(has_voice=True, is_quiet=True), Chosen("text", instead="quiet")),
        ("quip", VOICE, Chosen("speech")),
        (
            "quip",
            Moment(has_voice=True, quipped_lately=True),
            Chosen("silent", instead="recently_quipped"),
        ),
        ("question", VOICE, Chosen("text")),
        ("answer", VOICE, Chosen("text")),
    ],
)
def test_the_usual_preferences(kind: ResponseType, moment: Moment, chosen: Chosen) -> None:
    assert USUAL.choose(kind, moment) == chosen


def test_a_pack_prefers_otherwise() -> None:
    mine = OutputChoosing(
        {
            "observation": OutputPreference(primary="silent"),
            "suggestion": OutputPreference(primary="speech", fallback="silent"),
        }
    )
    assert mine.choose("observation", VOICE) == Chosen("silent")
    assert mine.choose("suggestion", Moment(has_voice=False)) == Chosen("silent", False, "no_voice")
