"""What git knows of this code."""

import subprocess
from pathlib import Path

_ROOT = Path(__file__).parents[1]


def git(*arguments: str) -> str:
    """Ask git about the folder that this code stands in.

    Raises:
        OSError, subprocess.CalledProcessError: there is no git, it is no repository, or it says no.
    """
    command = ["git", "-C", str(_ROOT), *arguments]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - git
    return ran.stdout.strip()


def revision() -> str:
    """Name the commit that this code stands at; a file changed since adds a plus."""
    try:
        head = git("rev-parse", "--short=10", "HEAD")
        return f"{head}+" if git("status", "--porcelain", "--untracked-files=no") else head
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
