"""Checks of models, sessions, keys, disk, journal dates, traces, webhooks and papers."""

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator, Iterator, Sequence

import httpx
from sqlalchemy import create_engine, func, or_, select, text
from sqlalchemy.exc import SQLAlchemyError

from api.cli.data_folder import has_database
from api.cli.doctor.storage_checks import Finding
from api.cli.terminal import counted
from graph.settings import Settings
from graph.wiring.data_folder import open_database
from graph.wiring.external_services import build_egress, build_outbox, read_secrets
from graph.wiring.models import build_adapted_encoder, build_embedder
from graph.wiring.thresholds import read_tuning
from state.errors import AgentError, BadInput, EncoderUnavailable, Unreachable
from state.principal import Principal
from state.reader import ClosedSessions
from state.tuning import EncoderTuning
from state.webhook import Endpoint
from tools.access import SessionReaders
from tools.adapters.papers.paper_search import NAMES
from tools.catalog import packs_named
from tools.catalog.function_signatures import takes_service
from tools.ingest import IngestKinds
from tools.journal.store.import_rules import count_future_dates
from tools.notifications import Backlog, Outbox, read_channels
from tools.observability.metrics_export import RedisSink
from tools.platform.clock import DAY_SECONDS
from tools.platform.egress import Egress, place_of
from tools.platform.redaction import fill_secrets
from tools.platform.texts import t
from tools.storage.tables.decisions import api_key


async def check_encoder(settings: Settings, wait_seconds: float) -> tuple[bool, str]:
    """Embed one word, writing nothing; tell whether it worked, and a sentence."""
    tuning = EncoderTuning(
        query_seconds=wait_seconds, batch_seconds=wait_seconds, rest_seconds=0, kept_vectors=1
    )
    embedder = build_embedder(settings, tuning, keeps=False)
    if embedder is None:
        return False, f"none (EXECUTIVE_EMBEDDER): {t('service.by_words')}"
    try:
        vectors = await asyncio.to_thread(embedder.embed, ["ready"])
        adapted = build_adapted_encoder(settings, keeps=False)
        if adapted is not None:
            await asyncio.to_thread(adapted.embed, ["ready"])
            await asyncio.to_thread(adapted.manner.embed, ["ready"])
    except EncoderUnavailable as error:
        return False, f"{error}: {t('service.by_words')}"
    finally:
        embedder.close()
    return True, f"{embedder.name}, {vectors.shape[1]} dimensions"


async def check_models(settings: Settings, wait_seconds: float) -> list[Finding]:
    """Ask each server whether it serves its model; one that is set alone serves as both."""
    if settings.model is None and settings.strong_model is None:
        return [Finding("model", "degraded", t("cli.doctor.no_model"))]
    where = settings.strong_model_base_url or settings.model_base_url
    named = (
        ("model", settings.model, settings.model_base_url),
        ("strong", settings.strong_model, where),
    )
    asked = [
        _asked(what, model, settings, address, wait_seconds)
        for what, model, address in named
        if model is not None
    ]
    return list(await asyncio.gather(*asked))


async def _asked(
    what: str, name: str, settings: Settings, address: str | None, wait_seconds: float
) -> Finding:
    import openai

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
    where = address or "the public service"
    try:
        async with openai.AsyncOpenAI(
            api_key=key, base_url=address, timeout=wait_seconds, max_retries=0
        ) as client:
            served = [model.id async for model in client.models.list()]
    except (openai.AuthenticationError, openai.PermissionDeniedError):
        return Finding(what, "broken", f"{where} refuses the key (OPENAI_API_KEY)")
    except openai.NotFoundError:
        return Finding(what, "ok", f"{name}: {where} answers, and lists no models")
    except openai.OpenAIError as error:
        return Finding(what, "broken", f"{where} does not answer: {type(error).__name__}")
    if name not in served:
        return Finding(what, "broken", f"{where} serves no {name}")
    return Finding(what, "ok", f"{name} at {where}")


def check_closed_sessions(settings: Settings) -> Finding:
    """Say whether each table of `[[sessions]]` is of a tenant, and of somebody, with a key."""
    try:
        rules = read_tuning(settings.policy_file).sessions
        holders = _holders(settings) if rules else []
    except (SQLAlchemyError, BadInput) as error:
        return Finding("sessions", "degraded", f"cannot be looked at: {type(error).__name__}")
    if not rules:
        return Finding("sessions", "ok", t("cli.doctor.sessions"))
    closed = ", ".join(dict.fromkeys(name for one in rules for name in one.names))
    if settings.oidc_file:  # tokens name tenants, users and roles that nothing here knows of
        return Finding("sessions", "ok", f"closed: {closed}; tokens tell who reads them")
    if slips := [told for one in rules for told in _slips(one, holders)]:
        return Finding("sessions", "degraded", f"[[sessions]] of policy.toml: {'; '.join(slips)}")
    return Finding("sessions", "ok", f"closed: {closed}; somebody with a key reads each")


