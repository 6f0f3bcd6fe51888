"""Words that are meant for what waits for an approval, and name nothing else."""

import pytest

from tools.policy.approval_words import approval_meant, takes_back

ID = "82db625d-2252-5f56-a10a-824625f12cf4"


@pytest.mark.parametrize(
    "text",
    [
        "approve it", "Approve!", "I approve", "I approve this", "approved", "please approve that",
        "reject it", "rejected", "I reject the request", "deny it", "yes, approve it",
        "yes, close it", "ok, send them now", "no, don't close it", "I hereby authorise it",
        "absolutely, approve it", "go ahead, send them", "no way, reject it", "of course, approved",
    ],
)  # fmt: skip
def test_a_verdict_is_about_whatever_waits(text: str) -> None:
    assert approval_meant(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "oh sorry, wrong one", "no wait", "stop", "that was a joke", "I take it back", "oops",
        "no, undo that", "withdraw it please", "changed my mind", "just kidding", "Wait!",
        "oops wrong chat", "on second thoughts, keep it", "scratch that", "my mistake, sorry",
    ],
)  # fmt: skip
def test_who_takes_it_back_speaks_of_whatever_waits(text: str) -> None:
    assert approval_meant(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "wait for Ben", "stop the generator", "withdraw the report", "I take the second one back",
        "undo the last change", "keep it cool", "that was a mistake in WO-1042",
    ],
)  # fmt: skip
def test_what_takes_back_something_else_does_not(text: str) -> None:
    assert approval_meant(text) is None


@pytest.mark.parametrize(
    "text", [f"approve {ID}", f"I reject {ID}.", f"approve {ID.upper()} 908443ced05f"]
)
def test_a_verdict_on_an_id_is_about_that(text: str) -> None:
    assert approval_meant(text) == ID


@pytest.mark.parametrize(
    "text",
    [
        "", "approve PO-1996", "close it", "show it", "yes", "yes, close WO-1042", "show that",
        "should I approve it?", "approve it if Ben agrees", "who may approve it", "he approved it",
        "approve the purchase order", "accept all changes of the survey", "yes and close it",
    ],
)  # fmt: skip
def test_what_names_something_else_is_no_verdict(text: str) -> None:
    assert approval_meant(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "no", "no, forget it", "don't close it", "cancel that", "withdraw it please", "never mind",
        "I take it back", "oops wrong chat", "reject it", "no way, reject it", "don't approve it",
        "changed my mind", "👎", "on second thoughts, keep it", "stop", "no, don't close it",
    ],
)  # fmt: skip
def test_a_no_takes_back(text: str) -> None:
    assert takes_back(text)


@pytest.mark.parametrize(
    "text",
    ["yes", "approve it", "ok", "no, approve it", "wait", "no wait", "hold on", "👍", "right"],
)
def test_a_yes_and_a_wait_take_nothing_back(text: str) -> None:
    assert not takes_back(text)
