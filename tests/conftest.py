"""What every test stands on: a clean environment, no network but loopback, and a data folder."""

import gc
import logging
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.commands import built_once
from tests.grouping import (  # noqa: F401 - hooks
    pytest_collection_modifyitems,
    pytest_xdist_auto_num_workers,
    pytest_xdist_make_scheduler,
)
from tests.openai_server import OpenAIServer
from tests.torture.tally import pytest_terminal_summary  # noqa: F401 - a hook
from tools.platform.process_resources import gc_paused

# Under another name for the workers, which start without our variables.
_GIVEN = "PREFRONTAL_LEARNT"
if "EXECUTIVE_CACHE_DIR" in os.environ:
    os.environ[_GIVEN] = os.environ["EXECUTIVE_CACHE_DIR"]

# Contracts are told to LangSmith on demand (docs/how-to/measure-a-change.md); all else knows
# nothing of its key.
_IS_TRACKED = os.environ.get("PREFRONTAL_TRACKED") == "true"
_GONE = ("EXECUTIVE_",) if _IS_TRACKED else ("EXECUTIVE_", "LANGSMITH_")
for _name in [name for name in os.environ if name.startswith(_GONE)]:
    del os.environ[_name]

# Read by LangGraph and LangSmith when they are imported, so set before any test module is.
os.environ.update(
    LANGSMITH_TRACING="false",
    LANGSMITH_TEST_TRACKING=str(_IS_TRACKED).lower(),
    LANGGRAPH_STRICT_MSGPACK="true",
    LANGGRAPH_CLI_NO_ANALYTICS="1",
    ANONYMIZED_TELEMETRY="false",
    # Only loopback is called, and each HTTP client would read the world's authorities, for 20 ms.
    SSL_CERT_FILE="",
    SSL_CERT_DIR=str(Path(__file__).parent),
)
# A line a decision, drawn for a terminal that nobody sees, would be a tenth of a fast test.
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
built_once()
# Thousands of tests and all that they import are gone through at every full collection. Seldom is
# enough: 700 new objects are nothing. In one process tests/api and the ledger's took 70 s of
# processor time with this and 91 without; the whole suite is hardly shorter.
gc.set_threshold(10_000, 20, 20)
# For properties that name nothing else; how fast a busy machine is says nothing about them.
settings.register_profile(
    "few", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("few")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector what lives to the end: imports and 8,000 tests, 0.2 s a round."""
    with gc_paused():
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def learnt_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Learn each pack once for all workers and the processes they start; it is kept by content.

    A folder that is set for the whole run, such as CI's, is used: its evals learnt most packs.
    """
    base = tmp_path_factory.getbasetemp()
    base = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder = Path(os.environ.get(_GIVEN, base / "learnt_once"))
    folder.mkdir(exist_ok=True)
    os.environ["EXECUTIVE_CACHE_DIR"] = str(folder)
    yield folder
    os.environ.pop("EXECUTIVE_CACHE_DIR", None)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Return an empty folder where one test keeps everything that the product writes."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def openai_server() -> Iterator[OpenAIServer]:
    """Return a running OpenAI-compatible server; append to its `rules` to script it."""
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def every_line() -> Iterator[None]:
    """Hear every line, whatever level an earlier test of this worker left."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.NOTSET))
    yield
    structlog.configure(**before)
