"""Thanks and a call for help get a sentence; it never shows what the asker may not ask for."""

import pytest

from tests.nodes.conftest import message, messages_of
from tests.titled import expecting
from tools.catalog.action_catalog import Catalogue
from tools.dialogue.chitchat import is_small_talk
from tools.nlu.control.meta_questions import SelfQuestion, self_question
from tools.platform.texts import t


def said(catalogue: Catalogue, text: str, role: str = "keeper") -> str:
    policy = messages_of(catalogue).read(message(text, role=role))
    assert (policy.action, policy.arguments) == (None, {})
    return policy.says


def test_thanks_are_answered_and_more_than_thanks_is_not(catalogue: Catalogue) -> None:
    assert said(catalogue, "Thank you!") == "You're welcome."
    assert not said(catalogue, "yes")
    assert not said(catalogue, "thanks, now close lock LK-12")


@pytest.mark.parametrize("text", ["help", "Help me, please", "what can you do?"])
def test_help_shows_what_this_role_may_ask(catalogue: Catalogue, text: str) -> None:
    told = said(catalogue, text)
    may = [one for one in catalogue.actions.values() if catalogue.may_ask(one.name, ("keeper",))]
    firsts = [one.examples[0] for one in may if one.examples]
    assert told.startswith(f"You can request {len(may)} actions, for example: ")
    assert 0 < sum(first in told for first in firsts) <= 3


def test_help_never_shows_what_a_role_may_not_ask(catalogue: Catalogue) -> None:
    told = said(catalogue, "help", role="passenger")
    hidden = [
        one.examples[0]
        for one in catalogue.actions.values()
        if one.examples and not catalogue.may_ask(one.name, ("passenger",))
    ]
    assert hidden
    assert not any(example in told for example in hidden)


@pytest.mark.parametrize("text", ["do it", "Just do that, please.", "go ahead", "ok, make it so!"])
def test_a_bare_do_it_is_told_that_it_is_unclear(catalogue: Catalogue, text: str) -> None:
    assert said(catalogue, text) == t("dialogue.do_what")
    assert not said(catalogue, f"{text} and close lock LK-12")


def test_who_asks_who_we_are_is_told_and_nobody_is_forgotten_on_a_word(catalogue: Catalogue):
    assert said(catalogue, "Who are you?").startswith("I'm Prefrontal.")
    for text in (
        "forget everything you know about me",
        "delete my data",
        "forget all about me, please",
    ):
        assert "prefrontal memory forget" in said(catalogue, text)
    assert "prefrontal memory forget" not in said(catalogue, "delete my data set")


# A greeting is no request, and a request that begins with one still is.


SMALL_TALK = {
    True: [
        "hello",
        "Good morning!",
        "thanks a lot, that was great",
        "ok, got it",
        "Thank you very much for your help.",
        "hey everybody, how are you?",
        "yes",
        "haha nice",
        "see you tomorrow",
    ],
    False: [
        "hello, find papers on whales",
        "thanks, now close WO-1042",
        "good morning report",
        "okay do it",
        "the morning watch",
        "",
        "   ",
        "fine tuning",
        "all right whales",
        "hellos",
        "hello " * 100,
    ],
}


@pytest.mark.parametrize(("text", "is_so"), expecting(SMALL_TALK))
def test_talk_is_talk_and_anything_more_is_not(text: str, *, is_so: bool):
    assert is_small_talk(text) is is_so


# What asks for our own reasons, and what asks for people's.


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("why are you silent?", SelfQuestion("silence")),
        ("So why are you still so quiet", SelfQuestion("silence")),
        ("why did you do that?", SelfQuestion("done")),
        ("Wait, why did you tell me that?", SelfQuestion("done")),
        ("what made you say that", SelfQuestion("done")),
        ("why did you not do that?", SelfQuestion("not_done")),
        ("why didn’t you warn me?", SelfQuestion("not_done")),
        ("why didn't you tell me about the bilge pump?", SelfQuestion("not_done", "bilge pump")),
        ("why haven't you said anything", SelfQuestion("not_done")),
        ("why did we dredge the channel?", None),
        ("why did you order 4 oil filters for the generator", None),
        ("why is the engine room silent", None),
        ("why did Tom do that?", None),
        ("find papers on why you do that", None),
        ("he asked why did you do that", None),
    ],
)
def test_a_question_about_ourselves_is_known(text: str, question: SelfQuestion | None) -> None:
    assert self_question(text) == question
