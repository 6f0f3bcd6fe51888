"""Tables for `parametrize`: many groups of cases that ask the same of the code."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

Titled = Mapping[str, Iterable[tuple[Any, ...]]]
"""The cases of a test under titles; a case has as many cells as the test has parameters."""


def titled(tables: Titled) -> list[Any]:
    """Return the rows of all tables for `parametrize`; a title begins the name of its cases."""
    return [
        pytest.param(*cells, id=f"{title}: {'-'.join(c for c in cells if isinstance(c, str))}")
        for title, rows in tables.items()
        for cells in rows
    ]


def expecting(tables: Mapping[Any, Iterable[str]]) -> list[tuple[str, Any]]:
    """Return each text beside what is expected of it: the key that its list stands under."""
    return [(text, expected) for expected, texts in tables.items() for text in texts]
