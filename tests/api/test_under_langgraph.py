import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.xdist_group("hosted")  # one worker starts the server, once

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, bool], dict[str, Any]]:
    """Return what a LangGraph server with our routes in it answers, by call and by having a key."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.api.hosted"],
        cwd=tmp_path_factory.mktemp("hosted"),
        env=os.environ | {"PYTHONPATH": str(ROOT), "LANGGRAPH_NO_VERSION_CHECK": "true"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    told = [
        json.loads(line.removeprefix("CALL "))
        for line in done.stderr.splitlines()
        if line.startswith("CALL ")
    ]
    assert told, done.stderr[-3_000:]
    return {(each["call"], each["keyed"]): each for each in told}


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize(
    ("call", "status"),
    [
        ("GET /ok", 200),
        ("GET /info", 200),
        ("POST /assistants/search", 200),
        ("POST /threads", 200),
        ("POST /threads broken", 422),
        ("GET /threads/not-a-uuid", 422),
        ("POST /runs/wait", 200),
        ("GET /nowhere", 404),
    ],
)
def test_the_server_s_own_routes_stay_as_they_are(
    answers: dict[tuple[str, bool], dict[str, Any]], call: str, status: int, keyed: bool
):
    answer = answers[call, keyed]
    assert answer["status"] == status
    assert answer["type"] == "application/json"
    assert not answer["ours"]


@pytest.mark.parametrize(
    ("call", "without", "with_key"),
    [
        ("GET /", 200, 200),
        ("GET /livez", 200, 200),
        ("GET /readyz", 200, 200),
        ("GET /v1/decisions", 401, 200),
        ("POST /v1/events", 401, 200),
        ("POST /v1/events broken", 401, 400),
        ("GET /v1/events", 405, 405),
        ("GET /v1/nowhere", 404, 404),
    ],
)
def test_our_routes_keep_their_manners_inside_it(
    answers: dict[tuple[str, bool], dict[str, Any]], call: str, without: int, with_key: int
):
    for keyed, status in ((False, without), (True, with_key)):
        answer = answers[call, keyed]
        assert answer["status"] == status
        assert answer["ours"]
        assert (answer["type"] == "application/problem+json") == (status >= 400)


def test_one_document_describes_both(answers: dict[tuple[str, bool], dict[str, Any]]):
    document = answers["GET /openapi.json", False]
    assert document["status"] == 200
    assert '"title":"Prefrontal"' in document["text"]
    assert document["operations"] > 40
