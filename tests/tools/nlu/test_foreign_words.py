"""Free words of a pack that nobody here wrote: not a word too many, and no number lost."""

from collections.abc import Callable
from pathlib import Path

import pytest

from state.policy import Routing
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router

Routed = Callable[[str], Routing]

BANK = Path(__file__).parents[2] / "bank"
TOOLS = """
actions:
  git_status:
    summary: "Show the working tree status of {repo_path}"
    verb: show
    object: status
    slots: {repo_path: {type: text, required: true}}
    effect: read
    handler: "handlers:status"
    examples: ["show the status of repository /srv/code", "git status of /home/ana/site"]
  current_time:
    summary: "Tell the time in {timezone}"
    verb: show
    object: time
    slots: {timezone: {type: text, required: true}}
    effect: read
    handler: "handlers:time"
    examples: ["what time is it in Asia/Tokyo", "show the time in timezone America/Lima"]
  add_remark:
    summary: "Write {remark} beside {room}"
    verb: add
    object: remark
    slots: {remark: {type: text, required: true}, room: {type: room}}
    effect: write
    handler: "handlers:remark"
    examples: ["add a remark to room 12: the lamp is broken", "remark the door sticks on room 7"]
  ban_guest:
    summary: "Ban {guest}"
    verb: remove
    object: guest
    slots: {guest: {type: guest, required: true}}
    effect: destructive
    handler: "handlers:ban"
    examples: ["throw Pavel out", "ban Aiko for good", "Pavel is no guest any more", "remove Aiko"]
"""


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Routed:
    folder = tmp_path_factory.mktemp("packs") / "tools_like"
    folder.mkdir()
    (folder / "actions.yaml").write_text(TOOLS)
    (folder / "entities.yaml").write_text(
        'entities: {room: {patterns: ["room \\\\d+"]}, guest: {list: [Pavel, Aiko]}}\n'
    )
    functions = {
        "status": "repo_path",
        "time": "timezone",
        "remark": "remark, room=None",
        "ban": "guest",
    }
    (folder / "handlers.py").write_text(
        "".join(f"def {name}(context, *, {slots}): ...\n" for name, slots in functions.items())
    )
    return Router(Catalogue.of((load_pack(folder),))).route


@pytest.fixture(scope="module")
def bank() -> Routed:
    return Router(Catalogue.of((load_pack(BANK),))).route


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("show the status of repository /tmp/x", {"repo_path": "/tmp/x"}),
        ("status of repo /tmp/x please", {"repo_path": "/tmp/x"}),
        ("status of the /tmp/x", {"repo_path": "/tmp/x"}),
        ("show the time in timezone Europe/Zurich", {"timezone": "Europe/Zurich"}),
        ("show the time in Europe/Zurich", {"timezone": "Europe/Zurich"}),
        ("add a remark to room 12", {"room": "room 12"}),
        ("add a remark to room 12: the lamp", {"room": "room 12", "remark": "the lamp"}),
    ],
)
def test_a_text_is_without_the_word_that_names_its_slot(
    tools: Routed, text: str, slots: dict[str, str]
) -> None:
    assert tools(text).slots == slots


@pytest.mark.parametrize("text", ["pay 50 to Anna", "transfer 50 to the bakery"])
def test_what_goes_to_somebody_is_a_number(bank: Routed, text: str) -> None:
    assert bank(text).slots["amount"] == 50


@pytest.mark.parametrize(
    "text", ["transfer 50 to 60 to Anna", "transfer 50 or 60 to Anna", "transfer fifty to sixty"]
)
def test_a_range_is_none(bank: Routed, text: str) -> None:
    assert "amount" not in bank(text).slots


def test_an_action_without_words_is_not_asked_for_by_any_verb(tools: Routed) -> None:
    noted, banned = tools("jot down that Pavel brought cake"), tools("would you mind banning Aiko")

    assert noted.action != "ban_guest"
    assert (banned.action, banned.slots) == ("ban_guest", {"guest": "Aiko"})
