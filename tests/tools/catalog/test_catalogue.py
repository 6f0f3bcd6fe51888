"""The actions of all packs, and the values of their slots."""

import contextlib
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.action import Action, Slot
from state.errors import BadInput, InvalidArguments, NotFound, PackFaults
from state.tuning import ChangesTuning
from tools.catalog.action_catalog import Catalogue
from tools.catalog.arguments import (
    describe_slots,
    parse_slot_values,
    read_arguments,
    render_summary,
)
from tools.catalog.pack import load_pack
from tools.catalog.pack_schema import EntityType
from tools.catalog.regex_safety import pattern_problem
from tools.memory.heuristics.administration import own_actions
from tools.platform.unicode_safety import show_hidden

PackWriter = Callable[..., Path]


@pytest.fixture
def catalogue(write_pack: PackWriter) -> Catalogue:
    return Catalogue.of([load_pack(write_pack())])


def test_what_a_tenant_declares_is_in_its_catalogue_alone(
    catalogue: Catalogue, write_pack: PackWriter
):
    kept = {"keeper": "bot", "sha256": "0" * 64}
    fields = {"pack": "declared", "verb": "update", "object": "x", "effect": "write"}
    tools = {
        name: Action.model_validate({"name": name, "summary": "Mine", "permit": kept, **fields})
        for name in ("sink_barge", "measure")  # the second is an action of the pack too
    }
    governed = catalogue.with_own(own_actions(ChangesTuning()))
    governed.declared.put("acme", tools)
    for each in (catalogue, governed):
        own = each.of_tenant("acme")
        assert own.action("sink_barge").permit is not None
        assert own.action("measure") == each.action("measure")
        assert own.of_tenant("other") is own.of_tenant("acme") is own
        assert own.schema_hash("measure") == each.schema_hash("measure")
        assert each.of_tenant("other") is each
        with pytest.raises(NotFound):
            each.action("sink_barge")
    governed.declared.put("acme", {})
    assert catalogue.of_tenant("acme") is catalogue
    with pytest.raises(PackFaults, match="what agents declare"):
        Catalogue.of([load_pack(write_pack("declared"))])


def test_arguments_come_back_as_plain_values_in_slot_order(catalogue: Catalogue):
    given_ = {"places": ("bow", "aft"), "times": 3, "amount": 3.0, "day": "2026-02-07"}

    assert list(catalogue.arguments("measure", given_).items()) == [
        ("amount", 3),
        ("times", 3),
        ("day", "2026-02-07"),
        ("places", ["bow", "aft"]),
    ]


@pytest.mark.parametrize(
    "given_",
    [
        {"amount": "3"},
        {"amount": True},
        {"amount": math.nan},
        {"amount": math.inf},
        {"amount": 10**400},
        {"times": 3.0},
        {"times": "3"},
        {"day": "tomorrow"},
        {"day": "2026-02-30"},
        {"day": "20260207"},
        {"is_loud": "yes"},
        {"is_loud": 1},
        {"places": "bow"},
        {"places": [1]},
        {"places": ["x"] * 1_000},
        {"places": ["x" * 1_000] * 100},
        {"__class__": "x"},
        {"amount": {"nested": 1}},
    ],
)
def test_arguments_that_do_not_fit_are_refused(catalogue: Catalogue, given_: Mapping[str, Any]):
    with pytest.raises(InvalidArguments):
        catalogue.arguments("measure", given_)


@pytest.mark.parametrize(
    "work_order", [None, "", "  ", 1042, ["WO-1042"], "x" * 201, "WO\x00", "\ud800"]
)
def test_a_required_entity_must_be_a_name(catalogue: Catalogue, work_order: object):
    with pytest.raises(InvalidArguments):
        catalogue.arguments("close_work_order", {"work_order": work_order})


def test_every_fault_of_the_arguments_is_named(catalogue: Catalogue):
    with pytest.raises(InvalidArguments) as caught:
        catalogue.arguments("close_work_order", {"note": 3, "other": 1})

    assert caught.value.faults == (
        "no argument 'other'",
        "work_order is missing",
        "note must be a text",
    )


def test_missing_slots_are_the_required_ones_without_a_value(catalogue: Catalogue):
    assert catalogue.missing("close_work_order", {}) == ("work_order",)
    assert catalogue.missing("close_work_order", {"work_order": " "}) == ("work_order",)
    assert catalogue.missing("close_work_order", {"work_order": "WO-1042"}) == ()


