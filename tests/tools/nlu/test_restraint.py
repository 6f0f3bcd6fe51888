"""What must change nothing: other moods, other verbs, hostile texts."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.policy import Routing
from tools.nlu.intents.router import Router

Routed = Callable[[str], Routing]

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
    ],
)
def test_what_is_not_asked_for_changes_nothing(route: Routed, text: str) -> None:
    routing = route(text)

    assert routing.action is None or routing.action in READS
    assert all(one.confidence < 0.5 for one in routing.alternatives if one.action not in READS)


@pytest.mark.parametrize(
    "text",
    ["show generator history", "check stock", "view the work orders", "view close WO-1042"],
)
def test_a_reading_verb_never_names_a_change(route: Routed, text: str) -> None:
    routing = route(text)

    assert routing.action is None or routing.action in READS
    assert all(one.confidence < 0.5 for one in routing.alternatives if one.action not in READS)


@pytest.mark.parametrize("text", ["cancel PO-2201", "delete the fire plan", "reject WO-1042"])
def test_a_verb_that_no_entry_has_names_no_change(route: Routed, text: str) -> None:
    routing = route(text)

    assert routing.action is None or routing.action in READS
    assert routing.confidence < 0.5


def test_two_requests_are_left_to_the_person(route: Routed) -> None:
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
def test_what_holds_a_read_back_is_told_beside_its_confidence(
    route: Routed, text: str, held: str | None
) -> None:
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
def test_any_text_is_answered_in_so_many_steps(route: Routed, text: str) -> None:
    route("warm up")

    with counted_calls() as calls:
        routing = route(text)

    # The first 2,000 characters are read, a thousand words at most.
    assert calls.count <= 400_000, "reading that grows with the square takes minutes"
    assert routing.text == text


def test_a_long_text_is_a_document_and_changes_nothing(route: Routed) -> None:
    routing = route("close WO-1042 " + "because the filter was changed and tested " * 1_500)

    assert routing.action is None or routing.action in READS
    assert "text_too_long" in routing.reasons


def test_a_text_that_looks_other_than_it_reads_changes_nothing(route: Routed) -> None:
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
def test_no_mood_but_asking_makes_a_change_sure(route: Routed, mood: str, ask: str) -> None:
    routing = route(mood.format(ask))
    candidates = {one.action: one.confidence for one in routing.alternatives}
    if routing.action is not None:
        candidates[routing.action] = routing.confidence

    assert all(value < 0.5 for name, value in candidates.items() if name not in READS)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(max_size=200))
def test_every_answer_is_whole(router: Router, text: str) -> None:
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
def test_a_describing_participle_is_not_told(route: Routed, text: str, mood: str) -> None:
    assert route(text).mood == mood


def test_it_is_the_one_thing_that_was_named_before(route: Routed) -> None:
    routing = route("WO-1042 is not needed any more, close it")

    assert routing.action == "close_work_order"
    assert routing.slots["work_order"] == "WO-1042"


def test_a_bare_topic_speaks_for_no_change(route: Routed) -> None:
    routing = route("gloves and goggles")

    assert routing.action is None or routing.action in READS
