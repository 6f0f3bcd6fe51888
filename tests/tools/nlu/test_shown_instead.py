"""A question of how things are is answered by what shows them, though its words are a change's."""

from pathlib import Path

import pytest

from tests.tools.nlu.conftest import ORDERS
from tools.catalog.action_catalog import Catalogue
from tools.nlu.intent_classifier.calibration import OFFERED
from tools.nlu.intents.router import Router

ASKED = [
    ("has a photo been attached to WO-1042", "list_work_orders"),
    ("photos attached to WO-1042?", "list_work_orders"),
    ("the note Ana added to WO-1042 says what", "list_work_orders"),
    ("could you check whether a photo was added to WO-1042", "list_work_orders"),
    ("quick question: was a photo attached to WO-1042", "list_work_orders"),
    ("have parts been added to WO-1042", "list_work_orders"),
    ("any note added to WO-1042 yet", "list_work_orders"),
    ("let me know once a photo was added to WO-1042", "list_work_orders"),
    ("tell us after the parts were added to WO-1042", "list_work_orders"),
    ("by whom was the photo added to WO-1042", "list_work_orders"),
]
ASK_MORE = [
    "reopen WO-1042",
    "could you reopen WO-1042?",
    "WO-1042 was closed by mistake, reopen it",
    "add a note to WO-1042: when was it closed",
    "add a note to WO-1042 as follows, when does the yard open",
    "WO-1042 to Ana?",
    "couldn't WO-1042 be closed?",
    "isn't it time to close WO-1042?",
    "who's going to close WO-1042 for me?",
    "do we close WO-1042?",
    "close WO-1042, it's done, isn't it?",
    "close WO-1042. What was it for?",
    "close it no matter what",
    "note on WO-1042, does it leak?",
    "WO-1042 Ana?",
    "assign WO-1042 to Ana and tell me who had it",
    "how do I add a photo to WO-1042?",
    "don't add a photo, was it?",
    "to whom should I give WO-1042",
    "let me know before you close WO-1042",
    "close WO-1042 and let me know once the photo was added",
    "check if the note was added to WO-1042, if not close it",
    "Ana should also get to see what was added to WO-1042",
    "the yard must be able to see which photos were added to WO-1042",
]


@pytest.mark.parametrize(("text", "action"), ASKED)
def test_it_shows_what_the_change_is_made_to(
    hearing: Router, catalogue: Catalogue, data_dir: Path, text: str, action: str
) -> None:
    (data_dir / "orders.json").write_text(ORDERS)
    routing = hearing.route(text, data_dir=data_dir)

    offered = [routing.action, *(one.action for one in routing.alternatives)]
    assert routing.action == action
    assert routing.confidence == OFFERED
    assert {catalogue.actions[str(name)].effect for name in offered} == {"read"}
    assert [one for one in routing.reasons if one.startswith("asks_about:")]


@pytest.mark.parametrize("text", ASK_MORE)
def test_who_wants_a_change_asks_how_or_denies_is_shown_nothing_instead(
    hearing: Router, data_dir: Path, text: str
) -> None:
    (data_dir / "orders.json").write_text(ORDERS)
    routing = hearing.route(text, data_dir=data_dir)

    assert not [one for one in routing.reasons if one.startswith("asks_about:")]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("port generator", None),
        ("port generator ★★★", "mood"),
        ("port generator 🗑", "mood"),
        ("port generator without the filter", "mood"),
        ("port generator + starboard generator", None),
    ],
)
def test_a_sign_beside_a_name_leaves_the_read_to_a_person(
    hearing: Router, data_dir: Path, text: str, held: str | None
) -> None:
    (data_dir / "orders.json").write_text(ORDERS)

    assert hearing.route(text, data_dir=data_dir).held == held
