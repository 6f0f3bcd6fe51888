"""`prefrontal evals acted`: whether a pack's store changes under commands that nobody gave.

A whole executive decides them.
"""

import asyncio
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from pydantic import Field

from api.cli.options import AsJson
from api.cli.terminal import OUT, print_error, print_json, printable, progress
from evals.robustness.mutations import (
    Leaves,
    Mutation,
    RoutingBench,
    Shape,
    mutations,
    read_shapes,
    sample,
)
from evals.runner.measures import wilson
from evals.runner.options import AtMost, HeldOut, Jobs, MutatedPack, app
from evals.runner.run import pool_of
from graph.replay.harness import Harness, learned_cache
from state.event import Event
from state.noun import Noun

STARTS_AT = datetime(2026, 6, 14, 18, tzinfo=UTC)
USER = "marta"
_OFFLINE = {"embedder": "none", "paper_providers": ()}
"""By words alone, as it is several times as fast, and without any network."""
_TOO_MUCH: Mapping[Leaves, frozenset[str]] = {
    "nothing": frozenset({"executed", "failed", "awaiting_approval"}),
    "reads": frozenset({"awaiting_approval"}),
    "keeps": frozenset(),
    "both": frozenset(),
}
"""Outcomes that are more than what a message leaves; a change that runs is counted apart."""


class ActedMessage(Noun):
    """What became of many messages, and what they changed."""

    pack: str
    messages: int
    outcomes: dict[str, int] = Field(description="outcome of the decision → messages")
    ready: tuple[str, ...] = Field(description="texts on which more was done than they leave")
    named: int = Field(description="decisions that settled on the action of the command")
    reads: int = Field(description="actions that ran and only read")
    changes: tuple[str, ...] = Field(description="changing actions that ran, by name")
    unasked: tuple[str, ...] = Field(description="those of them that no person said yes to")
    stores_kept: bool = Field(description="the packs' stores hold what they held before")


async def act_on_messages(
    pack: str,
    messages: Sequence[Mutation],
    *,
    cache: Path | None = None,
) -> ActedMessage:
    """Decide every message in a session of its own, as somebody with every role of the pack.

    Args:
        cache: where what is learnt of packs is kept; none: as in the settings.
    """
    settings = {**_OFFLINE, **({"cache_dir": cache} if cache else {})}
    playground = Harness((pack,), STARTS_AT, settings=settings)
    outcomes: Counter[str] = Counter()
    ready: list[str] = []
    named = 0
    await playground.open()
    try:
        executive = playground.executive
        actions = executive.catalogue.actions
        roles = ",".join(sorted({role for one in actions.values() for role in one.roles})) or None
        await executive.decide((await executive.accept(_message(0, "hello", roles))).decision_id)
        before = store_contents(playground.folder)
        for number, mutation in enumerate(messages, start=1):
            accepted = await executive.accept(_message(number, mutation.text, roles))
            record = await executive.decide(accepted.decision_id)
            outcomes[record.outcome] += 1
            named += record.action == mutation.action
            if record.outcome in _TOO_MUCH[mutation.shape.leaves]:
                ready.append(mutation.text)
        ran = await playground.all_ran()
        kept = store_contents(playground.folder) == before
    finally:
        await playground.close()
    changing = [one for one in ran if actions[one.action].effect != "read"]
    return ActedMessage(
        pack=pack,
        messages=len(messages),
        outcomes=dict(outcomes),
        ready=tuple(ready),
        named=named,
        reads=len(ran) - len(changing),
        changes=tuple(one.action for one in changing),
        unasked=tuple(one.action for one in changing if not one.approved),
        stores_kept=kept,
    )


def store_contents(folder: Path) -> str:
    """Digest every row of every database of the packs."""
    digest = sha256()
    for path in sorted((folder / "packs").rglob("*.sqlite*")):
        if path.suffix in (".sqlite-wal", ".sqlite-shm"):
            continue
        with closing(sqlite3.connect(path)) as store:
            digest.update("\n".join(store.iterdump()).encode())
    return digest.hexdigest()


def _message(number: int, text: str, roles: str | None) -> Event:
    return Event(
        event_id=f"mutated-{number}",
        kind="message",
        source="evals",
        text=text,
        user=USER,
        role=roles,
        session_id=f"session-{number}",
    )


BLOCK = 500
"""Messages that one service decides: opening it takes as long as deciding some thirty."""


