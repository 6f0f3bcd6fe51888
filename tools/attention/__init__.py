"""Whether an event is worth speaking about, and when."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.attention import alarms, initiatives
    from tools.attention.filters import RelevanceFilters
    from tools.attention.inbox import Inbox
    from tools.attention.llm_tiebreak import LlmTiebreak
    from tools.attention.relevance import update_habituation
    from tools.attention.salience import InhibitionRules, SalienceAssessor
    from tools.attention.status import AttentionStatus
    from tools.attention.timing import TimingPolicy, delivery_context

__all__ = [
    "AttentionStatus",
    "Inbox",
    "InhibitionRules",
    "LlmTiebreak",
    "RelevanceFilters",
    "SalienceAssessor",
    "TimingPolicy",
    "alarms",
    "delivery_context",
    "initiatives",
    "update_habituation",
]

__getattr__ = lazy_names(
    __name__,
    {
        "filters": ("RelevanceFilters",),
        "inbox": ("Inbox",),
        "llm_tiebreak": ("LlmTiebreak",),
        "relevance": ("update_habituation",),
        "salience": ("InhibitionRules", "SalienceAssessor"),
        "status": ("AttentionStatus",),
        "timing": ("TimingPolicy", "delivery_context"),
    },
)
