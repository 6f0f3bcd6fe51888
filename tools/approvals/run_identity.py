"""Which run of a LangGraph server a node is part of."""

from langchain_core.runnables import RunnableConfig


def run_of(config: RunnableConfig) -> str | None:
    """Name the run; None: it is one of ours, which nobody outside can answer through."""
    run_id = config.get("run_id") or config.get("metadata", {}).get("run_id")
    return None if run_id is None else str(run_id)
