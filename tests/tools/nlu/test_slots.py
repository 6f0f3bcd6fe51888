"""The entities, numbers, dates and words that fill slots, and answers to a question for one."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from state.policy import Routing
from tests.tools.nlu.conftest import ORDERS as STORED_ORDERS
from tests.tools.nlu.filling import Filling, filling_of_own
from tools.nlu.intents.router import Router
from tools.nlu.slots.free_text import text_parts_of

# The things, numbers, dates and words that fill slots.

Routed = Callable[[str], Routing]


def test_verb_object_container_and_thing_are_told_apart(route: Routed):
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
def test_slots_are_filled_with_what_was_said(route: Routed, text: str, slots: dict[str, object]):
    assert route(text).slots == slots


def test_a_relative_day_is_read_when_the_day_is_known(router: Router):
    text = "export compliance logs since yesterday"

    assert router.route(text, today=date(2026, 2, 7)).slots == {"since": "2026-02-06"}


def test_a_thing_that_does_not_exist_fills_no_slot(route: Routed):
    routing = route("close WO-9999")

    assert routing.slots == {}
    assert routing.missing_slots == ("work_order",)
    assert "unknown_work_order:WO-9999" in routing.reasons
    assert routing.entities[0].confidence == 0.5


def test_a_thing_that_is_new_in_the_store_is_found_at_once(
    router: Router, route: Routed, data_dir: Path
):
    assert route("close WO-2000").slots == {}
    (data_dir / "orders.json").write_text('{"WO-2000": ["hull wash"]}')

    assert router.route("close the hull wash", data_dir=data_dir).slots == {"work_order": "WO-2000"}


def test_a_lookup_that_fails_is_named_and_stops_nothing(router: Router, tmp_path: Path):
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
def test_a_slip_of_the_pen_still_names_a_thing(route: Routed, text: str, value: str):
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
def test_a_day_that_cannot_be_told_is_no_number_and_no_other_day(route: Routed, said, read):
    routing = route(f"log hours of rest for Tom: 10 hours on {said}")

    assert routing.not_found.get("day") == read
    assert routing.slots.get("hours") == 10
    assert ("day" in routing.slots) == (read is None)


def test_a_number_is_never_a_slip(route: Routed):
    assert route("close WO-1043").slots == {}


@pytest.mark.parametrize(
    "text",
    [
        "order -4 oil filters",
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
def test_a_number_that_may_mean_another_is_left_to_the_person(route: Routed, text: str):
    assert "quantity" not in route(text).slots


@pytest.mark.parametrize(
    ("asker", "assignee"),
    [("tom", "Tom Becker"), ("ana.costa@sea.example", "Ana Costa"), ("kim", None)],
)
def test_to_me_is_whoever_asks_where_the_pack_knows_one_of_that_name(
    route: Routed, router: Router, data_dir: Path, asker: str, assignee: str | None
):
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
def test_a_list_is_parted_and_a_quotation_is_not(text: str, parts: list[str]):
    assert text_parts_of(text) == parts


# What is taken from somebody goes not to them, and what lasts until a day does not begin on it.

ACTIONS = """
actions:
  release_job:
    summary: "Take {job} from whoever has it, back to {back_to}"
    verb: update
    words: [release, take]
    object: job
    slots: {job: {type: job, required: true}, back_to: {type: person}}
    effect: multi_user
    handler: "handlers:release_job"
    examples: ["release J-1", "take J-2 away", "give J-3 back to Ana"]
  move_job:
    summary: "Move {job} from {owner} to {heir}"
    verb: update
    words: [move, hand]
    object: job
    slots:
      job: {type: job, required: true}
      owner: {type: person, required: true}
      heir: {type: person, required: true}
    effect: multi_user
    handler: "handlers:move_job"
    examples: ["move J-1 from Ana to Ben", "hand J-3 over from Ana to Ben"]
  export_logs:
    summary: "Export the logs since {since}"
    verb: export
    object: log
    slots: {since: {type: date}}
    effect: compliance
    handler: "handlers:export_logs"
    examples: ["export the logs", "export the logs since 2026-01-01"]
"""
HANDLERS = """
def release_job(context, *, job=None, back_to=None): ...
def move_job(context, *, job, owner, heir): ...
def export_logs(context, *, since=None): ...
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    entities = 'entities: {job: {patterns: ["J-\\\\d+"]}, person: {list: [Ana, Ben, Ann Berg]}}'
    folder = tmp_path_factory.mktemp("packs") / "yard"
    return filling_of_own(folder, ACTIONS, entities, HANDLERS)


