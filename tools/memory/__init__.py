"""What happened before, and what was learned from it."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.memory.heuristics.administration import (
        SqlHeuristics,
        build_recorders,
        change_chip,
        open_heuristics,
        recorded_trace,
    )
    from tools.memory.heuristics.matching import HeuristicRepertoire
    from tools.memory.recall import OF_UTTERANCES, RecallScope, UtteranceRecall
    from tools.memory.session.feedback import (
        feedback_of_signal,
        silence_feedback_of_signal,
        wake_pattern,
    )
    from tools.memory.session.requests import request_of_signal
    from tools.memory.session.update import SessionUpdate

__all__ = [
    "OF_UTTERANCES",
    "HeuristicRepertoire",
    "RecallScope",
    "SessionUpdate",
    "SqlHeuristics",
    "UtteranceRecall",
    "build_recorders",
    "change_chip",
    "feedback_of_signal",
    "open_heuristics",
    "recorded_trace",
    "request_of_signal",
    "silence_feedback_of_signal",
    "wake_pattern",
]

__getattr__ = lazy_names(
    __name__,
    {
        "heuristics.administration": (
            "SqlHeuristics",
            "build_recorders",
            "change_chip",
            "open_heuristics",
            "recorded_trace",
        ),
        "heuristics.matching": ("HeuristicRepertoire",),
        "recall": ("OF_UTTERANCES", "RecallScope", "UtteranceRecall"),
        "session.requests": ("request_of_signal",),
        "session.feedback": ("feedback_of_signal", "silence_feedback_of_signal", "wake_pattern"),
        "session.update": ("SessionUpdate",),
    },
)
