"""The switch that keeps everything from LangSmith, whatever its own variables say."""

from langsmith import configure

from graph.settings import Settings


def obey(settings: Settings) -> None:
    """Turn tracing off for this process where the setting says so; else leave it as it is."""
    if not settings.langsmith:
        configure(enabled=False)
