"""Things that are the same each time they are made: made once by a process, the newest few."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Held(Generic[T]):
    """Things of one kind by the name of all that they follow from; nobody may change one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[str, T] = OrderedDict()
        self._turn = Lock()

    def get(self, name: str, make: Callable[[], T]) -> T:
        """Give what is called so; it is made if it is not there, by two at once for both."""
        with self._turn:
            if name in self._made:
                self._made.move_to_end(name)
                return self._made[name]
        made = make()
        with self._turn:
            self._made[name] = made
            self._made.move_to_end(name)
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return made