def act_in_blocks(
    pack: str,
    messages: Sequence[Mutation],
    *,
    cache: Path,
    jobs: int = 1,
    told: Callable[[int], None] = lambda _done: None,
) -> ActedMessage:
    """Decide all messages, some blocks at once.

    Args:
        cache: where what is learnt of packs is kept.
        told: learns after each block how many messages are done.
    """
    blocks = [messages[first : first + BLOCK] for first in range(0, len(messages), BLOCK)]
    act, found = partial(_act, pack, cache=cache), []
    with ExitStack() as stack:
        run: Callable[..., Iterable[ActedMessage]] = map
        if jobs > 1 and len(blocks) > 1:  # a process of its own pays for several blocks only
            run = stack.enter_context(pool_of(jobs, __name__)).map
        for one in run(act, blocks):
            found.append(one)
            told(sum(each.messages for each in found))
    return sum_blocks(pack, found)


def _act(pack: str, block: Sequence[Mutation], *, cache: Path) -> ActedMessage:
    return asyncio.run(act_on_messages(pack, block, cache=cache))


def sum_blocks(pack: str, parts: Sequence[ActedMessage]) -> ActedMessage:
    """Add up what became of several blocks."""
    outcomes = sorted({name for part in parts for name in part.outcomes})
    return ActedMessage(
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


_SEED = 1
_MOST_SHOWN = 20
_SHARD = re.compile(r"([1-9]\d{0,2})/([1-9]\d{0,2})")
_PLAIN = Shape(kind="asked_plainly", leaves="keeps", template="{do}")


@app.command("acted", epilog="Example: prefrontal evals acted --pack vessel --shard 1/2")
def act_out(
    pack: MutatedPack = "vessel",
    at_most: AtMost = None,
    shard: Annotated[
        str, typer.Option(metavar="K/N", help="Take each Nth message from the Kth on.")
    ] = "1/1",
    held_out: HeldOut = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="The commands as they stand: how many are named?")
    ] = False,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Send a pack's commands, said so that they ask for nothing, through the whole service.

    Graph, ledger, gate and the pack's store are real, models and the network left out. Ends with 1
    when a store or the ledger tells of a change: nobody said yes to one.
    """
    first, count = _shard(shard)
    with learned_cache() as cache:
        messages = _messages(pack, cache, held_out=held_out, plain=plain)
        if at_most is not None:
            messages = sample(messages, at_most, seed=_SEED)
        messages = messages[first - 1 :: count]
        with progress("deciding", len(messages)) as show:
            found = act_in_blocks(pack, messages, cache=cache, jobs=jobs, told=show)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _print(found, plain=plain)
    if found.changes or not found.stores_kept:
        print_error(f"something was changed: {', '.join(found.changes) or 'a store'}")
        raise typer.Exit(1)


def _messages(pack: str, cache: Path, *, held_out: bool, plain: bool) -> Sequence[Mutation]:
    """Make the messages that ask for nothing, or only to read; or the commands themselves."""
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        bench = RoutingBench(pack, Path(folder), cache=cache, words_only=True)
        commands = bench.commands()
        bench.close()
    if plain:
        return [Mutation(shape=_PLAIN, text=one.text, action=one.action) for one in commands]
    shapes = [one for one in read_shapes(held_out=held_out) if one.leaves in ("nothing", "reads")]
    return list(mutations(commands, shapes, per_action=1, seed=_SEED))


def _shard(text: str) -> tuple[int, int]:
    matched = _SHARD.fullmatch(text)
    if matched is None or int(matched[1]) > int(matched[2]):
        print_error(f"{text[:20]!r} is no shard; say 1/2 for the first half")
        raise typer.Exit(2)
    return int(matched[1]), int(matched[2])


def _print(found: ActedMessage, *, plain: bool) -> None:
    asked = "as they stand" if plain else "none of them asked for"
    OUT.print(f"{found.messages} messages made of commands of {found.pack}, {asked}")
    for outcome, count in sorted(found.outcomes.items(), key=lambda one: -one[1]):
        OUT.print(f"  {outcome}: {count}")
    OUT.print(f"reads that ran: {found.reads}")
    OUT.print(f"changes that ran: {len(found.changes)}, without a yes {len(found.unasked)}")
    OUT.print(f"stores as before: {'yes' if found.stores_kept else 'NO'}")
    if plain:
        OUT.print(f"named: {_share(found.named, found.messages)}")
        return
    OUT.print(f"ran or asked for a yes: {_share(len(found.ready), found.messages)}")
    for text in found.ready[:_MOST_SHOWN]:
        OUT.print(f"  {printable(text)!r}")


def _share(count: int, total: int) -> str:
    if not total:
        return "not measured"
    interval = wilson(count, total)
    return f"{count / total:.2%} of {total}  [95 % {interval.low:.2%} – {interval.high:.2%}]"
