"""Each provider is reached at its own address and nowhere else, and nobody else can go there."""

from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError

from api.cli.doctor.report import run_checks
from api.cli.doctor.storage_checks import Finding
from graph.settings import Settings
from graph.wiring.external_services import build_egress, build_paper_search
from state.errors import Unreachable
from tests.tools.adapters.papers.asking import about, settings_of
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.shelf import Entry
from tools.platform.egress_policy import Place

PUBLIC = {
    "semantic_scholar": Place("api.semanticscholar.org", 443),
    "openalex": Place("api.openalex.org", 443),
}


def test_without_configuration_each_leads_to_its_public_host_alone() -> None:
    for source in build_paper_search(Settings()).sources:
        hosts = source.line.egress.hosts
        for name, place in PUBLIC.items():
            if name == source.provider.name:
                hosts.check("https", place)
                with pytest.raises(Unreachable):
                    hosts.check("http", Place(place.host, 80))
            else:
                with pytest.raises(Unreachable):
                    hosts.check("https", place)


def test_actions_of_packs_cannot_use_what_is_open_for_the_search() -> None:
    egress = build_egress(Settings())
    for place in PUBLIC.values():
        with pytest.raises(Unreachable, match="EXECUTIVE_ALLOWED_HOSTS"):
            egress.hosts.check("https", place)


def test_its_public_host_may_not_lead_into_our_own_network() -> None:
    (first, _) = build_paper_search(Settings()).sources
    with pytest.raises(Unreachable, match="not public"):
        first.line.egress.hosts.check_address("https", PUBLIC["semantic_scholar"], "10.0.0.7")


async def test_a_provider_on_this_machine_needs_its_entry_all_the_same(tmp_path: Path) -> None:
    with semantic_scholar([Entry("Ice")]) as server:
        settings = settings_of(tmp_path, server, allowed_private_hosts=())
        with pytest.raises(Unreachable, match="not public; nothing was sent"):
            await build_paper_search(settings).search(about("ice"))
    assert server.asked == []


@pytest.mark.parametrize(
    "settings",
    [
        {"paper_providers": "google_scholar"},
        {"openalex_url": "ftp://api.openalex.org"},
        {"openalex_url": "https://me@api.openalex.org"},
        {"semantic_scholar_url": "https://api.semanticscholar.org/?x=1"},
    ],
)
def test_a_setting_that_cannot_be_is_refused_at_once(settings: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate(settings)


def test_no_provider_may_be_named() -> None:
    assert build_paper_search(Settings(paper_providers=())).sources == ()


async def test_a_proxy_of_the_environment_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with semantic_scholar([Entry("Ice")]) as server:
        result = await build_paper_search(settings_of(tmp_path, server)).search(about("ice"))
    assert len(result.papers) == 1
    assert httpx.URL(server.url).host == "127.0.0.1"


# `prefrontal doctor` speaks of paper providers when a pack searches papers, and only then.


ENTRY = """
actions:
  seek:
    {summary: "Seek {topic}", verb: query, object: paper, effect: read, handler: "handlers:seek",
     slots: {topic: {type: text, required: true}}}
"""


async def _papers(folder: Path, handler: str, **settings: object) -> list[Finding]:
    pack = folder / "library"
    pack.mkdir()
    (pack / "actions.yaml").write_text(ENTRY, "utf-8")
    (pack / "handlers.py").write_text(f"{handler}\n", "utf-8")
    given = {"packs": (str(pack),), "data_dir": folder / "data", **settings}
    found = await run_checks(Settings.model_validate(given), 1.0)
    return [finding for finding in found if finding.what == "papers"]


@pytest.mark.parametrize(
    ("settings", "state", "says"),
    [
        ({}, "degraded", "Semantic Scholar without a key, OpenAlex without a key"),
        ({"paper_providers": "openalex", "openalex_key": "k" * 8}, "ok", "OpenAlex"),
        ({"paper_providers": ""}, "degraded", "EXECUTIVE_PAPER_PROVIDERS"),
    ],
)
async def test_providers_are_told_with_what_a_missing_key_means(
    tmp_path: Path, settings: dict[str, object], state: str, says: str
) -> None:
    (found,) = await _papers(tmp_path, "async def seek(context, papers, *, topic): ...", **settings)
    assert found.state == state
    assert found.says.startswith(says) or says in found.says
    assert "k" * 8 not in found.says


async def test_a_pack_without_papers_hears_nothing_of_them(tmp_path: Path) -> None:
    assert await _papers(tmp_path, "def seek(context, *, topic): ...") == []
