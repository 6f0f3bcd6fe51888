import json
from collections.abc import Callable
from pathlib import Path
from weakref import ref

import pytest

from state.policy import Routing
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.entities.names import PackEntityType
from tools.nlu.entities.recognition import EntityFinder
from tools.nlu.intents.utterance import UtteranceParser
from tools.nlu.lexicon.normalization import normalise

Routed = Callable[[str], Routing]

HANDLERS = """
import json
from pathlib import Path


def _named(data_dir, kind):
    return json.loads((Path(data_dir) / "shed.json").read_text())[kind]


def tools(data_dir):
    return _named(data_dir, "tool")


def hooks(data_dir):
    return _named(data_dir, "hook")


def show_tool(context, *, tool):
    return tool
"""
ENTITIES = """
entities:
  tool: {list: [ladder], patterns: ["T-[0-9]"], lookup: "handlers:tools"}
  hook: {lookup: "handlers:hooks"}
"""
ACTIONS = """
actions:
  show_tool:
    summary: "Show {tool}"
    verb: show
    object: tool
    slots: {tool: {type: tool, required: true}}
    effect: read
    handler: "handlers:show_tool"
"""
TOOL, HOOK = PackEntityType("shed", "tool"), PackEntityType("shed", "hook")


def shed_in(place: Path, handlers: str = HANDLERS) -> Catalogue:
    folder = place / "shed"
    folder.mkdir(parents=True)
    for name, text in (
        ("handlers.py", handlers),
        ("entities.yaml", ENTITIES),
        ("actions.yaml", ACTIONS),
    ):
        (folder / name).write_text(text)
    return Catalogue.of([load_pack(folder)])


@pytest.fixture
def finder(tmp_path: Path) -> EntityFinder:
    return EntityFinder(shed_in(tmp_path))


def hang_up(folder: Path, **kinds: dict[str, list[str]]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "shed.json").write_text(json.dumps(kinds))
    return folder


def found(finder: EntityFinder, folder: Path, text: str) -> list[tuple[PackEntityType, str]]:
    mentions = finder.find(normalise(text), finder.names(folder))
    return [(mention.kind, mention.value) for mention in mentions]


def test_a_change_of_one_kind_leaves_the_names_of_the_others(finder: EntityFinder, tmp_path: Path):
    folder = hang_up(tmp_path / "data", tool={"T-1": ["belt sander"]}, hook={"north wall": []})
    before = finder.names(folder)
    hang_up(folder, tool={"T-1": ["belt sander"]}, hook={"north wall": [], "south wall": []})
    assert finder.names(folder).kinds[TOOL] is before.kinds[TOOL]
    hooks_before = ref(before.kinds[HOOK])
    del before
    assert hooks_before() is None  # what every change leaves behind is held for nobody
    assert found(finder, folder, "the belt sander on the south wall") == [
        (TOOL, "T-1"),
        (HOOK, "south wall"),
    ]


def test_a_thing_that_is_gone_is_named_no_more(finder: EntityFinder, tmp_path: Path):
    folder = hang_up(tmp_path / "data", tool={"T-1": ["belt sander"]}, hook={})
    assert found(finder, folder, "belt sander") == [(TOOL, "T-1")]
    hang_up(folder, tool={}, hook={})
    assert found(finder, folder, "belt sander and ladder") == [(TOOL, "ladder")]


def test_a_name_of_two_kinds_names_both(finder: EntityFinder, tmp_path: Path):
    folder = hang_up(tmp_path / "data", tool={"T-1": ["big hook"]}, hook={"H-1": ["big hook"]})
    assert found(finder, folder, "big hook") == [(TOOL, "T-1"), (HOOK, "H-1")]


def test_the_longest_name_counts_whatever_its_kind(finder: EntityFinder, tmp_path: Path):
    folder = hang_up(tmp_path / "data", tool={"T-1": ["north"]}, hook={"H-1": ["north wall"]})
    assert found(finder, folder, "north wall") == [(HOOK, "H-1")]


def test_each_folder_keeps_its_own_names(finder: EntityFinder, tmp_path: Path):
    one = hang_up(tmp_path / "one", tool={"T-1": ["belt sander"]}, hook={})
    other = hang_up(tmp_path / "other", tool={"T-2": ["belt sander"]}, hook={})
    assert found(finder, one, "belt sander") == [(TOOL, "T-1")]
    assert found(finder, other, "belt sander") == [(TOOL, "T-2")]
    assert found(finder, one, "belt sander") == [(TOOL, "T-1")]


