"""Logs for operators: one JSON object a line on stderr, ours and every library's."""

import logging
import sys
from typing import Literal

import structlog

Level = Literal["info", "warning"]


def configure_logs(level: Level) -> None:
    """Send all logs of this process to stderr, from `level` up; stdout is for answers."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=_to_stderr,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
            foreign_pre_chain=shared,
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)


def _to_stderr(*_arguments: object) -> structlog.PrintLogger:
    # Looked up at each use: whoever replaces sys.stderr later still gets the lines.
    return structlog.PrintLogger(sys.stderr)
