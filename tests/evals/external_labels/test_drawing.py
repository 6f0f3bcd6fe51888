"""What becomes an example, what is asked, and what counts as foreign."""

import pytest

from evals.robustness.external_labels import Plan, draw_sample
from state.errors import BadInput

ROWS = [
    {"text": f"{split} {label} {number}", "intent": label, "split": split}
    for label in ("open the lock", "close", "lift", "lower", "oos")
    for split in ("train", "val")
    for number in range(6)
]
ROWS += [{"text": "sing", "intent": "oos", "split": "oos_train"}]


def test_examples_come_from_one_split_and_questions_from_another() -> None:
    draw = draw_sample(ROWS, Plan(per_action=4), seed=1)

    assert len(draw.examples) == 16
    assert {row["split"] for row in draw.examples} == {"train"}
    covered = [wanted for _text, wanted in draw.asked if wanted is not None]
    assert sorted(set(covered)) == ["close", "lift", "lower", "open_the_lock"]
    assert len(covered) == 24
    assert sum(wanted is None for _text, wanted in draw.asked) == 13


def test_labels_that_are_no_action_are_foreign() -> None:
    draw = draw_sample(ROWS, Plan(actions=2, asked_per_action=3), seed=2)

    actions = {row["intent"] for row in draw.examples}
    foreign = [text for text, wanted in draw.asked if wanted is None]
    assert len(actions) == 2
    assert len(draw.asked) == 6 + len(foreign)
    assert len(foreign) == 13 + 6
    assert not any(text.startswith(f"val {action} ") for action in actions for text in foreign)


def test_what_is_asked_of_the_examples_own_split_is_no_example() -> None:
    draw = draw_sample(ROWS, Plan(asked="train", per_action=4), seed=3)

    examples = {row["text"] for row in draw.examples}
    asked = {text for text, _wanted in draw.asked}
    assert not examples & asked
    assert sum(wanted is not None for _text, wanted in draw.asked) == 8


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    plan = Plan(actions=2, per_action=2)
    assert draw_sample(ROWS, plan, seed=5) == draw_sample(ROWS, plan, seed=5)
    assert len({str(draw_sample(ROWS, plan, seed=seed).examples) for seed in range(8)}) > 1


@pytest.mark.parametrize(
    "plan", [Plan(split="test"), Plan(asked="test"), Plan(asked="train", per_action=6)]
)
def test_a_draw_of_nothing_is_refused(plan: Plan) -> None:
    with pytest.raises(BadInput):
        draw_sample(ROWS, plan, seed=1)
