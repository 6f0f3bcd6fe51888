"""The command on labelled messages of our own."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli.commands import cli

ASKED = {
    "opening_hours": ["when do you {}", "tell me when the shop {}s", "what time do you {}"],
    "parking": ["where can i {}", "is there room to {}", "do you have space to {}"],
    "returns": ["how do i {} this coat", "i want to {} these shoes", "can i {} a gift"],
}
WORDS = {
    "opening_hours": ["open", "close", "shut", "start"],
    "parking": ["park", "leave the car", "put my van", "park a bike"],
    "returns": ["return", "bring back", "send back", "exchange"],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rows = [
        {"text": shape.format(word), "intent": intent, "split": "val" if last else "train"}
        for intent, shapes in ASKED.items()
        for shape in shapes
        for word, last in zip(WORDS[intent], (False, False, False, True), strict=True)
    ]
    rows += [{"text": "who won the match", "intent": "oos", "split": "oos_val"}]
    path = tmp_path / "shop.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def test_a_draw_is_measured(file: Path) -> None:
    ended = CliRunner().invoke(
        cli, ["evals", "labelled", str(file), "--per-action", "6", "--words-only", "--json"]
    )

    assert ended.exit_code == 0, ended.output
    shown = json.loads(ended.stdout)
    assert (shown["actions"], shown["examples"], shown["seed"]) == (3, 18, 1)
    assert (shown["figures"]["asked"], shown["figures"]["foreign"]) == (9, 1)
    assert shown["figures"]["right"] > 0.5
    assert shown["cached_seconds"] > 0
    assert shown["p50_ms"] > 0


def test_several_draws_stand_beside_each_other(file: Path) -> None:
    call = ["evals", "labelled", str(file), "--actions", "2", "--draws", "2", "--words-only"]
    ended = CliRunner().invoke(cli, call)

    assert ended.exit_code == 0, ended.output
    assert all(word in ended.stdout for word in ("seed 1", "seed 2", "mean", "auroc"))


@pytest.mark.parametrize(
    "content",
    ["{}", '{"text": "a"', '{"text": 1, "intent": "x"}', "7", r'{"text": "\u0000", "intent": "x"}'],
)
def test_a_line_that_is_no_labelled_message_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text('{"text": "a", "intent": "x", "split": "train"}\n' + content)

    ended = CliRunner().invoke(cli, ["evals", "labelled", str(path)])

    assert ended.exit_code != 0
    assert "broken.jsonl:2" in str(ended.exception) + ended.output