def test_a_summary_shows_what_is_there_and_nothing_hidden(catalogue: Catalogue):
    summary = catalogue.summary

    assert summary("close_work_order", {"work_order": "WO-1042"}) == "Close work order WO-1042"
    assert (
        summary("close_work_order", {"work_order": "WO-\u202e2401", "note": "a\nb\u200b"})
        == "Close work order WO-U+202E2401 aU+000AbU+200B"
    )
    assert summary("search_documents", {}) == "Search"


def test_a_long_value_is_shown_by_head_tail_length_and_hash(catalogue: Catalogue):
    texts = ["x" * 5_000 + end + "y" * 100 for end in "ab"]

    one, other = (catalogue.summary("search_documents", {"query": text}) for text in texts)

    assert one != other
    assert len(one) < 400
    assert "5101 characters" in one


def test_a_value_is_no_template(catalogue: Catalogue):
    assert catalogue.summary("search_documents", {"query": "{note}"}) == "Search for {note}"


@given(st.text())
def test_visible_text_hides_nothing(text: str):
    assert all(character == " " or character.isprintable() for character in show_hidden(text))


LEAF = st.none() | st.integers() | st.text()


@given(st.dictionaries(st.text(), st.recursive(LEAF, st.lists, max_leaves=8), max_size=5))
def test_any_arguments_are_read_or_refused(given_: Mapping[str, Any]):
    action = Action.model_validate(
        {
            "name": "a",
            "pack": "p",
            "summary": "{b}",
            "verb": "show",
            "object": "o",
            "effect": "read",
            "handler": "h:a",
            "slots": {"b": {"type": "text"}},
        }
    )
    with contextlib.suppress(InvalidArguments):
        assert len(render_summary(action, read_arguments(action, given_))) < 2_000


def test_who_may_ask_follows_the_roles(catalogue: Catalogue):
    assert catalogue.may_ask("close_work_order", ("engineer",))
    assert not catalogue.may_ask("close_work_order", ("guest",))
    assert not catalogue.may_ask("close_work_order", ())
    assert catalogue.may_ask("search_documents", ())
    assert not catalogue.may_ask("no_such_action", ("captain",))


def test_an_unknown_action_is_not_found(catalogue: Catalogue):
    for ask in (catalogue.action, catalogue.schema_hash):
        with pytest.raises(NotFound):
            ask("no_such_action")


def test_the_version_follows_every_file_and_the_schema_only_what_runs(write_pack: PackWriter):
    before = Catalogue.of([load_pack(write_pack())])
    after = Catalogue.of([load_pack(write_pack(replace=("close WO-1042", "end WO-1042")))])
    stricter = Catalogue.of([load_pack(write_pack(replace=("{roles: [captain]}", "{quorum: 2}")))])
    code = Catalogue.of([load_pack(write_pack(store__py="def search_documents(c, *, query): 1\n"))])

    name = "close_work_order"
    assert len({one.version for one in (before, after, stricter, code)}) == 4
    assert before.schema_hash(name) == after.schema_hash(name)
    assert before.schema_hash(name) != stricter.schema_hash(name)


def test_where_a_number_is_read_from_is_no_part_of_the_schema(catalogue: Catalogue):
    name, action = next((name, one) for name, one in catalogue.actions.items() if one.slots)
    slot = next(iter(action.slots))
    read_so = action.slots[slot].model_copy(update={"behind": ("page",)})
    changed = action.model_copy(update={"slots": {**action.slots, slot: read_so}})
    packs, kinds = catalogue.packs, catalogue.entities
    other = Catalogue(packs, {**catalogue.actions, name: changed}, kinds, catalogue.version)
    assert other.schema_hash(name) == catalogue.schema_hash(name)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+b",
        r"(\w+\s*)+x",
        r"(a|a)+b",
        r".*.*x",
        r"(\d+\w*)*$x",
        r"([a-z]+)*!",
        r"(.)\1",
        "(",
        "a*",
        "x" * 600,
    ],
)
def test_a_pattern_that_could_explode_is_refused(pattern: str):
    assert pattern_problem(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"WO-\d{3,5}",
        r"(?:FLT|IMP)-\d{4}",
        r"[\w-]+(?: [\w-]+)*",
        r"\d+(?:\.\d+)?",
        r"(?:one|two)+",
        r"https?://\S+",
        r"v\d+(?:\.\d+)*",
    ],
)
def test_a_plain_pattern_is_allowed(pattern: str):
    assert pattern_problem(pattern) is None


