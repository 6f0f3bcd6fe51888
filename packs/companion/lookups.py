"""Names of the notes, places and items that exist now: id to names."""

from pathlib import Path

from .handlers import NOTE, OTHER_NAMES, PLACE, RECIPES
from .store import reading

MOST = 2_000


def notes(data_dir: Path) -> dict[str, list[str]]:
    """List the notes; a deleted one can still be restored by its id."""
    with reading(data_dir) as connection:
        rows = connection.execute("SELECT number FROM note ORDER BY number DESC LIMIT ?", (MOST,))
        return {f"{NOTE}{row['number']}": [] for row in rows}


def places(data_dir: Path) -> dict[str, list[str]]:
    """List the places, each with what it is called."""
    with reading(data_dir) as connection:
        rows = connection.execute("SELECT * FROM place ORDER BY number DESC LIMIT ?", (MOST,))
        return {f"{PLACE}{row['number']}": [row["name"]] for row in rows}


def items(data_dir: Path) -> dict[str, list[str]]:
    """List what there is a recipe for."""
    return {item: list(OTHER_NAMES.get(item, ())) for item in RECIPES}