@pytest.mark.parametrize(
    ("text", "back_to"),
    [
        ("take Ben off J-1", None),
        ("release J-1 from Ben", None),
        ("take J-1 away from Ben", None),
        ("take Ben away from J-1", None),
        ("release J-1 back to Ben", "Ben"),
        ("give J-1 to Ben from Ana", "Ben"),
        ("give J-1 back to Ben", "Ben"),
    ],
)
def test_a_job_goes_back_to_whom_it_is_given(yard: Filling, text: str, back_to: str | None):
    assert yard("release_job", text).values.get("back_to") == back_to


@pytest.mark.parametrize(
    ("text", "owner", "heir"),
    [
        ("move J-1 from Ana to Ben", "Ana", "Ben"),
        ("move J-1 to Ben from Ana", "Ana", "Ben"),
        ("hand J-1 from Ben over to Ana", "Ben", "Ana"),
        ("move J-1 to Ben", None, "Ben"),
        ("move J-1 from Ana", "Ana", None),
        ("hand Ben J-1 of Ana", "Ana", "Ben"),
        ("hand Ben Ana's J-1", "Ana", "Ben"),
        ("hand Ben Ann Berg's J-1", "Ann Berg", "Ben"),
        ("hand off Ana's J-1 to Ben", "Ana", "Ben"),
        ("move J-1 to the person Ben from Ana", "Ana", "Ben"),
    ],
)
def test_the_summary_says_which_slot_lies_on_which_side(yard: Filling, text, owner, heir):
    values = yard("move_job", text).values

    assert (values.get("owner"), values.get("heir")) == (owner, heir)


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("export the logs since 2026-06-01", "2026-06-01"),
        ("export the logs from 2026-06-01", "2026-06-01"),
        ("export the logs of 2026-06-01", "2026-06-01"),
        ("export the logs until 2026-06-01", None),
        ("export the logs up to 2026-06-01", None),
        ("export the logs before 2026-06-01", None),
        ("export the logs by 2026-06-01", None),
    ],
)
def test_logs_begin_where_it_was_said(yard: Filling, text: str, since: str | None):
    assert yard("export_logs", text).values.get("since") == since


# A part of a name is enough where such a thing has to be meant, and nothing else has that part.

ORDERS = {
    "WO-1042": ["Renew cooling water hoses of the starboard shaft"],
    "WO-1038": ["Overhaul the Kessler gland after sea trials"],
    "WO-1040": ["Overhaul the steering rams after sea trials"],
}


@pytest.fixture
def with_titles(data_dir: Path) -> Path:
    (data_dir / "orders.json").write_text(json.dumps(ORDERS))
    return data_dir


@pytest.mark.parametrize(
    ("text", "order", "part"),
    [
        ("close cooling water hoses", "WO-1042", "cooling water hoses"),
        ("please close Kessler for me", "WO-1038", "Kessler"),
        ("close steering rams after sea trials", "WO-1040", "steering rams after sea trials"),
    ],
)
def test_it_fills_a_slot_that_needs_it_and_is_listed(
    router: Router, with_titles: Path, text: str, order: str, part: str
):
    routing = router.route(text, data_dir=with_titles)

    assert routing.action == "close_work_order"
    assert routing.slots["work_order"] == order
    found = [(one.value, text[slice(*one.span)]) for one in routing.entities]
    assert (order, part) in found


@pytest.mark.parametrize(
    "text",
    [
        "close sea trials",  # two have that
        "close the overhaul",  # one word, and plain English
        "close water cooling hoses",  # in another order
    ],
)
def test_what_several_have_or_none_in_this_order_names_nothing(
    router: Router, with_titles: Path, text: str
):
    assert "work_order" not in router.route(text, data_dir=with_titles).slots


def test_what_is_named_in_full_is_not_outdone_by_a_part(router: Router, with_titles: Path):
    routing = router.route("close WO-1040, cooling water hoses are next", data_dir=with_titles)

    assert routing.slots["work_order"] == "WO-1040"


@pytest.mark.xdist_group("both-packs")
@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("compare few-shot learners and P-5", ["P-3", "P-5"]),
        ("compare Vaswani with Devlin", ["P-1", "P-2"]),
        ("add P-3 to the library for my human feedback course", ["P-3"]),
    ],
)
def test_of_several_things_a_part_counts_where_it_is_joined(
    both: Router, data_dir: Path, text: str, papers: list[str]
):
    assert both.route(text, data_dir=data_dir).slots["papers"] == papers


