"""`prefrontal ledger`: what it verifies, shows, freezes, settles and lets go."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copytree

import pytest

from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.approval import ApprovalAnswer
from state.event import Event
from state.principal import Principal
from tests.cli.conftest import Prefrontal, write_shop

CHIEF = Principal(user="ingrid", tenant_id="default", roles=("chief",))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, learnt: Path) -> tuple[Path, str]:
    """Have one action asked for, approved and done, once; give the data folder and its id."""
    folder = tmp_path_factory.mktemp("done")
    packs = (str(write_shop(folder / "shop")),)

    async def work() -> str:
        settings = Settings(data_dir=folder / "data", packs=packs, cache_dir=learnt)
        async with open_executive(settings) as executive:
            said = Event(source="test", text="close WO-1042", user="ben", role="engineer")
            record = await executive.submit(said)
            shown = await executive.approvals.get(record.action_id or "", "default")
            yes = ApprovalAnswer(decision="approve", digest=shown.digest)
            await executive.approvals.answer(shown.action_id, yes, CHIEF)
        return shown.action_id

    return folder / "data", asyncio.run(work())


@pytest.fixture
def action_id(done: tuple[Path, str], here: Path) -> str:
    """Lay what was done into the test's folder; give its id."""
    data, action_id = done
    copytree(data, here / "data")
    return action_id


def test_a_whole_ledger_is_told_to_be_whole(prefrontal: Prefrontal, action_id: str) -> None:
    told = prefrontal("ledger", "verify")
    assert (told.exit_code, "the ledger is whole" in told.stdout) == (0, True)
    report = json.loads(prefrontal("ledger", "verify", "--json").stdout)
    assert (report["faults"], report["actions"]) == ([], 1)


def test_a_broken_one_is_told_with_exit_code_1(prefrontal: Prefrontal, here: Path, action_id: str):
    with _disk(here) as connection:
        connection.execute("drop trigger ledger_entry_stays_on_update")
        connection.execute("update ledger_entry set actor = 'nobody' where number = 2")
    told = prefrontal("ledger", "verify")
    assert (told.exit_code, "entry 2" in told.stdout) == (1, True)
    report = json.loads(prefrontal("ledger", "verify", "--json", "--tenant", "default").stdout)
    assert {fault["kind"] for fault in report["faults"]} >= {"edited"}


def test_one_cut_short_is_told_with_exit_code_1(prefrontal: Prefrontal, here: Path, action_id: str):
    with _disk(here) as connection:
        connection.execute("drop trigger ledger_entry_stays_on_delete")
        connection.execute("delete from ledger_entry where number > 3")
    told = prefrontal("ledger", "verify")
    assert (told.exit_code, "truncated" in told.stdout) == (1, True)


def test_without_its_key_nothing_is_verified(prefrontal: Prefrontal, here: Path, action_id: str):
    (here / "data" / "ledger.key").unlink()
    told = prefrontal("ledger", "verify")
    assert (told.exit_code, "ledger.key is missing" in told.stderr) == (1, True)
    assert not (here / "data" / "ledger.key").exists()


def test_an_actions_entries_are_shown(prefrontal: Prefrontal, action_id: str) -> None:
    told = prefrontal("ledger", "show", action_id)
    assert told.exit_code == 0
    assert all(word in told.stdout for word in ("proposed pending", "yes", "started", "#5"))
    history = json.loads(prefrontal("ledger", "show", action_id, "--json").stdout)
    assert [entry["event"] for entry in history["entries"]] == [
        "proposed pending",
        "yes",
        "approved",
        "started",
        "succeeded",
    ]


def test_without_its_heads_a_ledger_is_not_called_whole(
    prefrontal: Prefrontal, action_id: str, here: Path
) -> None:
    (here / "data" / "ledger.head").unlink()
    told = prefrontal("ledger", "verify")
    assert (told.exit_code, "ledger.head is missing" in told.stderr) == (1, True)


