"""Who wants a doing undone is offered what undoes it, and never that very doing."""

from collections.abc import Callable

import pytest

from state.policy import Routing
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router

ACTIONS = """
actions:
  cancel_booking:
    summary: "Cancel {booking}"
    verb: update
    words: [cancel, call off]
    object: booking
    slots: {booking: {type: booking, required: true}}
    effect: write
    handler: "handlers:change"
    examples: ["cancel B-101", "call off the booking B-102", "please cancel my booking B-103"]
  confirm_booking:
    summary: "Confirm {booking}"
    verb: update
    words: [confirm]
    object: booking
    slots: {booking: {type: booking, required: true}}
    effect: write
    handler: "handlers:change"
    examples: ["confirm B-101", "please confirm booking B-102", "confirm my booking"]
  show_booking:
    summary: "Show {booking}"
    verb: show
    words: [show]
    object: booking
    slots: {booking: {type: booking, required: true}}
    effect: read
    handler: "handlers:change"
    examples: ["show B-101", "show me the booking B-102", "what is B-103"]
  close_case:
    summary: "Close {case}"
    verb: update
    words: [close]
    object: case
    slots: {case: {type: case, required: true}}
    effect: write
    handler: "handlers:close"
    undo: reopen_case
    examples: ["close C-101", "close the case C-102", "shut the case C-103"]
  reopen_case:
    summary: "Reopen {case}"
    verb: update
    words: [reopen]
    object: case
    slots: {case: {type: case, required: true}}
    effect: write
    handler: "handlers:close"
    undo: close_case
    examples: ["reopen C-101", "reopen the case C-102"]
"""
ENTITIES = """
entities:
  booking: {patterns: ["B-\\\\d{3}"]}
  case: {patterns: ["C-\\\\d{3}"]}
"""
HANDLERS = """
def change(context, *, booking): ...
def close(context, *, case): ...
"""


@pytest.fixture(scope="module")
def routed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Routing]:
    folder = tmp_path_factory.mktemp("packs") / "desk"
    folder.mkdir()
    files = {"actions.yaml": ACTIONS, "entities.yaml": ENTITIES, "handlers.py": HANDLERS}
    for name, text in files.items():
        (folder / name).write_text(text)
    return Router(Catalogue.of([load_pack(folder)])).route


def _others(routing: Routing) -> list[str]:
    return [one.action for one in routing.alternatives]


@pytest.mark.parametrize(
    "text",
    [
        "uncancel B-101",
        "please uncancel B-101",
        "can you uncancel B-101",
        "un-cancel B-101",
        "undo the cancellation of B-101",
        "cancel the cancellation of B-101",
        "revoke the cancellation of B-101",
        "stop the cancelling of B-101",
        "undo the cancelation of B-101",
    ],
)
def test_what_is_to_be_undone_is_not_offered_again(
    routed: Callable[[str], Routing], text: str
) -> None:
    routing = routed(text)

    assert {routing.action, *_others(routing)} <= {None, "show_booking"}


@pytest.mark.parametrize(
    "text",
    [
        "unclose C-101",
        "please unclose C-101",
        "un-shut C-101",
        "un-close C-101",
        "please un-close C-101",
        "undo the closing of C-101",
        "undo the closure of C-101",
        "cancel the closing of C-101",
        "revoke the closure of C-101",
    ],
)
def test_its_opposite_is_the_only_change_that_is_left(
    routed: Callable[[str], Routing], text: str
) -> None:
    routing = routed(text)
    best, *others = (one for one in (routing.action, *_others(routing)) if one is not None)

    assert best == "reopen_case"
    assert {"close_case", "cancel_booking", "confirm_booking"}.isdisjoint(others)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("cancel B-101", "cancel_booking"),
        ("cancel the booking B-101", "cancel_booking"),
        ("cancel my booking B-101 please", "cancel_booking"),
        ("cancel the UN booking B-101", "cancel_booking"),
        ("confirm B-101", "confirm_booking"),
        ("close C-101", "close_case"),
        ("reopen C-101", "reopen_case"),
        ("close the case C-101, the investigation is over", "close_case"),
        ("cancel B-101, it was undecided until now", "cancel_booking"),
    ],
)
def test_what_undoes_nothing_stays_what_it_is(
    routed: Callable[[str], Routing], text: str, action: str
) -> None:
    assert routed(text).action == action


def test_who_uncloses_a_case_reopens_it(routed: Callable[[str], Routing]) -> None:
    routing = routed("unclose C-101")

    assert (routing.action, dict(routing.slots)) == ("reopen_case", {"case": "C-101"})
