"""One failing turn is explained from its record alone: `prefrontal why` needs nothing else.

Source: policy-first plan, phase G: intent, action, final arguments, stage transition, reasons.
"""

from pathlib import Path

import pytest

from graph.presenters.explanation import explain
from state.principal import Principal
from state.record import DecisionTrace
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.tools.adapters.papers.asking import settings_of
from tests.tools.adapters.papers.openalex_server import openalex
from tests.tools.adapters.papers.semantic_scholar_server import semantic_scholar
from tests.tools.adapters.papers.servers import Reply, said
from tests.tools.adapters.papers.shelf import Entry

MEMBER = Principal(user="ann", tenant_id="default", roles=("member",))
TEXT = "Can you find me open access papers on sea ice since 2020? top 5"
BUSY = said({"message": "Too Many Requests"}, 429, retry_after="3600")


async def _trace(shelf: Harbour, text: str) -> DecisionTrace:
    record = await shelf.says(text, MEMBER)
    return await shelf.executive.records.trace(record.decision_id, "default")


def _told(trace: DecisionTrace, *, verbose: bool = False) -> list[str]:
    return [line for section in explain(trace, verbose=verbose) for line in section.lines]


@pytest.mark.parametrize("is_down", [False, True], ids=["one_down", "both_down"])
async def test_why_tells_intent_arguments_step_and_what_each_provider_did(
    open_harbour: OpenHarbour, tmp_path: Path, is_down: bool
) -> None:
    ice = Entry("Sea ice", 2022, doi="10.1000/ice", is_open=True)
    with semantic_scholar([ice]) as first, openalex([ice]) as second:
        first.always = BUSY
        second.always = Reply(503, b"down") if is_down else None
        settings = settings_of(tmp_path, first, second)
        given = settings.model_dump(include=settings.model_fields_set - {"data_dir"})
        async with open_harbour(**given | {"packs": ("research",)}) as shelf:
            trace = await _trace(shelf, TEXT)
    internals = _told(trace, verbose=True)
    told = _told(trace)
    whole = "\n".join(told)
    assert "Intent: direct_search" in internals
    assert "search_papers has to run, whatever the confidence" in internals
    assert "year_from:2020 since@" in "\n".join(internals)
    assert "With: query=sea ice, year from=2020, open access only=True, limit=5" in told
    assert "On success the stage becomes finding_papers" in told
    assert "it answered 429: no more before 60 min" in whole
    has_moved = "exploring → finding_papers: a search for papers succeeded" in told
    assert has_moved is not is_down
    if is_down:
        assert any(line.startswith("Failed: no paper provider answered") for line in told)
        assert "OpenAlex: it answered 503, 3 times" in whole
