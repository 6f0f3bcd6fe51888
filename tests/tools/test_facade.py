"""Facades: each public name is there, few are, and none leads past the gate."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

PACKAGES = sorted(path.parent.name for path in Path("tools").glob("*/__init__.py"))
MOST_NAMES = 12


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_has_few_public_names_and_all_of_them_exist(name: str) -> None:
    package = import_module(f"tools.{name}")
    names = getattr(package, "__all__", [])
    assert len(names) <= MOST_NAMES
    for each in names:
        exec(f"from tools.{name} import {each}")


@pytest.mark.parametrize("name", PACKAGES)
def test_what_is_loaded_when_used_is_what_type_checkers_see(name: str) -> None:
    """Other rules read the imports of a file, so a facade must not hide one in a string."""
    tree = ast.parse(Path(f"tools/{name}/__init__.py").read_text("utf-8"))
    package = f"tools.{name}"
    seen = {
        (str(node.module).removeprefix(f"{package}."), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{package}.")
        for alias in node.names
    }
    loaded = {
        (module, one)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "lazy_names"
        for module, names in ast.literal_eval(node.args[1]).items()
        for one in names
    }
    assert loaded in (seen, set())


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    package = import_module("tools.access")
    with pytest.raises(AttributeError, match="has no attribute 'JwtVerifier'"):
        package.JwtVerifier  # noqa: B018
