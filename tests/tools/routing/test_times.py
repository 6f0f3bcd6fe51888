"""A time to come that no slot can hold leaves a change to the person; other days do not."""

from pathlib import Path

import pytest

from tests.tools.routing.conftest import Routed
from tools.routing.router import Router


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 tomorrow",
        "tomorrow, please close WO-1042",
        "close it for me, WO-1042, next week",
    ],
)
def test_a_change_at_another_time_is_never_sure(route: Routed, text: str) -> None:
    routing = route(text)

    assert routing.confidence <= 0.45
    assert any(one.startswith("no_slot_for:") for one in routing.reasons)


@pytest.mark.parametrize(
    "text",
    ["show WO-1042 tomorrow", "close WO-1042 today", "add note to WO-1042: look again tomorrow"],
)
def test_reads_today_and_told_words_are_left_alone(route: Routed, text: str) -> None:
    assert not any(one.startswith("no_slot_for:") for one in route(text).reasons)


def test_a_date_is_to_come_only_when_today_is_known(router: Router, data_dir: Path) -> None:
    (data_dir / "orders.json").write_text('{"WO-1042": []}')
    routing = router.route("close WO-1042 on 2026-05-01", data_dir=data_dir)

    assert not any(one.startswith("no_slot_for:") for one in routing.reasons)
