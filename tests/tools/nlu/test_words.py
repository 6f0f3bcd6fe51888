"""How words, numbers, fractions and spans of time are read."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.action import Action
from tests.tools.nlu.filling import Filling
from tools.nlu.intents.router import Router
from tools.nlu.lexicon.normalization import MAX_READ, normalise
from tools.nlu.lexicon.spelling import Spelling, guessed
from tools.nlu.slots.number_slots import own_unit, value_in_unit
from tools.nlu.values.date_offsets import direction_of, offsets_in
from tools.nlu.values.numbers import numbers_in
from tools.nlu.values.units import UNITS, Window, window_of
from tools.nlu.values.views import date_spans_in
from tools.platform.clock import clean_shift, shifted


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Don’t CLOSE", "don't close"),
        ("“quoted” – dash", '"quoted" - dash'),
        ("ﬁlter №５", "filter no5"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("a\u00a0b\tc", "a b c"),
        ("İstanbul", "i̇stanbul"),
        ("", ""),
    ],
)
def test_a_text_is_brought_into_one_form(text: str, normal: str):
    assert normalise(text).text.replace("\t", " ") == normal


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Close WO-1042, it's done.", ("close", "wo-1042", "it's", "done")),
        (
            "work-order on 2026-02-07 at 3.5 bar",
            ("work", "order", "on", "2026-02-07", "at", "3.5", "bar"),
        ),
        ("👍🏽 ok", ("ok",)),
    ],
)
def test_numbers_keep_what_joins_them(text: str, tokens: tuple[str, ...]):
    assert tuple(token.text for token in normalise(text).tokens) == tokens


def test_a_span_names_the_characters_that_were_written():
    text = "“ﬁlter”\u200b WO-1042"
    normal = normalise(text)

    written = [normal.written(token.start, token.end) for token in normal.tokens]

    assert written == ["ﬁlter", "WO-1042"]


def test_a_text_that_turns_the_writing_around_is_noticed():
    assert normalise("close \u202e2401-OW").is_disguised
    assert not normalise("fine 👩‍🔧").is_disguised


@given(st.text(max_size=MAX_READ + 50))
def test_every_span_lies_inside_the_text(text: str):
    normal = normalise(text)
    for token in normal.tokens:
        first, end = normal.span(token.start, token.end)
        assert 0 <= first < end <= len(text)
    assert normal.is_cut == (len(text) > MAX_READ)


# Slips of the keyboard, put right where nothing else can be meant.

SPELLING = Spelling(
    [
        "maintenance",
        "history",
        "purchase",
        "change",
        "report",
        "reports",
        "acknowledge",
        "watermaker",
    ]
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("maintanence", "maintenance"),
        ("histroy", "history"),
        ("purchas", "purchase"),
        ("aknowledge", "acknowledge"),
        ("watermakr", "watermaker"),
    ],
)
def test_a_slip_is_read_as_the_word_it_is_near(written: str, meant: str):
    spelt = SPELLING.mended(normalise(f"the {written} please"), frozenset())

    assert [token.text for token in spelt.normal.tokens] == ["the", meant, "please"]
    assert spelt.slips == ((written, meant),)


def test_a_slip_keeps_its_place_in_the_text():
    normal = normalise("Show the histroy!")

    (_, _, mended) = SPELLING.mended(normal, frozenset()).normal.tokens

    assert normal.written(mended.start, mended.end) == "histroy"


@pytest.mark.parametrize(
    "word",
    ["charge", "coarse", "hist", "porch", "xyzzyplugh", "reporta", "histroy7"],
    ids=["english", "english too", "too short", "not near", "no word", "two as near", "no letters"],
)
def test_what_is_no_slip_stays(word: str):
    spelt = SPELLING.mended(normalise(f"the {word}"), frozenset())

    assert spelt.slips == ()
    assert [token.text for token in spelt.normal.tokens] == ["the", word]


def test_the_name_of_a_thing_is_no_slip():
    assert SPELLING.mended(normalise("histroy"), frozenset({0})).slips == ()


@pytest.mark.parametrize(("written", "meant"), [("teh", "the"), ("tga", "tag"), ("waht", "what")])
def test_swapped_letters_tell_between_words_as_near(written: str, meant: str):
    spelling = Spelling(["the", "ten", "tag", "tab", "what", "want", "watt"])

    assert spelling.mended(normalise(f"{written} pump"), frozenset()).slips == ((written, meant),)


def test_a_word_that_one_example_has_may_be_mistyped_itself():
    spelling = Spelling(["sharing", "shareing", "trimaran"], rare=["shareing", "trimaran"])

    assert spelling.mended(normalise("stop shareing"), frozenset()).slips == (
        ("shareing", "sharing"),
    )
    assert spelling.mended(normalise("the trimaran"), frozenset()).slips == ()


def test_an_inflected_verb_is_no_slip():
    spelling = Spelling(["forward", "the", "report"], forms=["forwarded"])

    normal = spelling.mended(normalise("forwarded the report"), frozenset()).normal

    assert normal.tokens[0].text == "forwarded"


def test_another_letter_may_be_another_word():
    slips = [("vegan", "vegas"), ("juggle", "jungle"), ("histroy", "history"), ("aple", "apple")]

    assert guessed(slips) == {"vegas", "jungle"}


# A year is no count, and a number with a share behind it is not the number before it.


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("which certificates expire in 2027", False),
        ("which certificates expire before 2027?", False),
        ("which certificates expire in 2027 days", True),
        ("set the hours to 2027", True),
        ("order four and a third oil filters", False),
        ("order four and three quarters of it", False),
        ("order 4 and tell Tom", True),
    ],
)
def test_a_number_is_sure_unless_it_is_part_of_something_else(text: str, *, is_sure: bool):
    assert next(iter(numbers_in(normalise(text)))).is_sure is is_sure


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("count_stock", "change the stock of oil filters from 3 to 7", "quantity", 7),
        ("count_stock", "change the stock of oil filters from three to seven", "quantity", 7),
        ("count_stock", "stock of oil filters 3 -> 7, update it", "quantity", 7),
        ("count_stock", "there are not 3 but 7 oil filters", "quantity", 7),
        ("count_stock", "oil filters: there were 3, now 7", "quantity", 7),
        (
            "update_running_hours",
            "change the running hours of the port generator from 1200 to 1350",
            "hours",
            1350,
        ),
        ("correct_hours_of_rest", "Tom's rest was 8 hours, make it 10", "hours", 10),
        ("correct_hours_of_rest", "make Tom's rest 10 hours instead of 8", "hours", 10),
        ("correct_hours_of_rest", "change Tom's rest from 8 hours to 10 hours", "hours", 10),
        ("rate_paper", "change the rating of P-3 from 3 to 4", "rating", 4),
        ("order_part", "order from 3 to 7 oil filters", "quantity", None),
        ("order_part", "order 3 to 7 oil filters", "quantity", None),
        ("order_part", "order 4 or 5 oil filters", "quantity", None),
        ("order_part", "40, sorry, 4 oil filters", "quantity", None),
        # a fraction fills the slot that has its unit
        ("log_hours_of_rest", "log ten hours and a half of rest for Tom", "hours", 10.5),
        ("log_hours_of_rest", "log 8h30 of rest for Tom", "hours", 8.5),
        ("log_hours_of_rest", "log 10½ hours of rest for Tom", "hours", 10.5),
        ("log_hours_of_rest", "log ten hours and a third of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log 8, 9 hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log eight, nine hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log 8 or 9 hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log 8 to 9 hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "Tom rested 22h00 to 6h00", "hours", None),
        ("log_hours_of_rest", "log 8 hours 13 June for Tom", "hours", 8),
        ("log_hours_of_rest", "log 10 hours of rest for Tom", "hours", 10),
        ("correct_hours_of_rest", "Tom rested ten hours, not eight", "hours", 10),
        ("log_hours_of_rest", "log ten & a half hours of rest for Tom", "hours", 10.5),
        ("log_hours_of_rest", "log 10.5 and a half hours of rest for Tom", "hours", None),
        ("log_hours_of_rest", "log ten hours minus half an hour for Tom", "hours", None),
        ("log_hours_of_rest", "log ten hours plus half an hour for Tom", "hours", None),
        ("log_hours_of_rest", "log two times 4 hours of rest for Tom", "hours", None),
        ("rate_paper", "give GPT-3 two out of five, too long and too vague", "rating", 2),
        ("order_part", "order four and a half oil filters", "quantity", None),
        ("order_part", "order 4 oil filters in half an hour", "quantity", 4),
        ("show_expiring_certificates", "what expires within a year and a half", "days", 548),
        ("show_expiring_certificates", "what expires in 6 months, 180 days", "days", 180),
        ("show_expiring_certificates", "what expires in half a year", "days", 183),
        ("remove_note", "the bilge pump one, six, remove that note", "number", 6),
        ("remove_note", "remove note number 3 from the bilge pump", "number", 3),
        ("update_running_hours", "hours of the port generator 1200 to 1350", "hours", None),
    ],
)
def test_of_an_old_and_a_new_number_the_new_one_is_taken(fill: Filling, action, text, slot, value):
    assert fill(action, text).values.get(slot) == value


# Fractions as people write them; one that cannot be read is no number, and not the one before.


@pytest.mark.parametrize(
    ("said", "value", "unit"),
    [
        ("ten hours and a half of rest", 10.5, "hours"),
        ("eight and a half hours", 8.5, "hours"),
        ("8 and a half hours", 8.5, "hours"),
        ("ten hours and three quarters", 10.75, "hours"),
        ("half an hour", 0.5, "hour"),
        ("a half hour", 0.5, "hour"),
        ("a quarter of an hour", 0.25, "hour"),
        ("three quarters of an hour", 0.75, "hour"),
        ("an hour and a half", 1.5, "hour"),
        ("half a kilo", 0.5, "kilo"),
        ("8,5 hours", 8.5, "hours"),
        ("8,5h", 8.5, "h"),
        ("€8,50", 8.5, "€"),
        ("for 8h30", 8.5, "hour"),
        ("10 hours 30 minutes", 10.5, "hours"),
        ("ten hours and thirty minutes", 10.5, "hours"),
        ("8h 30m", 8.5, "h"),
        ("2 kg 300 g", 2.3, "kg"),
        ("10½", 10.5, ""),
        ("10 ½ hours", 10.5, "hours"),
        ("10½h", 10.5, "h"),
        ("½ hour", 0.5, "hour"),
        ("10 1/2 hours", 10.5, "hours"),
        ("1,000 hours", 1000, "hours"),
    ],
)
def test_a_fraction_is_one_number_with_its_unit(said: str, value: float, unit: str):
    (number,) = numbers_in(normalise(said))

    assert (number.value, number.unit, number.is_sure) == (value, unit, True)


@pytest.mark.parametrize(
    "said",
    [
        "eight and a third hours",
        "ten hours and a third",
        "two litres and a half day",
        "four and a half of the filters",
        "8 1/3 hours",
        "8 1/6",
        "10 hours 90 minutes",
        "about ten and a half hours",
        "four and half a litre",
    ],
)
def test_what_cannot_be_read_is_no_sure_number(said: str):
    assert not any(one.is_sure and one.value > 1 for one in numbers_in(normalise(said)))


@pytest.mark.parametrize("said", ["half a dozen", "at half eight", "the first half", "from 8h30"])
def test_what_only_looks_like_a_fraction_is_none(said: str):
    assert not any(one.is_sure and one.value < 9 for one in numbers_in(normalise(said)))


# What is said in one unit of time and held in another.


def order_by(name: str, **fields: object) -> Action:
    """Make an action with one number."""
    return Action.model_validate(
        {
            "name": "order",
            "pack": "shop",
            "summary": f"Order {{{name}}}",
            "verb": "create",
            "object": "thing",
            "slots": {name: {"type": "number", **fields}},
            "effect": "write",
            "handler": "handlers:order",
        }
    )


@pytest.mark.parametrize(
    ("name", "said", "value"),
    [
        ("days", "2 months", 61),
        ("months", "7 years", 84),
        ("days", "3 weeks", 21),
        ("days", "60 days", 60),
        ("hours", "90 minutes", 1.5),
        ("hours", "90min", 1.5),
        ("hours", "8h", 8),
        ("rest_hours", "1 day", 24),
        ("seconds", "2 minute", 120),
        ("quantity", "2 weeks", 2),
        ("quantity", "4 litres", 4),
        ("hours", "8 of them", 8),
        ("kilos", "400 grams", 0.4),
        ("kilos", "400g", 0.4),
        ("weight_kg", "4.2kg", 4.2),
        ("kilos", "12 pounds", 5.443108),
        ("kilos", "2 weeks", None),
        ("percent", "20%", 20),
        ("percent", "20 percent", 20),
        ("percent", "20 per cent", 20),
        ("price", "20%", None),
        ("price", "$50", 50),
        ("price", "50 €", 50),
        ("price", "50 pounds", 50),
        ("rooms", "$50", None),
        ("code", "4g", None),
        ("min_price", "$50", 50),
        ("min_quantity", "4 litres", 4),
        ("second_dose", "4 litres", 4),
        ("min_days", "2 weeks", 14),
    ],
)
def test_a_number_is_turned_into_the_unit_of_its_slot(name: str, said: str, value: float | None):
    (number,) = numbers_in(normalise(said))

    assert value_in_unit(order_by(name), name, number) == value


def test_a_slot_of_0_to_100_takes_a_share():
    (number,) = numbers_in(normalise("20 %"))

    assert value_in_unit(order_by("level", minimum=0, maximum=100), "level", number) == 20
    assert value_in_unit(order_by("level", minimum=0, maximum=10), "level", number) is None


@pytest.mark.parametrize(
    ("change", "unit"),
    [
        ({"summary": "Weigh {load} kg"}, "kg"),
        ({"summary": "Refund €{load}"}, "€"),
        ({"examples": ("weigh in 4kg", "12 kg please", "4.5 kilos")}, "kg"),
        ({"examples": ("weigh in 4kg", "400 g please")}, None),
        ({"examples": ("weigh in 4",)}, None),
    ],
)
def test_the_unit_of_a_slot_is_what_the_pack_says_it_in(change, unit):
    found = own_unit(order_by("load").model_copy(update=change), "load")

    assert found == (UNITS[unit] if unit else None)


@pytest.mark.parametrize(
    ("said", "window"),
    [
        ("what expires within a week", Window(7, 2, 5)),
        ("what expires in the next year please", Window(366, 2, 6)),
        ("what expired last year", None),
    ],
)
def test_a_window_without_a_number_is_one_of_it(said: str, window: Window | None):
    assert window_of("days", said.split()) == window
    assert window_of("hours", said.split()) is None


@pytest.mark.xdist_group("both-packs")
@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("what expires within a week", 7),
        ("which certificates expire in the next two months", 61),
        ("which certificates expire in 90 days", 90),
    ],
)
def test_certificates_that_expire_are_those_of_so_many_days(both: Router, text: str, days: int):
    assert both.route(text).slots == {"days": days}


# By how much a day is moved, and which day that is.


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("push it back a week", ["+1 week"]),
        ("postpone WO-1042 by ten days", ["+10 days"]),
        ("put WO-1042 off by a fortnight", ["+2 weeks"]),
        ("WO-1042 three days earlier please", ["-3 days"]),
        ("bring WO-1045 forward by 3 days", ["-3 days"]),
        ("give it one more month", ["+1 month"]),
        ("leave it for another couple of days", []),
        ("it can wait a couple of weeks longer", ["+2 weeks"]),
        ("extend the class certificate by a year", ["+1 year"]),
        # Back is earlier for who brings, forward is later for who pushes: not told.
        ("bring it back a week", []),
        ("push it forward a week", []),
        ("it is due in two weeks", []),
        ("show the last 3 weeks", []),
        ("postpone it by half a week", []),
        ("postpone it by 2.5 weeks", []),
        ("the pump ran two weeks", []),
        ("postpone it 0 days", []),
        ("push it back 999 fortnights", []),
    ],
)
def test_a_move_needs_an_amount_and_a_direction(text: str, moves: list[str]):
    assert [one.value for one in offsets_in(normalise(text))] == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("two weeks", ["+2 weeks"]),
        ("by a month", ["+1 month"]),
        ("add two weeks to loan L-3001", ["+2 weeks"]),
        ("renew L-3001 for a month", ["+1 month"]),
        ("+2 weeks", ["+2 weeks"]),
        ("-3 days", ["-3 days"]),
        ("two weeks earlier", ["-2 weeks"]),
        ("push it forward a week", []),
        ("in two weeks", []),
    ],
)
def test_who_extends_something_need_not_say_that_it_is_later(text: str, moves: list[str]):
    assert [one.value for one in offsets_in(normalise(text), direction=1)] == moves


@pytest.mark.parametrize(
    ("words", "direction"),
    [
        (("extend", "renew"), 1),
        (("postpone",), 1),
        (("bring forward",), -1),
        (("move", "change"), 0),
        (("postpone", "bring forward"), 0),
        (("push back", "bring forward"), 0),
        (("put off",), 1),
        (("snooze",), 1),
    ],
)
def test_an_action_goes_the_way_that_its_words_go(words: tuple[str, ...], direction: int):
    action = Action(
        name="move_loan",
        pack="shop",
        summary="Loan {loan}",
        verb="update",
        words=words,
        object="loan",
        effect="write",
        handler="handlers:move_loan",
    )
    assert direction_of(action) == direction


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("due in two weeks", "2026-02-14"),
        ("due in a month", "2026-02-28"),
        ("ten days from now", "2026-02-10"),
        ("since three days ago", "2026-01-28"),
        ("within two weeks", None),
        ("every two weeks", None),
    ],
)
def test_a_day_so_far_away_is_counted_from_today(text: str, day: str | None):
    spans = date_spans_in(normalise(text), date(2026, 1, 31))
    found = [str(one.value) for one in spans if one.value]

    assert found == ([day] if day else [])


@pytest.mark.parametrize(
    ("by", "day"),
    [
        ("+1 month", "2024-02-29"),
        ("-11 months", "2023-02-28"),
        ("+1 year", "2025-01-31"),
        ("-1 day", "2024-01-30"),
    ],
)
def test_a_day_that_the_month_has_not_is_its_last(by: str, day: str):
    assert shifted(date(2024, 1, 31), by).isoformat() == day


@pytest.mark.parametrize("written", ["1 week", "+0 days", "+1 hour", "+1000 days", "", 7])
def test_what_is_no_move_is_refused(written: object):
    with pytest.raises(ValueError, match="must be a move"):
        clean_shift(written)


def test_a_move_out_of_the_calendar_is_refused():
    assert clean_shift("+1 weeks") == "+1 week"
    with pytest.raises(ValueError, match="calendar"):
        shifted(date(9990, 1, 1), "+999 years")


@pytest.mark.parametrize("text", ["in 0 days", "500 fortnights ago", "in 999 years"])
def test_a_day_that_no_calendar_has_is_none(text: str):
    found = date_spans_in(normalise(text), date(9001, 1, 1))

    assert [one.value for one in found if one.value is not None] == []
