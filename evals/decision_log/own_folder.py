"""The folder a replay is kept in: it holds nothing else, for the replay writes all over it."""

from hashlib import sha256
from pathlib import Path

from graph.assembly.data_folder import private_folder
from state.errors import BadInput

MARK = "replay.sha256"
"""Says which replay a folder is of."""


def own_folder(folder: Path, *parts: str) -> Path:
    """Take an empty folder for a replay, or the one that it was begun in.

    Args:
        parts: what makes it this replay and no other: the log's digest, the policy.

    Raises:
        BadInput: the folder holds something else, a service's data or another replay.
    """
    wanted, mark = sha256("\0".join(parts).encode()).hexdigest(), folder / MARK
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is no folder")
    if mark.is_file():
        if mark.read_text("utf-8") != wanted:
            raise BadInput(f"{folder} is of another log or policy; name a new folder")
    elif folder.exists() and any(folder.iterdir()):
        raise BadInput(f"{folder} holds something that is no replay; name a new folder")
    else:
        private_folder(folder)
        mark.write_text(wanted, "utf-8")
    return folder
