"""Files are explained and finished."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.source import PACKAGES, ROOT, Source, everything, product

pytestmark = pytest.mark.xdist_group("source")

WRITTEN_BY_TOOLS = ("tools/storage/migrations/",)


def test_annotations_are_never_postponed():
    assert [
        source.name for source in everything() if "__future__.annotations" in source.imports
    ] == []


def test_nothing_is_left_to_do():
    unfinished = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX)\b|NotImplemented" + "Error")
    assert [
        f"{source.name}:{number}"
        for source in everything()
        for number, line in enumerate(source.text.splitlines(), 1)
        if unfinished.search(line)
    ] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_in_one_sentence_what_it_is(package: str):
    wrong = []
    for folder in [ROOT / package, *(ROOT / package).rglob("*/")]:
        if not any(folder.glob("*.py")) or (ROOT / "packs") in folder.parents:
            continue  # a pack is a folder of anyone's, and need not be a package
        path = folder / "__init__.py"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        sentence = (ast.get_docstring(ast.parse(text)) or "").strip()
        if not sentence.endswith(".") or "\n" in sentence:
            wrong.append(path.relative_to(ROOT).as_posix())
    assert wrong == []


def test_tests_are_no_package():
    assert [source.name for source in everything() if source.name.startswith("tests/")]
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_a_module_says_what_to_ask_it_for():
    assert [source.name for source in product() if not ast.get_docstring(source.tree)] == []


def test_everything_public_is_explained():
    assert [
        f"{source.name}:{node.lineno} {node.name}"
        for source in product()
        if not source.name.startswith(WRITTEN_BY_TOOLS)
        for node in _public(source)
        if not ast.get_docstring(node)
    ] == []


Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _public(source: Source) -> Iterator[Named]:
    for node in _named(source.tree.body):
        yield node
        if isinstance(node, ast.ClassDef):
            yield from _named(node.body)


def _named(body: list[ast.stmt]) -> Iterator[Named]:
    for node in body:
        if isinstance(node, Named) and not node.name.startswith("_") and not _inherits(node):
            yield node


def _inherits(node: Named) -> bool:
    marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
    return bool(marks & {"override", "overload"})


def test_no_route_reads_a_whole_tenant_for_a_caller():
    whole = re.compile(r"executive\.(?:\w+\.)*(\w+)\([^()]*\bcaller\.tenant_id\b")
    within = {"metrics", "over_time", "history"}  # counts, of which no session is told
    within |= {"standing", "goals", "modulations", "skills", "of", "entity", "forget", "page"}
    # These take a session beside it, which api/http/route.py has looked at, or a person.
    assert [
        f"{source.name}: {found[0]}"
        for source in product()
        if source.name.startswith("api/")
        for found in whole.finditer(source.text)
        if found[1] not in within
    ] == []
