"""What a look at the set-up finds outside it: paper providers, and who watches the figures."""

from graph.cli.finding import Finding
from graph.settings import Settings
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
