"""A yes, a no and a verdict: what they answer, and what is none of them."""

import pytest

from state.policy import Candidate, PolicyDecision
from tests.stages import frozen_action
from tests.titled import expecting
from tools.dialogue.reply_decisions import nothing_to_answer, on_resolved
from tools.nlu.replies.yes_no import (
    LAST,
    SOME,
    PlainAnswer,
    approval_meant,
    drops_question,
    is_retraction,
    plain_answer,
)

ID = "82db625d-2252-5f56-a10a-824625f12cf4"


# fmt: off
MEANT = {
    "": [
        "approve it", "Approve!", "I approve", "I approve this", "approved", "please approve that",
        "reject it", "rejected", "I reject the request", "deny it", "yes, approve it",
        "yes, close it", "ok, send them now", "no, don't close it", "I hereby authorise it",
        "absolutely, approve it", "go ahead, send them", "no way, reject it", "of course, approved",
        "oh sorry, wrong one", "no wait", "stop", "that was a joke", "I take it back", "oops",
        "no, undo that", "withdraw it please", "changed my mind", "just kidding", "Wait!",
        "oops wrong chat", "on second thoughts, keep it", "scratch that", "my mistake, sorry",
    ],
    ID: [
        f"approve {ID}", f"I reject {ID}.", f"approve {ID.upper()} 908443ced05f",
    ],
    None: [
        "wait for Ben", "stop the generator", "withdraw the report", "I take the second one back",
        "undo the last change", "keep it cool", "that was a mistake in WO-1042",
        "", "approve PO-1996", "close it", "show it", "yes", "yes, close WO-1042", "show that",
        "should I approve it?", "approve it if Ben agrees", "who may approve it", "he approved it",
        "approve the purchase order", "accept all changes of the survey", "yes and close it",
    ],
}
# fmt: on


@pytest.mark.parametrize(("text", "meant"), expecting(MEANT))
def test_a_verdict_or_a_no_is_about_whatever_waits_or_the_id_it_names(text: str, meant: str | None):
    assert approval_meant(text) == meant


CLOSES = "Close lock LK-12"


# fmt: off
TAKES_BACK = {
    True: [
        "no", "no, forget it", "don't close it", "cancel that", "withdraw it please", "never mind",
        "I take it back", "oops wrong chat", "reject it", "no way, reject it", "I reject it.",
        "changed my mind", "\N{THUMBS DOWN SIGN}", "stop", "no, don't close it", "leave it",
        "please do not close it", "I reject the request", "scratch that", "no thanks",
        "take it back", "take that back", "please withdraw that", "call it off", "abort", "Abort!",
        "please call it off", "abort that", "withdraw my request", "I want to take that back",
        "call that off please", "cancel my request", "no, call the whole thing off", "don\u2019t",
        "can you call it off?", "could you take that back?", "Can you please abort it?",
        "would you withdraw my request?", "could you not close it?", "oh, can we take it back?",
        "would you mind taking that back?", "is there any way you could abort it?",
        "would you mind revoking it?", "could you retract that?",
    ],
    False: [
        "yes", "approve it", "ok", "no, approve it", "wait", "no wait", "hold on", "right",
        "\N{THUMBS UP SIGN}", "no problem, go ahead", "no worries, do it",
        "no objections, proceed", "no issues. ok, please do it", "don't cancel it",
        "don't drop it", "don't forget it", "better not cancel it", "no, don't reject it",
        "no, do it", "no, close it", "no, show it", "keep it", "keep it open", "not now",
        "not yet", "don't reject it", "never mind, do it", "no, confirm it", "wait, no, do it",
        "leave it open", "don't, approve it", "wait for the captain", "no, send it to Ben",
        "don't close that, close the other one", "on second thoughts, keep it",
        '"no, forget it"', "> no, forget it", "no?", "no, forget it?", "'no, forget it'",
        "\u201cno, forget it\u201d", "`no`", "\u00ab no \u00bb", "abort?", "take it back?",
        ">abort",
        "abort the pump", "call Ben off", "call it a day", "take it back to the shed",
        "can you do it?", "can you still take it back?", "did you call it off?", "can you wait?",
        "could you keep it open?", "can you not cancel it?", "should we call it off?",
        '"can you call it off?"', "can you call it off if Ben agrees?", "can you call Ben off?",
        "why not call it off?", "no need to take it back", "I can take it back",
        "call it off if Ben agrees", "withdraw the request of Ben", "cancel the order",
        "can anyone call it off?", "can I call it off?", "will you call it off?", "don't abort",
        "do not call it off", "don't call it off", "can you cancel it?", "no, don't abort",
    ],
}
# fmt: on


