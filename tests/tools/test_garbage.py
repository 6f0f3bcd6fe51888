"""What stays is not collected, and the collector is left as it was found."""

import gc
from collections.abc import Iterator

import pytest

from tools.platform.process_resources import gc_paused


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """Give it back as it was."""
    yield
    gc.enable()


def test_what_is_made_meanwhile_is_never_looked_at_again() -> None:
    with gc_paused():
        assert not gc.isenabled()
        made: list[list[object]] = [[] for _ in range(1000)]
    assert gc.isenabled()
    looked_at = {id(one) for one in gc.get_objects()}
    assert looked_at.isdisjoint(map(id, made))


def test_it_goes_on_after_an_import_that_fails() -> None:
    with pytest.raises(ImportError), gc_paused():
        raise ImportError("no such module")
    assert gc.isenabled()


def test_who_turned_it_off_finds_it_off() -> None:
    gc.disable()
    with gc_paused():
        pass
    assert not gc.isenabled()
