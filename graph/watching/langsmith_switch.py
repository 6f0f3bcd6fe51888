"""The switch that keeps everything from LangSmith, whatever its own variables say."""

from graph.settings import Settings


def obey(settings: Settings) -> None:
    """Turn tracing off for this process where the setting says so; else leave it as it is."""
    if not settings.langsmith:
        from langsmith import configure  # a third of a second, and most commands trace nothing

        configure(enabled=False)
