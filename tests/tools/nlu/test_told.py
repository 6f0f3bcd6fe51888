"""Orders beside words that give them to somebody else, speak of them or leave them open."""

import pytest

from tests.tools.nlu.closing import act
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct


def asks_plainly(one: DialogueAct) -> bool:
    return one.mood in ("command", "request") and not one.doubt


@pytest.mark.parametrize(
    "text",
    [
        "get somebody to close WO-1042",
        "I'd like the yard to close WO-1042",
        "leave it to Tom to close WO-1042",
        "leave it to the crew to close WO-1042",
        "help Tom close WO-1042",
        "make sure Tom closed WO-1042",
        "see that Tom closed WO-1042",
        "wait for Tom to close WO-1042",
        "everyone has to close WO-1042 before noon",
        "Tom, close WO-1042",
        "the rule book requires people to close WO-1042",
        "let Tom report WO-1042",
        "my colleague can close WO-1042",
        "they need to close WO-1042 but leave out the others",
        "ask Tom to burnish WO-1042 up",
        "bringing WO-1042 up takes ages",
        "the office could approve WO-1042",
        "is it possible at all to close WO-1042?",
        "close WO-1042, the older one, as the old saying goes",
    ],
)
def test_what_somebody_else_is_to_do_is_not_asked_of_us(text: str) -> None:
    assert not asks_plainly(act(text))


@pytest.mark.parametrize(
    "text",
    [
        "drop the idea of closing WO-1042",
        "abandon the plan to close WO-1042",
        "what a pain to close WO-1042",
        "how silly to close WO-1042",
        "why on earth close WO-1042",
        "let's skip closing WO-1042",
        "keep away from closing WO-1042",
        "do anything but close WO-1042",
        "you could but shouldn't close WO-1042",
        "were I to close WO-1042, we'd be late",
        "had we closed WO-1042, it would be over",
        "close WO-1042 should anything break",
        "as long as it's raining, close WO-1042",
        "subject to Marta's approval, close WO-1042",
        "next time, close WO-1042",
        "until then, close WO-1042",
        "wait for my ok before you close WO-1042",
        "in his words, close WO-1042",
        "as Tom put it, close WO-1042",
        "Tom was like, close WO-1042",
        "plan B: close WO-1042",
    ],
)
def test_a_doing_that_is_only_spoken_of_is_not_asked_for(text: str) -> None:
    assert not asks_plainly(act(text))


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042? maybe",
        "close WO-1042? over my dead body",
        "close WO-1042, or not, whatever",
        "close WO-1042. Hold that thought.",
        "close WO-1042. No need any more.",
        "close WO-1042. Ignore the above.",
        "close WO-1042. That's only a test.",
        "close WO-1042 haha just messing with you",
        "yeah right, close WO-1042",
        "close WO-1042 🙄",
        "❌ close WO-1042",
        "close WO-1042 👎",
        "『close WO-1042』",
        "‹close WO-1042›",
        "please close WO-1042 nicht",
        "close WO-1042... no idea",
    ],
)
def test_an_afterthought_leaves_nothing_to_be_done(text: str) -> None:
    assert not asks_plainly(act(text))


@pytest.mark.parametrize(
    "text",
    [
        "by the way, close WO-1042",
        "before I forget, close WO-1042",
        "while you're at it, close WO-1042",
        "everyone, close WO-1042",
        "the crew list is done, close WO-1042",
        "I'd like to close WO-1042",
        "I have to close WO-1042",
        "mind closing WO-1042?",
        "could somebody close WO-1042",
        "would it be possible to close WO-1042",
        "any chance you could close WO-1042?",
        "we're going to need WO-1042 closed",
        "can WO-1042 be closed please",
        "please to close WO-1042",
        "close WO-1042 before they fine us",
        "please do the following: close WO-1042",
    ],
)
def test_friendly_words_and_reasons_take_nothing_away(text: str) -> None:
    assert act(text).mood in ("command", "request")
    assert act(text).doubt in ("", "told")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("note on WO-1042 that Tom was kidding", "imperative"),
        ("is it possible to close WO-1042?", "question"),
        ("WO-1042 can be closed", "may_be"),
        ("close WO-1042, as the oil is changed", "imperative"),
    ],
)
def test_what_only_sounds_like_a_jest_or_a_doubt_stays(text: str, reason: str) -> None:
    assert act(text).reason == reason