@pytest.mark.parametrize(("text", "is_so"), expecting(TAKES_BACK))
def test_a_plain_no_takes_back_and_nothing_else_does(text: str, *, is_so: bool):
    assert is_retraction(text, CLOSES) is is_so


def test_a_cancelling_is_taken_back_by_its_own_verb() -> None:
    assert is_retraction("don't cancel it", "Cancel work order WO-1")
    assert not is_retraction("don't close it", "Cancel work order WO-1")


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("revoke it", "Revoke access AC-1"), ("abort it", "Abort the upload"),
        ("call it off", "Call off visit V-1"), ("can you revoke it?", "Revoke access AC-1"),
        ("take that back", "Take part P-1 back"),
    ],
)  # fmt: skip
def test_the_verb_of_what_waits_may_as_well_hurry_it_on(text: str, summary: str) -> None:
    assert not is_retraction(text, summary)
    assert is_retraction(text, CLOSES)


@pytest.mark.parametrize(
    "text",
    [
        "don't withdraw my request",
        "do not cancel my request",
        "please don't take that back",
        "never call it off",
        "don't you dare abort",
        "don't cancel the request",
        "don't cancel",
        "don't actually cancel the request",
        "do not drop my request",
        "don't forget about it",
    ],
)
def test_who_wants_it_to_go_on_takes_nothing_back(text: str) -> None:
    assert not is_retraction(text, "Close lock LK-12")
    assert not drops_question(text)
    assert approval_meant(text) is None


@pytest.mark.parametrize("text", ["scrap that", "drop it, thanks", "forget it", "cancel that"])
def test_who_is_asked_for_a_value_may_drop_what_he_asked(text: str) -> None:
    assert drops_question(text)


# A yes is one only when the whole text is nothing else.


