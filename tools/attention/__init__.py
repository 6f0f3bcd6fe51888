"""Whether an event is worth speaking about, and when."""

from typing import TYPE_CHECKING

from tools.facade import lazy_names

if TYPE_CHECKING:
    from tools.attention import initiatives, reminders
    from tools.attention.assembly import build_inbox, build_salience, build_timing
    from tools.attention.filters import RelevanceFilters
    from tools.attention.inbox import Inbox
    from tools.attention.llm_tiebreak import LlmTiebreak
    from tools.attention.salience import SalienceAssessor
    from tools.attention.status import AttentionStatus
    from tools.attention.timing import TimingPolicy, delivery_context

__all__ = [
    "AttentionStatus",
    "Inbox",
    "LlmTiebreak",
    "RelevanceFilters",
    "SalienceAssessor",
    "TimingPolicy",
    "build_inbox",
    "build_salience",
    "build_timing",
    "delivery_context",
    "initiatives",
    "reminders",
]

__getattr__ = lazy_names(
    __name__,
    {
        "assembly": ("build_inbox", "build_salience", "build_timing"),
        "filters": ("RelevanceFilters",),
        "inbox": ("Inbox",),
        "llm_tiebreak": ("LlmTiebreak",),
        "salience": ("SalienceAssessor",),
        "status": ("AttentionStatus",),
        "timing": ("TimingPolicy", "delivery_context"),
    },
)
