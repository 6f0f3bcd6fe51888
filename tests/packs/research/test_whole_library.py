"""Nobody is asked for a yes to empty the library where only a part of it was meant."""

import pytest

from tests.packs.research.conversation import OWNER, Talk


@pytest.mark.parametrize(
    "text",
    [
        "delete all unread papers",
        "remove all read papers",
        "empty the library of duplicates",
        "clear the library tag transformers",
        "delete the papers nobody cites from the library",
    ],
)
async def test_a_part_of_the_library_is_not_all_of_it(talk: Talk, text: str) -> None:
    record = await talk.says(text, OWNER)

    assert record.outcome != "awaiting_approval", record.text


async def test_all_of_it_is_asked_for(talk: Talk) -> None:
    record = await talk.says("empty the library", OWNER)

    assert (record.outcome, record.action) == ("awaiting_approval", "clear_library")