def test_a_tenant_that_is_not_there_is_wrong_use(prefrontal: Prefrontal, action_id: str) -> None:
    told = prefrontal("ledger", "verify", "--tenant", "nobody")
    assert (told.exit_code, "no tenant 'nobody'" in told.stderr) == (2, True)


def test_another_tenants_action_is_not_there(prefrontal: Prefrontal, action_id: str) -> None:
    assert prefrontal("ledger", "show", action_id, "--tenant", "another").exit_code == 1


def test_it_is_frozen_and_thawed_with_a_name_and_a_reason(
    prefrontal: Prefrontal, here: Path, action_id: str
) -> None:
    assert prefrontal("ledger", "freeze", "--reason", "the crane is being serviced").exit_code == 0
    assert "frozen" in prefrontal("doctor").stdout
    assert prefrontal("ledger", "thaw", "--by", "ingrid", "--reason", "it is back").exit_code == 0
    with _disk(here) as connection:
        kept = connection.execute("select reason, lifted_by, lifted_reason from ledger_freeze")
        assert kept.fetchall() == [("the crane is being serviced", "ingrid", "it is back")]
    assert prefrontal("ledger", "thaw", "--by", "ingrid", "--reason", "again").exit_code == 1


@pytest.mark.parametrize(
    "words", [("freeze",), ("thaw", "--reason", "x"), ("freeze", "--reason", " ")]
)
def test_without_a_reason_or_a_name_it_is_wrong_use(
    prefrontal: Prefrontal, action_id: str, words: tuple[str, ...]
) -> None:
    assert prefrontal("ledger", *words).exit_code == 2


def test_an_unknown_one_is_settled_by_a_person_who_may(
    prefrontal: Prefrontal, here: Path, shop: Path, action_id: str
) -> None:
    with _disk(here) as connection:
        connection.execute("drop trigger ledger_action_has_ended")
        connection.execute("update ledger_action set state = 'unknown'")
    words = ("ledger", "settle", action_id, "--happened", "--evidence", "seen", "--pack", str(shop))
    assert prefrontal(*words, "--as", "ben:engineer").exit_code == 1
    assert prefrontal(*words, "--as", "ingrid:chief").exit_code == 0
    assert prefrontal(*words, "--as", "ingrid:chief").exit_code == 1
    with _disk(here) as connection:
        kept = connection.execute("select state, settled_by, evidence from ledger_action")
        assert kept.fetchall() == [("succeeded", "ingrid", "seen")]


def test_a_settling_taken_back_with_an_older_copy_is_found(
    prefrontal: Prefrontal, here: Path, shop: Path, action_id: str
) -> None:
    with _disk(here) as connection:
        connection.execute("drop trigger ledger_action_has_ended")
        connection.execute("update ledger_action set state = 'unknown'")
    file = here / "data" / "prefrontal.sqlite"
    before = file.read_bytes()
    words = ("ledger", "settle", action_id, "--happened", "--evidence", "seen", "--pack", str(shop))
    assert prefrontal(*words, "--as", "ingrid:chief").exit_code == 0
    for leftover in file.parent.glob(f"{file.name}-*"):
        leftover.unlink()
    file.write_bytes(before)
    told = prefrontal("ledger", "verify")
    assert (told.exit_code, "cut short" in told.stdout + told.stderr) == (1, True)
    # The next change of that copy must not become the new end.
    assert prefrontal(*words, "--as", "ingrid:chief").exit_code == 0
    assert prefrontal("ledger", "verify").exit_code == 1


def test_what_would_be_let_go_is_counted(prefrontal: Prefrontal, action_id: str) -> None:
    told = json.loads(prefrontal("ledger", "prune", "--dry-run", "--json").stdout)
    assert set(told.values()) == {0}


def test_where_nothing_was_decided_there_is_nothing_to_verify(prefrontal: Prefrontal, here: Path):
    assert prefrontal("ledger", "verify").exit_code == 1
    assert not (here / "data").exists()


@contextmanager
def _disk(here: Path) -> Iterator[sqlite3.Connection]:
    file = here / "data" / "prefrontal.sqlite"
    with closing(sqlite3.connect(file)) as connection, connection:
        yield connection
