from collections import Counter

import pytest

from evals.robustness.commands import Command, commands_of, gerund, participle, past
from evals.robustness.mutations import RoutingBench, Shape, mutations, read_shapes
from state.action import Action

CLOSE = Command("close_work_order", "sign off the radar job", "sign off", "the radar job")
COUNT = Command("check_stock", "count the oil filters", "count", "the oil filters")


def action(*examples: str) -> Action:
    return Action.model_validate(
        {
            "name": "close_work_order",
            "pack": "p",
            "summary": "s",
            "verb": "update",
            "object": "work_order",
            "effect": "destructive",
            "handler": "h:close",
            "examples": examples,
        }
    )


def mutated(template: str) -> list[str]:
    shape = Shape(kind="k", leaves="nothing", template=template)
    made = mutations([CLOSE, COUNT], [shape], seed=1)
    return [one.text for one in made if one.action == "close_work_order"]


def test_what_asks_for_nothing_has_at_least_25_shapes_of_each_kind() -> None:
    kinds = Counter(shape.kind for shape in read_shapes() if shape.leaves in ("nothing", "reads"))
    assert len(kinds) >= 14
    assert min(kinds.values()) >= 25, kinds


def test_no_shape_is_held_out_and_tuned_on() -> None:
    tuned = {shape.template for shape in read_shapes()}
    held_out = read_shapes(held_out=True)
    assert len(held_out) >= 40
    assert not [shape for shape in held_out if shape.template in tuned]


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("don’t {do}", "don’t sign off the radar job"),
        ("{DO}", "SIGN OFF THE RADAR JOB"),
        ("stop {doing}", "stop signing off the radar job"),
        ("who {did}?", "who signed off the radar job?"),
        ("{thing} was {participle}", "the radar job was signed off"),
        ("{do}, never {other}", "sign off the radar job, never count the oil filters"),
        ("{do} without {othering}", "sign off the radar job without counting the oil filters"),
    ],
)
def test_a_command_is_put_into_a_shape(template: str, text: str) -> None:
    assert mutated(template) == [text]


def test_a_shape_that_a_command_does_not_fit_is_left_out() -> None:
    search = Command("search", "look for the fire plan", "look", "for the fire plan")
    shape = Shape(kind="k", leaves="nothing", template="{thing} was {participle}")
    assert list(mutations([search], [shape], seed=1)) == []


def test_the_same_seed_chooses_the_same_messages(bank: RoutingBench) -> None:
    def made(seed: int) -> list[str]:
        drawn = mutations(bank.commands(), read_shapes()[:20], seed=seed)
        return [one.text for one in drawn]

    assert made(1) == made(1) != made(2)


def test_only_examples_that_give_an_order_are_commands() -> None:
    given = action(
        "Sign off the radar job.",
        "the radar is done",
        "is the radar job closed",
        "close it if the filter is changed",
        "close",
    )
    assert commands_of([given]) == [CLOSE]


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("close", ("closing", "closed", "closed")),
        ("cancel", ("cancelling", "cancelled", "cancelled")),
        ("carry", ("carrying", "carried", "carried")),
        ("display", ("displaying", "displayed", "displayed")),
        ("withdraw", ("withdrawing", "withdrew", "withdrawn")),
        ("unfreeze", ("unfreezing", "unfroze", "unfrozen")),
        ("resend", ("resending", "resent", "resent")),
        ("set", ("setting", "set", "set")),
    ],
)
def test_verbs_are_inflected(verb: str, forms: tuple[str, str, str]) -> None:
    assert (gerund(verb), past(verb), participle(verb)) == forms