def test_who_has_a_role_in_a_pack_is_at_home_there():
    here = Path(__file__).parents[2]
    packs = [load_pack(here / name) for name in ("harbour", "shelf")]
    catalogue = Catalogue.of(packs)
    assert catalogue.at_home(("keeper",)) == {"harbour"}
    assert catalogue.at_home(("guest",)) == {"shelf"}
    assert catalogue.at_home(("keeper", "guest")) == {"harbour", "shelf"}
    assert catalogue.at_home(("stranger",)) == catalogue.at_home(()) == {"harbour", "shelf"}


def test_who_only_reads_may_ask_for_reads_alone():
    shelf = Catalogue.of([load_pack(Path(__file__).parents[2] / "shelf")])
    assert shelf.why_not("find_books", ("guest",)) is None
    assert shelf.why_not("borrow_book", ("guest",)) == "read_only"
    assert shelf.why_not("borrow_book", ()) == "read_only"
    assert shelf.why_not("borrow_book", ("guest", "reader")) is None
    assert not shelf.may_ask("borrow_book", ("guest",))


@pytest.mark.parametrize(
    ("template", "given", "shown"),
    [
        (
            "Discount {part} by {count} percent until {day}",
            {"part": "tea", "count": 6},
            "tea by 6 percent",
        ),
        ("Refund {count} euros of order {part}", {"part": "SO-1"}, "Refund order SO-1"),
        ("Dim {part} to {count} percent", {"part": "lamp"}, "Dim lamp"),
        ("Start a timer of {count} minutes for {part}", {"count": 8}, "of 8 minutes"),
        ("Show the jobs by {day}, except {part}", {"day": "Friday"}, "by Friday"),
        ("Rate {part} {count} of 5", {"part": "tea"}, "Rate tea of 5"),
        ("List the {part} orders", {}, "List the orders"),
    ],
)
def test_what_only_leads_to_an_empty_slot_is_not_shown(
    catalogue: Catalogue, template: str, given: dict[str, object], shown: str
):
    slots = {"part": Slot(type="text"), "count": Slot(type="number"), "day": Slot(type="date")}
    action = catalogue.action("search_documents").model_copy(
        update={"summary": template, "slots": slots}
    )

    assert render_summary(action, given).endswith(shown)


def test_what_is_withheld_is_withheld_at_the_gate_too(catalogue: Catalogue):
    assert catalogue.with_own(own_actions(ChangesTuning())).withheld is catalogue.withheld


# Of a kind that a pack lists in full nothing else can be named.


@pytest.fixture
def gates(write_pack: PackWriter) -> Catalogue:
    """Return a catalogue with a kind of thing that is listed in full, with a pattern beside."""
    loaded = load_pack(write_pack())
    kind = EntityType.model_validate(
        {"list": {"Garden gate": ["gate"], "Front door": None}, "patterns": ["G-\\d+"]}
    )
    slots = {
        "gate": Slot(type="gate", required=True),
        "others": Slot(type="gate", many=True),
        "job": Slot(type="work_order"),
        "code": Slot(type="gate", secret=True),
    }
    action = loaded.actions["close_work_order"].model_copy(
        update={"name": "open_gate", "slots": slots}
    )
    entities = {**loaded.entities, "gate": kind}
    return Catalogue.of([replace(loaded, actions={"open_gate": action}, entities=entities)])


@pytest.mark.parametrize(
    "given_",
    [
        {"gate": "Front door"},
        {"gate": "g-7"},
        {"gate": "Garden gate", "others": ["Front door", "G-1"]},
        {"gate": "Front door", "job": "looked up in the store"},
    ],
)
def test_a_thing_of_a_listed_kind_is_taken(gates: Catalogue, given_: Mapping[str, Any]):
    assert gates.arguments("open_gate", given_) == given_


def test_a_thing_by_another_name_is_that_thing(gates: Catalogue):
    given_ = {"gate": "Gate", "others": ["front door"]}

    assert gates.arguments("open_gate", given_) == {"gate": "Garden gate", "others": ["Front door"]}


