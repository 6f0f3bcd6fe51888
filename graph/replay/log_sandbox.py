"""Open an executive on a replay folder, with a virtual clock and recorded outcomes only.

The folder belongs to one log and policy; BadInput where it holds anything else.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from graph.execution.fast_path import build_fast_path
from graph.execution.maintenance import open_saver
from graph.execution.threads import Threads
from graph.executive import Executive
from graph.flow import build_flow
from graph.replay.log_export import DECIDING_SETTINGS
from graph.settings import Settings
from graph.wiring.composition import Served, build_toolbox, open_executive
from graph.wiring.data_folder import private_folder
from graph.wiring.toolbox import Toolbox
from state.errors import BadInput
from tools.adapters.chat_model import ChatModels
from tools.gate.ledger.ledger import build_ledger
from tools.observability.decision_log.entries import DecisionLog, LogHeader
from tools.observability.decision_log.recorded_outcomes import (
    RecordedOutcomes,
    recorded_models,
    with_recorded_outcomes,
    with_recorded_previews,
)
from tools.platform.clock import VirtualClock
from tools.platform.validation import faults_of

MARKER_FILE = "replay.sha256"
"""Says which replay a folder is of."""


def claim_folder(folder: Path, *parts: str) -> Path:
    """Take an empty folder for a replay, or the one that it was begun in.

    Args:
        parts: what makes it this replay and no other: the log's digest, the policy.

    Raises:
        BadInput: the folder holds something else, a service's data or another replay.
    """
    wanted, mark = sha256("\0".join(parts).encode()).hexdigest(), folder / MARKER_FILE
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is no folder")
    if mark.is_file():
        if mark.read_text("utf-8") != wanted:
            raise BadInput(f"{folder} is of another log or policy; name a new folder")
    elif folder.exists() and any(folder.iterdir()):
        raise BadInput(f"{folder} holds something that is no replay; name a new folder")
    else:
        private_folder(folder)
        mark.write_text(wanted, "utf-8")
    return folder


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
    recorded: RecordedOutcomes


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
    claim_folder(folder, log.head.digest, log.head.policy if policy is None else policy)
    settings = replay_settings(log.head, folder, policy=policy, cache=cache)
    clock = VirtualClock(starts_at)
    async with AsyncExitStack() as stack:
        recorded = RecordedOutcomes(log)
        box = build_toolbox(settings, clock=clock, models=_models(log))
        box = _without_hands(box, clock, recorded)
        saver = await stack.enter_async_context(open_saver(settings.data_dir))
        served = Served(box, Threads(build_flow(box, saver), build_fast_path(box)))
        executive = await stack.enter_async_context(
            open_executive(settings, clock=clock, served=served)
        )
        yield Sandbox(executive, box, clock, recorded)


def replay_settings(
    head: LogHeader, folder: Path, *, policy: str | None, cache: Path | None
) -> Settings:
    """Tell the settings of a replay: the log's own for what decides, and nothing outside."""
    # By name: whatever else a log made by others says of files and addresses is not looked at.
    decides = {name: head.settings[name] for name in DECIDING_SETTINGS if name in head.settings}
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


def _models(log: DecisionLog) -> ChatModels:
    named = log.head.settings
    return recorded_models(log.decided, named.get("model"), named.get("strong_model"))


def _without_hands(box: Toolbox, clock: VirtualClock, recorded: RecordedOutcomes) -> Toolbox:
    """Take the ledger's way to the packs away; the clock on the wall is the replay's, too."""
    box.database.tell_time_by(lambda: clock.now().timestamp())
    executing = replace(
        box.ledger.executing, instead=lambda running: with_recorded_outcomes(running, recorded)
    )
    ledger = build_ledger(executing, box.tuning.execution)
    drafting = ledger.proposing.drafting
    drafting = replace(drafting, previewing=with_recorded_previews(drafting.previewing, recorded))
    editing = replace(ledger.deciding.editing, drafting=drafting)
    return replace(
        box,
        ledger=replace(
            ledger,
            proposing=replace(ledger.proposing, drafting=drafting),
            deciding=replace(ledger.deciding, editing=editing),
        ),
    )
