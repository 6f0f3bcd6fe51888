from pathlib import Path

import pytest

from evals.conversation_script import parse_speaker, read_script
from evals.runner.replay import SHIPPED, find_scripts
from state.errors import BadInput, NotFound

HEAD = "packs: [vessel]\nstarts_at: 2026-06-14T18:00:00Z\nas: ann:engineer\nmade: for a test\n"


def written(folder: Path, turns: str) -> Path:
    path = folder / "some.replay.yaml"
    path.write_text(HEAD + turns, encoding="utf-8")
    return path


def test_what_ships_can_be_read_and_is_many() -> None:
    scripts = [read_script(path) for path in find_scripts([])]

    assert sum(len(script.turns) for script in scripts) >= 60
    assert sum(len(script.conversations) for script in scripts) >= 20
    assert all(turn.expect for script in scripts for turn in script.turns)
    assert all(
        any(turn.expect for turn in conversation.turns)
        for script in scripts
        for conversation in script.conversations
    )


def test_a_pack_names_its_replays() -> None:
    assert find_scripts(["vessel"]) == sorted((SHIPPED / "vessel").glob("*.replay.yaml"))
    with pytest.raises(NotFound, match="no replay 'nowhere'"):
        find_scripts(["nowhere"])


@pytest.mark.parametrize(
    ("turns", "fault"),
    [
        (
            "turns:\n  - {id: one, say: hello, expect: {colour: red}}\n",
            "some.replay.yaml:6: turns[0].expect.colour",
        ),
        ("turns:\n  - {id: one, say: hello, pick: show_it}\n", "exactly one of say, event, pick"),
        ("turns:\n  - {id: one, say: hello}\n  - {id: one, say: again}\n", "stand twice: ['one']"),
        ("turns:\n  - {id: one, say: hello, expect: {}}\n", "nothing is expected"),
        ("turns:\n  - {id: one, say: hello, expect: {class: D}}\n", "class"),
        ("turns: []\n", "there are no turns"),
        ("turns: [\n", "some.replay.yaml"),
    ],
)
def test_a_fault_names_where_it_is(tmp_path: Path, turns: str, fault: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_script(written(tmp_path, turns))

    assert "some.replay.yaml" in str(caught.value)
    assert fault in str(caught.value)


def test_a_person_is_a_name_with_roles() -> None:
    assert (parse_speaker("ann").user, parse_speaker("ann").roles) == ("ann", ())
    assert parse_speaker("ann:engineer, captain").roles == ("engineer", "captain")
