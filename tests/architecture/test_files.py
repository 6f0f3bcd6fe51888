"""Files are explained and finished."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from dotenv import dotenv_values

from graph.settings import Settings
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


# No pattern asks for what an older Python's `re` reads wrongly.

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


_HERE = "tests/architecture/test_files.py"
_WHERE_IT_IS_TOLD = "tools/nlu/search_query/lexicon.py"


# `.env.example` names every setting, and every line of it can be uncommented as it stands.

EXAMPLE = ROOT / ".env.example"


def _names_of_settings() -> set[str]:
    return {
        str(field.validation_alias or f"EXECUTIVE_{name.upper()}")
        for name, field in Settings.model_fields.items()
    }


def _names_in_example() -> set[str]:
    return set(re.findall(r"^# ([A-Z_]+)=", EXAMPLE.read_text(encoding="utf-8"), re.MULTILINE))


def test_the_example_names_every_setting_and_no_other():
    named = {name for name in _names_in_example() if not name.startswith("LANGSMITH_")}
    assert named == _names_of_settings()


def test_the_example_can_be_uncommented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"^# (?=[A-Z_]+=)", "", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (tmp_path / ".env").write_text(text, encoding="utf-8")
    assert len(dotenv_values(tmp_path / ".env")) == len(_names_in_example())
    assert Settings().packs == ("vessel",)


def test_nothing_has_to_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert Settings().host == "127.0.0.1"
