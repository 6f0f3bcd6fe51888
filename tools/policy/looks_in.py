"""Where and when a text is read."""

from datetime import date
from pathlib import Path
from typing import TypedDict


class LooksIn(TypedDict):
    """Where names are looked up, and the day that `today` is."""

    data_dir: Path
    today: date | None
