"""A yes in advance: calls that a person allows for a while, within a pattern and up to a limit."""

from collections.abc import Mapping
from datetime import datetime
from typing import Self

from pydantic import Field, model_validator

from prefrontal.types.noun import CleanJson, CleanText, Name, Noun

LONGEST_DAYS = 7.0
"""No deployment can make grants last longer."""


class ArgumentPattern(Noun):
    """What one argument of a granted call may be; exactly one of the four is given."""

    equals: CleanJson = Field(default=None, description="this value")
    one_of: tuple[CleanJson, ...] = Field(
        default=(), max_length=200, description="one of these values"
    )
    at_most: float | None = Field(
        default=None, ge=0, description="a number from 0 to this, both included"
    )
    any: bool = Field(default=False, description="true: any value, or none")

    @model_validator(mode="after")
    def _is_one_kind(self) -> Self:
        given = (self.equals is not None, bool(self.one_of), self.at_most is not None, self.any)
        if sum(given) != 1:
            raise ValueError("give one of equals, one_of, at_most and any")
        return self


class NewGrant(Noun):
    """A grant as a person asks for it; it starts from one action that was shown to them."""

    action_id: Name = Field(description="the approval that it starts from")
    digest: Name = Field(description="the digest that was shown with it")
    arguments: Mapping[CleanText, ArgumentPattern] = Field(
        default_factory=dict, description="by name; an argument not named must be absent"
    )
    minutes: float = Field(gt=0, le=LONGEST_DAYS * 1440, description="how long it lasts")
    uses: int | None = Field(
        default=None, ge=1, description="how many calls; none: the most that policy allows"
    )
    amount: float | None = Field(
        default=None, gt=0, description="how much money in all; none: only the calls are counted"
    )

    @model_validator(mode="after")
    def _has_a_limit(self) -> Self:
        if self.uses is None and self.amount is None:
            raise ValueError("give uses, amount or both")
        return self


class Grant(Noun):
    """A grant as it is kept."""

    grant_id: str
    tenant_id: str
    action: str
    pack: str
    schema_hash: str = Field(description="of the catalog entry that was shown; another is asked")
    arguments: Mapping[str, ArgumentPattern]
    requester: str = Field(description="for whom the calls have to be made")
    agent: str = Field(description="whose key has to propose them: an agent's, or their own")
    raised: tuple[str, ...] = Field(description="what may raise the class of a call that it covers")
    currency: str = Field(description="of the amount")
    granted_by: str
    action_id: str = Field(description="the approval that it started from")
    digest: str
    created_at: datetime
    until: datetime
    uses: int
    uses_left: int
    amount: float | None = None
    amount_left: float | None = None
    revoked_by: str | None = None
    revoked_at: datetime | None = None


class GrantTuning(Noun):
    """What may be granted at all."""

    never: tuple[Name, ...] = Field(default=(), description="actions that nobody can grant")
    longest_days: float = Field(default=LONGEST_DAYS, gt=0, le=LONGEST_DAYS)
    most_uses: int = Field(default=100, ge=1)
