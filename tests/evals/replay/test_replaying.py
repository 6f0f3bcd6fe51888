import json
from pathlib import Path

from typer.testing import CliRunner

from api.cli.commands import cli

HARBOUR = Path(__file__).parents[2] / "harbour"
HEAD = f"packs: ['{HARBOUR}']\nstarts_at: 2026-06-14T18:00:00Z\nas: amir:keeper\nmade: for a test\n"
RIGHT = """
turns:
  - id: look
    say: show lock LK-12
    expect: {action: show_lock, class: A, arguments: {lock: LK-12}, ran: [show_lock]}
conversations:
  - id: write
    turns:
      - {say: "write in the log: barge moored", expect: {outcome: offered, chips: [note_in_log]}}
      - {pick: note_in_log, as: "olga:visitor", is_refused: true, expect: {ran: []}}
      - {pick: note_in_log, expect: {outcome: executed, ran: [note_in_log]}}
      - event: {text: "write in the log: nobody asked", source: buoy}
        after_seconds: 60
        expect: {ran: []}
"""


def replayed(folder: Path, turns: str, *options: str) -> tuple[int, str, str]:
    path = folder / "harbour.replay.yaml"
    path.write_text(HEAD + turns, encoding="utf-8")
    ended = CliRunner().invoke(cli, ["evals", "replay", str(path), *options])
    return ended.exit_code, ended.stdout, ended.stderr


def test_what_goes_as_expected_ends_with_0(tmp_path: Path) -> None:
    code, shown, told = replayed(tmp_path, RIGHT, "--json")

    assert (code, told.strip()) == (0, "2 conversations, 5 turns, 0 differences")
    look, write = map(json.loads, shown.splitlines())
    assert (look["id"], look["differences"]) == ("look", [])
    assert [came["outcome"] for came in write["came"]][:3] == ["offered", "refused", "executed"]


def test_what_goes_otherwise_is_a_row_and_ends_with_1(tmp_path: Path) -> None:
    turns = RIGHT.replace("action: show_lock,", "action: ring_bell,")

    code, shown, told = replayed(tmp_path, turns)

    assert code == 1
    assert "look 1" in shown
    assert "ring_bell" in shown
    assert "1 turns went otherwise" in told


def test_a_click_that_cannot_be_is_a_difference_too(tmp_path: Path) -> None:
    turns = RIGHT.replace(
        'as: "olga:visitor", is_refused: true, expect: {ran: []}', "is_refused: true"
    )
    turns += "      - {answer: approve}\n"

    code, shown, _told = replayed(tmp_path, turns, "--json")

    assert code == 1
    unlike = json.loads(shown.splitlines()[1])["differences"]
    assert [(one["where"], one["got"]) for one in unlike] == [
        ("write 2", "it was to be refused, and was not"),
        ("write 3", unlike[1]["got"]),
        ("write 5", "nothing waits for a yes"),
    ]
