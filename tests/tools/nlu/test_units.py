"""What is said in one unit of time and held in another."""

import pytest

from state.action import Action
from tools.nlu.intents.router import Router
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.slots.number_slots import own_unit, value_in_unit
from tools.nlu.values.numbers import numbers_in
from tools.nlu.values.units import UNITS, Window, window_of


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
def test_a_number_is_turned_into_the_unit_of_its_slot(
    name: str, said: str, value: float | None
) -> None:
    (number,) = numbers_in(normalise(said))

    assert value_in_unit(order_by(name), name, number) == value


def test_a_slot_of_0_to_100_takes_a_share() -> None:
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
def test_the_unit_of_a_slot_is_what_the_pack_says_it_in(
    change: dict[str, object], unit: str | None
) -> None:
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
def test_a_window_without_a_number_is_one_of_it(said: str, window: Window | None) -> None:
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
def test_certificates_that_expire_are_those_of_so_many_days(
    both: Router, text: str, days: int
) -> None:
    assert both.route(text).slots == {"days": days}
