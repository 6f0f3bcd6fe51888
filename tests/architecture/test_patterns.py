"""No pattern asks for what an older Python's `re` reads wrongly."""

import ast
import re

import pytest

from tests.architecture.source import everything

pytestmark = pytest.mark.xdist_group("source")

_MISREAD = re.compile(r"\(\?>|\)(?:[*+?]|\{{1,2}\d*(?:,\d*)?\}{1,2})\+")
"""An atomic group, or a possessive quantifier behind a group; behind one character it is right."""

_CLASS = re.compile(r"\[(?:\\.|[^\]\\])+\]")
"""Between brackets every sign stands for itself."""


def test_no_pattern_has_an_atomic_group_or_a_possessive_one():
    """`(?>...)` and `(...)*+` match otherwise before Python 3.11.5 (gh-106052): use `at_once`.

    Debian 12 has 3.11.2, on which `could I possibly get` became a topic.
    """
    assert [
        f"{source.name}:{node.lineno}"
        for source in everything()
        if source.name not in (_HERE, _WHERE_IT_IS_TOLD)
        for node in source.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if _MISREAD.search(_CLASS.sub("x", node.value))
    ] == []


_HERE = "tests/architecture/test_patterns.py"
_WHERE_IT_IS_TOLD = "tools/nlu/search_query/lexicon.py"
