"""What is told or denied beside a request says what it is about, and is never itself done."""

import pytest

from state.policy import IMPLIED
from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


@pytest.mark.parametrize(
    ("text", "action", "slots"),
    [
        (
            "No need for WO-1050 any more, Lusben does it. Call it off.",
            "cancel_work_order",
            {"work_order": "WO-1050"},
        ),
        (
            "WO-1037 isn't needed any more, drop it",
            "cancel_work_order",
            {"work_order": "WO-1037"},
        ),
        (
            "We no longer need the handover export of 11 June, so get rid of it.",
            "delete_export",
            {},
        ),
        (
            "The management company asked for the handover of 10 June, download it for me",
            "export_handover",
            {},
        ),
        ("The report you just wrote is rubbish, get rid of it", "discard_report", {}),
    ],
)
def test_it_is_the_one_thing_named_before(
    both: Router, text: str, action: str, slots: dict[str, str]
) -> None:
    routing = both.route(text)

    assert routing.action == action
    assert {name: routing.slots.get(name) for name in slots} == slots


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Priya shouldn't see the main switchboard drawings any more", "unshare_document"),
        ("I no longer want Ana looking at DOC-016", "unshare_document"),
        ("Chiara shouldn't see the library any more", "stop_sharing_library"),
    ],
)
def test_to_deny_a_look_asks_to_take_it_away(both: Router, text: str, action: str) -> None:
    routing = both.route(text)

    assert routing.action == action
    assert IMPLIED in routing.reasons
    assert routing.confidence < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "don't show DOC-016 to Ana",
        "whatever you do, don't trace MEM-8101",
        "Hi team, please hold off on giving me the crew list for the moment. Regards, Ana",
        "there's no need to compare them, they're chalk and cheese",
        "Don't cancel the purchase order. Leave it.",
        "do not, I repeat, close WO-1042",
        "Don't, please, close WO-1042",
        "we did not, I think, share the library with Ben",
        "Never do this: approve PO-2004",
        "cancel PO-2004 under no circumstances",
        "close WO-1042 not now",
        "Don't close WO-1042. What a mess",
    ],
)
def test_what_is_denied_beside_other_words_stays_undone(both: Router, text: str) -> None:
    routing = both.route(text)

    assert routing.action is None
    assert IMPLIED not in routing.reasons


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("don't update the priority of WO-1044 to urgent - get me the crew list", "show_crew"),
        ("which work orders are overdue? Don't tell Ana", "show_work_orders"),
        ("Not urgent. Which certificates expire soon?", "show_expiring_certificates"),
        ("bring up WO-1042 instead of giving the go-ahead for PO-2000", "show_work_order"),
    ],
)
def test_a_clear_order_is_kept_beside_a_denied_one(both: Router, text: str, action: str) -> None:
    routing = both.route(text)

    assert routing.action == action
    assert routing.confidence > 0.9


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            "write the references tagged graphs out as RIS so that Zotero can read them",
            "export_bibliography",
        ),
        ("can you tag P-3 as must-cite so I don't forget it", "tag_paper"),
        ("TSK-111 isn't really done, is it, they never counted it, so reopen it", "reopen_task"),
    ],
)
def test_what_an_order_is_for_makes_no_condition(both: Router, text: str, action: str) -> None:
    routing = both.route(text)

    assert routing.action == action
    assert routing.mood in ("command", "request")
    assert not any(reason.startswith("doubt:") for reason in routing.reasons)


@pytest.mark.parametrize(
    "text",
    [
        "Cancel PO-2004 when hearing from Ben, I'm so sorry",
        "so clear the library when closing the project",
    ],
)
def test_a_condition_stays_one(both: Router, text: str) -> None:
    assert both.route(text).mood == "hypothetical"


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("export the handover so that I can delete it", "delete_export"),
        ("Write the report so that Ben can cancel PO-2004", "cancel_purchase_order"),
        ("Ben said the report you just wrote is rubbish, get rid of it", "discard_report"),
        ("PO-2004 is needed, isn't it, cancel would be wrong", "cancel_purchase_order"),
        ("we can't, can we, close WO-1042", "close_work_order"),
        ("Marta will, of course, approve PO-2004", "approve_purchase_order"),
        ("He didn't, in the end, cancel PO-2004", "cancel_purchase_order"),
        ("WO-1037 isn't needed, drop it? No, keep it.", "cancel_work_order"),
        ("Cancel PO-2004: yes or no?", "cancel_purchase_order"),
        ("Close nothing", "close_work_order"),
        ("Don't discard the report. Keep it.", "discard_report"),
        ("I no longer see DOC-016", "unshare_document"),
    ],
)
def test_what_only_stands_beside_a_request_is_not_sure(both: Router, text: str, never: str) -> None:
    routing = both.route(text)

    assert routing.action != never or routing.confidence < 0.5


def test_what_a_list_is_for_is_none_of_it(both: Router) -> None:
    routing = both.route("can you tag P-3 as must-cite so I don't forget it")

    assert routing.slots["tags"] == ["must-cite"]


@pytest.mark.parametrize(
    "text",
    [
        "Suppose I shared the library with Chiara, could she see my notes?",
        "If I were a member, might I tag things as well?",
        "let's say I archived DOC-004, could I get it back later?",
    ],
)
def test_a_question_behind_a_supposition_is_supposed_too(both: Router, text: str) -> None:
    routing = both.route(text)

    assert routing.mood == "hypothetical"
    assert routing.confidence < 0.9


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            "Elif says we keep several channels for the review, let me have the list",
            "list_channels",
        ),
        (
            "Chiara can't find the exports that were written out. Let's have a look at them.",
            "list_exports",
        ),
        ("Ben says the bow thruster alarm is still on, make it go away", "clear_alarm"),
    ],
)
def test_what_was_told_says_what_is_asked_for_and_it_is_offered(
    both: Router, text: str, action: str
) -> None:
    routing = both.route(text)

    assert routing.action == action
    assert IMPLIED in routing.reasons
    assert routing.held == "mood" or routing.confidence < 0.5


@pytest.mark.parametrize("asked", ["show me the list", "give me the list", "show the results"])
@pytest.mark.parametrize(
    "told", ["Tom said close WO-1042.", "Ana said she cancelled PO-2004,", "don't cancel PO-2004,"]
)
def test_what_was_told_or_denied_is_not_what_is_asked_for(
    both: Router, told: str, asked: str
) -> None:
    routing = both.route(f"{told} {asked}")

    assert routing.action == both.route(asked).action
    assert routing.action is not None
    assert all(
        one.action not in ("close_work_order", "cancel_purchase_order")
        for one in routing.alternatives
        if one.confidence > 0.3
    )
