"""How long things are kept, and what was let go."""

from pydantic import Field

from state.noun import Noun


class RetentionTuning(Noun):
    """Days after which what has ended is removed; 0 keeps it for ever."""

    ledger_days: int = Field(ge=0)
    decisions_days: int = Field(ge=0)
    query_log_days: int = Field(ge=0)
    memory_days: int = Field(ge=0)
    checkpoint_days: int = Field(ge=0)
    journal_days: int = Field(ge=0)
    people_days: int = Field(ge=0)
    webhook_days: int = Field(ge=0)


class Pruned(Noun):
    """How much was removed, or would be."""

    ledger_actions: int = 0
    ledger_entries: int = 0
    decisions: int = 0
    queries: int = 0
    memories: int = 0
    turns: int = 0
    threads: int = 0
    journal: int = 0
    journal_links: int = 0
    people: int = 0
    webhooks: int = 0

    def __bool__(self) -> bool:
        return any(self.model_dump().values())
