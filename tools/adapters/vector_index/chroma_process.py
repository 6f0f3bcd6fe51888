"""Chroma in its own process: one request a line on standard input, until that ends.

Separate, because its import takes seconds, a write holds the interpreter's lock throughout,
and a damaged file ends the process that reads it. The process sees no text and decides
nothing.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

STORE, LOCK = "chroma", "lock"
SYNC = 2_000
"""Vectors after which the graph is written out; fewer are put in again at the next start."""
_CONFIGURATION = {
    "hnsw": {
        "space": "ip",
        "max_neighbors": 16,
        "ef_construction": 100,
        # Vectors by chance are the hardest case: among 20,000 this finds .99 of the nearest ten.
        "ef_search": 2_000,
        "sync_threshold": SYNC,
    }
}
_WAIT_SECONDS = 60
"""For a process that was left over by one that was killed, and ends by itself."""


class Collections:
    """What may be asked, each by the name of its method."""

    def __init__(self, client: Any) -> None:  # chromadb is imported in `main` alone
        self._client = client
        self._known = {one.name: one for one in client.list_collections()}

    def names(self) -> list[str]:
        """List the collections."""
        return sorted(self._known)

    def ids(self, name: str) -> list[str]:
        """List the ids of a collection; none that is not there."""
        known = self._known.get(name)
        return [] if known is None else list(known.get(include=[])["ids"])

    def put(self, name: str, ids: list[str], vectors: bytes) -> None:
        """Put vectors under ids, in place of those they had."""
        if name not in self._known:
            self._known[name] = self._client.get_or_create_collection(
                name, embedding_function=None, configuration=_CONFIGURATION
            )
        rows = np.frombuffer(vectors, np.float32).reshape(len(ids), -1)
        self._known[name].upsert(ids=ids, embeddings=rows)

    def remove(self, prefix: str, ids: list[str]) -> None:
        """Remove ids from each collection whose name begins like this."""
        for name, known in self._known.items():
            if name.startswith(prefix):
                known.delete(ids=ids)

    def drop(self, name: str) -> None:
        """Remove a collection."""
        self._client.delete_collection(name)
        del self._known[name]

    def nearest(self, name: str, most: int, vectors: bytes) -> list[str]:
        """List the ids nearest to a vector, best first."""
        known = self._known.get(name)
        if known is None:
            return []
        asked = np.frombuffer(vectors, np.float32).reshape(1, -1)
        found = known.query(query_embeddings=asked, n_results=most, include=[])
        return list(found["ids"][0])


def main() -> None:
    """Answer until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    folder = Path(sys.argv[1])
    with FileLock(folder / LOCK, timeout=_WAIT_SECONDS):
        for answer in _answers(folder):
            answers.write(json.dumps(answer).encode() + b"\n")
            answers.flush()


def _answers(folder: Path) -> Iterator[dict[str, Any]]:  # JSON
    try:
        import chromadb
        from chromadb.config import Settings

        kept = Settings(
            _env_file=None,  # type: ignore[call-arg]  # pydantic's own, which mypy does not know
            anonymized_telemetry=False,
        )
        collections = Collections(chromadb.PersistentClient(str(folder / STORE), kept))
    except Exception as error:  # noqa: BLE001  # whatever it is, the tables answer
        yield {"error": _told(error)}
        return
    yield {"found": None}
    while line := sys.stdin.buffer.readline():
        asked = json.loads(line)
        given = asked["given"]
        if size := asked["size"]:
            given["vectors"] = sys.stdin.buffer.read(size)
        work: Callable[..., Any] = getattr(collections, asked["work"])
        try:
            yield {"found": work(**given)}
        except Exception as error:  # noqa: BLE001  # as above
            yield {"error": _told(error)}


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


if __name__ == "__main__":
    main()
