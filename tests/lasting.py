"""What all tests of a folder share and no other needs: it ends with the last of them.

A fixture of scope `package` would last as long as the session, for no folder has an `__init__.py`.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Generic, TypeVar

import pytest

T = TypeVar("T")


class Lasting(Generic[T]):
    """One thing that is opened for the first test that asks for it."""

    def __init__(self, folder: Path) -> None:
        """Hold nothing yet; `folder` is where the tests are that share it."""
        self._folder, self._ending = folder, ExitStack()
        self._held: list[T] = []

    def get(self, opened: Callable[[], AbstractContextManager[T]]) -> T:
        """Give what is held, opened now if nothing is."""
        if not self._held:
            self._held.append(self._ending.enter_context(opened()))
        return self._held[0]

    def end_before(self, following: pytest.Item | None) -> None:
        """Close it unless the test that follows is of the folder too."""
        if following is None or following.path.parent != self._folder:
            self._held.clear()
            self._ending.close()
