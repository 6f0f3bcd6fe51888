"""What a person says to an approval, as they typed it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from state.refusal import RefusalWish

Decision = Literal["approve", "reject", "edit", "respond"]


@dataclass(frozen=True)
class Said:
    """A decision with what goes with it."""

    decision: Decision
    reason: str | None = None
    phrase: str | None = None
    """What the dialog asks to be typed by hand."""
    seen: bool = False
    """That the long parts of the dialog were read."""
    values: Mapping[str, str] | None = None
    """For an edit, the slots that change."""
    refuse: RefusalWish | None = None
    """With a no, what to refuse from now on."""
