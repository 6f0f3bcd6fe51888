"""Goals and reminders as people word them."""

import pytest

from tools.nlu.control.requests import control_request


@pytest.mark.parametrize(
    "text", ["my goal is not to finish the portal", "our goal is no longer to win"]
)
def test_what_is_said_to_be_no_goal_is_none(text: str) -> None:
    assert control_request(text) is None


def test_a_reminder_may_name_its_matter_behind_a_colon() -> None:
    request = control_request("remind me in 1 minute: undo that")
    assert request is not None
    assert (request.kind, request.topic, request.seconds) == ("remind", "undo that", 60)
