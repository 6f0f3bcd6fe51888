"""The table of frames, and one of somebody's own."""

from pathlib import Path

import pytest

from evals.robustness.commands import Command
from evals.robustness.frames import frame_messages, read_frames
from evals.robustness.mutations import read_shapes
from state.action import Action
from state.errors import BadInput


def action(name: str, effect: str) -> Action:
    return Action.model_validate(
        {
            "name": name,
            "pack": "p",
            "summary": "s",
            "verb": "update" if effect == "write" else "show",
            "object": "work_order",
            "effect": effect,
            "handler": "h:close",
        }
    )


ACTIONS = {"close": action("close", "write"), "show": action("show", "read")}
CLOSE = Command("close", "close WO-1", "close", "WO-1")
SHOW = Command("show", "show the list", "show", "the list")


def of(text: str, folder: Path) -> list[str]:
    path = folder / "frames.yaml"
    path.write_text(text, "utf-8")
    made = frame_messages([CLOSE, SHOW], list(read_frames(path).values()), ACTIONS)
    return [one.text for one in made.messages]


def test_there_are_hundreds_of_frames_for_changes_and_for_reads() -> None:
    frames = list(read_frames().values())

    assert sum(one.takes(ACTIONS["close"]) for one in frames) >= 250
    assert sum(one.takes(ACTIONS["show"]) for one in frames) >= 200


def test_no_frame_is_also_a_shape_that_asks_for_nothing() -> None:
    def bare(template: str) -> str:
        return template.strip(" ?.!").lower()

    shapes = [*read_shapes(), *read_shapes(held_out=True)]
    nothing = {bare(one.template) for one in shapes if one.leaves in ("nothing", "reads")}

    assert [template for template in read_frames() if bare(template) in nothing] == []


def test_changes_and_reads_are_asked_for_in_frames_of_their_own(tmp_path: Path) -> None:
    table = (
        'done: {of: changes, frames: ["have {thing} {participle}"]}\n'
        'seen: {of: reads, frames: ["may I see {seen}"]}\n'
        'both: {of: both, frames: ["mind {doing}?"]}\n'
    )

    assert of(table, tmp_path) == [
        "have WO-1 closed",
        "mind closing WO-1?",
        "may I see the list",
        "mind showing the list?",
    ]


def test_a_frame_that_a_command_has_no_words_for_is_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "frames.yaml"
    path.write_text('polite: {of: both, frames: ["{seen} please", "please {do}"]}', "utf-8")

    made = frame_messages([CLOSE], list(read_frames(path).values()), ACTIONS)

    assert [one.text for one in made.messages] == ["please close WO-1"]
    assert made.unfilled == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("polite: [", "is not YAML"),
        (
            "polite: {of: both, frames: ['please {do}']}\npolite: {of: both, frames: ['{do} now']}",
            "written twice",
        ),
        ("- please {do}", "the file"),
        ('polite: {of: some, frames: ["please {do}"]}', "polite.of"),
        ('polite: {of: both, frames: ["please {done}"]}', "'please {done}' needs one of {do}"),
        ('polite: {of: both, frames: ["please"]}', "'please' needs one of"),
        ('polite: {of: both, frames: ["{do}", "{do}"]}', "stands there twice"),
        ("polite: {of: both, frames: []}", "holds no frame"),
    ],
)
def test_a_table_that_is_none_is_told_in_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=said):
        of(text, tmp_path)


def test_a_table_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_frames(tmp_path / "none.yaml")
