"""Where it was measured: a figure without its machine says nothing."""

import os
import platform
import sqlite3
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from state.noun import Noun

ROOT = Path(__file__).resolve().parents[2]
WITH_A_SAY = (
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "langchain-core",
    "pydantic",
    "sqlalchemy",
    "fastapi",
    "uvicorn",
    "aiosqlite",
    "numpy",
    "onnxruntime",
)
"""Packages whose version moves the figures."""


class Machine(Noun):
    """The machine, what runs on it, and how busy it was with other things."""

    processor: str
    cores: int
    system: str
    python: str
    sqlite: str
    versions: dict[str, str]
    load_before: float | None


def describe_machine() -> Machine:
    """Describe the machine as it is now."""
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        sqlite=sqlite3.sqlite_version,
        versions={name: version(name) for name in WITH_A_SAY},
        load_before=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    )


def file_name() -> str:
    """Name a result after the day and the commit; `dirty` when the tree was not as committed."""
    commit = _git("rev-parse", "--short", "HEAD") or "uncommitted"
    dirty = "-dirty" if _git("status", "--porcelain", "--untracked-files=no") else ""
    return f"{datetime.now(UTC):%Y-%m-%d}-{commit}{dirty}.json"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def _git(*arguments: str) -> str:
    try:
        found = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", *arguments],  # noqa: S607 - whichever git the person uses
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()
