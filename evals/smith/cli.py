"""`prefrontal evals sync`, `feedback`, `pairwise`: our side of LangSmith."""

import asyncio
import os
from typing import Annotated

import typer

from evals.dataset import find_datasets, read_dataset
from evals.smith.clients import UPLOAD_SECONDS, is_online, open_client, quiet, told_plainly
from graph.cli.options import AsJson, DataDir, Tenant, read_settings
from graph.cli.stored import open_stored
from graph.cli.terminal.console import OUT, note, print_json
from state.errors import BadInput

SYNCED = "Example: prefrontal evals sync vessel_requests"
SENT = "Example: prefrontal evals feedback --project prefrontal"
PAIRED = "Example: prefrontal evals pairwise prefrontal-vessel_requests-1a2b prefrontal-…-3c4d"


def sync(
    datasets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DATASET]...", help="Names or files; none: all that ship."),
    ] = None,
    as_json: AsJson = False,
    with_blind: Annotated[
        bool, typer.Option("--with-blind", help="Send datasets that nobody may look at, too.")
    ] = False,
) -> None:
    """Make LangSmith's datasets those of the files; run twice, the second time changes nothing.

    Whoever is there reads what is sent, so a dataset whose name ends with _blind stays here.
    """
    from evals.smith import datasets as there

    _need_a_key()
    client = open_client()
    for one in map(read_dataset, find_datasets(datasets or [])):
        if one.is_blind and not with_blind:
            if datasets:
                raise BadInput(f"{one.name} is blind: --with-blind sends its texts all the same")
            note(f"{one.name} is blind and stays here")
            continue
        with quiet(), told_plainly():
            done = there.sync(client, one)
        if as_json:
            print_json(done.model_dump())
        else:
            figures = f"{done.created} created, {done.changed} changed, {done.removed} removed"
            OUT.print(f"{done.dataset}: {figures}, {done.same} as they were")


def feedback(
    since: Annotated[float, typer.Option(help="Seconds since 1970; default: all.")] = 0.0,
    project: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Where the traces are; default: LANGSMITH_PROJECT."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    tenant: Tenant = "default",
) -> None:
    """Send what people said of decisions to their traces: approvals, ratings, chips, undos.

    Scores and decision ids are sent, no word and no name; sent again, it is the same feedback.
    """
    from evals.smith.feedback import Opinion, read_opinions, send

    async def read() -> list[Opinion]:
        async with open_stored(read_settings(None, data_dir)) as stored:
            return await stored.database.read(lambda at: read_opinions(at, tenant, since))

    _need_a_key()
    client = open_client()
    with quiet(), told_plainly():
        named = project or os.environ.get("LANGSMITH_PROJECT") or "default"
        done = send(client, asyncio.run(read()), named)
        client.close(timeout=UPLOAD_SECONDS)
    if as_json:
        print_json(done.model_dump())
    else:
        OUT.print(f"{done.sent} sent, {done.without_run} on decisions that have no trace there")


def pairwise(
    first: Annotated[str, typer.Argument(help="An experiment, by name or id.")],
    second: Annotated[str, typer.Argument(help="Another one on the same dataset.")],
    as_json: AsJson = False,
) -> None:
    """Have LangSmith lay two experiments side by side, with the better answer of each pair."""
    from evals.smith.pairwise import compare_at_langsmith

    _need_a_key()
    with quiet(), told_plainly():
        done = compare_at_langsmith(open_client(), first, second)
    if as_json:
        print_json(done.model_dump())
    else:
        OUT.print(f"{done.first} times the first, {done.second} the second, {done.even} even")
    note("shown at LangSmith beside each other")


def _need_a_key() -> None:
    if not is_online():
        raise BadInput("LangSmith is off: set LANGSMITH_API_KEY, and not EXECUTIVE_LANGSMITH=false")
