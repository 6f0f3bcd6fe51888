"""A limit that no slot takes is told with a read, and asked about before a change."""

from collections.abc import Mapping

import pytest

from state.policy import EntityMention, Routing, Uncovered
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import find_pack, load_pack
from tools.dialogue.unsupported_constraints import (
    amount_slots,
    constraint_question,
    uncovered_limits,
    uncovered_rest,
    unsupported_constraints,
    unsupported_note,
)


@pytest.fixture(scope="module")
def vessel() -> Catalogue:
    return Catalogue.of([load_pack(find_pack("vessel"))])


def limits(
    vessel: Catalogue,
    name: str,
    text: str,
    arguments: Mapping[str, object],
    *entities: EntityMention,
) -> tuple[str, ...]:
    routing = Routing(
        text=text,
        normalized=text,
        tokens=(),
        confidence=1.0,
        mood="command",
        entities=entities,
    )
    return unsupported_constraints(vessel.action(name), routing, arguments)


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("export everything from the compliance log since May", {}, "since May"),
        ("export the compliance logs from 2025", {}, "from 2025"),
        ("export the compliance logs from before last month", {}, "before last month"),
        ("export the compliance logs from 2026-05-01", {"since": "2026-05-01"}, ""),
        ("export the compliance logs", {}, ""),
        ("export the compliance logs by Friday", {}, "by Friday"),
        ("export the compliance logs by the end of the month", {}, "by the end of the month"),
    ],
)
def test_a_change_is_not_proposed_without_its_limit(
    vessel: Catalogue, text: str, arguments: Mapping[str, object], expected: str
) -> None:
    action = vessel.action("export_compliance_logs")

    asked = constraint_question(limits(vessel, action.name, text, arguments), action, "sketch")

    assert asked is None if not expected else asked is not None and expected in asked.question


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("show_expiring_certificates", "which certificates expire in 2027", "“in 2027”"),
        ("show_expiring_certificates", "which certificates have not expired", "have not expired"),
        ("show_work_orders", "show the work orders that are not overdue", "that are not overdue"),
        (
            "show_expiring_certificates",
            "which certificates are not expired",
            "which certificates are not expired",
        ),
        ("show_expiring_certificates", "which certificates expire soon", ""),
        ("show_equipment_history", "history of it for the last 3 months", "for the last 3 months"),
        ("show_equipment_history", "history of it, last 3 entries", ""),
        ("show_work_orders", "closed jobs last month", "“last month”"),
        ("view_handover", "last week's handover", "“last week's”"),
        ("view_handover", "what did the last watch leave", ""),
        ("show_equipment_overview", "how is the watermaker today", ""),
        ("show_tasks", "show my tasks", "“my tasks”"),
        ("show_work_orders", "which jobs are assigned to me", "“assigned to me”"),
        ("show_work_orders", "all but mine", "“mine”"),
        ("show_work_orders", "my boss wants the work orders", ""),
        ("show_crew", "who is on my watch", ""),
        ("show_alarms", "which alarms are not cleared", ""),
        ("diagnose_fault", "why has the watermaker not started", ""),
    ],
)
def test_a_read_is_told_what_it_does_not_follow(vessel: Catalogue, name, text, told) -> None:
    found = limits(vessel, name, text, {})

    assert told in unsupported_note(found)
    assert bool(found) is bool(told)
    assert constraint_question(found, vessel.action(name), "sketch") is None


def test_a_thing_that_nothing_is_called_is_told_of() -> None:
    research = Catalogue.of([load_pack(find_pack("research"))])
    action, kinds = research.action("show_library"), research.entities["research"]

    def told(text: str) -> tuple[str, ...]:
        routing = Routing(text=text, normalized=text, tokens=(), confidence=1.0, mood="command")
        return unsupported_constraints(action, routing, {}, kinds)

    assert told("show me everything tagged methods") == ("tagged methods",)
    assert told("everything with the label methods") == ("with the label methods",)
    assert told("show the library") == told("which ones have a tag") == ()


def test_what_stands_in_free_words_is_kept_and_asked_about_no_more(vessel: Catalogue) -> None:
    text = "add a note to WO-1042: leaking since May"

    kept = {"work_order": "WO-1042", "note": "leaking since May"}

    assert limits(vessel, "add_note_to_work_order", text, kept) == ()


