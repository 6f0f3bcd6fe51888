"""What is known of a decision that broke off too often."""

from pydantic import Field

from state.noun import Noun


class GaveUp(Noun):
    """Why a decision is not tried any more; the log has the error itself, which may hold words."""

    times: int = Field(description="how often it broke off since the start of the process")
    error: str = Field(description="the kind of the last error")
    stage: str | None = Field(default=None, description="the node it was in, where that is known")
