"""Run every check of the set-up and collect one finding each."""

import asyncio
import os
from typing import get_args

from pydantic import SecretStr
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from api.cli.data_folder import has_database
from api.cli.doctor.service_checks import (
    check_channels,
    check_closed_sessions,
    check_disk,
    check_encoder,
    check_ingest,
    check_journal_dates,
    check_keys,
    check_metrics_sink,
    check_models,
    check_papers,
    check_traces,
    check_webhooks,
)
from api.cli.doctor.storage_checks import Finding, check_files, check_ledger, check_vector_index
from api.cli.options import check_database_url
from api.cli.terminal import counted
from graph.settings import Settings
from graph.wiring.data_folder import lock_folder
from graph.wiring.external_services import SECRET_PREFIX, build_egress
from graph.wiring.external_services import missing_tools as what_is_missing
from graph.wiring.thresholds import read_tuning
from state.errors import AgentError, BadInput, Busy
from state.output import EngineName
from tools.adapters.mcp.discovery import discover_tools
from tools.catalog import Catalogue, WithheldTools, packs_named
from tools.catalog.pack_code import require_importable
from tools.gate.approvals.tool_pins import KnownPins, read_pins
from tools.platform.texts import t
from tools.response import find_engine
from tools.storage.upgrade import HEAD, is_newer, newer_schema_message

_PREFIX = "EXECUTIVE_"


async def run_checks(settings: Settings, wait_seconds: float) -> list[Finding]:
    """Look at everything; nothing is made or changed."""
    return [
        _variables(),
        _policy(settings),
        _packs(settings),
        *await _servers(settings),
        *check_papers(settings),
        *await check_metrics_sink(settings),
        *await check_webhooks(settings),
        *check_channels(settings),
        *check_ingest(settings),
        await check_traces(settings, wait_seconds),
        _folder(settings),
        check_disk(settings),
        _database(settings),
        check_files(settings),
        check_keys(settings),
        check_closed_sessions(settings),
        check_ledger(settings),
        check_journal_dates(settings),
        await check_vector_index(settings),
        *await check_models(settings, wait_seconds),
        await _encoder(settings, wait_seconds),
        await asyncio.to_thread(_speech, settings, wait_seconds),
    ]


def _speech(settings: Settings, wait_seconds: float) -> Finding:
    installed = [
        name
        for name in get_args(EngineName)
        if find_engine(name, voice=settings.speech_voice)[0] is not None
    ]
    engine, problem = find_engine(settings.speech, voice=settings.speech_voice)
    if engine is not None and (unheard := engine.sound_problem(min(5.0, wait_seconds))):
        says = t("cli.doctor.no_sound", engine=engine.name, problem=unheard)
        return Finding("speech", "degraded", says)
    if engine is not None:
        return Finding("speech", "ok", t("cli.doctor.speech", engine=engine.name))
    says = t("cli.doctor.no_speech", problem=problem, installed=" and ".join(installed))
    return Finding("speech", "degraded", says)


def described_settings(settings: Settings) -> dict[str, tuple[str, str]]:
    """Name every variable with its value and where it comes from; secrets stay hidden."""
    told = {}
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        variable = alias if isinstance(alias, str) else f"{_PREFIX}{name.upper()}"
        source = "set" if name in settings.model_fields_set else "default"
        told[variable] = (_told(name, getattr(settings, name)), source)
    return told


