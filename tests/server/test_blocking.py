"""`langgraph dev` stops whatever blocks its loop; nothing of ours does."""

from typing import Any

import pytest

pytestmark = pytest.mark.xdist_group("langgraph-server")

REQUESTS = ("how many oil filters do we have?", "show WO-1041", "buy bread on the way home")


def test_nothing_of_ours_blocks_the_loop_of_the_server(served: Any) -> None:
    with served.api(served.engineer_key) as api:
        told = [api.post("/v1/messages", json={"text": text}).status_code for text in REQUESTS]
        assert set(told) <= {200, 202}
        assert api.get("/readyz").status_code == 200
    log = (served.data_dir / "server.log").read_text("utf-8")
    assert "BlockingError" not in log
    assert "keeping_failed" not in log
