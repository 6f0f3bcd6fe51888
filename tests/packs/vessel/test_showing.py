import re
from collections.abc import Callable

import pytest

from packs.vessel import handlers
from state.action import ActionResult, HandlerContext
from state.errors import AgentError, BadInput, NotFound

Answer = Callable[..., ActionResult]
Contents = Callable[[], dict[str, list[tuple[object, ...]]]]


def test_an_overview_tells_state_service_and_open_work(context: HandlerContext) -> None:
    result = handlers.show_equipment_overview(context, equipment="port generator")

    assert "port generator: running" in result.text
    assert "overdue by 2 h" in result.text
    assert "WO-1042 Replace oil filter on port generator: open" in result.text
    assert result.changed == ()


def test_an_overview_without_equipment_lists_everything_on_board(context: HandlerContext) -> None:
    result = handlers.show_equipment_overview(context)

    assert "40 pieces of equipment" in result.text
    assert "forward bilge pump: standby, 322 h (WO-1032)" in result.text
    assert re.search(r"aft bilge pump: standby, 455 h \(.*WO-1036.*alarm F-404\)", result.text)


def test_a_family_name_means_all_its_members(context: HandlerContext) -> None:
    result = handlers.show_equipment_history(context, equipment="Generator")

    assert "starboard generator: Load test" in result.text
    assert "emergency generator: Starter battery replaced" in result.text
    assert "watermaker" not in result.text


def test_history_is_newest_first_and_starts_at_a_day(context: HandlerContext) -> None:
    result = handlers.show_equipment_history(
        context, equipment="port generator", since="2026-03-28"
    )

    lines = result.text.splitlines()[1:]
    assert [line[:10] for line in lines] == ["2026-06-09", "2026-03-28"]


def test_history_of_nothing_recorded_says_so(context: HandlerContext) -> None:
    result = handlers.show_equipment_history(context, equipment="radar", since="2026-06-01")

    assert result.text == "Nothing is recorded for radar since 2026-06-01."


@pytest.mark.parametrize("said", ["DG1", "port genset", "PORT  GENERATOR", "port-generator"])
def test_equipment_answers_to_the_names_people_use(context: HandlerContext, said: str) -> None:
    result = handlers.show_equipment_overview(context, equipment=said)

    assert result.text.startswith("port generator: ")


def test_search_finds_a_document_by_words_of_its_text(context: HandlerContext) -> None:
    result = handlers.search_documents(context, query="what to do when the coolant is running hot")

    assert result.text.splitlines()[1].startswith("DOC-001 generator service manual")


def test_search_knows_word_forms_and_small_words(context: HandlerContext) -> None:
    result = handlers.search_documents(context, query="find me the bunker procedures")

    assert result.text.splitlines()[1].startswith("DOC-007 bunkering procedure")


def test_search_leaves_archived_documents_out(context: HandlerContext) -> None:
    result = handlers.search_documents(context, query="charter brochure crew profiles")

    assert "DOC-021" not in result.text


def test_check_stock_tells_number_place_and_minimum(context: HandlerContext) -> None:
    result = handlers.check_stock(context, part="flt-2104")

    assert result.text == (
        "oil filter (FLT-2104): 3 in stock (minimum 4), below the minimum, engine room shelf A2"
    )


def test_check_stock_counts_what_is_on_order(context: HandlerContext) -> None:
    result = handlers.check_stock(context, part="stabiliser seal kit")

    assert "1 on order" in result.text


def test_check_stock_without_a_part_lists_what_runs_low(context: HandlerContext) -> None:
    result = handlers.check_stock(context)

    assert "16 parts are below their minimum" in result.text
    assert "bilge float switch" in result.text
    assert "carbon filter" not in result.text


def test_the_newest_handover_is_shown_unless_a_day_is_given(context: HandlerContext) -> None:
    newest = handlers.view_handover(context)
    earlier = handlers.view_handover(context, day="2026-06-13")

    assert "Handover HO-313" in newest.text
    assert "Handover HO-312" in earlier.text
    assert "(Tom Becker)" in earlier.text


def test_a_diagnosis_ranks_causes_and_names_parts_in_stock(context: HandlerContext) -> None:
    result = handlers.diagnose_fault(context, equipment="port generator", symptom="running hot")

    lines = result.text.splitlines()
    assert lines[0].startswith("F-117 High coolant temperature")
    assert lines[1].startswith("1. raw water impeller worn")
    assert "generator impeller IMP-3310, 5 in stock" in lines[1]
    assert "Alarm F-117 on port generator raised 2026-06-13 20:05 UTC, cleared." in lines


def test_a_diagnosis_of_equipment_alone_begins_with_its_alarms(context: HandlerContext) -> None:
    result = handlers.diagnose_fault(context, equipment="aft bilge pump")

    assert result.text.startswith("F-404 Bilge pump cycles too often")
    assert "still standing" in result.text


def test_a_diagnosis_by_code_needs_nothing_else(context: HandlerContext) -> None:
    result = handlers.diagnose_fault(context, fault_code="f 301")

    assert result.text.startswith("F-301 Product water too salty")


def test_a_symptom_that_fits_no_fault_of_the_equipment_says_so(context: HandlerContext) -> None:
    result = handlers.diagnose_fault(context, equipment="radar", symptom="leak")

    assert result.text == "No known fault fits radar; ask the chief engineer to look."


@pytest.mark.parametrize(
    ("handler", "arguments", "refusal"),
    [
        (handlers.show_equipment_overview, {"equipment": "warp drive"}, NotFound),
        (handlers.show_equipment_history, {"equipment": "warp drive"}, NotFound),
        (handlers.show_equipment_history, {"equipment": "radar", "since": "soon"}, BadInput),
        (handlers.search_documents, {"query": "  "}, BadInput),
        (handlers.check_stock, {"part": "flux capacitor"}, NotFound),
        (handlers.check_stock, {"part": "--"}, NotFound),
        (handlers.view_handover, {"day": "2020-01-01"}, NotFound),
        (handlers.view_handover, {"day": "yesterday-ish"}, BadInput),
        (handlers.diagnose_fault, {}, BadInput),
        (handlers.diagnose_fault, {"fault_code": "F-999"}, NotFound),
        (handlers.diagnose_fault, {"symptom": "sadness"}, NotFound),
    ],
)
def test_what_cannot_be_answered_is_refused_by_name(
    context: HandlerContext, handler: Answer, arguments: dict[str, str], refusal: type[AgentError]
) -> None:
    with pytest.raises(refusal):
        handler(context, **arguments)


@pytest.mark.parametrize(
    "text",
    [
        '" NEAR( ^ -x secret:x',
        '"',
        '""""',
        "NEAR(coolant hot, 2)",
        "^coolant",
        "-coolant",
        "coolant AND NOT (OR",
        "title:coolant",
        "{id text}: coolant",
        "coolant*",
        "coolant + hot",
        "'; DROP TABLE document; --",
        "\\ % _ ? :x @y $z",
        "coolant\x00hot",
        "\ud800coolant",
        "\u0301\u0302 \u202e\u200bcoolant",
        "🛥 ⚓",
        "(" * 5_000,
        "coolant " * 5_000,
        "x" * 60_000,
    ],
)
def test_hostile_words_are_searched_as_words(
    context: HandlerContext, contents: Contents, text: str
) -> None:
    before = contents()

    result = handlers.search_documents(context, query=text)

    assert "DOC-021" not in result.text
    assert contents() == before


def test_a_column_name_in_a_query_is_no_column(context: HandlerContext) -> None:
    result = handlers.search_documents(context, query='id:"DOC-009"')

    assert result.text == "No document on board has these words."
