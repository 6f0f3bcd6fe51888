"""Building blocks that know nothing of agents; each module is public and stands for itself."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.platform import (
        clock,
        egress,
        egress_policy,
        experiments,
        process_resources,
        redaction,
        serialization,
        text_comparison,
        texts,
        unicode_safety,
    )

__all__ = [
    "clock",
    "egress",
    "egress_policy",
    "experiments",
    "process_resources",
    "redaction",
    "serialization",
    "text_comparison",
    "texts",
    "unicode_safety",
]