def _told(name: str, value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, SecretStr):
        return "hidden"
    if name == "database_url":
        return _without_password(str(value))
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _without_password(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "hidden: it cannot be read"


def _variables() -> Finding:
    known = {f"{_PREFIX}{name.upper()}" for name in Settings.model_fields}
    unknown = sorted(
        name
        for name in os.environ
        if name.startswith(_PREFIX) and name not in known and not name.startswith(SECRET_PREFIX)
    )
    if unknown:
        return Finding("settings", "degraded", t("cli.doctor.no_setting", names=", ".join(unknown)))
    return Finding("settings", "ok", t("cli.doctor.settings"))


def _policy(settings: Settings) -> Finding:
    try:
        read_tuning(settings.policy_file)
    except BadInput as error:
        return Finding("policy", "broken", str(error))
    return Finding("policy", "ok", str(settings.policy_file))


def _packs(settings: Settings) -> Finding:
    try:
        packs = packs_named(settings.packs)
        Catalogue.of(packs)
        require_importable(packs)
    except AgentError as error:
        return Finding("packs", "broken", str(error))
    listed = "; ".join(
        f"{pack.name}: {counted(len(pack.actions), 'action')} ("
        + ", ".join(f"{len(names)} class {letter}" for letter, names in pack.classes.items())
        + ")"
        for pack in packs
    )
    return Finding("packs", "ok", listed)


async def _servers(settings: Settings) -> list[Finding]:
    try:
        packs = packs_named(settings.packs)
    except AgentError:
        return []  # told by the packs themselves
    found = []
    for pack in (pack for pack in packs if pack.mcp):
        withheld = WithheldTools()
        joined = await discover_tools(
            pack, build_egress(settings), pins=_pins(settings), withheld=withheld
        )
        missing = (*what_is_missing(joined), *withheld.told)
        tools = sum(action.mcp is not None for action in joined.pack.actions.values())
        says = "; ".join(missing) or f"{pack.name}: {tools} tools of {', '.join(pack.mcp)}"
        found.append(Finding("servers", "degraded" if missing else "ok", says))
    return found


def _pins(settings: Settings) -> KnownPins:
    """Read the pins there are; a database that has none, or does not answer, knows none."""
    if not has_database(settings):
        return KnownPins({})
    engine = create_engine(settings.database)
    try:
        with engine.connect() as connection:
            return KnownPins(read_pins(connection))
    except SQLAlchemyError:  # told by the database's own finding
        return KnownPins({})
    finally:
        engine.dispose()


def _folder(settings: Settings) -> Finding:
    folder = settings.data_dir.resolve()
    if not folder.exists():
        parent = next(parent for parent in folder.parents if parent.exists())
        if not parent.is_dir() or not os.access(parent, os.W_OK):
            return Finding(
                "folder", "broken", t("cli.doctor.folder_no", folder=folder, parent=parent)
            )
        return Finding("folder", "ok", t("cli.doctor.folder_new", folder=folder))
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return Finding("folder", "broken", t("cli.doctor.folder_not_writable", folder=folder))
    if not (folder / "lock").exists():
        return Finding("folder", "ok", t("cli.doctor.folder_free", folder=folder))
    try:
        with lock_folder(folder):
            return Finding("folder", "ok", t("cli.doctor.folder_free", folder=folder))
    except Busy:
        return Finding("folder", "ok", t("cli.doctor.folder_busy", folder=folder))


def _database(settings: Settings) -> Finding:
    try:
        check_database_url(settings)
    except BadInput as error:
        return Finding("database", "broken", str(error))
    if not has_database(settings):
        return Finding("database", "ok", t("cli.doctor.database_new"))
    engine = create_engine(settings.database)
    try:
        with engine.connect() as connection:
            revision = connection.execute(text("select version_num from alembic_version")).scalar()
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", None) or type(error).__name__)
        return Finding("database", "broken", t("cli.doctor.database_error", cause=cause))
    finally:
        engine.dispose()
    if revision == HEAD:
        return Finding("database", "ok", t("cli.doctor.database", revision=revision))
    if revision is not None and is_newer(revision):
        return Finding("database", "broken", newer_schema_message(revision))
    says = t("cli.doctor.database_old", revision=revision, head=HEAD)
    return Finding("database", "degraded", says)


async def _encoder(settings: Settings, wait_seconds: float) -> Finding:
    works, says = await check_encoder(settings, wait_seconds)
    return Finding("encoder", "ok" if works else "degraded", says)
