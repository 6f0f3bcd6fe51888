"""What a backup holds, and by which sums it is known to be whole."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import Field, field_validator

from state.noun import Noun

MANIFEST = "manifest.json"
_PIECE = 1 << 20


class Kept(Noun):
    """One file of a backup."""

    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    rows: Mapping[str, int] = Field(
        default_factory=dict, description="of a database: rows by table, as they were copied"
    )


class Manifest(Noun):
    """The contents of an archive; it is its first member."""

    backup: Literal[1] = Field(default=1, description="the form of the archive")
    made_at: datetime
    made_seconds: float = Field(description="how long copying took: files are this far apart")
    version: str
    key: Literal["inside", "left out", "environment"] = Field(
        description="where the key that seals the ledger is"
    )
    files: Mapping[str, Kept] = Field(description="by path in the data folder")

    @field_validator("files")
    @classmethod
    def _stay_inside(cls, files: Mapping[str, Kept]) -> Mapping[str, Kept]:
        for name in files:
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in name:
                raise ValueError(f"{name!r} lies outside the folder")
        return files


def sum_of(file: Path) -> str:
    """Hash a file, piece by piece."""
    digest = hashlib.sha256()
    with file.open("rb") as source:
        while piece := source.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()
