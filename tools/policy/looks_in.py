"""Where and when a text is read."""

from datetime import date
from pathlib import Path
from typing import TypedDict


class LooksIn(TypedDict):
    """Where names are looked up, the day that `today` is, and who `me` is."""

    data_dir: Path
    today: date | None
    asker: str | None
