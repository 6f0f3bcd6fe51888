from pathlib import Path

import pytest

from evals.robustness.external_labels import action_name, pack_from_labels
from state.errors import BadInput
from tools.catalog.pack import load_pack

ROWS = [
    {"text": "what's up", "intent": "greet", "split": "train"},
    {"text": 'say "hi" \U0001f600 \u2028 \x85 \\ : # {', "intent": "greet", "split": "train"},
    {"text": "from here", "intent": "from", "split": "train"},
    {"text": "einen Tisch", "intent": "Tisch für zwei", "split": "train"},
    {"text": "konnichiwa", "intent": "日本", "split": "train"},
    {"text": "ni hao", "intent": "中国", "split": "train"},
    {"text": "in depth", "intent": "3d", "split": "train"},
    {"text": "unseen", "intent": "greet", "split": "val"},
    {"text": "nonsense", "intent": "oos", "split": "train"},
]


def test_labelled_messages_become_a_pack_that_loads(tmp_path: Path) -> None:
    assert pack_from_labels(ROWS, tmp_path / "p") == 6

    pack = load_pack(tmp_path / "p")
    assert {"greet", "from_", "intent_3d", action_name("日本")} < set(pack.actions)
    assert pack.actions["greet"].examples == (ROWS[0]["text"], ROWS[1]["text"])


def test_a_split_without_messages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        pack_from_labels(ROWS, tmp_path, split="test")


def test_what_changes_something_needs_a_yes(tmp_path: Path) -> None:
    pack_from_labels(ROWS, tmp_path / "p", changing=["greet"])

    actions = load_pack(tmp_path / "p").actions
    assert (actions["greet"].floor, actions["from_"].floor) == ("C", "A")


def test_what_changes_something_is_named_by_its_label(tmp_path: Path) -> None:
    labels = ["3d", "from", "Close order", "greet"]
    rows = [{"text": f"about {label}", "intent": label, "split": "train"} for label in labels]

    pack_from_labels(rows, tmp_path / "p", changing={"3d", "from", "Close order"})

    actions = load_pack(tmp_path / "p").actions
    floors = {name: action.floor for name, action in actions.items()}
    assert floors == {"intent_3d": "C", "from_": "C", "close_order": "C", "greet": "A"}


def test_two_labels_of_one_action_are_refused_by_name(tmp_path: Path) -> None:
    rows = [*ROWS, {"text": "how deep", "intent": "intent 3d", "split": "train"}]

    with pytest.raises(BadInput, match="'3d' and 'intent 3d' would both be the action intent_3d"):
        pack_from_labels(rows, tmp_path / "p")
    assert not (tmp_path / "p").exists()


def test_a_label_of_another_split_meets_no_other(tmp_path: Path) -> None:
    rows = [*ROWS, {"text": "how deep", "intent": "intent 3d", "split": "val"}]

    assert pack_from_labels(rows, tmp_path / "p") == 6


@pytest.mark.parametrize("label", ["close_order", "greet ", "oos", "intent_3d"])
def test_a_changing_label_that_no_message_has_is_refused(tmp_path: Path, label: str) -> None:
    with pytest.raises(BadInput, match=f"has the intent '{label}'"):
        pack_from_labels(ROWS, tmp_path / "p", changing=["greet", label])
    assert not (tmp_path / "p").exists()
