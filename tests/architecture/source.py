"""The source tree as the architecture tests see it: its files, read and parsed once."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("state", "tools", "nodes", "graph", "api", "packs", "evals")
SDK = "sdk/prefrontal"
"""The package of the other distribution, which clients and packs import."""


@dataclass(frozen=True)
class Source:
    """One Python file."""

    name: str
    """Its path from the root, with slashes."""
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """Return the parsed file."""
        return ast.parse(self.text, self.name)

    @property
    def lines(self) -> int:
        """Return how many lines it has."""
        return len(self.text.splitlines())

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Return every node of the parsed file."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> set[str]:
        """Return the full name of every module it imports, wherever in the file."""
        found = set[str]()
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
        return found


@cache
def product() -> tuple[Source, ...]:
    """Return every file that ships."""
    return tuple(_read(*PACKAGES, SDK))


@cache
def everything() -> tuple[Source, ...]:
    """Return every file that ships, and the tests."""
    return (*product(), *_read("tests"))


def _read(*folders: str) -> Iterator[Source]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield Source(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
