"""The decision journal's own configuration, as its specification writes it.

Source: decision journal spec, configuration schema and full configuration.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, model_validator

from state.journal import Decision
from state.noun import Noun, Score

MODULE = "context-decision-journal"


_SETTLED: Mapping[str, object] = {
    "auto_link_strategy": "file_mention",
    "enable_fts": True,
    "enable_temporal_queries": True,
    "enable_stakeholder_queries": True,
    "enable_technology_queries": True,
}
"""Settings of the specification that have one value here: accepted, and never read."""


class JournalConfig(Noun):
    """What `[[contexts]]` says of the journal; a key that is missing has the default given here."""

    auto_detect: bool = Field(default=True, description="false: only what is added by hand")
    detection_keywords: tuple[str, ...] = Field(
        default=(), description="what holds one is shown to the model; rules need none"
    )
    detection_threshold: Score = 0.7
    llm_confirmation: bool = Field(default=True, description="where a model is set")

    structured_extraction: bool = Field(default=True, description="false: the decision alone")
    extract_rationale: bool = True
    extract_alternatives: bool = True
    extract_trade_offs: bool = True
    extract_stakeholders: bool = True

    link_to_code: bool = True
    link_to_features: bool = True

    search_index: Literal["memory", "sqlite"] = "sqlite"
    index_embeddings: bool = True
    embedding_model: str = Field(
        default="all-MiniLM-L6-v2",
        description="of the server with EXECUTIVE_EMBEDDER=openai; else the local one is used",
    )

    persistence: bool = Field(default=True, description="false: gone when it is closed")
    storage_path: str = ".amplifier/decisions/"
    retention_days: int = Field(
        default=730, ge=0, description="0: for ever; see docs/explanation/journal.md"
    )

    track_superseded_decisions: bool = True
    detect_revisited_decisions: bool = True

    @model_validator(mode="before")
    @classmethod
    def _accept_what_is_settled(cls, given: object) -> object:
        if not isinstance(given, Mapping):
            return given
        for name in _SETTLED.keys() & given.keys():
            if given[name] != _SETTLED[name]:
                raise ValueError(f"{name} is always {_SETTLED[name]}")
        return {name: value for name, value in given.items() if name not in _SETTLED}

    @property
    def is_kept(self) -> bool:
        """Tell whether decisions outlive the process."""
        return self.persistence and self.search_index == "sqlite"

    def trimmed(self, decision: Decision) -> Decision:
        """Leave out what is not wanted."""
        wanted = {
            "rationale": self.extract_rationale,
            "alternatives": self.extract_alternatives,
            "trade_offs": self.extract_trade_offs,
            "stakeholders": self.extract_stakeholders,
            "related_code": self.link_to_code,
            "related_features": self.link_to_features,
        }
        empty = {"rationale": "", "trade_offs": None}
        left_out = [
            name
            for name, is_wanted in wanted.items()
            if not (self.structured_extraction and is_wanted)
        ]
        update: dict[str, object] = {name: empty.get(name, ()) for name in left_out}
        evidence = {name: at for name, at in decision.evidence.items() if name not in left_out}
        return decision.model_copy(update=update | {"evidence": evidence})