@pytest.mark.parametrize(
    ("name", "text", "arguments", "expected"),
    [
        ("export_compliance_logs", "export Tom's hours of rest logs", {}, ("Tom",)),
        (
            "share_with_shipyard",
            "share WO-1038 with the shipyard and Tom",
            {"work_orders": ["WO-1038"]},
            ("Tom",),
        ),
        ("add_note", "note on the radar: ask Ben and Tom", {"note": "ask Ben and Tom"}, ()),
        ("assign_task", "make it Tom's", {"task": "TSK-104", "assignee": "Tom Becker"}, ()),
    ],
)
def test_a_person_whom_no_slot_takes_is_not_dropped(
    vessel: Catalogue,
    name: str,
    text: str,
    arguments: Mapping[str, object],
    expected: tuple[str, ...],
) -> None:
    place = text.index("Tom")
    span = (place, place + 3)
    tom = EntityMention(type="crew", value="Tom Becker", confidence=1.0, span=span)

    assert limits(vessel, name, text, arguments, tom) == expected


def test_whose_a_read_is_of_is_told_where_no_slot_takes_it(vessel: Catalogue) -> None:
    tom = EntityMention(type="crew", value="Tom Becker", confidence=1.0, span=(0, 3))

    def told(name: str, text: str, **given: object) -> tuple[str, ...]:
        return limits(vessel, name, text, given, tom)

    assert told("show_certificates", "Tom's certificates") == ("Tom's",)
    assert told("show_tasks", "Tom's tasks", assignee="Tom Becker") == ()


def test_a_second_one_of_what_a_read_is_of_is_told(vessel: Catalogue) -> None:
    def told(text: str, **given: object) -> tuple[str, ...]:
        entities = [
            EntityMention(type=kind, value=value, confidence=1.0, span=(at, at + len(said)))
            for kind, value, said in (
                ("crew", "Ben Okafor", "Ben"),
                ("crew", "Priya Nair", "Priya"),
                ("equipment", "radar", "radar"),
            )
            if (at := text.find(said)) >= 0
        ]
        return limits(vessel, "show_work_orders", text, given, *entities)

    assert told("jobs of Ben and Priya", assignee="Ben Okafor") == ("Priya",)
    assert told("jobs of Ben and the radar", assignee="Ben Okafor") == ()
    assert told("jobs of Ben", assignee="Ben Okafor") == ()


def test_a_span_that_a_slot_takes_is_followed(vessel: Catalogue) -> None:
    given = {"due_in": "next week"}

    assert limits(vessel, "show_work_orders", "jobs due next week", given) == ()


@pytest.mark.parametrize(
    ("name", "missing", "limits", "rest"),
    [
        (
            "export_compliance_logs",
            (),
            ("of May", "as a gift", "footage"),
            ("of May", "as a gift", "footage"),
        ),
        ("export_compliance_logs", ("since",), ("of May",), ("of May", "as a gift", "footage")),
        ("generate_summary", (), ("of May",), ("of May", "as a gift")),
        ("show_tasks", (), ("of May",), ()),
    ],
)
def test_what_nothing_takes_is_asked_about_or_shown_by_how_grave_it_is(
    vessel: Catalogue,
    name: str,
    missing: tuple[str, ...],
    limits: tuple[str, ...],
    rest: tuple[str, ...],
) -> None:
    found = (
        Uncovered(text="of May", narrows=True, attaches=True),
        Uncovered(text="as a gift", narrows=False, attaches=True),
        Uncovered(text="footage", narrows=False, attaches=False),
    )
    routing = Routing(
        text="x",
        normalized="x",
        tokens=(),
        action=name,
        confidence=1.0,
        mood="command",
        uncovered=found,
    )
    action = vessel.action(name)

    assert uncovered_limits(action, routing, missing) == limits
    assert uncovered_rest(action, routing) == rest
    assert uncovered_rest(vessel.action("add_note"), routing) == ()  # of another action


@pytest.mark.parametrize(
    ("limits", "missing", "question"),
    [
        (("half",), (), "How many?"),
        (("in 10 minutes",), (), "What do you mean?"),
        (("except the spares",), ("part", "due_day"), "Which part and due day?"),
    ],
)
def test_a_question_says_what_was_understood_and_what_was_not(
    vessel: Catalogue, limits: tuple[str, ...], missing: tuple[str, ...], question: str
) -> None:
    asked = constraint_question(limits, vessel.action("order_part"), "Order oil filter", missing)

    assert asked is not None
    assert asked.question == (f"I understood “Order oil filter”, but not “{limits[0]}”. {question}")


def test_only_a_part_asks_for_the_amount_that_it_is_of(vessel: Catalogue) -> None:
    order = vessel.action("order_part")

    assert amount_slots(("half",), order) == ("quantity",)
    assert amount_slots(("in 10 minutes",), order) == ()
    assert amount_slots(("half",), vessel.action("export_compliance_logs")) == ()
