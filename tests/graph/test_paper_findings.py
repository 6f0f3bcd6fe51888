"""`prefrontal doctor` speaks of paper providers when a pack searches papers, and only then."""

from pathlib import Path

import pytest

from api.cli.doctor.report import run_checks
from api.cli.doctor.storage_checks import Finding
from graph.settings import Settings

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
