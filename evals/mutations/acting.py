"""Have messages that ask for nothing decided by a whole Executive, and look what it changed."""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from pydantic import Field

from evals.mutations.shapes import Leaves, Mutation
from evals.playground import Playground
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


class Acted(Noun):
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


async def acted(
    pack: str,
    messages: Sequence[Mutation],
    *,
    cache: Path | None = None,
) -> Acted:
    """Decide every message in a session of its own, as somebody with every role of the pack.

    Args:
        cache: where what is learnt of packs is kept; none: as in the settings.
    """
    settings = {**_OFFLINE, **({"cache_dir": cache} if cache else {})}
    playground = Playground((pack,), STARTS_AT, settings=settings)
    outcomes: Counter[str] = Counter()
    ready: list[str] = []
    named = 0
    await playground.open()
    try:
        executive = playground.executive
        actions = executive.catalogue.actions
        roles = ",".join(sorted({role for one in actions.values() for role in one.roles})) or None
        await executive.decide((await executive.accept(_message(0, "hello", roles))).decision_id)
        before = contents(playground.folder)
        for number, mutation in enumerate(messages, start=1):
            accepted = await executive.accept(_message(number, mutation.text, roles))
            record = await executive.decide(accepted.decision_id)
            outcomes[record.outcome] += 1
            named += record.action == mutation.action
            if record.outcome in _TOO_MUCH[mutation.shape.leaves]:
                ready.append(mutation.text)
        ran = await playground.all_ran()
        kept = contents(playground.folder) == before
    finally:
        await playground.close()
    changing = [one for one in ran if actions[one.action].effect != "read"]
    return Acted(
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


def contents(folder: Path) -> str:
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