YES = (
    "yes", "Yes!", "yes please", "ok", "OK, go ahead", "go ahead", "do it", "yes, do it now",
    "sure", "yes yes", "please do", "that one", "go ahead with it", "yes, thanks",
    "y", "Y!", "no issue, go ahead", "no problem, yes",
    "yess", "yesss!", "yeees", "yeah", "okk", "\U0001f44d", "\U0001f44d\U0001f3fd", " \u2705 ",
)  # fmt: skip
NO = (
    "no", "No thanks", "nope", "never mind", "nevermind, thanks", "not that", "not that one",
    "don't", "don\u2019t do it", "no, don't", "none of them", "cancel that", "forget it",
    "n", "skip", "skip it", "\U0001f44e", "call it off", "abort", "never mind, abort", "scrap that",
    "call the whole thing off", "can you call it off?", "could you please scrap that?",
    "no, can you abort it", "would you mind calling it off?", "can we call it off please?",
    "abort the request", "mind aborting it?",
)  # fmt: skip
PLACES = {
    "2": 2, "#2": 2, "chip-2": 2, "option 3": 3, "number 4": 4, "two": 2, "the first one": 1,
    "the third": 3, "yes, the second one": 2, "i mean the 2nd": 2, "the last one": LAST,
    "take the second please": 2, "no. 1": 1, "No.2!": 2, "yes, number one": 1,
    "pick option two": 2, "i mean two": 2, "pick one": SOME, "take one please": SOME,
    "I want one": SOME, "i want 2": SOME,
    "1)": 1, "(2)": 2, "2!": 2, "3.": 3, "both": SOME, "all of them": SOME, "either one": SOME,
}  # fmt: skip
NEITHER = (
    "\U0001f44d?", "\U0001f44d close it", "yes \U0001f44e", "\U0001f44d\U0001f44e", "eyes", "ye",
    "", "yes?", "ok?", '"yes"', "\u201cyes\u201d", "\u2018yes\u2019", "> yes", "yes\n> no",
    "no?", "abort?", "can you still call it off?", "did you cancel it?", "should we abort?",
    '"can you call it off?"', "can you call it off if she agrees?", "don't, let me cancel it",
    "no need to cancel it", "why not call it off?", "can you do it?", "can you say yes?",
    "yes no", "no, yes", "no, the second one", "yes but not now", "yes, but later",
    "yes and close WO-1042", "yes if she agrees", "not yes", "not okay", "yesterday", "y e s",
    "he said yes", "don't say yes", "is it yes", "ok, thanks", "the second paper", "12",
    "no problem", "no worries, thanks", "no problem, ok thanks", "all papers", "any news", "(2",
    "the second one about whales", "yes " * 40, "y\u202ees", "say yes to it", "yes or no",
    "do it, don't", "-- yes", "the one",
    "no one", "noone", "No one!", "no one, thanks", "ok no one", "no 1", "no1", "no two", "no-1",
    "no. one", "y\u200bes", "\u2060yes", "yes\u00ad", "\U0001d432\U0001d41e\U0001d42c", "\uff59es",
    "\u2461", "\uff11", "o\u212a",
)  # fmt: skip


@pytest.mark.parametrize("text", YES)
def test_a_plain_yes_is_read(text: str) -> None:
    assert plain_answer(text) == PlainAnswer("yes")


@pytest.mark.parametrize("text", NO)
def test_a_plain_no_is_read(text: str) -> None:
    assert plain_answer(text) == PlainAnswer("no")


@pytest.mark.parametrize(("text", "place"), PLACES.items())
def test_a_place_is_read(text: str, place: int) -> None:
    assert plain_answer(text) == PlainAnswer("place", place)


@pytest.mark.parametrize("text", NEITHER)
def test_whatever_else_it_holds_it_answers_nothing(text: str) -> None:
    assert plain_answer(text) is None


# What a plain answer means where nothing was asked.


LIKELY = (Candidate(action="close_lock", confidence=0.6),)


@pytest.mark.parametrize("read", [{"action": "close_lock"}, {"alternatives": LIKELY}])
def test_it_makes_up_no_request(read: dict[str, object]) -> None:
    told = nothing_to_answer(PolicyDecision.model_validate({"intent": "action", **read}))
    assert (told.action, told.alternatives) == (None, ())
    assert told.reasons == ("nothing_to_answer",)


@pytest.mark.parametrize(
    "read",
    [
        {"reasons": ("points_at:lock:LK-12",)},
        {"force_tool": "close_lock"},
        {"unclear": "There is no number 2: the last list has 1. Which lock?"},
    ],
)
def test_it_still_points_at_what_was_listed(read: dict[str, object]) -> None:
    found = PolicyDecision.model_validate({"intent": "action", "action": "close_lock", **read})
    assert nothing_to_answer(found) is found


def test_it_may_ask_for_nothing_at_all() -> None:
    said = PolicyDecision(intent="general", reasons=("small_talk",))
    assert nothing_to_answer(said) is said


def test_a_late_no_is_told_why_its_question_is_off() -> None:
    told = on_resolved(frozen_action(state="stale", reason="the same was done meanwhile"))
    assert told.says.endswith(". The same was done meanwhile.")
    assert "not done" not in told.says
