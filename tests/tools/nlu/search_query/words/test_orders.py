"""Each verb of an order stands in one list, so that no two rules learn it apart."""

import ast
from collections import Counter
from pathlib import Path

from tools.nlu.search_query import lexicon as orders


def test_each_verb_stands_once() -> None:
    tree = ast.parse(Path(orders.__file__).read_text(encoding="utf-8"))
    words = Counter(node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))

    assert [word for word, count in words.items() if count > 1] == []
