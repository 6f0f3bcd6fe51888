"""What an action would do, told before anybody is asked."""

from collections.abc import Mapping

from pydantic import Field

from prefrontal.types.noun import CleanText, Noun


class Fact(Noun):
    """One line about what the action concerns."""

    label: CleanText
    value: CleanText


class Change(Noun):
    """One value before and after; None: it is not there."""

    target: CleanText
    field: CleanText
    before: CleanText | None = None
    after: CleanText | None = None


class Preview(Noun):
    """What a pack's preview function reads from its store, changing nothing.

    `versions` says in which state each target was seen; when one differs at the time of
    execution, the approval is stale and the action does not run.
    """

    facts: tuple[Fact, ...] = Field(default=(), max_length=50)
    changes: tuple[Change, ...] = Field(default=(), max_length=500)
    count: int | None = Field(default=None, ge=0, description="how many things are concerned")
    amount: float | None = Field(default=None, ge=0, description="money, in `currency`")
    currency: str = Field(default="", max_length=8)
    recipients: tuple[CleanText, ...] = Field(default=(), max_length=200)
    versions: Mapping[CleanText, CleanText] = Field(default_factory=dict)
