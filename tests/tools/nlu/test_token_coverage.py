"""An order with more to it than an order is offered, never run unasked."""

import pytest

from state.policy import IMPLIED, Routing
from tests.tools.nlu.conftest import Routed
from tools.nlu.intents.router import Router
from tools.nlu.rejection.uncovered_tokens import UNCOVERED_TOKENS, elsewhere_in

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once

# An order with more to it than an order is offered, and nobody is asked for a yes to it.


def is_asked_for(routing: Routing) -> bool:
    """Tell whether a person would be asked for a yes to it, and not shown a chip."""
    return routing.confidence >= 0.5 and routing.held is None


ORDERS = ("approve PO-2201", "assign WO-1042 to Tom Becker", "archive DOC-019", "order 4 impellers")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("joint", [" ", ", ", ". "])
@pytest.mark.parametrize(
    "tail",
    [
        "oops wrong chat",
        "wait",
        "not sure",
        "i guess",
        "maybe",
        "on second thoughts keep it",
        "sorry that was for Elif",
        "just testing",
        "dry run",
        "wait for Ana Costa",
        "i can do it myself",
        "let me do it",
        "why",
        "according to Ana Costa",
        "per the email",
        "hell no",
        "i already did",
        "some other time",
        "my foot",
        "нет",
        "bitte nicht",
        "😂",
        "❓",
    ],
)
def test_what_stands_behind_an_order_and_belongs_to_none_makes_it_unsure(
    route: Routed, order: str, joint: str, tail: str
):
    assert not is_asked_for(route(f"{order}{joint}{tail}"))


@pytest.mark.parametrize(
    "text",
    [
        "approve the discount on PO-2201",
        "approve half of PO-2201",
        "approve 2 of PO-2201",
        "approve the order before PO-2201",
        "approve PO-2201's invoice",
        "assign WO-1042 to Tom Becker's boss",
        "assign WO-1042 to whoever replaces Tom Becker",
        "archive the translation of DOC-019",
        "archive page 3 of DOC-019",
        "order 4 impeller pullers",
        "order 4 alternatives to impellers",
        "Tom Becker, approve PO-2201",
        "hi Tom Becker, please approve PO-2201",
        "Not allowed:\napprove PO-2201",
        "Rejected ideas\n- approve PO-2201",
        "see below\n\napprove PO-2201",
        "-- approve PO-2201",
        "<!-- approve PO-2201 -->",
        "yeah right approve PO-2201",
        "approve or reject PO-2201",
        "PO-2201 needs to be approved by Ana Costa",
        "approve the purchase order that Tom Becker made, not PO-2201",
        "approve PO-2201 on Monday",
        "approve PO-2201 tomorrow",
        "approve PO-2201 since when",
        "approve PO-2201 cause why not",
        "approve PO-2201 because the anodes are gone oops wrong chat",
        "approve PO-2201 if it's not the order for the anodes",
        "approve PO-2201 when you get the anodes",
        "approve PO-2201, she hasn't agreed",
        "approve PO-2201, it was denied",
        "approve PO-2201, we do it next week",
        "approve a third of PO-2201",
        "archive the second of DOC-019",
        "approve PO-2201 or another",
        "assign WO-1042 to Tom Becker or me",
        "approve PO-2201 14:00-15:00",
        "approve PO-2201 number 3",
        "approve PO-2201 miles",
        "approve PO-2201, it depends",
        "approve PO-2201, it needs two signatures first",
        "approve PO-2201, for Ana Costa to decide",
        "approve PO-2201 by mistake",
        "approve PO-2201 until the refit",
        "approve PO-2201 without the freight",
        "approve the PO-2201 deposit",
        "approve PO-2201 for now",
        "order 4 litres of impellers",
        "log about 8 hours of rest for Tom Becker",
        "log up to 8 hours of rest for Tom Becker",
        "close WO-1042 without ordering parts",
        "order 4 impeller generators",
        "stop close WO-1042",
        "approve PO-2201 because we don't need it",
        "close WO-1042, don't need to close it",
        "close WO-1042, we don't need it today",
        "close WO-1042 from Ana Costa",
        "order 4 impellers from Tom Becker",
        "approve PO-2201 and another",
        "close WO-1042: assuming Ana Costa agrees",
        "close WO-1042: tomorrow morning",
        "close WO-1042: it must never be closed like that",
        "close WO-1042: no, leave it",
        "close WO-1042: this was a joke",
        "close WO-1042: do we want that?",
        "archive the number of DOC-019",
        "approve PO-2201 because the work starts Monday",
        "approve PO-2201 because the parts come tomorrow",
        "approve PO-2201 because the captain must sign first",
        "approve PO-2201 because I meant PO-2202",
        "approve PO-2201 because it came by mistake",
        "approve PO-2201, because the chief is against it",
        "close WO-1042: please don't",
        "close WO-1042: no wait",
        "close WO-1042: if the test passes",
        "close WO-1042: on Friday",
        "close WO-1042: still leaking, do not close",
        "close WO-1042: need approval first",
        "approve PO-2201 that can wait",
        "archive the impeller fire plan",
        "archive the fire plan, DOC-019 stays",
        # what is done elsewhere is not asked for
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
def test_what_is_meant_may_be_another_thing_or_nothing(route: Routed, text: str):
    assert not is_asked_for(route(text))


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("share WO-1036 and WO-1038 with the yard", True),
        ("share WO-1036 to WO-1038 with the yard", False),
        ("share WO-1036 - WO-1038 with the yard", False),
        ("share WO-1036 with another yard", False),
        ("share WO-1036 with all yards", False),
        ("share WO-1036 with the yard so they can see it", True),
        ("share WO-1036 with the yard that can wait", False),
    ],
)
def test_of_a_range_the_ends_are_not_all_of_it(both: Router, text: str, is_asked: bool):
    routing = both.route(text)

    assert routing.action == "share_with_shipyard"
    assert is_asked_for(routing) is is_asked


