"""What was asked, decided and done, how well, and what is waiting."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.observability import decision_record, metrics_export
    from tools.observability.policy_quality import SqlQuality
    from tools.observability.prediction_review import by_action
    from tools.observability.query_log import SqlQueryLog
    from tools.observability.query_row import Kind, collision_of
    from tools.observability.regrets import RegretRecorder, SqlRegrets
    from tools.observability.turn_quality import QualityRecorder, judge_turn

__all__ = [
    "Kind",
    "QualityRecorder",
    "RegretRecorder",
    "SqlQuality",
    "SqlQueryLog",
    "SqlRegrets",
    "by_action",
    "collision_of",
    "decision_record",
    "judge_turn",
    "metrics_export",
]

__getattr__ = lazy_names(
    __name__,
    {
        "policy_quality": ("SqlQuality",),
        "prediction_review": ("by_action",),
        "query_log": ("SqlQueryLog",),
        "query_row": ("Kind", "collision_of"),
        "regrets": ("RegretRecorder", "SqlRegrets"),
        "turn_quality": ("QualityRecorder", "judge_turn"),
    },
)
