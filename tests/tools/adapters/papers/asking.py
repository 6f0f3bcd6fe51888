"""A search over servers on loopback, as a deployment would build it."""

from pathlib import Path
from typing import Any

from graph.settings import Settings
from graph.wiring.external_services import build_paper_search
from state.policy import SearchPolicy
from tests.tools.adapters.papers.servers import PaperServer
from tools.adapters.papers.paper_search import PaperSearch

ROOT = Path(__file__).parents[4]

QUICK = {
    "seconds": "seconds = 8.0",
    "request_seconds": "request_seconds = 2.0",
    "first_wait_seconds": "first_wait_seconds = 0.001",
    "longest_wait_seconds": "longest_wait_seconds = 0.3",
    "pace_seconds": "pace_seconds = { semantic_scholar = 0.0, openalex = 0.0 }",
}
"""Lines of policy.toml's [search] for tests that wait."""


def search_of(
    folder: Path,
    semantic_scholar: PaperServer | None = None,
    openalex: PaperServer | None = None,
    **settings: Any,
) -> PaperSearch:
    """Build the search over the servers that are given."""
    return build_paper_search(settings_of(folder, semantic_scholar, openalex, **settings))


def settings_of(
    folder: Path,
    semantic_scholar: PaperServer | None = None,
    openalex: PaperServer | None = None,
    *,
    tuning: dict[str, str] | None = None,
    **settings: Any,
) -> Settings:
    """Write the settings that lead to the servers that are given.

    Args:
        folder: where its policy.toml is written.
        tuning: lines of [search] by key, beside the quick ones.
    """
    servers = {"semantic_scholar": semantic_scholar, "openalex": openalex}
    running = {name: server for name, server in servers.items() if server is not None}
    policy_file = folder / "policy.toml"
    policy_file.write_text(_policy({**QUICK, **(tuning or {})}), encoding="utf-8")
    given: dict[str, Any] = {
        "data_dir": folder / "data",
        "policy_file": policy_file,
        "paper_providers": tuple(running),
        "allowed_private_hosts": tuple(server.place for server in running.values()),
        **{f"{name}_url": server.url for name, server in running.items()},
        **settings,
    }
    return Settings(**given)


def about(topic: str, **fields: Any) -> SearchPolicy:
    """Search for a topic."""
    return SearchPolicy(query_terms=tuple(topic.split()), **fields)


def _policy(quick: dict[str, str]) -> str:
    head, name, rest = (ROOT / "policy.toml").read_text("utf-8").partition("[search]\n")
    table, bracket, after = rest.partition("\n[")
    lines = [quick.get(line.partition(" = ")[0], line) for line in table.splitlines()]
    return head + name + "\n".join(lines) + "\n" + bracket + after
