"""What never changes the mood, and what always does, whatever the command."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.policy import Routing
from tests.tools.nlu.conftest import ORDERS
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
def test_no_denied_command_is_sure(router: Router, store: Path, command: str, denial: str) -> None:
    routing = router.route(f"{denial} {command}", data_dir=store)

    assert routing.mood == "negated"
    assert max(likely(routing).values(), default=0.0) < 0.5


@fixed
@given(command=COMMANDS, wrapping=WRAPPINGS)
def test_no_told_or_supposed_command_changes_anything(
    router: Router, store: Path, command: str, wrapping: str
) -> None:
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
) -> None:
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
) -> None:
    straight = f"{denial.replace('’', chr(39))} {command}"

    routing = router.route(straight.replace("'", apostrophe), data_dir=store)

    assert routing.mood == router.route(straight, data_dir=store).mood
