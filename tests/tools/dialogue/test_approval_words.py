"""Words that are meant for what waits for an approval, and name nothing else."""

import pytest

from tools.nlu.replies.yes_no import approval_meant, drops_question, is_retraction

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


@pytest.mark.parametrize(
    ("text", "meant"), [(text, meant) for meant, texts in MEANT.items() for text in texts]
)
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


@pytest.mark.parametrize(
    ("text", "is_so"), [(text, is_so) for is_so, texts in TAKES_BACK.items() for text in texts]
)
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
