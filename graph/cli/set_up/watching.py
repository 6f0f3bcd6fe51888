"""What a look at the set-up finds of keys, of room, of dates, and of who hears what it does."""

import os
import shutil
import time

import httpx
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from graph.assembly.thresholds import read_tuning
from graph.cli.set_up.finding import Finding
from graph.cli.stored import has_database
from graph.settings import Settings
from state.errors import BadInput
from tools.clock import DAY_SECONDS
from tools.journal.keeping.dating import count_ahead

GIGABYTE = 1_000_000_000
_GOOD = (
    "select count(*) from api_key where revoked_at is null "
    "and (expires_at is null or expires_at > unixepoch())"
)
_SENT = "LangSmith is sent every run with what people said (LANGSMITH_TRACING)"


def room_found(settings: Settings) -> Finding:
    """Tell how much room is left for the data folder."""
    folder = settings.data_dir.resolve()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    says = f"{free / GIGABYTE:.1f} GB free"
    if free < GIGABYTE / 10:
        return Finding("room", "broken", f"{says}; nothing can be started without room: free some")
    return Finding("room", "degraded" if free < GIGABYTE else "ok", says)


def keys_found(settings: Settings) -> Finding:
    """Count the keys that open the service; nothing is made."""
    none = "no key opens the service; `prefrontal serve` on loopback makes one"
    if not has_database(settings):
        return Finding("keys", "ok", none)
    engine = create_engine(settings.database)
    try:
        with engine.connect() as connection:
            count = int(connection.execute(text(_GOOD)).scalar() or 0)
    except SQLAlchemyError as error:
        return Finding("keys", "degraded", f"cannot be counted: {type(error).__name__}")
    finally:
        engine.dispose()
    return Finding("keys", "ok", f"{count} open the service" if count else none)


def journal_found(settings: Settings) -> Finding:
    """Say whether decisions on record are dated as they can be; nothing is changed."""
    if not has_database(settings):
        return Finding("journal", "ok", "nothing is on record yet")
    engine = create_engine(settings.database)
    try:
        days = read_tuning(settings.policy_file).journal.future_days
        latest = time.time() + days * DAY_SECONDS
        with engine.connect() as connection:
            ahead = count_ahead(connection, latest)
    except (SQLAlchemyError, BadInput) as error:
        return Finding("journal", "degraded", f"cannot be looked at: {type(error).__name__}")
    finally:
        engine.dispose()
    if not ahead:
        return Finding("journal", "ok", "no decision is dated ahead of our clock")
    says = f"{ahead} dated in the future, newest for ever; `prefrontal journal reindex` mends them"
    return Finding("journal", "degraded", says)


async def traces_found(settings: Settings, wait_seconds: float) -> Finding:
    """Ask whether the collector of traces listens, and say who else hears."""
    heard = [_SENT] if settings.langsmith and _is_sent_to_langsmith() else []
    endpoint = settings.otlp_endpoint
    if endpoint is None:
        return Finding("traces", "ok", "; ".join(heard) or "none are sent")
    kind = {"Content-Type": "application/x-protobuf"}  # of nothing at all, which is a valid batch
    try:
        async with httpx.AsyncClient(timeout=wait_seconds, trust_env=False) as client:
            answer = await client.post(endpoint, content=b"", headers=kind)
    except httpx.HTTPError as error:
        says = f"{endpoint} does not answer ({type(error).__name__}): spans are lost, nothing else"
        return Finding("traces", "degraded", "; ".join([says, *heard]))
    if answer.is_error:
        says = f"{endpoint} answers {answer.status_code}: spans are lost, nothing else"
        return Finding("traces", "degraded", "; ".join([says, *heard]))
    return Finding("traces", "ok", "; ".join([f"sent to {endpoint}", *heard]))


def _is_sent_to_langsmith() -> bool:
    names = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2")
    return any(os.environ.get(name, "").lower() == "true" for name in names)
