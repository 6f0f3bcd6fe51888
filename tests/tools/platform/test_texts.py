"""Texts: fields, clauses, clear errors; every key is used, and every used key and field exists."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from jinja2 import Environment
from jinja2.nodes import Call, Concat, Const, Name

from tests.architecture.source import ROOT, product
from tools.platform.texts import MissingText, areas, fields_of, section, t, texts

TEMPLATES = ROOT / "api/console/templates"


def test_fields_are_filled_in() -> None:
    assert t("decision.against_threshold", relevance=0.126, threshold=0.65) == (
        "relevance 0.13, threshold 0.65"
    )


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("", "Said"), (None, "Said"), ((), "Said"), ("urgent", "Said: urgent"), (0, "Said: 0")],
)
def test_a_clause_without_its_field_is_dropped(reason: object, expected: str) -> None:
    assert t("decision.summary", outcome="Said", reason=reason) == expected


def test_a_clause_may_go_over_lines() -> None:
    assert t("answer.approval_required", told="", summary="x") == "Approval required: x"
    assert t("answer.approval_required", told="Hi", summary="x") == "Hi\nApproval required: x"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("decision.nothing_like_it", "no text 'decision.nothing_like_it'"),
        ("nowhere.at_all", "no texts of the area 'nowhere'"),
        ("decision.summary", "the text 'decision.summary' needs the field 'outcome'"),
    ],
)
def test_what_is_missing_is_named(key: str, words: str) -> None:
    with pytest.raises(MissingText, match=re.escape(words)):
        t(key)


def test_a_section_without_texts_is_named() -> None:
    with pytest.raises(MissingText, match="no text under"):
        section("decision.nowhere")


def test_every_text_passes_the_prose_linter() -> None:
    tables = tomllib.loads((ROOT / "docs/style/vocabulary.toml").read_text("utf-8"))
    rules = {**tables["words"], **tables["clauses"]}
    wrong = [
        (key, found[0], instead)
        for key, text in _all().items()
        for pattern, instead in rules.items()
        if (found := re.search(pattern, text.replace("Say yes", ""), re.IGNORECASE))
    ]
    assert wrong == []


def test_every_used_key_exists_with_exactly_its_fields() -> None:
    wrong = []
    for place, key, given in _calls():
        fields = (
            fields_of(_all()[key].replace("[[", "").replace("]]", "")) if key in _all() else None
        )
        if fields is None or (given is not None and fields != given):
            wrong.append((place, key, sorted(fields or ()), sorted(given or ())))
    assert wrong == []


def test_every_key_is_used() -> None:
    used = {key for _, key, _ in _calls()}
    prefixes = tuple(_prefixes())
    assert [key for key in _all() if key not in used and not key.startswith(prefixes)] == []


@cache
def _all() -> dict[str, str]:
    return {key: text for area in areas() for key, text in texts(area).items()}


def _fields(key: str) -> frozenset[str]:
    return fields_of(_all().get(key, "").replace("[[", "").replace("]]", ""))


def _calls() -> Iterator[tuple[str, str, frozenset[str] | None]]:
    """Give place, key and field names of each use; None: the fields are known at run time only."""
    for source in product():
        for node in _uses(source.tree, "t"):
            names = {each.arg for each in node.keywords}
            given = None if None in names else frozenset(name for name in names if name)
            for key in _literals(node.args[0]):
                is_one_of_two = given is not None and isinstance(node.args[0], ast.IfExp)
                named = given & _fields(key) if given and is_one_of_two else given
                yield f"{source.name}:{node.lineno}", key, named
    for path in TEMPLATES.glob("*.html"):
        for call in _template_uses(path):
            if isinstance(call.args[0], Const):
                filled = frozenset(str(each.key) for each in call.kwargs)
                yield f"{path.name}:{call.lineno}", str(call.args[0].value), filled


def _prefixes() -> Iterator[str]:
    """Give the beginnings of keys that are put together at run time."""
    for source in product():
        for node in _uses(source.tree, "t", "section"):
            match node.args[0]:
                case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]):
                    yield start
                case ast.Constant(value=str(start)) if _name_of(node) == "section":
                    yield f"{start}."
    for path in TEMPLATES.glob("*.html"):
        for call in _template_uses(path):
            match call.args[0]:
                case Concat(nodes=[Const(value=str(start)), *_]):
                    yield start


def _literals(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(key)):
            yield key
        case ast.IfExp():
            yield from _literals(node.body)
            yield from _literals(node.orelse)


def _uses(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name_of(node) in names and node.args:
            yield node


@cache
def _template_uses(path: Path) -> list[Call]:
    parsed = Environment(autoescape=True, extensions=[]).parse(path.read_text("utf-8"))
    return [
        call
        for call in parsed.find_all(Call)
        if isinstance(call.node, Name) and call.node.name == "t" and call.args
    ]


def _name_of(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""
