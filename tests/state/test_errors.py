import pickle
from pathlib import Path

import pytest

from state.errors import AgentError, BadInput, NotFound, PackFault, PackFaults


@pytest.mark.parametrize("kind", ["pack", "module", "dataset", "replay"])
def test_nobody_is_sent_to_a_list_that_no_command_prints(kind: str) -> None:
    assert str(NotFound(kind, "nope")) == f"no {kind} 'nope' here"


def test_what_can_be_listed_says_so() -> None:
    assert "list them" in str(NotFound("action", "nope"))


@pytest.mark.parametrize(
    "error",
    [
        BadInput("a sentence"),
        NotFound("action", "nope"),
        PackFaults("vessel", [PackFault(Path("pack.toml"), 3, "name", "is no name")]),
    ],
)
def test_what_went_wrong_in_another_process_is_the_same_here(error: AgentError) -> None:
    told = pickle.loads(pickle.dumps(error))

    assert (type(told), str(told), vars(told)) == (type(error), str(error), vars(error))