@pytest.mark.xdist_group("both-packs")
def test_what_is_searched_for_is_no_paper_of_that_name(both: Router, data_dir: Path):
    routing = both.route("search for papers on graph attention", data_dir=data_dir)

    assert routing.action == "search_papers"
    assert "paper" not in {one.type for one in routing.entities}


# A text is read as the answer to a question for slots, or as nothing of the kind.


@pytest.fixture
def stored(data_dir: Path) -> Path:
    (data_dir / "orders.json").write_text(STORED_ORDERS)
    return data_dir


@pytest.mark.parametrize(
    ("action", "slot", "text", "value"),
    [
        ("close_work_order", "work_order", "WO-1042", "WO-1042"),
        ("close_work_order", "work_order", "wo-1042, please", "WO-1042"),
        ("close_work_order", "work_order", "1042", "WO-1042"),
        ("close_work_order", "work_order", "the seal change one", "WO-1038"),
        ("order_part", "quantity", "four", 4),
        ("order_part", "quantity", "12", 12),
        ("order_part", "part", "oil filters", "oil filter"),
        ("add_note_to_work_order", "note", "gasket ordered", "gasket ordered"),
        ("add_note_to_work_order", "note", "Replace the impeller!", "Replace the impeller!"),
    ],
)
def test_the_slot_that_was_asked_for_is_filled(
    router: Router, stored: Path, action: str, slot: str, text: str, value: Any
):
    answer = router.answer(text, action, [slot], data_dir=stored)
    assert answer is not None
    assert (answer.slots, answer.missing_slots) == ({slot: value}, ())


@pytest.mark.parametrize(
    ("action", "slot", "text"),
    [
        ("close_work_order", "work_order", "show WO-1042"),
        ("close_work_order", "work_order", "what is open?"),
        ("close_work_order", "work_order", "no idea"),
        ("close_work_order", "work_order", "   "),
        ("order_part", "quantity", "4 or 5"),
        ("order_part", "quantity", "about four"),
        ("order_part", "quantity", "2.5"),
        ("add_note_to_work_order", "note", "what is open?"),
        ("no_such_action", "note", "four"),
    ],
)
def test_what_is_no_answer_is_none(router: Router, stored: Path, action: str, slot: str, text: str):
    assert router.answer(text, action, [slot], data_dir=stored) is None


def test_a_name_that_nothing_has_is_told(router: Router, stored: Path):
    answer = router.answer("WO-9999", "close_work_order", ["work_order"], data_dir=stored)
    assert answer is not None
    assert (answer.slots, answer.not_found) == ({}, {"work_order": "WO-9999"})


def test_a_name_of_several_lists_them(router: Router, stored: Path):
    answer = router.answer("filter", "order_part", ["part"], data_dir=stored)
    assert answer is not None
    assert answer.choices == {"part": ("fuel filter", "oil filter")}
    routing = router.route("order 3 filters", data_dir=stored)
    assert routing.choices == {"part": ("fuel filter", "oil filter")}
    assert routing.missing_slots == ("part",)


def test_slots_that_were_not_asked_for_stay_as_they_are(router: Router, stored: Path):
    given = {"part": "oil filter"}
    answer = router.answer(
        "4 oil filters", "order_part", ["quantity"], data_dir=stored, given=given
    )
    assert answer is not None
    assert answer.slots == {"quantity": 4}


_DENIED = (
    "not WO-1042",
    "WO-1042? no",
    "WO-1042 must stay",
    "WO-1042 please don't",
    "anything but WO-1042",
)
_SUPPOSED = ("WO-1042, but only if Ben agrees", "WO-1042 if Tom is done", "WO-1042 unless it rains")
_TOLD = ("WO-1042 was already closed", "Ben said WO-1042", "Ben: WO-1042", "> WO-1042")
_TWO = ("WO-1042 or WO-1038", "WO-1042 and WO-1038", "maybe WO-1042")
_HIDDEN = "WO-1042\u202e"


@pytest.mark.parametrize("text", [*_DENIED, *_SUPPOSED, *_TOLD, *_TWO, _HIDDEN])
def test_a_thing_that_is_not_said_to_be_meant_is_no_answer(router: Router, stored: Path, text: str):
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert answer is None or (answer.slots, answer.choices, answer.not_found) == ({}, {}, {})
    assert answer is None or "no_answer" in answer.reasons


