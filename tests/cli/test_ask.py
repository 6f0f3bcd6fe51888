"""`prefrontal ask`, `approvals` and `offers`: a person's words, picks and answers."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from filelock import FileLock

from tests.cli.conftest import Prefrontal, records

BEN = ("--as", "ben:engineer")
CHIEF = ("--as", "marta:chief")


def done(here: Path) -> list[str]:
    """Read what the pack's handlers did."""
    stores = list((here / "data").rglob("shop.sqlite"))
    if not stores:
        return []
    with closing(sqlite3.connect(stores[0])) as store:
        return [what for (what,) in store.execute("select what from done")]


def waiting(prefrontal: Prefrontal, text: str = "close WO-1042") -> tuple[str, str]:
    """Ask for something dangerous; give its approval's id and digest."""
    asked = prefrontal("ask", text, *BEN, "--json")
    (record,) = records(asked)
    assert record["outcome"] == "awaiting_approval"
    (shown,) = records(prefrontal("approvals", "show", record["action_id"], "--json"))
    return shown["action_id"], shown["digest"]


def test_a_question_is_answered(prefrontal: Prefrontal) -> None:
    result = prefrontal("ask", "check stock of oil filters")
    assert result.exit_code == 0
    assert "3 of oil filter in stock" in result.stdout


def test_a_role_that_no_pack_knows_is_noted(prefrontal: Prefrontal) -> None:
    strange = prefrontal("ask", "check stock of oil filters", "--as", "ben:enginer")
    known = prefrontal("ask", "check stock of oil filters", *BEN)
    assert "knows the role enginer; known are: chief, engineer" in strange.stderr
    assert (strange.exit_code, known.stderr) == (0, "")


def test_a_dangerous_request_shows_the_dialog_and_the_commands(prefrontal: Prefrontal, here: Path):
    result = prefrontal("ask", "close WO-1042", *BEN)
    assert result.exit_code == 0
    for shown in ("Close work order WO-1042", "ben (engineer)", "approvers", "chief", "digest"):
        assert shown in result.stdout
    assert "prefrontal approvals approve" in result.stdout
    assert done(here) == []


def test_an_approval_runs_it_once(prefrontal: Prefrontal, here: Path) -> None:
    action_id, digest = waiting(prefrontal)
    result = prefrontal("approvals", "approve", action_id, digest[:12], *CHIEF)
    assert result.exit_code == 0
    assert "WO-1042 is closed" in result.stdout
    again = prefrontal("approvals", "approve", action_id, digest, *CHIEF)
    assert again.exit_code == 1
    assert "already succeeded" in again.stderr
    assert done(here) == ["WO-1042 closed"]


def test_long_words_are_printed_before_a_yes_and_said_to_be_read(
    prefrontal: Prefrontal, here: Path
) -> None:
    asked = f"close WO-1042{' because the old filter was changed and lies beside it' * 7}"
    action_id, digest = waiting(prefrontal, asked)
    assert "Close work order WO-1042 · asked by ben" in prefrontal("approvals", "list").stdout
    answer = ("approvals", "approve", action_id, digest, *CHIEF)
    unread = prefrontal(*answer)
    assert unread.exit_code == 2
    assert asked in " ".join(unread.stdout.split())
    assert ("--seen" in unread.stderr, done(here)) == (True, [])
    assert prefrontal(*answer, "--seen").exit_code == 0
    assert done(here) == ["WO-1042 closed"]


def test_a_rejection_changes_nothing(prefrontal: Prefrontal, here: Path) -> None:
    action_id, digest = waiting(prefrontal)
    result = prefrontal("approvals", "reject", action_id, digest, *CHIEF, "--reason", "not yet")
    assert result.exit_code == 0
    assert "rejected" in result.stdout
    assert "not yet" in result.stdout
    assert done(here) == []


def test_an_edit_runs_what_was_edited(prefrontal: Prefrontal, here: Path) -> None:
    action_id, digest = waiting(prefrontal)
    edit = ("approvals", "edit", action_id, digest)
    result = prefrontal(*edit, *CHIEF, "--set", "work_order=WO-2000")
    assert result.exit_code == 0, result.output
    assert done(here) == []  # another order than was shown: it is asked anew
    (asked,) = records(prefrontal("approvals", "list", "--json"))
    answer = prefrontal("approvals", "approve", asked["action_id"], asked["digest"], *CHIEF)
    assert answer.exit_code == 0, answer.output
    assert done(here) == ["WO-2000 closed"]


def test_a_quorum_waits_for_the_others(prefrontal: Prefrontal, here: Path) -> None:
    action_id, digest = waiting(prefrontal, "order 4 oil filters")
    first = prefrontal("approvals", "approve", action_id, digest, *CHIEF)
    assert "1 of 2 people approved" in first.stdout
    assert done(here) == []
    second = prefrontal("approvals", "approve", action_id, digest, "--as", "olga:chief")
    assert second.exit_code == 0
    assert done(here) == ["4 x oil filter"]


