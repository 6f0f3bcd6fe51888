"""What a person is shown before they say yes; drawn by code from typed values."""

from pydantic import Field

from prefrontal.types.approval import LedgerAction
from prefrontal.types.noun import Noun


class DialogLine(Noun):
    """One line: what it is about, and its value with everything hidden written out."""

    label: str
    value: str


class Dialog(Noun):
    """The question, whole: no model's words, no control character, nothing that turns around."""

    title: str = Field(description="what would be done")
    headline: str = Field(description="how many, how much and to whom; empty: none of them")
    words: str = Field(
        default="", description="what was asked for, verbatim, in quotes; empty: not shown here"
    )
    words_of: str = Field(
        default="", description="whose words these are and when they came, or why they are not here"
    )
    decision_id: str = Field(
        default="", description="of the decision that led here: GET /v1/decisions/{decision_id}"
    )
    facts: tuple[DialogLine, ...] = Field(description="about the thing it concerns")
    changes: tuple[DialogLine, ...] = Field(description="what changes, before and after")
    arguments: tuple[DialogLine, ...] = Field(description="every argument")
    raised: tuple[str, ...] = Field(description="what raised its class")
    asked_by: str
    may_answer: str = Field(description="roles, how many of them, and who may not")
    expires: str = Field(description="until when it can be answered; empty: it is queued")
    long: tuple[str, ...] = Field(
        default=(), description="what is too long for a glance, and has to be opened for a yes"
    )
    type_to_approve: str | None = Field(
        default=None, description="what has to be typed by hand with a yes; null: nothing"
    )
    duplicates: tuple[str, ...] = Field(
        default=(),
        description="the same action that ran or was rejected lately, is running, or is asked for",
    )
    digest: str
    lines: tuple[str, ...] = Field(description="all of it, a line each, the numbers first")


class ShownApproval(LedgerAction):
    """An action of the ledger as people are shown it: secret arguments covered, with its dialog."""

    dialog: Dialog | None = Field(default=None, description="null: its pack is not loaded")
