"""Which requests read, and which reads run at once."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.policy import IMPLIED, Routing
from tests.tools.nlu.conftest import ORDERS
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.actionability.decision import Prediction, as_likely_as, followed
from tools.nlu.intent_classifier.calibration import DECLINED, OFFERED
from tools.nlu.intents.ranking import Ranked
from tools.nlu.intents.router import Router
from tools.nlu.intents.utterance import UtteranceParser
from tools.nlu.rejection.auto_run_veto import says_wholly

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once

# What a thing shows, what stands behind an object's name, and a subject that is no condition.

Routed = Callable[[str], Routing]


def test_what_a_thing_shows_is_nobodys_word(route: Routed):
    shown = route("only one oil filter in the locker, the computer says three, close WO-1042")
    told = route("the captain says three, close WO-1042")

    assert (shown.mood, shown.action) == ("command", "close_work_order")
    assert told.mood == "reported"


def test_an_order_that_a_thing_shows_is_told(route: Routed):
    assert route("the screen says close WO-1042").mood == "reported"


def test_an_order_behind_the_name_of_an_object_is_offered(route: Routed):
    routing = route("work order: close WO-1042")

    assert routing.mood != "reported"
    assert routing.confidence < 0.5


def test_a_subject_is_no_condition(route: Routed):
    assert route("close WO-1042 subject to his approval").mood == "hypothetical"
    assert route("switch the subject to coral reefs").mood == "command"


# A question of how things are is answered by what shows them, though its words are a change's.

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
):
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
):
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
):
    (data_dir / "orders.json").write_text(ORDERS)

    assert hearing.route(text, data_dir=data_dir).held == held


# Verbs that bring something to the person ask for no change of it.


@pytest.mark.parametrize(
    "text",
    [
        "open the compliance report",
        "print the compliance report",
        "download the compliance report",
        "get the compliance report",
        "open the assignment of WO-1038",
        "open the approval of PO-2004",
        "open the note on WO-1041",
        "open the delivery of PO-2004",
        "get TSK-104",
    ],
)
def test_who_only_looks_is_asked_for_no_yes(both: Router, text: str):
    routing = both.route(text)
    assert routing.confidence < 0.5 or routing.action == "show_work_order"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("open a work order for the bilge pump", "create_work_order"),
        ("open TSK-101 again", "reopen_task"),
        ("get WO-1042 closed", "close_work_order"),
        ("print the handover", "export_handover"),
        ("submit the compliance report", "submit_compliance_report"),
    ],
)
def test_who_does_something_by_such_a_verb_is_asked(both: Router, text: str, action: str):
    routing = both.route(text)
    assert routing.action == action
    assert routing.confidence > 0.6


# What nobody orders is offered: a read as sure as it is likely, and it never runs by itself.

_CHANCE = st.floats(0, 1)


def _ranked(confidence: float) -> Ranked:
    shares = np.array([0.9, 0.1, 0.0], np.float32)
    return Ranked((0, 1), shares, confidence, False, True, frozenset(), (), None, 0.0)


def test_both_chances_count():
    assert as_likely_as(Prediction(_ranked(0.9), OFFERED, follows=True), 0.8).cap == 0.9 * 0.8


@given(confidence=_CHANCE, chance=_CHANCE)
def test_it_is_never_surer_than_the_ranking_or_less_than_offered(confidence: float, chance: float):
    settled = as_likely_as(Prediction(_ranked(confidence), OFFERED, follows=True), chance)
    assert min(confidence, OFFERED) <= min(confidence, settled.cap) <= max(confidence, OFFERED)


@given(confidence=_CHANCE, chance=_CHANCE)
def test_what_is_declined_or_ordered_stays_as_it_is(confidence: float, chance: float):
    ranked = _ranked(confidence)
    follows = Prediction(ranked, OFFERED, follows=True)
    declined = followed(follows, ranked, "nothing", chance)
    assert declined.cap == DECLINED
    for settled in (declined, Prediction(ranked, OFFERED), Prediction(ranked, 1.0)):
        assert as_likely_as(settled, chance) == settled


def test_what_is_implied_is_not_asked_for_however_likely_it_is():
    ordered = Routing(
        text="", normalized="", tokens=(), action="show", confidence=0.9, mood="statement"
    )
    implied = ordered.model_copy(update={"reasons": (IMPLIED,)})
    assert (ordered.asked_confidence, implied.asked_confidence) == (0.9, 0.0)


# A read that says an entry's own words and nothing else runs, whatever the examples are like.

WritePack = Callable[[Path], Path]


@pytest.fixture(scope="module")
def catalogue_wholly(
    tmp_path_factory: pytest.TempPathFactory, write_vessel: WritePack
) -> Catalogue:
    return Catalogue.of([load_pack(write_vessel(tmp_path_factory.mktemp("packs") / "boat"))])


@pytest.mark.parametrize(
    ("text", "action", "expected"),
    [
        ("view the handover", "view_handover", True),
        ("please show me the port generator", "show_equipment_overview", True),
        ("view the vegan handover", "view_handover", False),
        ("view the handover", "check_stock", False),
        ("do not view the handover", "view_handover", False),
        ("somebody views the handover", "view_handover", False),
        ("handover", "view_handover", False),
    ],
)
def test_every_word_is_accounted_for(
    catalogue_wholly: Catalogue, text: str, action: str, *, expected: bool
):
    reading = UtteranceParser(catalogue_wholly).read(text)

    assert says_wholly(reading, catalogue_wholly.action(action)) is expected
