"""Client of the Chroma process: vectors in files of the data folder, and the nearest of them."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Lock, Timer
from typing import Any

import numpy as np

from state.errors import IndexUnavailable
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.vector_index.chroma_process import STORE

FOLDER = "vectors"
"""In the data folder; a backup leaves it out, for the tables make it anew."""
_ROOT = Path(__file__).parents[3]
_STARTS_SECONDS, _ANSWERS_SECONDS = 120.0, 30.0


class ChromaIndex:
    """Approximate nearest neighbours by collection and id; one process at a time has its folder.

    Every method blocks and may raise IndexUnavailable.
    """

    def __init__(self, folder: Path) -> None:
        """Remember the place; nothing is made or imported yet."""
        self.folder = folder
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_made(self) -> bool:
        """Tell whether there is anything of it on disk."""
        return self.folder.is_dir()

    @property
    def is_open(self) -> bool:
        """Tell whether it can be asked."""
        process = self._process
        return process is not None and process.poll() is None

    def open(self) -> None:
        """Start the process that has the files, unless it runs."""
        with self._lock:
            if self.is_open:
                return
            self._end()
            try:
                self._process = self._start()
            except OSError as error:
                raise IndexUnavailable(f"it cannot be started: {error}") from error
            self._answer(self._process, _STARTS_SECONDS)

    def close(self) -> None:
        """End it; the next `open` starts it anew."""
        with self._lock:
            self._end()

    def discard(self) -> None:
        """Remove all that it keeps."""
        with self._lock:
            self._end()
            shutil.rmtree(self.folder / STORE, ignore_errors=True)

    def nearest(self, name: str, question: Vectors, most: int) -> list[str]:
        """List the ids nearest to a vector of a collection, best first."""
        found: list[str] = self._ask("nearest", question, name=name, most=most)
        return found

    def put(self, name: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Put vectors, (ids, dimensions), in place of those that the ids had."""
        self._ask("put", vectors, name=name, ids=list(ids))

    def remove(self, prefix: str, ids: Sequence[str]) -> None:
        """Remove ids from every collection whose name begins like this."""
        self._ask("remove", prefix=prefix, ids=list(ids))

    def names(self) -> list[str]:
        """List its collections."""
        found: list[str] = self._ask("names")
        return found

    def ids(self, name: str) -> list[str]:
        """List the ids of a collection."""
        found: list[str] = self._ask("ids", name=name)
        return found

    def drop(self, name: str) -> None:
        """Remove a collection."""
        self._ask("drop", name=name)

    def _start(self) -> "subprocess.Popen[bytes]":
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # No variable of ours goes along: no key, and nothing that Chroma would read as its own.
        around = {"HOME": str(self.folder), "PYTHONPATH": str(_ROOT), "PYTHONUTF8": "1"}
        return subprocess.Popen(  # noqa: S603  # ourselves
            [sys.executable, "-m", "tools.adapters.vector_index.chroma_process", str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env=around,
            start_new_session=True,  # Ctrl-C ends us, and we end it
        )

    def _ask(self, work: str, vectors: Vectors | None = None, **given: object) -> Any:  # JSON
        sent = b"" if vectors is None else vectors.astype(np.float32, copy=False).tobytes()
        asked = json.dumps({"work": work, "given": given, "size": len(sent)}).encode()
        with self._lock:
            process = self._process
            if process is None or process.stdin is None:
                raise IndexUnavailable("it is not open")
            try:
                process.stdin.write(asked + b"\n" + sent)
                process.stdin.flush()
            except OSError as error:
                raise IndexUnavailable(self._ended(process)) from error
            return self._answer(process, _ANSWERS_SECONDS)

    def _answer(self, process: "subprocess.Popen[bytes]", seconds: float) -> Any:  # JSON
        if process.stdout is None:
            raise IndexUnavailable("it cannot answer")
        timer = Timer(seconds, process.kill)
        timer.daemon = True
        timer.start()
        try:
            line = process.stdout.readline()
        finally:
            timer.cancel()
        if not line.endswith(b"\n"):
            raise IndexUnavailable(self._ended(process))
        answer = json.loads(line)
        if "error" in answer:
            raise IndexUnavailable(answer["error"])
        return answer["found"]

    def _ended(self, process: "subprocess.Popen[bytes]") -> str:
        return f"its process ended with {process.wait()}"

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close(pipe)
        try:
            process.wait(_ANSWERS_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _close(pipe: Any) -> None:  # IO[bytes]
    try:
        pipe.close()
    except OSError:  # it is gone, and what was not sent with it
        return
