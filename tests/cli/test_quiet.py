"""`prefrontal quiet`: why it is silent, asking for quiet, ending it."""

import json

from tests.cli.conftest import Prefrontal

KEPT = ("--data-dir", "kept")
BEN = ("--as", "ben:engineer")


def test_quiet_is_asked_for_explained_and_ended(prefrontal: Prefrontal) -> None:
    asked = prefrontal("quiet", "ask", "be quiet for 20 minutes", *BEN, *KEPT)
    assert asked.exit_code == 0, asked.stderr
    assert "Quiet was requested, until" in asked.stdout
    why = json.loads(prefrontal("quiet", "why", "--json", *KEPT).stdout)
    assert (why["is_quiet"], why["reason"]) == (True, "muted")
    ended = prefrontal("quiet", "end", *BEN, *KEPT)
    assert "I speak when something is relevant enough" in ended.stdout


def test_a_topic_is_left_alone_and_told_of_again(prefrontal: Prefrontal) -> None:
    asked = prefrontal("quiet", "ask", "stop telling me about lunch", *BEN, *KEPT)
    assert "Muted topic: lunch" in asked.stdout
    assert "lunch" not in prefrontal("quiet", "end", "--topic", "lunch", *BEN, *KEPT).stdout


def test_what_asks_nothing_about_the_talking_is_wrong_use(prefrontal: Prefrontal) -> None:
    result = prefrontal("quiet", "ask", "close WO-1042", *BEN, *KEPT)
    assert (result.exit_code, "docs/explanation/attention.md" in result.stderr) == (2, True)


def test_why_before_anything_was_decided_says_so(prefrontal: Prefrontal) -> None:
    result = prefrontal("quiet", "why", *KEPT)
    assert (result.exit_code, "nothing is kept in" in result.stderr) == (1, True)
