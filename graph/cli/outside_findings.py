"""What a look at the set-up finds outside it: paper providers, and who watches the figures."""

from graph.cli.finding import Finding
from graph.cli.stored import has_database
from graph.data_folder import open_database
from graph.settings import Settings
from graph.webhooks import build_outbox
from state.errors import AgentError, BadInput, Unreachable
from tools.catalogue.function_checks import takes_service
from tools.catalogue.pack import find_pack, load_pack
from tools.quality.redis_sink import RedisSink
from tools.search.paper_search import NAMES


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
    dead = sum(one.count for one in backlog if one.standing == "dead")
    if dead:
        says = f"{names}; {dead} events given up (prefrontal webhooks list --dead)"
        return [Finding("webhooks", "degraded", says)]
    return [Finding("webhooks", "ok", f"events are told to {names}")]


def papers_found(settings: Settings) -> list[Finding]:
    """Say where packs search papers and with which keys; nothing when no pack does."""
    try:
        packs = [load_pack(find_pack(name)) for name in settings.packs]
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
