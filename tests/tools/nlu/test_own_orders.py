"""Orders in a clause of their own, behind what was told, asked, planned or quoted."""

import pytest

from tests.tools.nlu.closing import CLOSE, act
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct, read_dialogue_act
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.lexicon.verbs import VerbLexicon

EMAIL = CLOSE.model_copy(update={"name": "draft_email", "words": ("draft",), "object": "email"})


def asks(one: DialogueAct) -> bool:
    verb = one.ask.verb if one.ask is not None else None
    asked_for = verb.actions if verb is not None else ()
    return one.mood in ("command", "request") and "close_work_order" in asked_for


@pytest.mark.parametrize(
    "text",
    [
        "Ben says the pump leaks, so close WO-1042",
        "Ben says it leaks so close WO-1042",
        "the owner wants to compare it, therefore close WO-1042",
        "I don't need it any more, hence close WO-1042",
        "it may rain tomorrow, thus close WO-1042",
        "it leaks so let me close WO-1042",
        "it leaks so can you close WO-1042",
        "close WO-1042 so that it reads closed",
        "how do I close WO-1042? Do it for me, please",
        "how do I close a work order, it's WO-1042, please do it",
        "I'm about to leave, could you close WO-1042",
        "it was sent after we left, close WO-1042",
        "do close WO-1042",
        "be so good as to close WO-1042",
        "may I ask you to close WO-1042",
        "do me the kindness of closing WO-1042",
        "for tidiness' sake please close WO-1042",
        "any chance of closing WO-1042?",
        "any chance you close WO-1042?",
        "time we closed WO-1042",
        "you had better close WO-1042",
        "close WO-1042, no. 2",
        "I deleted it when we left, close WO-1042",
        "do me a favour: close WO-1042",
        "could you do me a favour and close WO-1042",
        "would you do us a favor: close WO-1042",
        "it is necessary that you close WO-1042",
        "better close WO-1042",
        "see to it that WO-1042 is closed",
        "make sure WO-1042 gets closed",
        "how about closing WO-1042?",
        "leave the list as it is and close WO-1042",
        "please keep the list open, and close WO-1042",
        "hands off the list and close WO-1042",
        "forget what I said about the list and close WO-1042",
    ],
)
def test_an_order_in_a_clause_of_its_own_is_the_writers(text: str) -> None:
    assert asks(act(text))


@pytest.mark.parametrize(
    "text",
    [
        "it leaks, so I closed WO-1042",
        "it leaks so we left, did you close WO-1042",
        "time I went home and closed WO-1042",
        "it was so close to WO-1042",
        "he said so, close WO-1042",
        "Ben said yesterday, close WO-1042",
        "Ben told me yesterday evening, close WO-1042",
        "Ben said the following, close WO-1042",
        "I was asked to close the list, close WO-1042",
        "how do I close WO-1042? I do it every week",
        "how do I close WO-1042? Don't do it",
        "if he agrees, please close WO-1042",
        "if it leaks, or drips, please close WO-1042",
        "close WO-1042 after I have checked it",
        "we might need it, close WO-1042",
        "I might close it one day, let's close WO-1042",
        "any chance you closed WO-1042?",
        "last time we closed WO-1042",
        "we had better close WO-1042",
        "you had better not close WO-1042",
        "do you close WO-1042",
        "close WO-1042, no. Wait",
        "close WO-1042, no. 1043 stays",
        "close WO-1042 when I need it",
        "close WO-1042 when he said so",
        "can you close WO-1042 when it's been checked",
        "close WO-1042 after they succeed",
        "what happened when you closed WO-1042?",
        "for the sake of argument, close WO-1042",
        "it is important that you don't close WO-1042",
        "better not close WO-1042",
        "better photos of WO-1042",
        "see to it that WO-1042 is not closed",
        "make sure nobody closes WO-1042",
        "make sure nobody closes the list and close WO-1042",
        "nobody should open the list and close WO-1042",
        "how about the list of WO-1042?",
        "forget that I said close WO-1042",
        "forget I asked you to open the list and close WO-1042",
        "the last thing I want is for you to close WO-1042",
        "I am against closing WO-1042",
        "leave WO-1042 unsigned",
        "keep WO-1042 as it is",
        "leave that one open, but what does closing WO-1042 take",
        "hands off WO-1042, don't you dare close WO-1042",
        "let me close WO-1042 by hand later",
        "write an email to Ben telling him to close WO-1042",
        "I said close WO-1042 but I was wrong, scrap that",
    ],
)
def test_what_only_looks_like_it_stays_what_it_was(text: str) -> None:
    assert not asks(act(text))


def test_what_stands_open_already_is_not_to_be_left_so() -> None:
    assert act("keep an eye on the crew list that is open").mood == "statement"
    assert act("keep the crew list open").mood == "negated"


@pytest.mark.parametrize(
    "text", ["draft an email to Ben", "draft an e-mail", "draft an email to Ben about the leak"]
)
def test_an_email_is_a_thing_where_a_pack_keeps_some(text: str) -> None:
    normal = normalise(text)
    moods = [
        read_dialogue_act(normal, VerbLexicon.of(actions), frozenset(), None).mood
        for actions in ([CLOSE, EMAIL], [CLOSE])
    ]
    assert moods == ["command", "reported"]


@pytest.mark.parametrize(
    "text",
    [
        "Ben says the pump leaks, close WO-1042",
        "Ben told me the pump leaks, close WO-1042",
        "the owner wants to compare it and we have none, close WO-1042",
        "because Ben asked for it, close WO-1042",
    ],
)
def test_whose_order_it_is_stays_open_behind_a_mere_comma(text: str) -> None:
    assert (asks(act(text)), act(text).doubt) == (True, "told")


@pytest.mark.parametrize(
    "text",
    [
        'our question is "does sleep help judgement"',
        'it is wrong; let note 6 say "check with Hannah first"',
        'I want "count the guests" as a point on the list',
        'rq = "how do bees see"',
        'list + "count the guests"',
        'make "Does sleep help?" our question',
    ],
)
def test_quotes_may_hold_what_is_to_be_entered(text: str) -> None:
    assert act(text).mood in ("command", "request", "statement")


@pytest.mark.parametrize(
    "text", ['Ben said "does sleep help judgement"', '"count the guests" was the message']
)
def test_what_another_said_stays_quoted(text: str) -> None:
    assert act(text).mood == "reported"


def test_a_way_to_do_it_is_asked_of_one_thing_or_in_general() -> None:
    one, general = act("is there a way to close WO-1042?"), act("is there a way to close a job?")
    assert (one.mood, one.doubt, general.mood) == ("request", "asks_how", "question")