def test_a_slip_finds_the_nearest_name_of_all_kinds(finder: EntityFinder, tmp_path: Path):
    folder = hang_up(
        tmp_path / "data", tool={"T-1": ["belt sander"]}, hook={"H-1": ["belt sanders rail"]}
    )
    assert found(finder, folder, "show the belt sandr") == [(TOOL, "T-1")]


def test_a_name_in_the_possessive_ends_before_it(route: Routed):
    text = "show Ana's hours of rest"

    (ana,) = route(text).entities

    assert (ana.type, ana.value) == ("crew", "Ana Costa")
    assert text[slice(*ana.span)] == "Ana"


def test_an_id_that_is_one_of_the_names_is_no_second_thing(finder: EntityFinder, tmp_path: Path):
    folder = hang_up(tmp_path / "data", tool={"belt sander": ["T-1"]}, hook={})
    assert found(finder, folder, "show T-1") == [(TOOL, "belt sander")]
    assert found(finder, folder, "show T-2") == [(TOOL, "T-2")]


NAMED = {
    "tool": {
        "T-1042": ["Long Reach Pruning Saw for Orchards", "the orchard saw"],
        "T-1043": ["pruning shears"],
        "T-2004": ["LED work lamp"],
    },
    "hook": {"H-17": ["brass hook by the door"], "H-1043": ["steel hook"]},
}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("put 1042 back", [(TOOL, "T-1042")]),
        ("where is tool 1042", [(TOOL, "T-1042")]),
        ("t1042 is blunt", [(TOOL, "T-1042")]),
        ("t 1042 is blunt", [(TOOL, "T-1042")]),
        ("hook 17 is loose", [(HOOK, "H-17")]),
        ("give me 17", []),  # an amount
        ("put 1043 back", []),  # a tool or a hook
        ("oil it for 1042 hours", []),
        ("bought in 2004", []),
        ("2004 does not shine", [(TOOL, "T-2004")]),
        # a part that one name has names the thing
        ("hand me the pruning saw tool", [(TOOL, "T-1042")]),
        ("is the brass one free", [(HOOK, "H-17")]),
        ("bring the long reach pruning saw", [(TOOL, "T-1042")]),
        ("bring the LED", [(TOOL, "T-2004")]),
        ("pruning is hard work", []),
        ("the long way", []),
    ],
)
def test_the_number_of_one_id_names_it(finder: EntityFinder, tmp_path: Path, text, wanted):
    assert found(finder, hang_up(tmp_path / "data", **NAMED), text) == wanted


def test_a_name_with_a_possessive_inside_is_found_as_it_is_written(tmp_path: Path):
    folder = tmp_path / "shed"
    folder.mkdir()
    (folder / "handlers.py").write_text(HANDLERS)
    (folder / "entities.yaml").write_text("entities: {tool: {list: {T-9: [baby's ladder]}}}")
    (folder / "actions.yaml").write_text(ACTIONS)
    finder = EntityFinder(Catalogue.of([load_pack(folder)]), frozenset(), frozenset())

    for text in ("show the baby's ladder", "show the baby ladder", "the baby's ladder's rungs"):
        (found,) = finder.find(normalise(text), finder.names(None))
        assert found.value == "T-9", text


def test_packs_that_say_the_same_each_ask_their_own_store(tmp_path: Path):
    data = hang_up(tmp_path / "data", tool={"T-1": ["belt sander"]}, hook={"H-1": ["belt sander"]})
    swapped = HANDLERS.replace('"tool"', '"-"').replace('"hook"', '"tool"').replace('"-"', '"hook"')

    readers = [
        UtteranceParser(shed_in(tmp_path / name, code))
        for name, code in (("a", HANDLERS), ("b", swapped))
    ]

    assert readers[0].content == readers[1].content
    read = [reader.read("show the belt sander", data) for reader in readers]
    assert [{(m.kind, m.value) for m in one.mentions} for one in read] == [
        {(TOOL, "T-1"), (HOOK, "H-1")},
        {(TOOL, "H-1"), (HOOK, "T-1")},
    ]


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("the fuel and oil filter", ["fuel filter", "oil filter"]),
        ("order 4 oil or fuel filter", ["oil filter", "fuel filter"]),
        ("the class and liferaft certificate", ["class certificate", "liferaft certificate"]),
        ("the clean and oil filter", ["oil filter"]),
    ],
)
def test_a_name_may_leave_its_end_to_the_next_one(route: Routed, text: str, things: list[str]):
    assert [one.value for one in route(text).entities] == things