@pytest.mark.parametrize(
    "text",
    [
        *ORDERS,
        "please approve PO-2201 now, thanks",
        "approve PO-2201 if you can",
        "could you approve PO-2201 for me right away?",
        "ok, approve PO-2201, the anodes are gone",
        "approve PO-2201, we need it",
        "approve PO-2201 because the anodes are gone",
        "approve PO-2201 when you get a chance",
        "could you approve PO-2201 if it's not too much trouble",
        "approve the whole of PO-2201",
        "approve PO-2201 ❤️",
        "approve purchase order PO-2201 👍",
        "The anodes are gone.\nApprove PO-2201.",
        "hi,\nplease approve PO-2201\nthanks",
        "assign the job WO-1042 to Tom Becker",
        "order 4 impellers 🙏",
        "order another 4 impellers",
        "close WO-1042 because we don't need it",
        "close WO-1042, not needed any more",
        "close WO-1042, it was done yesterday",
        "mark WO-1042 done",
        "close WO-1042: no leaks found",
        "close WO-1042: seal replaced, all dry",
        "sign WO-1042 off please",
        "mark WO-1042 complete",
        "log 8h rest for Tom Becker",
        "log 8 hours of rest for Tom Becker",
    ],
)
def test_an_order_with_its_courtesies_and_reasons_is_asked_for(route: Routed, text: str):
    routing = route(text)

    assert is_asked_for(routing)
    assert not any(reason.startswith(UNCOVERED_TOKENS) for reason in routing.reasons)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("approve PO-2201 oops wrong chat", "oops wrong chat"),
        ("archive DOC-019 oops wrong chat", "oops wrong chat"),
        ("order 4 impellers oops wrong chat", "oops wrong chat"),
        ("approve PO-2201 🤷‍♀️", "🤷♀"),
        ("-- approve PO-2201", "--"),
    ],
)
def test_what_is_held_for_words_names_them_and_keeps_its_confidence(route: Routed, text, unread):
    routing = route(text)

    assert routing.held == "unread"
    assert routing.confidence > 0.5
    assert f"{UNCOVERED_TOKENS}{unread}" in routing.reasons


@pytest.mark.parametrize(
    ("order", "action"),
    [
        ("close WO-1042", "close_work_order"),
        ("approve PO-2201", "approve_purchase_order"),
        ("order 4 impellers", "order_part"),
    ],
)
@pytest.mark.parametrize(
    "told",
    [
        "we are leaving the yard",
        "the yard called",
        "we shared the job list",
        "I uploaded the photo",
        "the compliance report is submitted",
        "the certificate expired",
        "the stock is low",
    ],
)
def test_what_is_told_beside_an_order_names_no_other_action(route: Routed, order, action, told):
    for text in (f"{told}, {order}", f"{told}. {order}.", f"{order}, {told}"):
        assert route(text).action == action, text


# What is told or denied beside a request says what it is about, and is never itself done.


