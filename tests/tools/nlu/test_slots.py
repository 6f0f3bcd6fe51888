"""The things, numbers, dates and words that fill slots."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from state.policy import Routing
from tools.nlu.intents.router import Router
from tools.nlu.slots.free_text import text_parts_of

Routed = Callable[[str], Routing]


def test_verb_object_container_and_thing_are_told_apart(route: Routed) -> None:
    routing = route("add note to work order filter replacement")

    assert routing.verb_family == "add"
    assert routing.target_object == "note"
    assert routing.target_container == "work_order"
    (mention,) = routing.entities
    assert routing.text[slice(*mention.span)] == "filter replacement"
    assert (mention.type, mention.value) == ("work_order", "WO-1042")
    assert routing.slots == {"work_order": "WO-1042"}
    assert routing.missing_slots == ("note",)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("order 3 oil filters", {"part": "oil filter", "quantity": 3}),
        ("order ninety five zinc anodes", {"part": "zinc anode", "quantity": 95}),
        ("order two dozen zinc anodes", {"part": "zinc anode", "quantity": 24}),
        ("order 1,000 impellers", {"part": "impeller", "quantity": 1000}),
        ("order half a dozen impellers", {"part": "impeller"}),
        ("order four and a half impellers", {"part": "impeller"}),
        ("order 4 and three quarters impellers", {"part": "impeller"}),
        ("order impellers", {"part": "impeller"}),
        (
            "close wo-1042, the filter is changed",
            {"work_order": "WO-1042", "note": "the filter is changed"},
        ),
        ("close WO-1042", {"work_order": "WO-1042"}),
        (
            "add a note on the watermaker: ~/logs/may.txt is the log",
            {"equipment": "watermaker", "note": "~/logs/may.txt is the log"},
        ),
        ("search documents for /srv/plans/deck", {"query": "/srv/plans/deck"}),
        (
            "add note to WO-1038: Seal OK (2 bar)",
            {"work_order": "WO-1038", "note": "Seal OK (2 bar)"},
        ),
        (
            'add "Belt tensioned" as a note to WO-1040',
            {"work_order": "WO-1040", "note": "Belt tensioned"},
        ),
        (
            "note on WO-1038 that the seal weeps",
            {"work_order": "WO-1038", "note": "the seal weeps"},
        ),
        ("mark work order 1038 as complete", {"work_order": "WO-1038"}),
        ("could you note on WO-1040 that it leaks", {"work_order": "WO-1040", "note": "it leaks"}),
        ("search documents for bunkering", {"query": "bunkering"}),
        (
            "log 9.5 hours of rest for Ana on 2026-02-07",
            {"crew": "Ana Costa", "hours": 9.5, "day": "2026-02-07"},
        ),
        (
            "change the expiry of the class certificate to 1 March 2027",
            {"certificate": "class certificate", "expires": "2027-03-01"},
        ),
        ("view the handover of 2026-02-30", {}),
        ("export compliance logs since yesterday", {}),
        ("assign TSK-104 to Tom", {"task": "TSK-104", "assignee": "Tom Becker"}),
    ],
)
def test_slots_are_filled_with_what_was_said(
    route: Routed, text: str, slots: dict[str, object]
) -> None:
    assert route(text).slots == slots


def test_a_relative_day_is_read_when_the_day_is_known(router: Router) -> None:
    text = "export compliance logs since yesterday"

    assert router.route(text, today=date(2026, 2, 7)).slots == {"since": "2026-02-06"}


def test_a_thing_that_does_not_exist_fills_no_slot(route: Routed) -> None:
    routing = route("close WO-9999")

    assert routing.slots == {}
    assert routing.missing_slots == ("work_order",)
    assert "unknown_work_order:WO-9999" in routing.reasons
    assert routing.entities[0].confidence == 0.5


def test_a_thing_that_is_new_in_the_store_is_found_at_once(
    router: Router, route: Routed, data_dir: Path
) -> None:
    assert route("close WO-2000").slots == {}
    (data_dir / "orders.json").write_text('{"WO-2000": ["hull wash"]}')

    assert router.route("close the hull wash", data_dir=data_dir).slots == {"work_order": "WO-2000"}


def test_a_lookup_that_fails_is_named_and_stops_nothing(router: Router, tmp_path: Path) -> None:
    routing = router.route("close WO-1042", data_dir=tmp_path / "nowhere")

    assert routing.action == "close_work_order"
    assert routing.slots == {"work_order": "WO-1042"}
    assert "lookup_failed:boat:work_order:FileNotFoundError" in routing.reasons


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("diagnose the port genreator", "port generator"),
        ("diagnose the watermakr", "watermaker"),
        ("diagnose the bow thrusters", "generators"),
    ],
)
def test_a_slip_of_the_pen_still_names_a_thing(route: Routed, text: str, value: str) -> None:
    values = {mention.value for mention in route(text).entities}

    assert value in values or "bow thruster" in values


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("2026-02-31", "2026-02-31"),
        ("31 February", "31 february"),
        ("31 February 2026", "31 february 2026"),
        ("February 30", "february 30"),
        ("5 May", "5 may"),
        ("2026-02-11", None),
        ("5 May 2026", None),
    ],
)
def test_a_day_that_cannot_be_told_is_no_number_and_no_other_day(
    route: Routed, said: str, read: str | None
) -> None:
    routing = route(f"log hours of rest for Tom: 10 hours on {said}")

    assert routing.not_found.get("day") == read
    assert routing.slots.get("hours") == 10
    assert ("day" in routing.slots) == (read is None)


def test_a_number_is_never_a_slip(route: Routed) -> None:
    assert route("close WO-1043").slots == {}


@pytest.mark.parametrize(
    "text",
    [
        "order -4 oil filters",
        "order four hundred million oil filters",
        "order ½ oil filters",
        "order 4 or 5 oil filters",
        "order 10 000 oil filters",
        "order 1.000 oil filters",
        "order 40 oil filters, sorry, 4",
        "order 4 boxes of 10 oil filters",
        "order 100% of the oil filters",
        "order 4 fewer oil filters",
    ],
)
def test_a_number_that_may_mean_another_is_left_to_the_person(route: Routed, text: str) -> None:
    routing = route(text)
    assert "quantity" not in routing.slots


@pytest.mark.parametrize(
    ("asker", "assignee"),
    [("tom", "Tom Becker"), ("ana.costa@sea.example", "Ana Costa"), ("kim", None)],
)
def test_to_me_is_whoever_asks_where_the_pack_knows_one_of_that_name(
    route: Routed, router: Router, data_dir: Path, asker: str, assignee: str | None
) -> None:
    assert route("assign (WO-1042) to me").missing_slots == ("assignee",)

    routing = router.route("assign (WO-1042) to me", data_dir=data_dir, asker=asker)

    assert routing.action == "assign_work_order"
    assert routing.slots.get("assignee") == assignee
    assert "work_order" in routing.slots


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("baseline", ["baseline"]),
        ("graphs, vision and core", ["graphs", "vision", "core"]),
        ("graphs; vision, and core.", ["graphs", "vision", "core"]),
        ("bread & butter", ["bread", "butter"]),
        ("'search and rescue', sand and gravel", ["search and rescue", "sand", "gravel"]),
        ("", []),
    ],
)
def test_a_list_is_parted_and_a_quotation_is_not(text: str, parts: list[str]) -> None:
    assert text_parts_of(text) == parts
