"""Faults that no single field shows: imports that are not there, kinds of nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.catalog.conftest import HANDLERS, shown
from tools.catalog.pack import check_pack

PackWriter = Callable[..., Path]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import nothere.at_all", "handlers.py:1 imports nothere, which is not installed"),
        ("from nothere import x", "handlers.py:1 imports nothere, which is not installed"),
        ("from store import search_documents", "write `from . import store`"),
        ("try:\n    import nothere\nexcept ImportError:\n    nothere = None", None),
        ("import json.decoder, yaml", None),
    ],
)
def test_an_import_of_what_is_not_there_is_named(
    write_pack: PackWriter, line: str, expected: str | None
) -> None:
    faults = shown(check_pack(write_pack(handlers__py=f"{line}\n{HANDLERS}")))

    assert any(expected in fault for fault in faults) if expected else faults == []


def test_a_kind_that_names_nothing_is_named_and_a_broken_file_is_not_told_twice(
    write_pack: PackWriter,
) -> None:
    empty = shown(check_pack(write_pack(entities__yaml="entities: {work_order: {}}")))
    broken = shown(check_pack(write_pack(entities__yaml="entities: {work_order: {list: [1]}}")))

    assert len(empty) == len(broken) == 1
    assert "entities.work_order: names nothing; give it a list" in empty[0]
    assert 'entities.work_order.list: must hold texts; write it in quotes: "1"' in broken[0]
