"""The context manager of the specification, alone, with its own configuration."""

from pathlib import Path

import pytest

from graph.journal_context import open_context
from graph.settings import Settings
from state.errors import BadInput
from state.journal_config import JournalConfig
from state.reader import whole
from tools.journal.config_file import read_config

SETTINGS = Settings(embedder="none")
TOML = """
[[contexts]]
module = "context-decision-journal"
config = {
  # Decision detection
  auto_detect = true
  detection_keywords = [
    "decided", "decision:", "let's go with", "we should",
    "agreed", "consensus", "choosing", "selected"
  ]
  detection_threshold = 0.8                 # Confidence threshold for LLM detection
  structured_extraction = true
  extract_rationale = false
  auto_link_strategy = "file_mention"       # "file_mention" | "git_context" | "llm_inference"
  search_index = "sqlite"                   # "memory" | "sqlite" | "elasticsearch"
  index_embeddings = true
  embedding_model = "text-embedding-3-small"
  persistence = true
  storage_path = ".amplifier/decisions/"
  retention_days = 365
  enable_temporal_queries = true
}
"""
YAML = """
contexts:
  - module: other
    config: {auto_detect: false}
  - module: context-decision-journal
    config:
      llm_confirmation: false
      track_superseded_decisions: true
      enable_fts: true
"""


def test_the_configuration_of_the_specification_is_read_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(TOML, "utf-8")
    (tmp_path / "a.yaml").write_text(YAML, "utf-8")
    config = read_config(tmp_path / "a.toml")
    assert (config.detection_threshold, config.extract_rationale) == (0.8, False)
    assert (config.retention_days, len(config.detection_keywords)) == (365, 8)
    assert read_config(tmp_path / "a.yaml") == JournalConfig(llm_confirmation=False)


@pytest.mark.parametrize(
    "wrong",
    [
        'search_index = "elasticsearch"',
        'auto_link_strategy = "git_context"',
        "enable_fts = false",
        "colour = 1",
        "detection_threshold = 2",
        "retention_days =",
    ],
)
def test_what_this_journal_cannot_do_is_refused(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "a.toml"
    head = '[[contexts]]\nmodule = "context-decision-journal"\nconfig = {\n'
    file.write_text(f"{head}{wrong}\n}}\n", "utf-8")
    with pytest.raises(BadInput, match=r"a\.toml"):
        read_config(file)


async def test_the_whole_life_of_a_decision(tmp_path: Path) -> None:
    config = JournalConfig(storage_path=str(tmp_path / "decisions"))
    async with open_context(config, settings=SETTINGS) as context:
        await context.add_message({"role": "user", "content": "Should we use oak or steel?"})
        read = await context.add_message({"role": "user", "content": "Let's go with oak."})
        assert read is not None
        assert read.is_decision
        await context.add_message(
            {"role": "user", "content": "We decided to replace oak with steel."}
        )
        assert [one["content"] for one in await context.get_messages()][1] == "Let's go with oak."
    async with open_context(config, settings=SETTINGS) as context:
        newest, *_older = await context.search_decisions("replace oak with steel")
        chain = await context.get_decision_chain(newest.id)
        assert (chain.original.decision, chain.current.id) == ("go with oak", newest.id)
        assert chain.original.status == "superseded"
        search, follow = context.as_tools()
        assert (await search.ainvoke({"query": "replace oak with steel"}))[0]["id"] == newest.id
        assert (await follow.ainvoke({"decision_id": newest.id}))["current"]["id"] == newest.id
        with pytest.raises(BadInput, match="content"):
            await context.add_message({"role": "user"})


async def test_without_detection_nothing_is_found() -> None:
    config = JournalConfig(persistence=False, auto_detect=False)
    async with open_context(config, settings=SETTINGS) as context:
        assert await context.add_message({"content": "We decided to use oak."}) is None
        assert await context.search_decisions("oak") == []


async def test_fields_that_are_not_wanted_are_left_out() -> None:
    config = JournalConfig(persistence=False, extract_rationale=False, extract_stakeholders=False)
    async with open_context(config, settings=SETTINGS) as context:
        read = await context.add_message({"content": "We decided to use oak because it lasts."})
        assert read is not None
        (kept,) = await context.journal.store.all(whole("default"))
        assert (kept.decision, kept.rationale, kept.stakeholders) == ("use oak", "", ())
        assert "rationale" not in kept.evidence
