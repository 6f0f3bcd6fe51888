"""Runs of things, spans of time and changes by an amount, in the words of a pack of vans."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.tools.nlu.filling import Filling, filling_of_own
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.explanation import matched_words_of
from tools.nlu.intents.utterance import UtteranceParser
from tools.nlu.reader.reading import Reading
from tools.nlu.slots.filling import fill_slots, with_read_values

_ACTIONS = """
actions:
  ground:
    summary: Ground vans {van} until {until}
    verb: update
    object: van
    words: [ground]
    slots: {van: {type: van, many: true, required: true}, until: {type: date}}
    effect: write
    roles: [clerk]
    handler: handlers:ground
    examples: [ground V03, ground V01 and V04 until Friday, ground V02 tomorrow]
  book:
    summary: Book van {van} from {start} to {end}
    verb: create
    object: van
    words: [book]
    slots: {van: {type: van, required: true}, start: {type: date}, end: {type: date}}
    effect: write
    roles: [clerk]
    handler: handlers:book
    examples: [book V02 tomorrow, book V04 from Monday to Wednesday, book V01 next week]
  trips:
    summary: List the trips since {since}
    verb: query
    object: trip
    words: [trips]
    slots: {since: {type: date}}
    effect: read
    handler: handlers:trips
    examples: [list the trips, show trips since Monday, list the trips from yesterday]
  purge:
    summary: Delete trips before {before}
    verb: delete
    object: trip
    words: [delete]
    slots: {before: {type: date, required: true}}
    effect: write
    roles: [clerk]
    handler: handlers:purge
    examples: [delete trips before 2026-01-01, delete the trips before last month]
  heat:
    summary: Set the cabin of {van} to {degrees} degrees
    verb: update
    object: van
    words: [set, heat]
    slots: {van: {type: van, required: true}, degrees: {type: number, required: true}}
    effect: write
    roles: [clerk]
    handler: handlers:heat
    examples: [set V03 to 20 degrees, heat V01 to 18, set the cabin of V02 to 21]
  charge:
    summary: Charge {amount} euros for {van}
    verb: create
    object: van
    words: [charge]
    slots: {van: {type: van, required: true}, amount: {type: number}}
    effect: write
    roles: [clerk]
    handler: handlers:charge
    examples: [charge 20 euros for V03, charge V01 15 euros, charge 7.50 for V02]
"""
_ENTITIES = """
entities:
  van:
    list: {V01: [], V02: [], V03: [], V04: [], V05: [], V06: []}
"""
_HANDLER = """

def {name}(context: HandlerContext, *, {slots}) -> ActionResult:
    return ActionResult(text="done")
"""
_SLOTS = {
    "ground": "van=None, until=None",
    "book": "van=None, start=None, end=None",
    "trips": "since=None",
    "purge": "before=None",
    "heat": "van=None, degrees=None",
    "charge": "van=None, amount=None",
}


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Filling]:
    folder = tmp_path_factory.mktemp("packs") / "yard"
    handlers = "from state.action import ActionResult, HandlerContext\n" + "".join(
        _HANDLER.format(name=name, slots=slots) for name, slots in _SLOTS.items()
    )
    return folder, filling_of_own(folder, _ACTIONS, _ENTITIES, handlers)


@pytest.mark.parametrize(
    ("action", "text", "values"),
    [
        ("ground", "ground V03 through V05", {"van": ["V03", "V04", "V05"]}),
        ("ground", "ground V01-V03", {"van": ["V01", "V02", "V03"]}),
        ("ground", "ground vans 2 to 4", {"van": ["V02", "V03", "V04"]}),
        ("ground", "ground V01, V03 to V04 and V06", {"van": ["V01", "V03", "V04", "V06"]}),
        ("ground", "ground V05 and V02", {"van": ["V05", "V02"]}),
        ("ground", "ground V02 for a fortnight", {"van": ["V02"], "until": "2026-06-28"}),
        ("ground", "ground V02 for three days", {"van": ["V02"], "until": "2026-06-17"}),
        (
            "book",
            "book V04 from 6 to 8 July",
            {"van": "V04", "start": "2026-07-06", "end": "2026-07-08"},
        ),
        (
            "book",
            "book V04, 7 to 9 July",
            {"van": "V04", "start": "2026-07-07", "end": "2026-07-09"},
        ),
        (
            "book",
            "book V04 between 1 and 15 November 2026",
            {"van": "V04", "start": "2026-11-01", "end": "2026-11-15"},
        ),
        (
            "book",
            "book V04 from tomorrow for a week",
            {"van": "V04", "start": "2026-06-15", "end": "2026-06-22"},
        ),
        ("trips", "list the trips of the past 10 days", {"since": "2026-06-04"}),
        ("purge", "delete trips older than two weeks", {"before": "2026-05-31"}),
        ("heat", "set V02 to 68 fahrenheit", {"van": "V02", "degrees": 20}),
        ("heat", "set V02 from 22 to 19,5", {"van": "V02", "degrees": 19.5}),
        ("heat", "drop V02 to 17 degrees", {"van": "V02", "degrees": 17}),
        ("charge", "charge 350 cents for V02", {"van": "V02", "amount": 3.5}),
        ("charge", "charge half of the 60 euros for V02", {"van": "V02", "amount": 30}),
        ("charge", "charge twelve fifty for V02", {"van": "V02", "amount": 12.5}),
        # a change by an amount, and what has to be reckoned, is no value
        ("heat", "set V02 two degrees warmer", {"van": "V02"}),
        ("heat", "drop V02 3 degrees", {"van": "V02"}),
        ("heat", "raise V02 by 2", {"van": "V02"}),
        ("charge", "charge half of V02", {"van": "V02"}),
        ("charge", "charge 4 weeks at 2.50 a week for V02", {"van": "V02"}),
        ("charge", "charge 5 euros per crate for V02", {"van": "V02"}),
    ],
)
def test_runs_spans_and_changes(
    yard: tuple[Path, Filling], action: str, text: str, values: dict[str, Any]
):
    assert yard[1](action, text).values == values


def read_as(tags: str) -> Reading:
    wants = {"none": 0.0, "info": 0.0, "change": 1.0}
    return Reading("command", 1.0, wants, "-", 1.0, tuple(tags))


@pytest.mark.parametrize(
    ("action", "text", "tags", "values"),
    [
        (
            "ground",
            "ground all of V01 to V04 except V03",
            "vqqo-oxx",
            {"van": ["V01", "V02", "V04"]},
        ),
        (
            "ground",
            "ground every van apart from V02",
            "vqoxxx",
            {"van": ["V01", "V03", "V04", "V05", "V06"]},
        ),
        ("ground", "ground V01 and V02", "vo-o", {"van": ["V01", "V02"]}),
        ("ground", "ground V01, the 20th of June would do", "vo------", {"until": "2026-06-20"}),
        ("charge", "V02 came to 40", "----", {"amount": 40}),
        ("charge", "V02, unless it is over 40", "occcccc", {"amount": None}),
    ],
)
def test_what_the_reader_tags_decides_of_the_rest(
    yard: tuple[Path, Filling], action: str, text: str, tags: str, values: dict[str, Any]
):
    catalogue = Catalogue.of([load_pack(yard[0])])
    one = catalogue.action(action)
    heard = matched_words_of(UtteranceParser(catalogue).read(text), date(2026, 6, 14))
    filled = with_read_values(one, fill_slots(one, heard), heard, read_as(tags)).values

    assert {name: filled.get(name) for name in values} == values
