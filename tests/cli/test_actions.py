"""What was done is listed, shown and undone from the terminal."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Prefrontal, records

BANK = Path(__file__).parents[1] / "bank"
ADA = ("--as", "ada:advisor")


@pytest.fixture
def environment(tmp_path: Path, learnt: Path) -> Mapping[str, str]:
    folder = tmp_path / "bank"
    shutil.copytree(BANK, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return {"EXECUTIVE_PACKS": str(folder), "EXECUTIVE_CACHE_DIR": str(learnt)}


def _done(prefrontal: Prefrontal, text: str = "add a note to C-1001: prefers letters") -> str:
    asked = prefrontal("ask", text, *ADA, "--json")
    offer = records(asked)[0]["offer_id"]
    listed = prefrontal("offers", "list")
    assert "it changes something, so a person chooses it" in listed.stdout
    assert f"to choose: prefrontal offers choose {offer} chip-1" in listed.stderr
    chosen = prefrontal("offers", "choose", offer, "chip-1", *ADA, "--json")
    return str(records(chosen)[0]["action_id"])


def test_an_action_is_listed_shown_and_undone_once(prefrontal: Prefrontal) -> None:
    assert "nothing was done yet" in prefrontal("actions", "list").stdout
    action = _done(prefrontal)
    assert "can be undone until" in prefrontal("actions", "list", "--undoable").stdout
    assert "can be undone until" in prefrontal("actions", "show", action).stdout
    undone = prefrontal("actions", "undo", action, *ADA, "--json")
    assert (undone.exit_code, records(undone)[0]["outcome"]) == (0, "executed")
    assert "undone by ada" in prefrontal("actions", "show", action).stdout
    assert "nothing can be undone" in prefrontal("actions", "list", "--undoable").stdout
    again = prefrontal("actions", "undo", action, *ADA)
    assert again.exit_code == 1
    assert "already undone, by ada" in again.stderr


def test_an_unknown_action_is_one_sentence(prefrontal: Prefrontal) -> None:
    _done(prefrontal)
    result = prefrontal("actions", "undo", "nothing", *ADA)
    assert result.exit_code == 1
    assert "no action 'nothing'" in result.stderr


@pytest.mark.parametrize("group", ["actions", "ledger"])
def test_what_is_not_there_is_called_what_was_asked_for(prefrontal: Prefrontal, group: str) -> None:
    _done(prefrontal)
    assert "no action 'nope'; list the actions" in prefrontal(group, "show", "nope").stderr


def test_a_message_undoes_in_the_same_session(prefrontal: Prefrontal) -> None:
    action = _done(prefrontal)
    asked = prefrontal("ask", "undo that", *ADA, "--json")
    prefrontal("offers", "choose", records(asked)[0]["offer_id"], "chip-1", *ADA)
    assert "undone by ada" in prefrontal("actions", "show", action).stdout
