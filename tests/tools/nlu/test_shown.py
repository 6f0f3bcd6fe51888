"""What a thing shows, what stands behind an object's name, and a subject that is no condition."""

from collections.abc import Callable

from state.policy import Routing

Routed = Callable[[str], Routing]


def test_what_a_thing_shows_is_nobodys_word(route: Routed) -> None:
    shown = route("only one oil filter in the locker, the computer says three, close WO-1042")
    told = route("the captain says three, close WO-1042")

    assert (shown.mood, shown.action) == ("command", "close_work_order")
    assert told.mood == "reported"


def test_an_order_that_a_thing_shows_is_told(route: Routed) -> None:
    assert route("the screen says close WO-1042").mood == "reported"


def test_an_order_behind_the_name_of_an_object_is_offered(route: Routed) -> None:
    routing = route("work order: close WO-1042")

    assert routing.mood != "reported"
    assert routing.confidence < 0.5


def test_a_subject_is_no_condition(route: Routed) -> None:
    assert route("close WO-1042 subject to his approval").mood == "hypothetical"
    assert route("switch the subject to coral reefs").mood == "command"
