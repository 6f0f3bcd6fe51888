"""One archive: the manifest first, then every file; written whole or not at all."""

import shutil
import tarfile
import zlib
from io import BytesIO
from pathlib import Path
from tarfile import TarFile, TarInfo

from pydantic import ValidationError

from state.errors import BadInput
from tools.backup.copying import checked
from tools.backup.manifest import MANIFEST, Kept, Manifest, sum_of

_MOST_MANIFEST_BYTES = 16 * 1024 * 1024
_DAMAGED = (tarfile.TarError, OSError, EOFError, zlib.error)
"""What tarfile raises of an archive that was cut or changed."""


def pack(folder: Path, manifest: Manifest, archive: Path) -> None:
    """Write an archive of a folder of copies, for its owner only.

    Raises:
        BadInput: there is a file of that name already.
    """
    if archive.exists():
        raise BadInput(f"{archive} is there already; a backup is never written over")
    part = archive.with_name(f".{archive.name}.part")
    part.touch(mode=0o600)
    try:
        with tarfile.open(part, "w:gz", compresslevel=6) as out:
            told = manifest.model_dump_json(indent=1).encode()
            head = TarInfo(MANIFEST)
            head.size, head.mode = len(told), 0o600
            out.addfile(head, BytesIO(told))
            for name in sorted(manifest.files):
                out.add(folder / name, arcname=name, recursive=False)
        part.replace(archive)
    finally:
        part.unlink(missing_ok=True)


def unpack(archive: Path, folder: Path) -> Manifest:
    """Write an archive's files into an empty folder, and check each against the manifest.

    Raises:
        BadInput: it is no backup, or a file is missing, other, or damaged.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _opened(archive) as source:
        manifest = _manifest(source, archive)
        needed = sum(kept.size for kept in manifest.files.values())
        if needed > (free := shutil.disk_usage(folder).free):
            raise BadInput(f"{archive} holds {needed:,} bytes, and {folder} has room for {free:,}")
        # By the manifest's names alone: what else an archive holds is never written.
        for name, kept in manifest.files.items():
            _write(source, name, folder / name, kept.size)
            _check(folder / name, name, kept)
    return manifest


def _write(source: TarFile, name: str, target: Path, size: int) -> None:
    try:
        member = source.getmember(name)
        content = source.extractfile(member) if member.isreg() else None
    except (KeyError, *_DAMAGED) as error:
        raise BadInput(f"{name} is missing in the archive") from error
    if content is None:
        raise BadInput(f"{name} is no plain file in the archive")
    if member.size != size:  # before it is written: a few bytes may stand for a full disk
        raise BadInput(f"{name} is not what the manifest says: the archive was changed or damaged")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        target.touch(mode=0o600)
        with target.open("wb") as out:
            while piece := content.read(1 << 20):
                out.write(piece)
    except _DAMAGED as error:
        raise BadInput(f"{name} cannot be read out of the archive: {error}") from error


def _check(file: Path, name: str, kept: Kept) -> None:
    if file.stat().st_size != kept.size or sum_of(file) != kept.sha256:
        raise BadInput(f"{name} is not what the manifest says: the archive was changed or damaged")
    if kept.rows and checked(file) != dict(kept.rows):
        raise BadInput(f"{name} holds other rows than the manifest says")


def _manifest(source: TarFile, archive: Path) -> Manifest:
    try:
        first = source.next()
        told = source.extractfile(first) if first and first.name == MANIFEST else None
        if told is None:
            raise BadInput(f"{archive} is no backup: its first member is no {MANIFEST}")
        if first and first.size > _MOST_MANIFEST_BYTES:
            raise BadInput(f"{archive} is no backup: its {MANIFEST} has {first.size:,} bytes")
        return Manifest.model_validate_json(told.read())
    except (ValidationError, *_DAMAGED) as error:
        raise BadInput(f"{archive} is no backup: {error}") from error


def _opened(archive: Path) -> TarFile:
    try:
        return tarfile.open(archive, "r:gz")
    except _DAMAGED as error:
        raise BadInput(f"{archive} cannot be read as a backup: {error}") from error
