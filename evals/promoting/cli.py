"""`prefrontal evals promote`: logged decisions become cases of a dataset."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from evals.dataset import read_dataset
from evals.promoting.cases import Actions, Promoted, header_of, promote
from graph.cli.options import DataDir, Packs, Tenant, read_settings
from graph.cli.queries import reading_log
from graph.cli.terminal.console import complain, note
from graph.settings import Settings
from state.errors import BadInput, NotFound
from state.execution import ReleasePhase
from state.query import Query
from tools.catalogue.catalogue import Catalogue
from tools.catalogue.pack import packs_named
from tools.queries.log import SqlQueries

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
"""A clock that stood before it was never set."""
EXAMPLE = "Example: prefrontal evals promote --phase shadow --into ours.jsonl"


def promote_decisions(  # noqa: PLR0913, PLR0917 - an option each
    decisions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DECISION]...", help="Ids; none: all whose meaning people showed."),
    ] = None,
    into: Annotated[
        Path, typer.Option(metavar="FILE.jsonl", help="Made, or added to; a case is never twice.")
    ] = Path("promoted.jsonl"),
    log: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="QUERIES.jsonl",
            help="Exported by production (`queries export`, GET /v1/queries), not our store.",
        ),
    ] = None,
    said: Annotated[
        str | None,
        typer.Option("--as", metavar="ACTION", help="What was meant; `nothing`: no action."),
    ] = None,
    phase: Annotated[
        ReleasePhase | None, typer.Option(help="Only what was decided in this release phase.")
    ] = None,
    blot: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="Hide it too; may be repeated.")
    ] = None,
    pack: Packs = None,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Write messages with what people meant by them: observed elsewhere, approved, or chosen.

    Mail addresses, links, telephone and account numbers, keys and the speaker's own name are taken
    out, ids are hashed, users numbered; what a secret stood in is left out. Read the file before
    you share it: patterns know no other names. `prefrontal evals run FILE` judges it.
    """
    if said is not None and not decisions:
        raise BadInput("--as says what one decision meant; name the decision")
    settings = read_settings(pack, data_dir)
    actions = Catalogue.of(packs_named(settings.packs)).actions
    queries = _exported(log) if log else asyncio.run(_stored(settings, tenant))
    wanted = _wanted(queries, decisions or [], phase)
    found = promote(wanted, actions, said=said, blotted=blot or [])
    added = _add(into, found, settings.packs, actions, [one.timestamp for one in wanted])
    for decision, reason in found.left_out.items() if decisions else ():
        complain(f"{decision} is left out: {reason}")
    note(f"{added} cases added to {into}, {len(found.left_out)} decisions left out")
    if decisions and found.left_out:
        raise typer.Exit(1)


async def _stored(settings: Settings, tenant: str) -> list[Query]:
    async def work(queries: SqlQueries) -> list[Query]:
        return [one async for one in queries.all(tenant)]

    return await reading_log(settings, work)


def _exported(path: Path) -> list[Query]:
    try:
        # By line feeds alone: what people say may hold other ends of lines (U+2028) as it is.
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {path}: {error}") from error
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found += [Query.model_validate_json(line)] if line.strip() else []
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise BadInput(f"{path}:{number} is no exported query: {reason}") from error
    return found


def _wanted(
    queries: Sequence[Query], decisions: Sequence[str], phase: ReleasePhase | None
) -> list[Query]:
    known = {one.decision_id for one in queries}
    for decision in decisions:
        if decision not in known:
            raise NotFound("query of decision", decision)
    return [
        one
        for one in queries
        if (not decisions or one.decision_id in decisions)
        and (phase is None or one.routing.phase == phase)
    ]


def _add(
    into: Path,
    found: Promoted,
    packs: Sequence[str],
    actions: Actions,
    moments: Sequence[datetime],
) -> int:
    """Write what is new; the first line is of the first time, and stays."""
    known: set[str] = set()
    before = into.read_bytes() if into.is_file() else b""
    if before.strip():
        known = {case.id for case in read_dataset(into).cases}
    new = [case for case in found.cases if case.id not in known]
    if not new:
        return 0
    into.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(case.model_dump(mode="json"), ensure_ascii=False) for case in new]
    if not known:
        # An export of others may tell times without their zone; then it is UTC.
        zoned = [one if one.tzinfo else one.replace(tzinfo=UTC) for one in moments]
        begins = max(min(zoned), _EARLIEST)
        lines.insert(0, header_of(into.stem, packs, actions, begins).model_dump_json())
    with into.open("a", encoding="utf-8") as file:
        if before and not before.endswith(b"\n"):
            file.write("\n")
        file.writelines(f"{line}\n" for line in lines)
    return len(new)
