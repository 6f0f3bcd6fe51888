"""Where a log is played: a folder of its own, a clock moved by hand, and no hands at all."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evals.decision_log.entries import DecisionLog, Head
from evals.decision_log.exporting import SETTINGS
from evals.decision_log.own_folder import own_folder
from evals.decision_log.recorded import Recorded, foreseeing, recounting
from evals.decision_log.taped import taped_models
from graph.assembly.data_folder import private_folder
from graph.assembly.toolbox import Toolbox
from graph.checkpoints import open_saver
from graph.cli.validating import faults_of
from graph.compose import Served, build_toolbox, open_executive
from graph.flow import build_flow
from graph.runner import Executive
from graph.running.passing_over import passing_over
from graph.running.threads import Threads
from graph.settings import Settings
from state.errors import BadInput
from tools.clock import VirtualClock
from tools.ledger.assembling import build_ledger
from tools.models.slots import Models

_NOWHERE: Mapping[str, Any] = {
    "database_url": None,
    "model": None,
    "strong_model": None,
    "allowed_hosts": (),
    "allowed_private_hosts": (),
    "paper_providers": (),
    "webhooks_file": None,
    "metrics_redis_url": None,
    "ledger_key": None,
    "speech": "off",
}
"""Settings under which nothing outside is reached."""


@dataclass(frozen=True)
class Sandbox:
    """An Executive that decides and does nothing, and the clock it lives by."""

    executive: Executive
    box: Toolbox
    clock: VirtualClock
    recorded: Recorded


@asynccontextmanager
async def open_sandbox(
    log: DecisionLog, folder: Path, *, starts_at: datetime, policy: str | None, cache: Path | None
) -> AsyncIterator[Sandbox]:
    """Open an Executive on a folder, which may hold the first part of this replay.

    Args:
        policy: policy.toml to decide by; None: the log's own.
        cache: where is kept what is learnt from packs.

    Raises:
        BadInput: the folder holds something else, or the log's settings are none of ours.
    """
    own_folder(folder, log.head.digest, log.head.policy if policy is None else policy)
    settings = settings_of(log.head, folder, policy=policy, cache=cache)
    clock = VirtualClock(starts_at)
    async with AsyncExitStack() as stack:
        recorded = Recorded(log)
        box = build_toolbox(settings, clock=clock, models=_models(log))
        box = _without_hands(box, clock, recorded)
        saver = await stack.enter_async_context(open_saver(settings.data_dir))
        served = Served(box, Threads(build_flow(box, saver), passing_over(box)))
        executive = await stack.enter_async_context(
            open_executive(settings, clock=clock, served=served)
        )
        yield Sandbox(executive, box, clock, recorded)


def settings_of(head: Head, folder: Path, *, policy: str | None, cache: Path | None) -> Settings:
    """Tell the settings of a replay: the log's own for what decides, and nothing outside."""
    # By name: whatever else a log made by others says of files and addresses is not looked at.
    decides = {name: head.settings[name] for name in SETTINGS if name in head.settings}
    file = private_folder(folder) / "policy.toml"
    file.write_text(head.policy if policy is None else policy, "utf-8")
    if decides.get("embedder") == "openai":
        decides["embedder"] = "minilm"  # a replay asks no server; its vectors differ a little
    try:
        return Settings(
            data_dir=folder,
            cache_dir=cache,
            packs=head.packs,
            policy_file=file,
            **{**decides, **_NOWHERE},
        )
    except ValidationError as error:
        raise BadInput(f"the log's settings: {faults_of(error)}") from error


def _models(log: DecisionLog) -> Models:
    named = log.head.settings
    return taped_models(log.decided, named.get("model"), named.get("strong_model"))


def _without_hands(box: Toolbox, clock: VirtualClock, recorded: Recorded) -> Toolbox:
    """Take the ledger's way to the packs away; the clock on the wall is the replay's, too."""
    box.database.tell_time_by(lambda: clock.now().timestamp())
    executing = replace(box.ledger.executing, instead=lambda running: recounting(running, recorded))
    ledger = build_ledger(executing, box.tuning.execution)
    drafting = ledger.proposing.drafting
    drafting = replace(drafting, previewing=foreseeing(drafting.previewing, recorded))
    editing = replace(ledger.deciding.editing, drafting=drafting)
    return replace(
        box,
        ledger=replace(
            ledger,
            proposing=replace(ledger.proposing, drafting=drafting),
            deciding=replace(ledger.deciding, editing=editing),
        ),
    )
