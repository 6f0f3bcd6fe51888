"""Messages in blocks: each on a service of its own, several at once, none twice."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from hashlib import sha256
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from evals.mutations.acting import Acted, acted
from evals.mutations.shapes import Mutation
from evals.processes import pool_of
from evals.revisions import revision
from state.noun import Noun

BLOCK = 500
"""Messages that one service decides: opening it takes as long as deciding some thirty."""


class Block(Noun):
    """What became of the messages of a block, under a name that only they have."""

    name: str
    acted: Acted


_LINE = TypeAdapter(Block)


class Kept:
    """Blocks that were decided before, a line each; without a file nothing is kept."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known = {block.name: block.acted for block in _read(file)} if file else {}

    def get(self, name: str) -> Acted | None:
        """Give what became of a block when it was decided before."""
        return self._known.get(name)

    def put(self, name: str, found: Acted) -> None:
        """Write a block behind the others, at once: what is killed goes on from there."""
        if self._file is None:
            return
        with self._file.open("a", encoding="utf-8") as out:
            out.write(Block(name=name, acted=found).model_dump_json() + "\n")


def acted_in_blocks(
    pack: str,
    messages: Sequence[Mutation],
    *,
    cache: Path,
    kept: Kept,
    jobs: int = 1,
    told: Callable[[int], None] = lambda _done: None,
) -> Acted:
    """Decide all messages, some blocks at once; a block that is kept is not decided again.

    Args:
        cache: where what is learnt of packs is kept.
        told: learns after each block how many messages are done.
    """
    parts = [messages[first : first + BLOCK] for first in range(0, len(messages), BLOCK)]
    blocks = {_name(pack, block): block for block in parts}
    found = {name: known for name in blocks if (known := kept.get(name)) is not None}
    told(sum(one.messages for one in found.values()))
    left = [(name, block) for name, block in blocks.items() if name not in found]
    for name, one in _decided(pack, left, cache, jobs):
        kept.put(name, one)
        found[name] = one
        told(sum(each.messages for each in found.values()))
    return summed(pack, [found[name] for name in blocks])


def summed(pack: str, parts: Sequence[Acted]) -> Acted:
    """Add up what became of several blocks."""
    outcomes = sorted({name for part in parts for name in part.outcomes})
    return Acted(
        pack=pack,
        messages=sum(part.messages for part in parts),
        outcomes={name: sum(part.outcomes.get(name, 0) for part in parts) for name in outcomes},
        ready=tuple(text for part in parts for text in part.ready),
        named=sum(part.named for part in parts),
        reads=sum(part.reads for part in parts),
        changes=tuple(name for part in parts for name in part.changes),
        unasked=tuple(name for part in parts for name in part.unasked),
        stores_kept=all(part.stores_kept for part in parts),
    )


def _decided(
    pack: str, blocks: Sequence[tuple[str, Sequence[Mutation]]], cache: Path, jobs: int
) -> Iterator[tuple[str, Acted]]:
    if jobs == 1 or len(blocks) < 2:  # a process of its own pays for several blocks only
        for name, block in blocks:
            yield name, _one(pack, block, cache)
        return
    with pool_of(jobs, __name__) as pool:
        under_way = {pool.submit(_one, pack, block, cache): name for name, block in blocks}
        for done in as_completed(under_way):
            yield under_way[done], done.result()


def _one(pack: str, block: Sequence[Mutation], cache: Path) -> Acted:
    return asyncio.run(acted(pack, block, cache=cache))


def _name(pack: str, block: Sequence[Mutation]) -> str:
    """Name a block by the code, the pack and every message: another of any is another block."""
    said = "\n".join((revision(), pack, *(one.model_dump_json() for one in block)))
    return sha256(said.encode()).hexdigest()[:16]


def _read(file: Path) -> Iterator[Block]:
    """Read what is kept; a last line that a kill cut short is decided again."""
    if not file.exists():
        return
    for line in file.read_text("utf-8").split("\n"):
        try:
            yield _LINE.validate_json(line)
        except ValidationError:
            continue
