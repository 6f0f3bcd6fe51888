"""The way to the providers of scholarly papers: to each of them, and to nowhere else."""

from dataclasses import replace

import httpx
from pydantic import SecretStr

from graph.assembly.thresholds import read_tuning
from graph.settings import Settings
from state.paper import PaperProvider
from state.tuning import SearchTuning
from tools.egress.egress import Egress, place_of
from tools.egress.hosts import DEFAULT_PORTS, AllowedHosts
from tools.search import openalex, semantic_scholar
from tools.search.asking import Line, Pace
from tools.search.openalex import OpenAlex
from tools.search.paper_search import PaperSearch, Source
from tools.search.semantic_scholar import SemanticScholar


def papers_of(settings: Settings) -> PaperSearch:
    """Build scholarly search: each provider has a way out that leads to its own host alone.

    So a pack that searches needs no entry in EXECUTIVE_ALLOWED_HOSTS, and `http` of a pack cannot
    use what is open for the search. Inside our own network a host needs its entry all the same.
    """
    tuning = read_tuning(settings.policy_file).search
    build = {"semantic_scholar": _semantic_scholar, "openalex": _openalex}
    sources = tuple(build[name](settings, tuning) for name in settings.paper_providers)
    return PaperSearch(sources, tuning.same_title)


def _semantic_scholar(settings: Settings, tuning: SearchTuning) -> Source:
    url, key = settings.semantic_scholar_url, _plain(settings.semantic_scholar_key)
    headers = {semantic_scholar.KEY_HEADER: key} if key else {}
    line = _line(settings, tuning, "semantic_scholar", url, key)
    return Source(SemanticScholar(), replace(line, headers=headers))


def _openalex(settings: Settings, tuning: SearchTuning) -> Source:
    url, key = settings.openalex_url, _plain(settings.openalex_key)
    params = {openalex.KEY_PARAMETER: key} if key else {}
    line = _line(settings, tuning, "openalex", url, key)
    return Source(OpenAlex(), replace(line, params=params))


def _line(
    settings: Settings, tuning: SearchTuning, provider: PaperProvider, url: str, key: str
) -> Line:
    place = place_of(httpx.URL(url))
    scheme = httpx.URL(url).scheme
    entries = {str(place)} | ({place.host} if place.port == DEFAULT_PORTS[scheme] else set())
    private = entries & set(settings.allowed_private_hosts)
    hosts = AllowedHosts(public=frozenset({str(place)}), private=frozenset(private))
    return Line(
        provider,
        url,
        Egress(hosts, ca_file=settings.ca_file),
        tuning,
        Pace(tuning.pace_seconds.get(provider, 0.0)),
        secrets=(key,) if key else (),
    )


def _plain(secret: SecretStr | None) -> str:
    return secret.get_secret_value() if secret else ""
