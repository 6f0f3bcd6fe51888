"""One thing that a look at the set-up finds."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "degraded", "broken"]


@dataclass(frozen=True)
class Finding:
    """One part of the set-up: does it work, and what follows."""

    what: str
    state: State
    says: str
