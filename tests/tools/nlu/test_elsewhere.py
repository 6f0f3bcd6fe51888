"""An order for something else than was taken for it is offered, and no yes is asked for it."""

import pytest

from tests.tools.nlu.conftest import Routed
from tests.tools.nlu.test_unread import is_asked_for
from tools.nlu.rejection.uncovered_tokens import elsewhere_in


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 in my head",
        "close WO-1042 in the report",
        "please close WO-1042 in your dreams",
        "approve PO-2201 in his name",
        "archive DOC-019 in the minutes",
        "assign WO-1042 in my mind to Tom Becker",
        "[ ] approve PO-2201",
        "[] approve PO-2201",
        "- [ ] approve PO-2201",
        "2. [ ] approve PO-2201",
        "say approve PO-2201",
        "just say approve PO-2201",
        "close the valve on WO-1042",
        "close the hatch on WO-1042",
        "close WO-1042 some day",
        "please close WO-1042 at some point",
        "I'm hoping you might close WO-1042 one day",
        "approve PO-2201 one of these days",
        "have WO-1042 closed in the drill",
        "nobody said please close WO-1042",
        "nobody told me please close WO-1042",
        "he never said please close WO-1042",
        "approve PO-2201 some fine day",
    ],
)
def test_what_is_done_elsewhere_is_not_asked_for(route: Routed, text: str) -> None:
    assert not is_asked_for(route(text))


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042",
        "- approve PO-2201",
        "assign WO-1042 to Tom Becker",
        "send DOC-019 to Ana Costa",
        "share the fire plan with Tom Becker",
    ],
)
def test_where_it_is_done_anyway_leaves_it_an_order(route: Routed, text: str) -> None:
    assert is_asked_for(route(text))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("close wo-1042 in my head", "head"),
        ("close it in my head", "head"),
        ("close wo-1042 in full", None),
        ("close wo-1042 in the system", None),
        ("close wo-1042 in the meantime", None),
        ("close wo-1042 in the galley", None),
        ("close the job in the report", None),
        ("close wo-1042 in", None),
    ],
)
def test_a_place_right_behind_an_id_is_where_it_is_done(text: str, place: str | None) -> None:
    words = text.split()
    found = elsewhere_in(words, range(len(words)), {1}, lambda said: said == "in galley")

    assert [words[at] for at in found] == ([place] if place else [])