@pytest.mark.parametrize(
    ("digest", "speaker", "code", "sentence"),
    [
        ("0" * 64, "marta:chief", 2, "is not that of approval"),
        ("{digest:.11}", "marta:chief", 2, "at least 12 characters"),
        ("{digest}", "ben:engineer", 1, "needs one of the roles chief"),
        ("{digest}", ":chief", 2, "--as takes USER:ROLE"),
    ],
)
def test_an_answer_that_may_not_be_given_changes_nothing(
    prefrontal: Prefrontal, here: Path, digest: str, speaker: str, code: int, sentence: str
) -> None:
    action_id, shown = waiting(prefrontal)
    given = digest.format(digest=shown)
    result = prefrontal("approvals", "approve", action_id, given, "--as", speaker)
    assert result.exit_code == code
    assert sentence in result.stderr
    assert done(here) == []
    assert len(records(prefrontal("approvals", "list", "--json"))) == 1


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("colour=red", "has no argument colour"),
        ("quantity=many", "takes a value of type integer"),
        ("quantity", "takes SLOT=VALUE"),
        ("quantity=", "quantity is missing"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused(prefrontal: Prefrontal, value, sentence) -> None:
    action_id, digest = waiting(prefrontal, "order 4 oil filters")
    result = prefrontal("approvals", "edit", action_id, digest, *CHIEF, "--set", value)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_another_tenant_sees_nothing(prefrontal: Prefrontal) -> None:
    action_id, digest = waiting(prefrontal)
    other = ("--tenant", "other")
    assert records(prefrontal("approvals", "list", "--json", *other)) == []
    assert prefrontal("approvals", "show", action_id, *other).exit_code == 1
    assert prefrontal("approvals", "approve", action_id, digest, *CHIEF, *other).exit_code == 1


def test_chips_are_offered_listed_and_chosen(prefrontal: Prefrontal, here: Path) -> None:
    asked = prefrontal("ask", "add note to WO-1042: filter fitted", *BEN)
    assert "chip-1" in asked.stdout
    assert "prefrontal offers choose" in asked.stdout
    (offer,) = records(prefrontal("offers", "list", "--json"))
    result = prefrontal("offers", "choose", offer["offer_id"], "chip-1", *BEN)
    assert "Noted on WO-1042" in result.stdout
    assert done(here) == ["WO-1042: filter fitted"]
    again = prefrontal("offers", "choose", offer["offer_id"], "chip-1", *BEN)
    assert again.exit_code == 1
    assert "chosen" in again.stderr
    assert records(prefrontal("offers", "list", "--json")) == []
    assert "chosen: chip-1 by ben" in prefrontal("offers", "list", "--all").stdout


def test_a_choice_of_nothing_is_refused(prefrontal: Prefrontal) -> None:
    prefrontal("ask", "add note to WO-1042: filter fitted", *BEN)
    assert prefrontal("offers", "choose", "offer-x", "chip-1", *BEN).exit_code == 1
    (offer,) = records(prefrontal("offers", "list", "--json"))
    assert prefrontal("offers", "choose", offer["offer_id"], "chip-9", *BEN).exit_code == 1


def test_a_failed_action_is_exit_1(prefrontal: Prefrontal) -> None:
    action_id, digest = waiting(prefrontal, "close WO-404")
    result = prefrontal("approvals", "approve", action_id, digest, *CHIEF)
    assert result.exit_code == 1
    assert "not done" in result.stdout


@pytest.fixture
def held(here: Path) -> Iterator[None]:
    """Hold the data folder, as a running service does."""
    (here / "data").mkdir(exist_ok=True)
    with FileLock(here / "data" / "lock"):
        yield


def test_a_held_folder_is_told_with_the_way_out(prefrontal: Prefrontal, held: None) -> None:
    result = prefrontal("ask", "check stock")
    assert result.exit_code == 1
    assert "a process works on" in result.stderr
    assert "wait and try again" in result.stderr


def test_what_no_route_does_needs_no_lock(prefrontal: Prefrontal, here: Path) -> None:
    waiting(prefrontal)
    with FileLock(here / "data" / "lock"):
        assert prefrontal("ledger", "verify").exit_code == 0
        assert prefrontal("memory", "recent").exit_code == 0
        assert prefrontal("keys", "create", "--user", "ben").exit_code == 0


def test_lists_of_an_empty_folder_are_empty_and_make_nothing(prefrontal: Prefrontal, here: Path):
    assert "nothing waits" in prefrontal("approvals", "list").stdout
    assert prefrontal("approvals", "list", "--json").stdout == ""
    assert "nothing is offered" in prefrontal("offers", "list").stdout
    assert prefrontal("approvals", "show", "x").exit_code == 1
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("ask", " "),
        ("ask", "hello", "--as", ":x"),
        ("ask", "hello", "--tenant", "../x"),
        ("ask", "a" * 70_000),
        ("ask", "nul \x00"),
        ("approvals", "list", "--state", "lost"),
        ("offers", "choose", "x"),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_2(prefrontal: Prefrontal, words: tuple[str, ...]) -> None:
    result = prefrontal(*words)
    assert result.exit_code == 2
    assert result.stderr
    assert "Traceback" not in result.output


def test_json_of_an_answer_is_one_line(prefrontal: Prefrontal) -> None:
    assert json.loads(prefrontal("ask", "check stock", "--json").stdout)["action"] == "check_stock"
