"""The LangGraph server keeps /metrics for itself; ours are scraped at /v1/metrics there."""

import pytest

from tests.server.conftest import Served

pytestmark = pytest.mark.xdist_group("langgraph-server")


def test_prometheus_finds_ours_beside_the_servers_own(served: Served) -> None:
    with served.api() as boss:
        theirs = boss.get("/metrics")
        ours = boss.get("/v1/metrics", headers={"Accept": "text/plain;version=0.0.4;q=0.5,*/*"})
    assert theirs.status_code == 200
    assert "prefrontal_" not in theirs.text
    assert ours.headers["content-type"].startswith("text/plain")
    assert 'prefrontal_turns{tenant="default",pack="vessel"}' in ours.text
