"""What happened before, and what was learned from it?"""

from tools.memory.assembly import build_recorders, open_heuristics
from tools.memory.heuristics.administration import (
    SqlHeuristics,
    change_chip,
    own_actions,
    recorded_trace,
)
from tools.memory.heuristics.matching import HeuristicRepertoire
from tools.memory.recall import OF_UTTERANCES, RecallScope, UtteranceRecall, UtteranceVectors
from tools.memory.session.requests import request_of_signal
from tools.memory.session.update import SessionUpdate

__all__ = [
    "OF_UTTERANCES",
    "HeuristicRepertoire",
    "RecallScope",
    "SessionUpdate",
    "SqlHeuristics",
    "UtteranceRecall",
    "UtteranceVectors",
    "build_recorders",
    "change_chip",
    "open_heuristics",
    "own_actions",
    "recorded_trace",
    "request_of_signal",
]
