"""Where and when a text is read."""

from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from pathlib import Path
from typing import TypedDict

from state.event import Event


class LooksIn(TypedDict):
    """Where names are looked up, the day that `today` is, and who `me` is."""

    data_dir: Path
    today: date | None
    asker: str | None


@dataclass(frozen=True)
class Here:
    """Where we stand: the folder in which every tenant has one, and the clock on the wall."""

    data_dir: Path
    zone: tzinfo = UTC

    def looks_in(self, event: Event) -> LooksIn:
        """Give what a text is read by; late in the evening it is tomorrow elsewhere already."""
        at = event.occurred_at
        return {
            "data_dir": self.data_dir / event.tenant_id,
            "today": at.astimezone(self.zone).date() if at else None,
            "asker": event.user,
        }
