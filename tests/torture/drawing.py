"""What hypothesis-jsonschema asks of Hypothesis that Hypothesis now calls by another name.

Schemathesis up to 4.15 draws with it; the later ones do not, and cannot stand beside
langgraph-api, which wants an older jsonschema-rs. This can go when that has moved.
"""

from collections.abc import Iterator

from hypothesis.internal.conjecture import utils
from hypothesis_jsonschema import _from_schema


class Many(utils.many):
    """A collection that is drawn until `more` says no, as it was before Hypothesis 6.15x."""

    _going: Iterator[None] | None = None

    def more(self) -> bool:
        """Tell whether one more element is drawn."""
        if self._going is None:
            self._going = iter(self.__enter__())
        try:
            next(self._going)
        except StopIteration:
            self.__exit__(None)
            return False
        return True


class _Utilities:
    """The module of Hypothesis, with `many` as it was."""

    many = Many

    def __getattr__(self, name: str) -> object:
        return getattr(utils, name)


def draw_as_before() -> None:
    """Give hypothesis-jsonschema what it asks for; of Hypothesis nothing is changed."""
    setattr(_from_schema, "cu", _Utilities())  # noqa: B010 - its own import, not meant for us
