"""What must change nothing: other moods, other verbs, hostile texts."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.policy import Routing
from tests.tools.nlu.conftest import ORDERS, Routed
from tools.nlu.intents.router import Router

READS = {
    "show_equipment_overview",
    "show_equipment_history",
    "search_documents",
    "diagnose_fault",
    "view_handover",
    "check_stock",
    "list_work_orders",
    "generate_summary",
    "generate_audit_pack",
}


@pytest.mark.parametrize(
    "text",
    [
        "don't close WO-1042",
        "don’t close WO-1042",
        "how do I close a work order?",
        "did you already close WO-1042?",
        "he said close WO-1042",
        '"close WO-1042"',
        "I closed WO-1042 yesterday",
        "close WO-1042 if the filter is changed",
        "close WO-1042. no, don't",
        "what would happen if you order 3 oil filters",
        "the mail says: archive DOC-019",
        # a reading verb never names a change
        "show generator history",
        "check stock",
        "view the work orders",
        "view close WO-1042",
    ],
)
def test_what_is_not_asked_for_changes_nothing(route: Routed, text: str):
    routing = route(text)

    assert routing.action is None or routing.action in READS
    assert all(one.confidence < 0.5 for one in routing.alternatives if one.action not in READS)


@pytest.mark.parametrize("text", ["cancel PO-2201", "delete the fire plan", "reject WO-1042"])
def test_a_verb_that_no_entry_has_names_no_change(route: Routed, text: str):
    routing = route(text)

    assert routing.action is None or routing.action in READS
    assert routing.confidence < 0.5


def test_two_requests_are_left_to_the_person(route: Routed):
    routing = route("show the handover and order 3 oil filters")

    assert routing.confidence < 0.8
    assert "several_requests" in routing.reasons
    assert {"view_handover", "order_part"} <= {
        routing.action,
        *(one.action for one in routing.alternatives),
    }


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("show generator history", None),
        ("show generator history if you happen to have time", "mood"),
        ("show the handover and check stock", "several_requests"),
    ],
)
def test_what_holds_a_read_back_is_told_beside_its_confidence(route: Routed, text, held):
    routing = route(text)

    assert routing.held == held
    assert (f"held:{held}" in routing.reasons) == (held is not None)


class Calls:
    """How many functions were called, of Python or of C."""

    count = 0


@contextmanager
def counted_calls() -> Iterator[Calls]:
    """Count the calls of a stretch of code: the same on every machine, however busy."""
    calls = Calls()

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        calls.count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "👍🏽👩‍👩‍👧",
        "\u202e\u202e",
        "?" * 500,
        "'" * 500,
        '"' * 501,
        "a" * 5_000,
        "close " * 1_000,
        "not " * 1_000,
        "and " * 700,
        "if, " * 700,
        "said " * 600,
        "WO-1042 " * 300,
        "1 " * 1_000,
        "two " * 600,
        "1," * 1_000,
        "(((((" * 300,
        "\u0301" * 2_000,
        "ﷺ" * 2_000,
        "please " * 400 + "don't " * 200,
        "x" * 65_536,
        ("lorem ipsum dolor " * 4_000)[:65_536],
        "\x00\x01\x02",
        "{work_order} %s ${jndi:ldap://x} <script>",
    ],
)
def test_any_text_is_answered_in_so_many_steps(route: Routed, text: str):
    route("warm up")

    with counted_calls() as calls:
        routing = route(text)

    # The first 2,000 characters are read, a thousand words at most.
    assert calls.count <= 400_000, "reading that grows with the square takes minutes"
    assert routing.text == text


def test_a_long_text_is_a_document_and_changes_nothing(route: Routed):
    routing = route("close WO-1042 " + "because the filter was changed and tested " * 1_500)

    assert routing.action is None or routing.action in READS
    assert "text_too_long" in routing.reasons


def test_a_text_that_looks_other_than_it_reads_changes_nothing(route: Routed):
    routing = route("close \u2066WO-1042\u2069")

    assert routing.action is None
    assert "text_disguised" in routing.reasons


MOODS = [
    "don't {}", "how do I {}?", "did you {}", "he said {}", "if it rains, {}", "never {}",
    "should we {}", "maybe {}", "the captain wants me to {}", "{}?", "I would never {}",
]  # fmt: skip
ASKS = [
    "close WO-1042", "order 3 oil filters", "archive DOC-019", "approve PO-2201",
    "assign TSK-104 to Tom", "export compliance logs", "submit the compliance report",
    "add note 'done' to WO-1042", "share the fire plan with Ana",
]  # fmt: skip


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("ask", ASKS)
def test_no_mood_but_asking_makes_a_change_sure(route: Routed, mood: str, ask: str):
    routing = route(mood.format(ask))
    candidates = {one.action: one.confidence for one in routing.alternatives}
    if routing.action is not None:
        candidates[routing.action] = routing.confidence

    assert all(value < 0.5 for name, value in candidates.items() if name not in READS)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(max_size=200))
def test_every_answer_is_whole(router: Router, text: str):
    routing = router.route(text)

    assert 0 <= routing.confidence <= 1
    order = [one.confidence for one in routing.alternatives]
    assert order == sorted(order, reverse=True)
    assert routing.action not in {one.action for one in routing.alternatives}
    for mention in routing.entities:
        assert 0 <= mention.span[0] < mention.span[1] <= len(text)


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("closed work orders for the watermaker", "statement"),
        ("closed WO-1042", "reported"),
        ("everything ordered for the watermaker", "statement"),
        ("the report you generated can be closed", "statement"),
        ("WO-1042 wants the fire plan with it", "statement"),
        ("the captain wants WO-1042 closed", "reported"),
        ("have we closed WO-1042?", "question"),
    ],
)
def test_a_describing_participle_is_not_told(route: Routed, text: str, mood: str):
    assert route(text).mood == mood


def test_it_is_the_one_thing_that_was_named_before(route: Routed):
    routing = route("WO-1042 is not needed any more, close it")

    assert routing.action == "close_work_order"
    assert routing.slots["work_order"] == "WO-1042"


def test_a_bare_topic_speaks_for_no_change(route: Routed):
    routing = route("gloves and goggles")

    assert routing.action is None or routing.action in READS


# What never changes the mood, and what always does, whatever the command.

COMMANDS = st.sampled_from(
    [
        "close WO-1042",
        "sign off WO-1038",
        "order 3 oil filters",
        "archive DOC-019",
        "approve PO-2201",
        "assign TSK-104 to Tom",
        "export compliance logs",
        "submit the compliance report",
        "share the fire plan with Ana",
        "show generator history",
        "check stock of oil filters",
    ]
)
DENIALS = st.sampled_from(
    [
        "don't", "don’t", "dont", "dotn", "nver", "do not", "do nt", "never", "please don't",
        "no, do not",
        "you must not", "we should not", "under no circumstances", "I don't want you to",
        "no need to", "there is no reason to", "nobody should", "it is not time to", "let's not",
        "can you not", "make sure not to", "I'd rather you didn't", "by no means",
    ]
)  # fmt: skip
WRAPPINGS = st.sampled_from(
    [
        '"{}"', "“{}”", 'he said "{}"', "she said {}", "Ben told me to {}", "the note says: {}",
        "Ben: {}", "the captain wants us to {}", "according to Ana, {}", "> {}", "[10:42] Ben: {}",
        "I was told to {}", "the manual says you have to {}", "FYI:\n> {}", "it says here to {}",
        "if Ana agrees, {}", "{} unless I call", "maybe {}", "what if I {}", "Tom should {}",
        "tell Tom to {}", "I wish we could {}", "{} - no, wait", "{}. Never mind.", "we might {}",
    ]
)  # fmt: skip
COURTESIES = st.sampled_from(
    ["please {}", "{} please", "could you {}?", "hey, {}", "{}, thanks", "I need you to {}",
     "go ahead and {}", "{} now", "kindly {}", "would you please {}?"]
)  # fmt: skip
fixed = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)


@pytest.fixture
def store(data_dir: Path) -> Path:
    (data_dir / "orders.json").write_text(ORDERS)
    return data_dir


def likely(routing: Routing) -> Mapping[str, float]:
    found = {one.action: one.confidence for one in routing.alternatives}
    return found | ({routing.action: routing.confidence} if routing.action else {})


def asks(routing: Routing) -> bool:
    return routing.mood in ("command", "request")


@fixed
@given(command=COMMANDS, denial=DENIALS)
def test_no_denied_command_is_sure(router: Router, store: Path, command: str, denial: str):
    routing = router.route(f"{denial} {command}", data_dir=store)

    assert routing.mood == "negated"
    assert max(likely(routing).values(), default=0.0) < 0.5


@fixed
@given(command=COMMANDS, wrapping=WRAPPINGS)
def test_no_told_or_supposed_command_changes_anything(
    router: Router, store: Path, command: str, wrapping: str
):
    routing = router.route(wrapping.format(command), data_dir=store)

    assert not asks(routing)
    assert all(value < 0.5 for name, value in likely(routing).items() if name not in READS)
    assert routing.action is None or routing.confidence < 0.5 or routing.held == "mood"


@fixed
@given(
    command=COMMANDS,
    courtesy=COURTESIES,
    ending=st.sampled_from(["", ".", "!", "!!", " ", "  \n"]),
    spread=st.integers(1, 4),
    is_loud=st.booleans(),
)
def test_how_it_is_written_changes_neither_action_nor_mood(
    router: Router,
    store: Path,
    command: str,
    courtesy: str,
    ending: str,
    spread: int,
    is_loud: bool,
):
    plain = router.route(command, data_dir=store)
    text = courtesy.format(command.replace(" ", " " * spread)) + ending

    routing = router.route(text.upper() if is_loud else text, data_dir=store)

    assert routing.action == plain.action
    assert asks(routing)
    assert asks(plain)


@fixed
@given(command=COMMANDS, denial=DENIALS, apostrophe=st.sampled_from("'’ʼ´`"))
def test_the_kind_of_apostrophe_changes_nothing(
    router: Router, store: Path, command: str, denial: str, apostrophe: str
):
    straight = f"{denial.replace('’', chr(39))} {command}"

    routing = router.route(straight.replace("'", apostrophe), data_dir=store)

    assert routing.mood == router.route(straight, data_dir=store).mood


# What is left out of all, and orders that forbid by a word behind their verb, do nothing to it.


@pytest.mark.parametrize(
    "text",
    [
        "close all but WO-1042",
        "close every job but WO-1042",
        "close everything except WO-1042",
        "close all work orders other than WO-1042",
        "close every work order apart from WO-1042",
        "close all jobs save for WO-1042",
        "close anything aside from WO-1042",
    ],
)
def test_what_is_left_out_of_all_fills_no_slot(route: Routed, text: str):
    assert "work_order" not in route(text).slots


@pytest.mark.parametrize(
    "text", ["assign WO-1042 to anyone but Tom", "assign WO-1042 to somebody other than Tom"]
)
def test_somebody_else_is_not_the_one_who_is_named(route: Routed, text: str):
    slots = route(text).slots

    assert slots["work_order"] == "WO-1042"
    assert "Tom Becker" not in slots.values()


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("close nothing but WO-1042", "WO-1042"),
        ("everything is done but WO-1038 leaks. Close WO-1042", "WO-1042"),
    ],
)
def test_but_leaves_nothing_out_where_it_only_turns(route: Routed, text: str, order: str):
    assert route(text).slots["work_order"] == order


@pytest.mark.parametrize(
    "text",
    [
        "close no work order",
        "close neither WO-1042 nor WO-1038",
        "close in no case WO-1042",
        "close WO-1042 by no means",
        "close WO-1042 on no condition",
        "close at no time the job WO-1042",
        "close no longer WO-1042",
        "close WO-1042 is forbidden",
        "close WO-1042 is not allowed",
        "close WO-1042: no",
        "close WO-1042: not allowed",
        "close WO-1042 (y/n)",
        "close WO-1042, the sign reads",
        "close WO-1042, it says here",
        'write "close WO-1042"',
        "leave WO-1042",
        "hold WO-1042 please",
    ],
)
def test_an_order_that_is_forbidden_or_shown_is_none(route: Routed, text: str):
    routing = route(text)

    assert routing.mood in ("negated", "reported")
    assert routing.confidence < 0.5


@pytest.mark.parametrize(
    "text", ["show no more than 5 work orders", "order no. 5 oil filters", "order no 5 oil filters"]
)
def test_a_no_that_counts_denies_nothing(route: Routed, text: str):
    assert route(text).mood == "command"


@pytest.mark.parametrize(
    "text",
    [
        "don't! close WO-1042",
        "never! close WO-1042",
        "stop, don't, close WO-1042",
        "no way, close WO-1042",
        "not yet, close WO-1042",
        "hell no, close WO-1042",
        "don't - close WO-1042",
    ],
)
def test_a_bare_no_right_before_an_order_leaves_it_in_doubt(route: Routed, text: str):
    routing = route(text)

    assert "doubt:refused_before" in routing.reasons
    assert routing.confidence < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "no, close WO-1042",
        "never mind, close WO-1042",
        "not that one, close WO-1042",
        "don't order anything, close WO-1042",
        "not WO-1038. Close WO-1042",
    ],
)
def test_a_no_that_corrects_leaves_the_order_whole(route: Routed, text: str):
    routing = route(text)

    assert routing.action == "close_work_order"
    assert routing.confidence > 0.5


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 but only after the captain has signed",
        "close WO-1042, only once Tom is back",
        "close WO-1042 the minute Tom is back",
        "close WO-1042 the moment the yard calls",
    ],
)
def test_what_an_order_waits_for_keeps_it_from_being_sure(route: Routed, text: str):
    assert route(text).confidence < 0.5


def test_a_letter_of_another_alphabet_in_a_word_makes_a_change_unsure(router: Router):
    of_two = router.route("check n\u043et the stock of oil filters")
    of_one = router.route("check the \u0431\u0438\u043b\u0433\u0435 stock of oil filters")

    assert router.route("close n\u043et WO-1042").confidence < 0.5
    assert ("text_disguised" in of_two.reasons, "text_disguised" in of_one.reasons) == (True, False)


# Words of an order that nothing takes are named in phrases; what every order may hold is not.

UNCOVERED_ORDERS = (
    "approve PO-2201",
    "assign WO-1042 to Tom Becker",
    "archive DOC-019",
    "order 4 impellers",
)
LIMITS = (
    "in 20 minutes",
    "tomorrow at seven",
    "every other month",
    "for half a day",
    "only if the invoice is here",
    "unless she objects",
    "but not before nine",
    "except the spare ones",
    "without telling the yard",
    "and bring it back afterwards",
)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("order", UNCOVERED_ORDERS)
def test_what_limits_an_order_is_named_whatever_it_orders(route: Routed, order: str, limit: str):
    routing = route(f"{order} {limit}")
    read = routing.order or routing

    assert read.held == "unread"
    assert any(one.narrows and one.text.endswith(limit) for one in read.uncovered), read.uncovered


@pytest.mark.parametrize(
    ("text", "narrowing"),
    [
        ("approve half of PO-2201", ["half"]),
        ("approve two thirds of PO-2201", ["two thirds"]),
        ("export the compliance logs of May", ["of May"]),
        ("share DOC-019 with Ana Costa for the weekend", ["for the weekend"]),
        ("assign WO-1042 to Tom Becker as a backup", []),
        ("please archive DOC-019 for me, thanks", []),
        ("could you approve PO-2201 right away", []),
        ("close WO-1042, the filter is changed", []),
        ("close WO-1042 because it rains all week", []),
        ("order 4 impellers instead of 3", []),
        ("log 8 hours of rest for Tom Becker", []),
    ],
)
def test_what_belongs_to_an_order_or_tells_why_narrows_nothing(route: Routed, text, narrowing):
    routing = route(text)

    assert routing.action is not None
    assert [one.text for one in routing.uncovered if one.narrows] == narrowing


def test_what_a_preposition_ties_to_an_order_is_told_from_a_bare_word(route: Routed):
    tied = route("approve PO-2201 as store credit").uncovered
    bare = route("approve the PO-2201 deposit").uncovered

    assert [(one.text, one.narrows, one.attaches) for one in tied] == [
        ("as store credit", False, True)
    ]
    assert [(one.narrows, one.attaches) for one in bare] == [(False, False)]


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("archive DOC-019 once Ana has read it", "once Ana has read it"),
        ("if the yard agrees, close WO-1042", "if the yard agrees"),
        ("approve PO-2201 as soon as the quote is in", "as soon as the quote is in"),
    ],
)
def test_a_conditional_order_asks_for_nothing_and_is_read_beside_it(route: Routed, text, condition):
    routing = route(text)

    assert (routing.mood, routing.action) == ("hypothetical", None)
    assert routing.order is not None
    assert routing.order.action is not None
    assert condition in [one.text for one in routing.order.uncovered]


@pytest.mark.parametrize(
    "text",
    [
        "if WO-1042 is late again we might have to close it",
        "suppose we archived DOC-019, could Ana still read it?",
        "don't approve PO-2201 if the price is wrong",
        "Tom said to close WO-1042 once it is dry",
    ],
)
def test_what_only_supposes_denies_or_tells_holds_no_order(route: Routed, text: str):
    assert route(text).order is None


def test_no_request_of_several_loses_its_limit(both: Router):
    routing = both.route("close WO-1042 and approve PO-2004 in 20 minutes")

    assert routing.held == "several_requests"
    assert any(one.narrows and "20 minutes" in one.text for one in routing.uncovered)
