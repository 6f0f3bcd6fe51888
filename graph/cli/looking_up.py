"""Do a pack's lookups answer? Each is called once, on the pack's own store where there is one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import JsonValue

from graph.cli.options import read_settings
from state.errors import LookupFailed
from tools.catalogue.looking_up import look_up
from tools.catalogue.pack import Pack

_MOST_OF_AN_ERROR = 200


@dataclass(frozen=True)
class FailedLookup:
    """A lookup that raised, and what to do about it."""

    pack: str
    entity: str
    lookup: str
    error: str
    todo: str

    def __str__(self) -> str:
        return (
            f"{self.pack}: lookup {self.lookup} of {self.entity} failed: {self.error}; {self.todo}"
        )

    def as_json(self) -> dict[str, JsonValue]:
        """Give its fields."""
        return dict(asdict(self))


def failed_lookups(pack: Pack, tenant: str) -> tuple[FailedLookup, ...]:
    """Call every lookup of a pack on a tenant's store; what answers is not told of."""
    with _store_of(pack, tenant) as folder:
        return tuple(_failing(pack, folder))


def _failing(pack: Pack, folder: Path) -> Iterator[FailedLookup]:
    for name, entity in pack.entities.items():
        if entity.lookup is None:
            continue
        try:
            look_up(pack, name, folder)
        except LookupFailed as failed:
            told = " ".join(f"{failed.cause}: {failed.__cause__}".split())[:_MOST_OF_AN_ERROR]
            what = name.replace("_", " ")
            todo = (
                f"mend it, or what it reads in {folder}; until it answers, "
                f"no change that names a {what} is asked or done"
            )
            yield FailedLookup(pack.name, name, entity.lookup, told, todo)


@contextmanager
def _store_of(pack: Pack, tenant: str) -> Iterator[Path]:
    """Give the tenant's folder if the pack has kept something there, else a fresh one.

    A check makes no files in a deployment that the pack has never worked in.
    """
    settings = read_settings(None, None, is_checked=False)
    kept = settings.data_dir.resolve() / "packs" / tenant
    if (kept / pack.name).exists() or any(kept.glob(f"{pack.name}.*")):
        yield kept
        return
    with TemporaryDirectory(prefix="prefrontal-") as folder:
        yield Path(folder)
