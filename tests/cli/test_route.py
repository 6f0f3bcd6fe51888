"""`prefrontal route`: what is meant, and nothing done about it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.cli.conftest import Prefrontal, records

SHELF = Path(__file__).parents[1] / "shelf"
BANK = Path(__file__).parents[1] / "bank"
DAY = timedelta(days=1)
CONTRACT = {
    "text",
    "intent",
    "action",
    "confidence",
    "alternatives",
    "execution_class",
    "verb_family",
    "target_object",
    "target_container",
    "slots",
    "entities",
    "search",
    "reasons",
}


def test_bare_texts_strings_and_objects_are_messages(prefrontal: Prefrontal) -> None:
    given = 'check stock\n"check stock"\n{"text": "check stock", "user": "b", "session_id": "s"}\n'
    lines = records(prefrontal("route", "-", "--json", given=given))
    assert [line["action"] for line in lines] == ["check_stock"] * 3
    assert set(lines[0]) >= CONTRACT
    assert lines[0]["search"] is None


def test_a_search_is_told_by_its_fields(prefrontal: Prefrontal) -> None:
    given = "find books on whales since 2019\nfind books\nweigh Moby Dick\n"
    told = prefrontal("route", "-", "--pack", str(SHELF), "--json", given=given)
    search, bare, other = records(told)
    assert (search["intent"], search["action"], search["execution_class"]) == (
        "direct_search", "find_books", "A",
    )  # fmt: skip
    wanted = {"query_terms": ["whales"], "year_from": 2019, "year_to": None, "limit": 10}
    assert {name: search["search"][name] for name in wanted} == wanted
    assert search["slots"] == {"query": "whales", "year_from": 2019, "limit": 10}
    assert (bare["action"], bare["missing_slots"]) == ("find_books", ["query"])
    assert (other["action"], other["search"]) == ("weigh_book", None)


@pytest.mark.parametrize(
    ("text", "action", "execution_class"),
    [
        ("check stock of oil filters", "check_stock", "A"),
        ("add note to WO-1042: filter fitted", "add_note", "B"),
        ("close WO-1042", "close_work_order", "C"),
        ("how is the weather in Kotor", None, None),
    ],
)
def test_the_class_follows_from_the_catalogue(
    prefrontal: Prefrontal, text: str, action: str | None, execution_class: str | None
) -> None:
    (line,) = records(prefrontal("route", "-", "--json", given=text))
    assert (line["action"], line["execution_class"]) == (action, execution_class)


def test_slots_and_entities_are_found_with_their_place(prefrontal: Prefrontal) -> None:
    (line,) = records(prefrontal("route", "-", "--json", given="order 4 oil filters"))
    assert line["slots"] == {"part": "oil filter", "quantity": 4}
    spans = {entity["value"]: entity["span"] for entity in line["entities"]}
    assert spans == {"oil filter": [8, 19]}


def test_days_are_counted_from_when_it_was_said_by_the_clock_on_the_wall(
    prefrontal: Prefrontal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXECUTIVE_TIMEZONE", "America/Chicago")
    call = "book an appointment for C-1001 tomorrow"
    given = f'{{"text": "{call}", "occurred_at": "2026-06-15T03:30:00Z"}}\n{call}\n'
    then, now = records(prefrontal("route", "-", "--pack", str(BANK), "--json", given=given))
    assert then["slots"] == {"customer": "C-1001", "day": "2026-06-15"}
    day = date.fromisoformat(now["slots"]["day"])
    assert day - datetime.now(ZoneInfo("America/Chicago")).date() in (DAY, 0 * DAY)  # at midnight


@pytest.mark.parametrize(
    ("said", "execution_class", "verdict"),
    [
        ("set the limit of CARD-3001 to 50", "B", "offer"),
        ("set the limit of CARD-3001 to 50000", "C", "confirm"),
        ("set the limit of CARD-3001 to 50000 oops wrong chat", "C", "offer"),
    ],
)
def test_what_an_amount_raises_is_asked_for_only_where_every_word_is_of_the_order(
    prefrontal: Prefrontal, said: str, execution_class: str, verdict: str
) -> None:
    given = json.dumps({"text": said, "user": "b", "role": "advisor"})
    (line,) = records(prefrontal("route", "-", "--pack", str(BANK), "--json", given=given))
    assert (line["execution_class"], line["verdict"]) == (execution_class, verdict)


def test_routing_says_what_deciding_says(prefrontal: Prefrontal) -> None:
    for text in ("check stock", "close WO-1042", "add note to WO-1: x", "be quiet", "hm"):
        (routed,) = records(prefrontal("route", "-", "--json", given=text))
        (decided,) = records(
            prefrontal(
                "run", "-", "--json", given=f'{{"text": "{text}", "user": "b", "role": "chief"}}'
            )
        )
        assert routed["action"] == decided["action"]
        assert routed["execution_class"] == decided["execution_class"]


def test_whoever_reads_the_first_lines_alone_sees_no_warning(
    here: Path, environment: Mapping[str, str]
) -> None:
    command = f"yes check stock | head -4000 | {sys.executable} -m api.cli route - --json | head -1"
    answer = subprocess.run(
        ["sh", "-c", command],
        cwd=here,
        env={**environment, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=False,
    )
    assert json.loads(answer.stdout)["action"] == "check_stock"
    assert b"Warning" not in answer.stderr
    assert b"Traceback" not in answer.stderr


def test_nothing_is_executed_or_recorded(prefrontal: Prefrontal, here: Path) -> None:
    prefrontal("route", "-", given="check stock")
    assert list(here.iterdir()) == []


def test_labels_are_left_out_with_a_note_and_other_fields_are_errors(prefrontal: Prefrontal):
    given = (
        '{"text": "check stock", "intent": "stock", "split": "val", "label": 1, "id": "x"}\n'
        '{"text": "check stock", "colour": "red"}\n{"text": NaN}\n[1]\n{"no": \n'
    )
    result = prefrontal("route", "-", "--json", given=given)
    assert result.exit_code == 1
    assert len(records(result)) == 1
    assert result.stderr.count("labelled data") == 1
    assert "stdin:2: unknown field 'colour'" in result.stderr
    assert all(f"stdin:{number}: " in result.stderr for number in (3, 4, 5))


def test_a_text_that_begins_with_a_quotation_is_a_text(prefrontal: Prefrontal) -> None:
    given = '"close LK-12", he said\n"check stock"\n"check stock\n'
    result = prefrontal("route", "-", "--json", given=given)
    assert result.exit_code == 0
    told = [one["text"] for one in records(result)]
    assert told == ['"close LK-12", he said', "check stock", '"check stock']


def test_what_a_role_may_not_ask_for_is_told(prefrontal: Prefrontal) -> None:
    given = '{"text": "close WO-1042", "role": "cook"}\n{"text": "close WO-1042", "role": "chief"}'
    cook, chief = records(prefrontal("route", "-", "--json", given=given))
    assert cook["blocked"] == ["close_work_order"]
    assert chief["blocked"] == []


def test_without_json_a_person_can_read_it(prefrontal: Prefrontal) -> None:
    result = prefrontal("route", "-", given="order 4 oil filters\nnonsense of no kind")
    assert "order_part" in result.stdout
    assert "quantity=4" in result.stdout
    assert "no action" in result.stdout


def test_what_would_follow_is_judged_as_the_service_does(prefrontal: Prefrontal) -> None:
    given = "".join(
        f'{{"text": "{text}", "user": "ann", "role": "{role}"}}\n'
        for text, role in [
            ("close WO-1042", "engineer"),
            ("close WO-1042", "cook"),
            ("close the work order", "engineer"),
            ("add note to WO-1042: filter fitted", "engineer"),
            ("check stock of oil filters", "engineer"),
            ("good morning", "engineer"),
        ]
    )
    told = records(prefrontal("route", "-", "--json", given=given))
    verdicts = [line["verdict"] for line in told]
    assert verdicts == ["confirm", "refuse", "ask", "offer", "act", "none"]
