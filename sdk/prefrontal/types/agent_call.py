"""A call that an agent proposes: the action, its arguments, and what the agent says about it."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from prefrontal.types.noun import CleanJson, CleanText, Name, Noun

LONGEST_REASON = 2_000
"""Characters of the reason an agent gives."""

Source = Annotated[CleanText, Field(min_length=1, max_length=500)]


class AgentCall(Noun):
    """What an agent wants done; nothing in it grants a right or lowers a class."""

    action: Name
    arguments: Mapping[CleanText, CleanJson] = Field(default_factory=dict)
    reason: CleanText | None = Field(
        default=None, max_length=LONGEST_REASON, description="why, in the agent's words"
    )
    sources: tuple[Source, ...] = Field(
        default=(), max_length=20, description="what the agent read: addresses, file names, ids"
    )
    tainted: bool = Field(
        default=False,
        description="true: untrusted content was in the agent's context; raises the class",
    )
    again: bool = Field(
        default=False,
        description="true: wanted once more although the same call waits for an approval, or "
        "was just rejected",
    )
