"""A question of how things are is answered by what shows them, though its words are a change's."""

from pathlib import Path

import pytest

from tests.tools.routing.conftest import ORDERS
from tools.catalogue.catalogue import Catalogue
from tools.routing.router import Router

ASKED = [
    ("has a photo been attached to WO-1042", "list_work_orders"),
    ("photos attached to WO-1042?", "list_work_orders"),
    ("the note Ana added to WO-1042 says what", "list_work_orders"),
    ("did somebody archive DOC-003", "search_documents"),
    ("any note added to WO-1042 yet", "list_work_orders"),
]
ORDERED = [
    "reopen WO-1042",
    "could you reopen WO-1042?",
    "WO-1042 was closed by mistake, reopen it",
    "add a note to WO-1042: when was it closed",
    "add a note to WO-1042 as follows, when does the yard open",
    "WO-1042 to Ana?",
]


@pytest.mark.parametrize(("text", "action"), ASKED)
def test_it_shows_what_the_change_is_made_to(
    hearing: Router, catalogue: Catalogue, data_dir: Path, text: str, action: str
) -> None:
    (data_dir / "orders.json").write_text(ORDERS)
    routing = hearing.route(text, data_dir=data_dir)

    offered = [routing.action, *(one.action for one in routing.alternatives)]
    assert routing.action == action
    assert {catalogue.actions[str(name)].effect for name in offered} == {"read"}
    assert [one for one in routing.reasons if one.startswith("asks_about:")]


@pytest.mark.parametrize("text", ORDERED)
def test_who_asks_for_a_change_is_not_shown_things_instead(
    hearing: Router, data_dir: Path, text: str
) -> None:
    (data_dir / "orders.json").write_text(ORDERS)
    routing = hearing.route(text, data_dir=data_dir)

    assert not [one for one in routing.reasons if one.startswith("asks_about:")]