def _slips(rule: ClosedSessions, holders: Sequence[Principal]) -> Iterator[str]:
    names = ", ".join(rule.names)
    of_it = [one for one in holders if rule.tenant in (None, one.tenant_id)]
    if rule.tenant is not None and not of_it:
        yield f"{names}: closed in the tenant {rule.tenant} alone, of which nobody has a key"
    elif all(SessionReaders((rule,)).of(one).closed for one in of_it):
        yield f"{names}: nobody with a key reads it"


def _holders(settings: Settings) -> list[Principal]:
    if not has_database(settings):
        return []
    key = api_key.c
    query = select(key.tenant_id, key.user, key.roles, key.kind).where(
        key.revoked_at.is_(None), (key.expires_at.is_(None)) | (key.expires_at > time.time())
    )
    engine = create_engine(settings.database)
    try:
        with engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
    finally:
        engine.dispose()
    return [Principal.model_validate(dict(row)) for row in rows]


GIGABYTE = 1_000_000_000
_GOOD = (
    "select count(*) from api_key where revoked_at is null "
    "and (expires_at is null or expires_at > unixepoch())"
)
_SENT = "LangSmith is sent every run with what people said (LANGSMITH_TRACING)"


def check_disk(settings: Settings) -> Finding:
    """Tell how much room is left for the data folder."""
    folder = settings.data_dir.resolve()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    if free < GIGABYTE / 10:
        return Finding("room", "broken", t("cli.doctor.room_full", free=free / GIGABYTE))
    says = t("cli.doctor.room", free=free / GIGABYTE)
    return Finding("room", "degraded" if free < GIGABYTE else "ok", says)


def check_keys(settings: Settings) -> Finding:
    """Count the keys that open the service; nothing is made."""
    none = t("cli.doctor.keys_none")
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
    return Finding(
        "keys", "ok", t("cli.doctor.keys", count=counted(count, "API key")) if count else none
    )


def check_journal_dates(settings: Settings) -> Finding:
    """Say whether decisions on record are dated as they can be; nothing is changed."""
    if not has_database(settings):
        return Finding("journal", "ok", t("cli.doctor.journal_new"))
    engine = create_engine(settings.database)
    try:
        days = read_tuning(settings.policy_file).journal.future_days
        latest = time.time() + days * DAY_SECONDS
        with engine.connect() as connection:
            ahead = count_future_dates(connection, latest)
    except (SQLAlchemyError, BadInput) as error:
        return Finding("journal", "degraded", f"cannot be looked at: {type(error).__name__}")
    finally:
        engine.dispose()
    if not ahead:
        return Finding("journal", "ok", t("cli.doctor.journal"))
    says = f"{ahead} dated in the future, newest for ever; `prefrontal journal reindex` mends them"
    return Finding("journal", "degraded", says)


async def check_traces(settings: Settings, wait_seconds: float) -> Finding:
    """Ask whether the collector of traces listens, and say who else hears."""
    heard = [_SENT] if settings.langsmith and _is_sent_to_langsmith() else []
    endpoint = settings.otlp_endpoint
    if endpoint is None:
        return Finding("traces", "ok", "; ".join(heard) or t("cli.doctor.traces_none"))
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


async def check_metrics_sink(settings: Settings) -> list[Finding]:
    """Ask whether the store that watches the figures is there; nothing when none is set."""
    if settings.metrics_redis_url is None:
        return []
    try:
        sink = RedisSink.at(settings.metrics_redis_url)
        try:
            await sink.ping()
        finally:
            await sink.close()
    except Unreachable as error:
        says = f"{error}; the figures are kept here and told when it is back"
        return [Finding("metrics", "degraded", says)]
    except BadInput as error:
        return [Finding("metrics", "broken", str(error))]
    return [Finding("metrics", "ok", "told to Redis (EXECUTIVE_METRICS_REDIS_URL)")]