@pytest.mark.parametrize(
    ("text", "action", "slots"),
    [
        (
            "No need for WO-1050 any more, Lusben does it. Call it off.",
            "cancel_work_order",
            {"work_order": "WO-1050"},
        ),
        ("WO-1037 isn't needed any more, drop it", "cancel_work_order", {"work_order": "WO-1037"}),
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
def test_it_is_the_one_thing_named_before(both: Router, text, action, slots):
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
def test_to_deny_a_look_asks_to_take_it_away(both: Router, text: str, action: str):
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
def test_what_is_denied_beside_other_words_stays_undone(both: Router, text: str):
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
def test_a_clear_order_is_kept_beside_a_denied_one(both: Router, text: str, action: str):
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
def test_what_an_order_is_for_makes_no_condition(both: Router, text: str, action: str):
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
def test_a_condition_stays_one(both: Router, text: str):
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
def test_what_only_stands_beside_a_request_is_not_sure(both: Router, text: str, never: str):
    routing = both.route(text)

    assert routing.action != never or routing.confidence < 0.5


def test_what_a_list_is_for_is_none_of_it(both: Router):
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
def test_a_question_behind_a_supposition_is_supposed_too(both: Router, text: str):
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
def test_what_was_told_says_what_is_asked_for_and_it_is_offered(both: Router, text, action):
    routing = both.route(text)

    assert routing.action == action
    assert IMPLIED in routing.reasons
    assert routing.held == "mood" or routing.confidence < 0.5


@pytest.mark.parametrize("asked", ["show me the list", "give me the list", "show the results"])
@pytest.mark.parametrize(
    "told", ["Tom said close WO-1042.", "Ana said she cancelled PO-2004,", "don't cancel PO-2004,"]
)
def test_what_was_told_or_denied_is_not_what_is_asked_for(both: Router, told: str, asked: str):
    routing = both.route(f"{told} {asked}")

    assert routing.action == both.route(asked).action
    assert routing.action is not None
    assert all(
        one.action not in ("close_work_order", "cancel_purchase_order")
        for one in routing.alternatives
        if one.confidence > 0.3
    )


# Does a text turn on a word that nothing says for the action it seems to ask for?


@pytest.mark.parametrize(
    "text",
    [
        "bless the alarms",
        "frame all the channels on screen",
        "sing about the exports",
        "x-ray the alarms",
        "x-ray-2 the alarms",
        "how long are the alarms?",
        "are the alarms expired?",
        "how much do the alarms weigh?",
        "name a star after the alarms",
        "could you vaccinate the exports?",
        "tell me a joke about the alarms",
    ],
)
def test_a_read_that_turns_on_a_strange_word_does_not_run_by_itself(both: Router, text: str):
    routing = both.route(text)
    assert routing.action is None or routing.held is not None


@pytest.mark.parametrize(
    "text",
    [
        "show the alarms",
        "which exports are there?",
        "is WO-1042 overdue?",
        "could you list the exports?",
        "how much oil is left?",
        "give me a list of the alarms",
        "turn the page",
        "put P-2 and P-3 side by side",
    ],
)
def test_a_read_in_the_words_of_its_examples_runs(both: Router, text: str):
    assert both.route(text).held is None


def test_a_read_that_knows_the_verb_of_a_change_from_one_odd_example_is_offered(both: Router):
    routing = both.route("tag all unread papers as later")
    assert (routing.action, routing.held) == ("show_library", "verb")


def test_a_change_that_takes_nothing_is_offered_when_the_order_ends_strangely(both: Router):
    plain = both.route("empty the library", roles=("owner",))
    strange = both.route("flush my collection down the toilet", roles=("owner",))

    assert (plain.action, plain.confidence > 0.5) == ("clear_library", True)
    assert strange.confidence < 0.5


@pytest.mark.parametrize("text", ["get the open work orders named", "name", "can you name"])
def test_a_light_verb_may_end_a_text(router: Router, text: str):
    assert router.route(text).text == text


# An order for something else than was taken for it is offered, and no yes is asked for it.


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
def test_where_it_is_done_anyway_leaves_it_an_order(route: Routed, text: str):
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
def test_a_place_right_behind_an_id_is_where_it_is_done(text: str, place: str | None):
    words = text.split()
    found = elsewhere_in(words, range(len(words)), {1}, lambda said: said == "in galley")

    assert [words[at] for at in found] == ([place] if place else [])
