"""A wish for quiet beside a request: the quiet begins at once, the rest waits for a person."""

import pytest

from tests.graph.harbour import Harbour

QUIET = "Quiet for 10 minutes. Threats of 0.8 or more still get through."


@pytest.mark.parametrize(
    "text",
    [
        "be quiet for 10 minutes then close lock LK-12",
        "close lock LK-12, be quiet for 10 minutes",
        "show lock LK-12 and please be quiet for 10 minutes",
    ],
)
async def test_both_are_heeded_and_nothing_runs(harbour: Harbour, text: str) -> None:
    said = await harbour.says(text)

    assert (said.outcome, said.offer_id is not None) == ("offered", True)
    assert said.text.startswith(f"{QUIET}\nDid you mean:")
    assert (await harbour.session()).muted_until is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("be quiet for 10 minutes, the guests are asleep", QUIET),
        ("be quiet for 10 minutes and paint the fence", f"{QUIET} I know no action for “paint"),
    ],
)
async def test_what_no_action_covers_is_told(harbour: Harbour, text: str, told: str) -> None:
    said = await harbour.says(text)

    assert said.text.startswith(told)
    assert (await harbour.session()).muted_until is not None


@pytest.mark.parametrize(
    "text",
    [
        "don't close lock LK-12 and be quiet for 10 minutes",
        "write in the log: they were asked, be quiet for 10 minutes",
        "note in the log that the buoy drifted and be quiet for 10 minutes",
        "he said close it and be quiet for 10 minutes",
    ],
)
async def test_what_is_denied_told_or_written_down_hushes_nobody(
    harbour: Harbour, text: str
) -> None:
    await harbour.says(text)

    assert (await harbour.session()).muted_until is None
