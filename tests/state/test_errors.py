import pytest

from state.errors import NotFound


@pytest.mark.parametrize("kind", ["pack", "module", "dataset", "replay"])
def test_nobody_is_sent_to_a_list_that_no_command_prints(kind: str) -> None:
    assert str(NotFound(kind, "nope")) == f"no {kind} 'nope' here"


def test_what_can_be_listed_says_so() -> None:
    assert "list them" in str(NotFound("action", "nope"))
