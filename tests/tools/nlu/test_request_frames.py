"""Frames of requests: what is asked for in them, and what only looks like one."""

import pytest

from tests.tools.nlu.closing import act, asked_of


@pytest.mark.parametrize(
    "text",
    [
        "could you possibly close WO-1042",
        "would you perhaps close WO-1042",
        "could I get you to close WO-1042?",
        "can I ask that you close WO-1042",
        "I'd like to ask you to close WO-1042",
        "I have to ask you to close WO-1042",
        "could you kindly get WO-1042 closed",
        "kindly request you to close WO-1042",
        "requesting you to close WO-1042",
        "I'd appreciate you closing WO-1042",
        "I would appreciate your closing WO-1042",
        "thank you in advance for closing WO-1042",
        "it's time to close WO-1042",
        "if you could close WO-1042 that would be great",
        "it'd be kind of you to close WO-1042",
        "I'm counting on you to close WO-1042",
        "let's go ahead and close WO-1042",
        "could you see that WO-1042 gets closed",
        "could you make sure that WO-1042 is closed?",
        "go on and close WO-1042",
    ],
)
def test_what_is_framed_so_is_asked_for(text: str) -> None:
    assert act(text).mood == "request"
    assert asked_of(text) == {"close_work_order"}


@pytest.mark.parametrize(
    "text",
    [
        "could you possibly not close WO-1042",
        "can I ask that you not close WO-1042",
        "requesting that you not close WO-1042",
        "if you could close WO-1042 I would know",
        "if you would close WO-1042 that would be illegal",
        "if you could close WO-1042 it would be a mistake",
        "let me see the work orders closed in May",
        "let me see WO-1042 closed",
        "can you see that WO-1042 is closed?",
        "it is time we closed WO-1042?",
        "it's time we closed WO-1042?",
        "thanks for closing WO-1042",
        "I really appreciate you closing WO-1042 so quickly",
        "go on and close WO-1042?",
        "prepare for closing WO-1042",
        "consider closing WO-1042",
        "draft an order to close WO-1042",
        "get ready to close WO-1042",
        "prepare in advance for closing WO-1042",
        "WO-1042 has got",
        "WO-1042 needs got",
    ],
)
def test_what_only_looks_so_closes_nothing(text: str) -> None:
    read = act(text)
    assert read.mood not in ("command", "request") or asked_of(text) != {"close_work_order"}


@pytest.mark.parametrize(
    "text",
    [
        "I'll close mine later, for now show WO-1042",
        "We're going to close it tomorrow, show WO-1042",
    ],
)
def test_a_look_does_not_wait_for_what_its_writer_will_do(text: str) -> None:
    assert act(text).mood == "command"


def test_a_change_may_be_one_more_thing_that_he_will_do() -> None:
    assert act("I'll fix the pump, close WO-1042").mood == "hypothetical"
    assert act("if it rains, show WO-1042").mood == "hypothetical"


def test_a_quotation_behind_an_unknown_verb_is_what_is_entered() -> None:
    assert act('zap the question to "how do pumps fail"').reason == "unknown_verb"


@pytest.mark.parametrize(
    "text",
    [
        'zap "close WO-1042"',
        'zap the question "how do pumps fail and why do they"',
    ],
)
def test_a_quotation_that_orders_or_is_only_spoken_of_is_not(text: str) -> None:
    assert act(text).reason == "quoted"
