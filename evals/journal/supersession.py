"""Supersession of records from their text alone: recall of candidates, precision of links."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evals.runner.measures import Measure, mean_of_column, resampled_measure, share
from state.errors import BadInput
from state.journal import Decision, DecisionStatus
from state.reader import whole
from tools.adapters.embedding.embedder import Embedder
from tools.journal.records.reader import read_record
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore
from tools.journal.supersession.links import NEAREST, SupersessionFinder
from tools.storage.database import Database

MEASURES = ("superseded_in_top_5", "links_precision", "links_recall", "proposed_per_record")
Pair = tuple[str, str]
"""Ids of the newer and the older record."""


def pairs(rows: Iterable[Mapping[str, Any]]) -> frozenset[Pair]:  # JSON lines
    """Read rows of {new, old}."""
    return frozenset((str(row["new"]), str(row["old"])) for row in rows)


def supersession_measures(
    rows: Sequence[Mapping[str, Any]],  # JSON lines
    gold: frozenset[Pair],
    encoder: Embedder | None,
    folder: Path,
    *,
    floor: float,
) -> tuple[Measure, ...]:
    """Read records without what they say of each other's standing, and look for it.

    Raises:
        BadInput: a row has no id, path or text.
    """
    return asyncio.run(_figures(rows, gold, encoder, folder, floor=floor))


async def _figures(
    rows: Sequence[Mapping[str, Any]],  # as above
    gold: frozenset[Pair],
    encoder: Embedder | None,
    folder: Path,
    *,
    floor: float,
) -> tuple[Measure, ...]:
    database = Database(f"sqlite:///{folder / 'succession.sqlite'}")
    search = JournalSearch(JournalStore(database, encoder), floor)
    repositories: dict[str, list[Decision]] = {}
    tenants: dict[str, str] = {}
    named: dict[str, str] = {}
    try:
        for row in rows:
            tenant = tenants.setdefault(str(row.get("repo")), f"repository-{len(tenants)}")
            one = _unlinked(read_record(row["text"], str(row["path"]), tenant_id=tenant))
            repositories.setdefault(tenant, []).append(one)
            named[f"{tenant}/{one.id}"] = str(row["id"])
    except KeyError as error:
        raise BadInput(f"a row of records needs id, path and text: {error}") from error
    sure: set[Pair] = set()
    asked: set[Pair] = set()
    places: list[float] = []
    for tenant, decisions in repositories.items():
        await search.store.put(decisions)
        for found in await SupersessionFinder(search).found(decisions, tenant):
            pair = (named[f"{tenant}/{found.newer.id}"], named[f"{tenant}/{found.older.id}"])
            (sure if found.replaces.is_sure else asked).add(pair)
        for newer in decisions:
            wanted = {old for new, old in gold if new == named[f"{tenant}/{newer.id}"]}
            if wanted:
                near = await search.near(newer, whole(tenant), limit=NEAREST)
                hits = {named[f"{tenant}/{hit.decision.id}"] for hit in near}
                places += [float(old in hits) for old in wanted]
    await database.close()
    return (
        resampled_measure("superseded_in_top_5", mean_of_column, np.array(places, np.float64)),
        share("links_precision", len(sure & gold), len(sure)),
        share("links_recall", len(sure & gold), len(gold)),
        share("proposed_per_record", len(asked), len(rows)),
    )


def _unlinked(decision: Decision) -> Decision:
    update = {"superseded_by": None, "supersedes": None, "status": DecisionStatus.ACTIVE}
    return decision.model_copy(update=update)
