"""A pack: one folder, read and checked as a whole."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from state.action import Action, ExecutionClass
from state.errors import NotFound, PackFault, PackFaults
from tools.catalog.pack_checks import check_parts
from tools.catalog.pack_reader import PackFiles, read_files, read_skills, sort_faults
from tools.catalog.pack_schema import (
    AttentionFile,
    EntityType,
    Heuristic,
    McpServer,
    OutputsFile,
    PersonalityFile,
    PolicyFile,
    ProactiveFile,
    Skill,
)

SHIPPED = Path(__file__).resolve().parents[2] / "packs"
"""Where the packs stand that come with the code."""

_MOST_PACKS = 16
"""Packs that a process remembers; one of a hundred actions takes ten MB."""
_CODE = (".py", ".yaml", ".yml", ".sql")


@dataclass(frozen=True)
class Pack:
    """A domain as its folder describes it; its Python is found here and run elsewhere."""

    name: str
    folder: Path
    digest: str
    """sha256 hex over every YAML, SQL and Python file: another digest is another pack."""
    actions: Mapping[str, Action]
    entities: Mapping[str, EntityType]
    heuristics: tuple[Heuristic, ...]
    policy: PolicyFile
    personality: PersonalityFile
    outputs: OutputsFile
    attention: AttentionFile = field(default_factory=AttentionFile)
    proactive: ProactiveFile = field(default_factory=ProactiveFile)
    mcp: Mapping[str, McpServer] = field(default_factory=dict)
    """Servers whose tools become actions when they are asked for them at start."""
    skills: tuple[Skill, ...] = ()
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """Of the service's own pack: what its entries name, in place of modules in a folder."""

    @property
    def classes(self) -> Mapping[ExecutionClass, tuple[str, ...]]:
        """List what would run by itself (A), be offered (B) and be gated (C)."""
        classes: tuple[ExecutionClass, ...] = ("A", "B", "C")
        return {
            one: tuple(action.name for action in self.actions.values() if action.floor == one)
            for one in classes
        }


def load_pack(folder: Path) -> Pack:
    """Read a pack; one whose files are those of before is not read again.

    Raises:
        PackFaults: something is wrong with it; every fault is named and nothing was loaded.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise PackFaults(folder.name, [PackFault(folder, None, "", "is not a folder")])
    try:
        digest = digest_of_folder(folder)
    except OSError:  # a file that cannot be read is a fault of the pack, with its name
        if faults := check_pack(folder):
            raise PackFaults(folder.name, faults) from None
        raise
    return _load(folder, digest)


@lru_cache(maxsize=_MOST_PACKS)
def _load(folder: Path, digest: str) -> Pack:
    files = _read_and_check(folder)
    if files.faults:
        raise PackFaults(folder.name, sort_faults(files.faults))
    return Pack(
        name=folder.name,
        folder=folder,
        digest=digest,
        actions=files.actions,
        entities=files.entities.entities,
        heuristics=files.heuristics.heuristics,
        policy=files.policy,
        personality=files.personality,
        outputs=files.outputs,
        attention=files.attention,
        proactive=files.proactive,
        mcp=files.mcp.servers,
        skills=tuple(files.skills),
    )


def check_pack(folder: Path) -> list[PackFault]:
    """Name every fault of a pack; an empty list means that it can be loaded."""
    folder = folder.resolve()
    if not folder.is_dir():
        return [PackFault(folder, None, "", "is not a folder")]
    return list(sort_faults(_read_and_check(folder).faults))


def find_pack(name_or_path: str) -> Path:
    """Find a pack's folder: a shipped pack by its name, any other by its path.

    Raises:
        NotFound: neither a shipped pack nor a folder.
    """
    path = Path(name_or_path).expanduser()
    is_name = os.sep not in name_or_path and "/" not in name_or_path
    if is_name and name_or_path.isidentifier() and (SHIPPED / name_or_path).is_dir():
        return SHIPPED / name_or_path
    if name_or_path and path.is_dir():
        return path.resolve()
    raise NotFound("pack", name_or_path)


def packs_named(names: Iterable[str]) -> list[Pack]:
    """Load packs by name or path, without asking their MCP servers.

    Raises:
        PackFaults, NotFound: one cannot be loaded.
    """
    return [load_pack(find_pack(name)) for name in names]


def shipped_packs() -> tuple[str, ...]:
    """Name the packs that come with the code."""
    return tuple(sorted(file.parent.name for file in SHIPPED.glob("*/actions.yaml")))


def digest_of_folder(folder: Path) -> str:
    """Hash the files that shape what a pack does; data and caches are not among them."""
    digest = hashlib.sha256()
    for file in sorted(_code_files(folder)):
        content = file.read_bytes()
        name = file.relative_to(folder).as_posix()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _code_files(folder: Path) -> Iterator[Path]:
    for entry in folder.iterdir():
        if entry.name.startswith(".") or entry.name == "__pycache__":
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _code_files(entry)
        elif entry.suffix in _CODE and entry.is_file():
            yield entry


def _read_and_check(folder: Path) -> PackFiles:
    files = read_files(folder)
    read_skills(files)
    check_parts(files)
    return files
