"""Keep a file that can be made again: written whole or not at all, and never a reason to fail."""

import os
import tempfile
from pathlib import Path


def keep(file: Path, content: bytes) -> None:
    """Write next to the place and rename, so that a reader never sees half a file.

    What cannot be written costs time at the next start, and nothing else.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, part = tempfile.mkstemp(dir=file.parent, suffix=".part")
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
        Path(part).replace(file)
    except OSError:
        return
