"""Read YAML into plain values with the line of every value."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from state.errors import PackFault

MAX_FILE_BYTES = 16 * 1024 * 1024
"""A pack of 150 actions with 100 examples each is about 1 MB."""
MAX_VALUES = 500_000
"""Values after aliases are written out: a few aliases of aliases would otherwise fill memory."""
MAX_DEPTH = 50

FieldPath = tuple[str | int, ...]


@dataclass(frozen=True)
class YamlWithLines:
    """One file's value with its lines, and what was wrong with it as YAML."""

    file: Path
    value: Any  # whatever the file holds: validated by the models afterwards
    lines: Mapping[FieldPath, int] = field(default_factory=dict)
    faults: tuple[PackFault, ...] = ()

    def line(self, path: FieldPath) -> int | None:
        """Find the line of `path`, or of the nearest thing around it that was written."""
        for length in range(len(path), -1, -1):
            if (line := self.lines.get(path[:length])) is not None:
                return line
        return None

    def fault(self, path: FieldPath, problem: str) -> PackFault:
        """Say what is wrong at `path`."""
        return PackFault(self.file, self.line(path), dotted(path), problem)


def dotted(path: FieldPath) -> str:
    """Write a path the way people read it: actions.close.examples[2]."""
    parts = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return parts.removeprefix(".")


def read_yaml(file: Path) -> YamlWithLines:
    """Read one file; a fault of encoding or form is in `faults` and the value is then None."""
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            return _broken(
                file, None, f"is larger than {MAX_FILE_BYTES // 1024 // 1024} MB; split it"
            )
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        return _broken(file, None, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        return _broken(file, None, f"is not UTF-8 (byte {error.start}); save it as UTF-8")
    loader = _CoreLoader(text)
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "is not YAML"
        return _broken(file, mark.line + 1 if mark else None, f"is not YAML: {problem}")
    except yaml.YAMLError as error:
        return _broken(file, None, f"is not YAML: {str(error).splitlines()[0]}")
    finally:
        loader.dispose()
    walk = _Walk(file)
    value = walk.value(node, (), 0) if node is not None else None
    return YamlWithLines(file, value, walk.lines, tuple(walk.faults))


def _broken(file: Path, line: int | None, problem: str) -> YamlWithLines:
    return YamlWithLines(file, None, {}, (PackFault(file, line, "", problem),))


class _CoreLoader(yaml.CSafeLoader):
    """YAML with the 1.2 core types: yes, no, on, off, 1:30 and dates stay texts."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  # PyYAML copies it on the first addition


_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
_TAGS = {
    "bool": (re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), "tTfF"),
    "int": (re.compile(rf"^(?:{_INTEGER.pattern})$", re.ASCII), "-+0123456789"),
    "float": (
        re.compile(
            r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
            r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
        ),
        "-+0123456789.",
    ),
    "null": (re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
}
for _name, (_pattern, _firsts) in _TAGS.items():
    _CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", _pattern, list(_firsts))


@dataclass
class _Walk:
    """Turns YAML nodes into values, collecting lines and faults on the way."""

    file: Path
    lines: dict[FieldPath, int] = field(default_factory=dict)
    faults: list[PackFault] = field(default_factory=list)
    count: int = 0
    is_too_large: bool = False
    open_nodes: set[int] = field(default_factory=set)

    def value(self, node: yaml.Node, path: FieldPath, depth: int) -> Any:  # any YAML value
        self.count += 1
        self.lines.setdefault(path, node.start_mark.line + 1)
        if self.is_too_large:
            return None
        if self.count > MAX_VALUES or depth > MAX_DEPTH or id(node) in self.open_nodes:
            self.is_too_large = True
            self._fault(node, path, "is too large, too deep or contains itself; simplify it")
            return None
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, path)
        self.open_nodes.add(id(node))
        try:
            if isinstance(node, yaml.SequenceNode):
                return [
                    self.value(item, (*path, place), depth + 1)
                    for place, item in enumerate(node.value)
                ]
            return self._mapping(node, path, depth)
        finally:
            self.open_nodes.discard(id(node))

    def _mapping(self, node: yaml.Node, path: FieldPath, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._fault(key_node, path, "a key must be a plain word")
                continue
            key = key_node.value
            if key in found:
                self._fault(key_node, (*path, key), "is written twice; keep one")
                continue
            self.lines[(*path, key)] = key_node.start_mark.line + 1
            found[key] = self.value(value_node, (*path, key), depth + 1)
        return found

    def _scalar(self, node: yaml.ScalarNode, path: FieldPath) -> Any:  # any YAML scalar
        kind = node.tag.removeprefix("tag:yaml.org,2002:")
        text: str = node.value
        match kind:
            case "str":
                return text
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int" if _INTEGER.fullmatch(text) and len(text) <= 300:
                return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
            case "float":
                try:
                    return float(text.replace(".inf", "inf").replace(".nan", "nan"))
                except ValueError:
                    pass
        self._fault(node, path, f"cannot be read as {kind}; write it as a plain text or number")
        return None

    def _fault(self, node: yaml.Node, path: FieldPath, problem: str) -> None:
        line = node.start_mark.line + 1
        self.faults.append(PackFault(self.file, line, dotted(path), problem))
