"""A number that named one thing never names another, or an old undo would take the wrong one."""

from collections.abc import Mapping

import pytest

from packs.vessel import handlers
from state.action import HandlerContext
from state.errors import NotFound
from tests.packs.vessel.asking import (
    CATALOGUE,
    EXPORTED,
    ITEM,
    LINE,
    NOTED,
    NOTED_ON_ORDER,
    PHOTO,
    SUMMED,
    UPLOADED,
    USED,
    Call,
    anew,
    do,
    named,
)

pytestmark = pytest.mark.usefixtures("made_store")


def way_back(context: HandlerContext, name: str, told: Mapping[str, object]) -> None:
    undo = str(CATALOGUE[name]["undo"])
    slots = CATALOGUE[undo]["slots"]
    assert isinstance(slots, Mapping)
    getattr(handlers, undo)(anew(context), **{key: told[key] for key in told if key in slots})


@pytest.mark.parametrize(
    "added",
    [NOTED, NOTED_ON_ORDER, USED, PHOTO, ITEM, LINE, EXPORTED, UPLOADED, SUMMED],
    ids=named,
)
def test_an_old_way_back_does_not_take_what_somebody_else_added(
    context: HandlerContext, added: Call
) -> None:
    old = do(context, added).undo
    assert old is not None
    way_back(context, added.action, old)
    ben = context.model_copy(update={"user": "ben"})
    new = do(ben, added).undo
    assert new is not None

    with pytest.raises(NotFound):
        way_back(context, added.action, old)

    way_back(ben, added.action, new)