async def check_webhooks(settings: Settings) -> list[Finding]:
    """Say who is told of events, and what could not be told; nothing when nobody is."""
    if settings.webhooks_file is None:
        return []
    database = open_database(settings)
    try:
        outbox = build_outbox(settings, database)
        backlog = await outbox.backlog() if has_database(settings) else []
    except BadInput as error:
        return [Finding("webhooks", "broken", str(error))]
    finally:
        await database.close()
    names = ", ".join(one.name for one in outbox.endpoints) or "none"
    problems = [one async for one in _problems(outbox, backlog, build_egress(settings))]
    if problems:
        return [Finding("webhooks", "degraded", "; ".join([names, *problems]))]
    return [Finding("webhooks", "ok", f"events are told to {names}")]


_HOLDERS = (
    select(api_key.c.user, api_key.c.tenant_id)
    .where(api_key.c.kind == "person", api_key.c.revoked_at.is_(None))
    .where(or_(api_key.c.expires_at.is_(None), api_key.c.expires_at > func.unixepoch()))
)


def check_channels(settings: Settings) -> list[Finding]:
    """Say where people are told of approvals, and who of them cannot answer; nothing is sent."""
    file = settings.channels_path
    if file is None:
        return []
    try:
        found = read_channels(file, read_secrets())
    except BadInput as error:
        return [Finding("channels", "broken", str(error))]
    names = ", ".join(one.name for one in found.channel) or "none"
    problems = [] if settings.public_url else [t("cli.doctor.channels_no_url")]
    named = {(name, one.tenant) for one in found.channel for name in one.people}
    if lost := sorted(name for name, _tenant in named - _who_have_keys(settings)):
        problems.append(t("cli.doctor.channels_no_key", names=", ".join(lost)))
    if problems:
        return [Finding("channels", "degraded", "; ".join([names, *problems]))]
    return [Finding("channels", "ok", t("cli.doctor.channels", names=names))]


def check_ingest(settings: Settings) -> list[Finding]:
    """Say which mapping files of one's own are used; nothing where there is no folder of them."""
    is_named = settings.ingest_dir is not None
    try:
        found = IngestKinds.open(settings.ingest_folder, is_named=is_named)
    except BadInput as error:
        return [Finding("ingest", "broken", str(error))]
    names = ", ".join(found.own)
    return [Finding("ingest", "ok", t("cli.doctor.ingest", names=names))] if names else []


def _who_have_keys(settings: Settings) -> set[tuple[str, str]]:
    if not has_database(settings):
        return set()
    engine = create_engine(settings.database)
    try:
        with engine.connect() as connection:
            return {(row.user, row.tenant_id) for row in connection.execute(_HOLDERS)}
    except SQLAlchemyError:  # the check of the database says so
        return set()
    finally:
        engine.dispose()


async def _problems(
    outbox: Outbox, backlog: Sequence[Backlog], egress: Egress
) -> AsyncIterator[str]:
    for endpoint in outbox.endpoints:
        if said := await _away(endpoint, egress):
            yield f"{endpoint.name}: {said}"
    known = {one.name for one in outbox.endpoints}
    waiting = [one for one in backlog if one.standing == "pending"]
    if lost := sum(one.count for one in waiting if one.endpoint not in known):
        yield f"{lost} waiting, of endpoints that the file names no more"
    if dead := sum(one.count for one in backlog if one.standing == "dead"):
        yield f"{dead} given up (prefrontal webhooks list --dead)"


async def _away(endpoint: Endpoint, egress: Egress) -> str | None:
    """Tell why nothing can be sent there; whether it listens shows only when something is."""
    try:
        url = httpx.URL(fill_secrets(endpoint.url, egress.secrets))
        await egress.addresses(url.scheme, place_of(url))
    except (AgentError, httpx.InvalidURL) as error:
        return str(error)
    return None


def check_papers(settings: Settings) -> list[Finding]:
    """Say where packs search papers and with which keys; nothing when no pack does."""
    try:
        packs = packs_named(settings.packs)
    except AgentError:
        return []  # told by the packs themselves
    if not any(takes_service(pack.folder, pack.actions.values(), "papers") for pack in packs):
        return []
    if not settings.paper_providers:
        return [Finding("papers", "degraded", "none (EXECUTIVE_PAPER_PROVIDERS): no search works")]
    keyless = {
        "semantic_scholar": settings.semantic_scholar_key is None,
        "openalex": settings.openalex_key is None,
    }
    says = ", ".join(
        f"{NAMES[name]}{' without a key' if keyless[name] else ''}"
        for name in settings.paper_providers
    )
    without = any(keyless[name] for name in settings.paper_providers)
    more = "; they answer few searches without one (see .env.example)" if without else ""
    return [Finding("papers", "degraded" if without else "ok", says + more)]