@pytest.mark.parametrize(
    "text",
    [
        "not 4",
        "we have 4 left",
        "4 zinc anodes",
        "4 fuel filters",
        "4 papers on graphs",
        "Tom wrote: 4",
        "4 is too many",
        "4 if they are cheap",
        "4?",
        "> 4",
        "never 4",
    ],
)
def test_a_number_of_something_else_is_no_answer(router: Router, stored: Path, text: str):
    given = {"part": "oil filter"}
    answer = router.answer(text, "order_part", ["quantity"], data_dir=stored, given=given)
    assert answer is None or answer.slots == {}


@pytest.mark.parametrize(
    "text", ["4", "four please", "4 oil filters", "4 filters", "4 of them", "just 4, thanks"]
)
def test_what_is_known_already_may_be_said_again(router: Router, stored: Path, text: str):
    given = {"part": "oil filter"}
    answer = router.answer(text, "order_part", ["quantity"], data_dir=stored, given=given)
    assert answer is not None
    assert answer.slots == {"quantity": 4}


@pytest.mark.parametrize(
    "text", ["that one: WO-1042", "it's WO-1042", "the job WO-1042", '"WO-1042"', "work order 1042"]
)
def test_words_that_say_nothing_more_stand_beside_a_thing(router: Router, stored: Path, text: str):
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert answer is not None
    assert answer.slots == {"work_order": "WO-1042"}


@pytest.mark.parametrize(
    ("text", "is_note"),
    [
        ("not working since Monday", True),
        ("don't run it above 80 %", True),
        ("Tom said it leaks", True),
        ("don't add a note", False),
        ("add it, no wait", False),
        ("yes", False),
        ("ok, sure", False),
        ("it leaks", True),
    ],
)
def test_free_words_may_deny_anything_but_the_doing(
    router: Router, stored: Path, text: str, *, is_note: bool
):
    answer = router.answer(text, "add_note_to_work_order", ["note"], data_dir=stored)
    assert (answer is not None and answer.slots == {"note": text}) is is_note


@pytest.mark.parametrize(
    "sign",
    [
        *("{} ❌", "{} 👎", "🚫{}", "👎 {}", "⛔ {}", "{} ✋", "{} 🙄", "{} 🤡", "{} 🤷", "✗ {}"),
        *("{} /s", "{} - kidding", "{} jk", "{} nvm", "{} (just kidding)", "{} lol never"),
        *("[ ] {}", "[] {}", "☐ {}", "~~{}~~"),
    ],
)
@pytest.mark.parametrize("value", ["WO-1042", "1042", "the seal change"])
def test_a_thing_beside_a_sign_of_no_is_no_answer(router: Router, stored: Path, sign, value):
    text = sign.format(value)
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert answer is None or (answer.slots, answer.choices, answer.not_found) == ({}, {}, {})


@pytest.mark.parametrize(
    "sign",
    [
        *("{} please", "{} now please", "please {}", "{}, thanks!", "{} :)", "- {}", "*{}*"),
        *("{} 👍", "{} 👍🏽", "✅ {}", "{} 🙏", "{} ✔️", "ok, {}."),
    ],
)
@pytest.mark.parametrize("value", ["WO-1042", "1042", "the filter replacement"])
def test_courtesy_and_signs_of_yes_say_nothing_more(router: Router, stored: Path, sign, value):
    text = sign.format(value)
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert answer is not None
    assert answer.slots == {"work_order": "WO-1042"}


@pytest.mark.parametrize(
    ("text", "is_id"),
    [
        ("1042", True),
        ("#1042", True),
        ("number 1042", True),
        ("for 1042", True),
        ("1042 of them", False),
        ("in 1042", False),
        ("by 1042", False),
        ("1042 each", False),
        ("1042 pieces", False),
        ("$1042", False),
        ("1042 €", False),
        ("1042%", False),
        ("-1042", False),
    ],
)
def test_a_number_that_measures_something_names_no_thing(
    router: Router, stored: Path, text: str, *, is_id: bool
):
    answer = router.answer(text, "close_work_order", ["work_order"], data_dir=stored)
    assert (answer is not None and answer.slots == {"work_order": "WO-1042"}) is is_id


def test_the_name_of_a_thing_is_not_the_note_as_well(router: Router, stored: Path):
    missing = ["work_order", "note"]
    answer = router.answer("WO-1042", "add_note_to_work_order", missing, data_dir=stored)
    assert answer is not None
    assert (answer.slots, answer.missing_slots) == ({"work_order": "WO-1042"}, ("note",))
