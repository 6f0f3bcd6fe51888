"""What a look at the set-up finds outside it: paper providers, and who watches the figures."""

from collections.abc import AsyncIterator, Sequence

import httpx

from graph.assembly.data_folder import open_database
from graph.assembly.elsewhere import egress_of
from graph.assembly.webhooks import build_outbox
from graph.cli.set_up.finding import Finding
from graph.cli.stored import has_database
from graph.settings import Settings
from state.errors import AgentError, BadInput, Unreachable
from state.webhook import Endpoint
from tools.catalogue.function_checks import takes_service
from tools.catalogue.pack import packs_named
from tools.egress.egress import Egress, place_of
from tools.egress.secrets import fill_secrets
from tools.quality.redis_sink import RedisSink
from tools.search.paper_search import NAMES
from tools.webhooks.outbox import Backlog, Outbox


async def metrics_found(settings: Settings) -> list[Finding]:
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


async def webhooks_found(settings: Settings) -> list[Finding]:
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
    problems = [one async for one in _problems(outbox, backlog, egress_of(settings))]
    if problems:
        return [Finding("webhooks", "degraded", "; ".join([names, *problems]))]
    return [Finding("webhooks", "ok", f"events are told to {names}")]


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


def papers_found(settings: Settings) -> list[Finding]:
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
