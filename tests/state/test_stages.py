"""One class that grows: a stage holds what the stages before it found."""

from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from state.channels import State
from state.stages import (
    Assessed,
    Classified,
    Composed,
    Decided,
    Gathered,
    Opened,
    Received,
    Resolved,
    Settled,
    Timed,
    Weighed,
)
from tests.stages import every_stage

LINE: list[type[BaseModel]] = [
    Opened,
    Received,
    Weighed,
    Assessed,
    Timed,
    Decided,
    Resolved,
    Classified,
    Settled,
    Composed,
]
EVERY: list[type[BaseModel]] = [*LINE, Gathered]


@pytest.mark.parametrize(("before", "after"), list(pairwise(LINE)))
def test_a_stage_is_the_one_before_and_what_was_added(
    before: type[BaseModel], after: type[BaseModel]
) -> None:
    assert issubclass(after, before)
    assert set(after.model_fields) > set(before.model_fields)


@pytest.mark.parametrize("stage", EVERY)
def test_a_stage_reads_only_channels_that_a_thread_stores(stage: type[BaseModel]) -> None:
    assert set(stage.model_fields) <= set(State.__annotations__)


@pytest.mark.parametrize(
    ("stage", "field"),
    [
        (stage, name)
        for stage in EVERY
        for name, info in stage.model_fields.items()
        if info.is_required()
    ],
)
def test_a_skipped_stage_is_an_error_that_names_the_field(
    stage: type[BaseModel], field: str
) -> None:
    given: dict[str, Any] = every_stage()
    del given[field]
    with pytest.raises(ValidationError) as refused:
        stage.model_validate(given)
    assert [(error["loc"], error["type"]) for error in refused.value.errors()] == [
        ((field,), "missing")
    ]


def test_a_stage_reads_plain_json_too() -> None:
    given = {
        name: noun.model_dump(mode="json") if isinstance(noun, BaseModel) else noun
        for name, noun in every_stage().items()
    }
    assert Gathered.model_validate(given) == Gathered.model_validate(every_stage())


def test_a_stage_cannot_be_changed() -> None:
    opened = Opened(event=every_stage()["event"])
    with pytest.raises(ValidationError, match="frozen"):
        opened.event = every_stage()["event"]
