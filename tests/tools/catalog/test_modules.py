from collections.abc import Callable
from pathlib import Path

import pytest

from state.errors import NotFound
from tools.catalog.pack import load_pack
from tools.catalog.pack_code import load_pack_module

PackWriter = Callable[..., Path]


def test_a_module_is_imported_by_folder_and_anew_when_the_pack_changes(
    write_pack: PackWriter,
) -> None:
    source = "from .store import search_documents\nanswer = {}\n"
    folder = write_pack(lookups__py="def work_orders(data_dir): return {'WO-1': ['a']}\n")
    first = load_pack_module(load_pack(folder), "lookups")
    (folder / "lookups.py").write_text("def work_orders(data_dir): return {'WO-2': ['a']}\n")

    second = load_pack_module(load_pack(folder), "lookups")

    assert first.work_orders(folder) == {"WO-1": ["a"]}
    assert second.work_orders(folder) == {"WO-2": ["a"]}
    assert load_pack_module(load_pack(folder), "lookups") is second
    (folder / "relative.py").write_text(source.format(3))
    assert load_pack_module(load_pack(folder), "relative").answer == 3


@pytest.mark.parametrize("name", ["none", "../x", "os.path", ""])
def test_a_module_that_is_not_of_the_pack_is_not_found(write_pack: PackWriter, name: str) -> None:
    with pytest.raises(NotFound):
        load_pack_module(load_pack(write_pack()), name)
