"""Tables for `parametrize`: many groups of cases that ask the same of the code."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest


def titled(tables: Mapping[str, Iterable[Any]]) -> list[Any]:
    """Return the rows of all tables for `parametrize`; a title begins the name of its cases."""
    return [
        pytest.param(*cells, id=f"{title}: {'-'.join(c for c in cells if isinstance(c, str))}")
        for title, rows in tables.items()
        for row in rows
        for cells in [row if isinstance(row, tuple) else (row,)]
    ]


def expecting(tables: Mapping[Any, Iterable[str]]) -> list[tuple[str, Any]]:
    """Return each text beside what is expected of it: the key that its list stands under."""
    return [(text, expected) for expected, texts in tables.items() for text in texts]