@pytest.mark.parametrize(
    "given_",
    [
        {"gate": "Cellar door"},
        {"gate": "G-7 and all others"},
        {"gate": "Front door", "others": ["Front door", "Cellar door"]},
    ],
)
def test_what_is_no_thing_of_a_listed_kind_is_refused(gates: Catalogue, given_: Mapping[str, Any]):
    with pytest.raises(InvalidArguments, match=r"there is no .*Garden gate, Front door"):
        gates.arguments("open_gate", given_)


def test_one_thing_is_not_taken_for_two(gates: Catalogue):
    with pytest.raises(InvalidArguments, match="others names something twice"):
        gates.arguments("open_gate", {"gate": "Front door", "others": ["gate", "Garden gate"]})
    with pytest.raises(InvalidArguments, match="others names something twice"):
        gates.arguments("open_gate", {"gate": "Front door", "others": ["G-7", "g-7"]})


def test_a_secret_is_not_told(gates: Catalogue):
    with pytest.raises(InvalidArguments) as refused:
        gates.arguments("open_gate", {"gate": "Front door", "code": "hunter2"})
    assert "of that name; known are" in str(refused.value)
    assert "hunter2" not in str(refused.value)


# What a person types or a model writes for a slot becomes the value its type wants.

ACTION = Action.model_validate(
    {
        "name": "block",
        "pack": "bank",
        "summary": "Block",
        "verb": "update",
        "object": "account",
        "effect": "bulk",
        "handler": "handlers:block",
        "slots": {
            "accounts": {"type": "account", "many": True},
            "days": {"type": "integer", "many": True},
            "reasons": {"type": "list"},
            "limit": {"type": "number"},
            "is_final": {"type": "boolean"},
            "shape": {"type": "json"},
            "note": {"type": "text", "required": True},
            "mood": {"type": "text", "choices": ["calm", "loud"]},
        },
    }
)


@pytest.mark.parametrize(
    ("slot", "given", "value"),
    [
        ("accounts", "AC-1, AC-2", ["AC-1", "AC-2"]),
        ("accounts", "AC-1", ["AC-1"]),
        ("days", "1,2, 3", [1, 2, 3]),
        ("reasons", "late; lost, stolen", ["late; lost", "stolen"]),
        ("limit", "2.5", 2.5),
        ("is_final", "yes", True),
        ("shape", '{"a": [1, null]}', {"a": [1, None]}),
        ("accounts", "  ", None),
        ("accounts", '["Smith, Jane", "AC-2"]', ["Smith, Jane", "AC-2"]),
        ("accounts", ["Smith, Jane", "AC-2"], ["Smith, Jane", "AC-2"]),
        ("accounts", 4711, ["4711"]),
        ("days", "[1, 2]", [1, 2]),
        ("days", [1, "2", 3.0], [1, 2, 3]),
        ("days", 5, [5]),
        ("reasons", '["late, or lost", "[sic]"]', ["late, or lost", "[sic]"]),
        ("reasons", "[sic], late", ["[sic]", "late"]),
        ("reasons", [], []),
        ("limit", 2, 2),
        ("limit", "2", 2),
        ("limit", [2.5], 2.5),
        ("is_final", False, False),
        ("shape", {"a": 1}, {"a": 1}),
        ("note", 12, "12"),
        ("note", "[a], b", "[a], b"),
    ],
)
def test_a_value_is_read_by_its_slot(slot: str, given: Any, value: Any):
    assert parse_slot_values(ACTION, {slot: given}) == {slot: value}


@pytest.mark.parametrize(
    ("slot", "given"),
    [
        ("days", "1, two"),
        ("limit", "much"),
        ("is_final", "perhaps"),
        ("shape", "{"),
        ("days", 1.5),
        ("days", True),
        ("days", float("inf")),
        ("limit", True),
        ("limit", [1, 2]),
        ("is_final", 1),
        ("note", True),
        ("note", ["a", "b"]),
        ("accounts", [["AC-1"], {"a": 1}]),
        ("colour", "x"),
    ],
)
def test_what_is_no_such_value_is_said(slot: str, given: Any):
    with pytest.raises(BadInput, match=slot):
        parse_slot_values(ACTION, {slot: given})


def test_an_action_tells_what_each_slot_takes():
    assert describe_slots(ACTION) == (
        "accounts?: list of account, days?: list of whole number, reasons?: list of texts, "
        "limit?: number, is_final?: true or false, shape?: JSON as a text, note: text, "
        "mood?: calm or loud"
    )
