"""Where words go: the pack's preferences, a voice or none, who is busy, what is quiet."""

import pytest

from state.response import ResponseType
from tools.catalog.pack_schema import OutputPreference
from tools.response.delivery import ChannelSelector, ChosenChannel, DeliveryContext

VOICE = DeliveryContext(has_voice=True)
USUAL = ChannelSelector()


@pytest.mark.parametrize(
    ("kind", "moment", "chosen"),
    [
        ("alert", VOICE, ChosenChannel("speech", interrupt=True)),
        (
            "alert",
            DeliveryContext(has_voice=True, is_busy=True, is_quiet=True),
            ChosenChannel("speech", True),
        ),
        ("alert", DeliveryContext(has_voice=False), ChosenChannel("text", True, "no_voice")),
        ("observation", VOICE, ChosenChannel("speech")),
        (
            "observation",
            DeliveryContext(has_voice=True, is_busy=True),
            ChosenChannel("text", instead="busy"),
        ),
        (
            "observation",
            DeliveryContext(has_voice=True, is_quiet=True),
            ChosenChannel("text", instead="quiet"),
        ),
        ("quip", VOICE, ChosenChannel("speech")),
        (
            "quip",
            DeliveryContext(has_voice=True, quipped_lately=True),
            ChosenChannel("silent", instead="recently_quipped"),
        ),
        ("question", VOICE, ChosenChannel("text")),
        ("answer", VOICE, ChosenChannel("text")),
    ],
)
def test_the_usual_preferences(
    kind: ResponseType, moment: DeliveryContext, chosen: ChosenChannel
) -> None:
    assert USUAL.choose(kind, moment) == chosen


def test_a_pack_prefers_otherwise() -> None:
    mine = ChannelSelector(
        {
            "observation": OutputPreference(primary="silent"),
            "suggestion": OutputPreference(primary="speech", fallback="silent"),
        }
    )
    assert mine.choose("observation", VOICE) == ChosenChannel("silent")
    assert mine.choose("suggestion", DeliveryContext(has_voice=False)) == ChosenChannel(
        "silent", False, "no_voice"
    )
