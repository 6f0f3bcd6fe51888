"""Count the files that a request passes through: `python scripts/walk.py`.

The service runs in this process on a free port and a fresh folder; a second thread sends
`close WO-1042, the filter is changed` and then approves what is asked. `sys.setprofile` notes each
function of this tree that begins. A hop is a call from one file into another (a coroutine counts
once, however often it goes on), an upward hop one whose callee lies in a higher layer: sdk,
state, tools, nodes, graph, api. What the scheduler does in the same second is counted apart.
"""

import argparse
import io
import json
import re
import signal
import sys
import tempfile
import threading
import time
import tomllib
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MESSAGE = "close WO-1042, the filter is changed"
_LAYERS = ("sdk", "state", "tools", "nodes", "graph", "api")
_START_SECONDS = 300
_SCHEDULER, _TASKS = "graph/scheduler.py", ("_pulse", "_every_second")
_IS_SCHEDULED = ContextVar("is_scheduled", default=False)
"""True in the scheduler's tasks and in the threads that they wait for."""


class Walk:
    """What was passed through between `start` and `stop`."""

    def __init__(self) -> None:
        self.on = False
        self.files: Counter[str] = Counter()
        self.scheduled: set[str] = set()
        self.functions: set[tuple[str, str]] = set()
        self.upward_edges: Counter[tuple[str, str]] = Counter()
        self.hops = self.upward = self.top_hops = self.turns = self.turned_up = 0
        self._last: dict[int, int] = {}
        self._begun: dict[int, FrameType] = {}

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note a call; installed by `sys.setprofile` in every thread but the client's."""
        if event == "call" and (file := _ours(frame)) is not None:
            if file == _SCHEDULER and frame.f_code.co_name in _TASKS:
                _IS_SCHEDULED.set(True)
            if self.on and _IS_SCHEDULED.get():
                self.scheduled.add(file)
            elif self.on:
                self._note(frame, file)

    def _note(self, frame: FrameType, file: str) -> None:
        if self._begun.get(id(frame)) is frame:
            return  # a coroutine or generator that goes on
        self._begun[id(frame)] = frame  # held, so that its id is not used again
        self.files[file] += 1
        self.functions.add((file, frame.f_code.co_qualname))
        rank = _rank(file)
        if rank is not None:
            last = self._last.get(threading.get_ident(), rank)
            self.turns += rank != last
            self.turned_up += rank > last
            self._last[threading.get_ident()] = rank
        caller = frame.f_back
        while caller is not None and _ours(caller) is None:
            caller = caller.f_back
        other = caller and _ours(caller)
        if not other or other == file:
            return
        self.hops += 1
        above = _rank(other)
        if rank is not None and above is not None and rank != above:
            self.top_hops += 1
            if rank > above:
                self.upward += 1
                self.upward_edges[_name(caller), _name(frame)] += 1

    @contextmanager
    def of(self) -> Iterator["Walk"]:
        """Record what happens inside the block."""
        self.__init__()  # type: ignore[misc]
        self.on = True
        yield self
        self.on = False
        self._begun.clear()


def _rank(file: str) -> int | None:
    top = file.split("/", maxsplit=1)[0]
    return _LAYERS.index(top) if top in _LAYERS else None


def _name(frame: FrameType | None) -> str:
    assert frame is not None
    return f"{_ours(frame)}:{frame.f_code.co_qualname}"


def _ours(frame: FrameType) -> str | None:
    name = frame.f_code.co_filename
    if not name.startswith(_PREFIX) or "/.venv/" in name or name == __file__:
        return None
    return name[len(_PREFIX) :]


_PREFIX = f"{ROOT}/"


def main() -> None:
    """Print one line a walk."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--files", action="store_true", help="name every file and every upward hop, with its calls"
    )
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    walk, printed = Walk(), io.StringIO()
    client = threading.Thread(target=_drive, args=(walk, printed, given.files), daemon=True)
    client.start()  # before the profile is set: the client is not traced
    threading.setprofile(walk)
    sys.setprofile(walk)
    script = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    module, function = script["prefrontal"].split(":")
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(printed):
        sys.argv = ["prefrontal", "serve", "--port", "0", "--data-dir", folder]
        try:
            getattr(import_module(module), function)()
        except (SystemExit, KeyboardInterrupt):
            pass
        finally:
            sys.setprofile(None)


def _drive(walk: Walk, printed: io.StringIO, with_files: bool) -> None:
    try:
        url, key = _address(printed)
        for text in ("thanks", "show me the port generator", "how many oil filters are left?"):
            _call(f"{url}/v1/messages", key, {"text": text})
        with walk.of():
            _call(f"{url}/v1/messages", key, {"text": MESSAGE})
            asked = _waiting(url, key)
        _print("message to the gate", walk, with_files)
        with walk.of():
            _call(
                f"{url}/v1/approvals/{asked['action_id']}",
                key,
                {"decision": "approve", "digest": asked["digest"]},
            )
            time.sleep(1)
        _print("yes to the handler", walk, with_files)
    finally:
        signal.raise_signal(signal.SIGINT)


def _waiting(url: str, key: str) -> dict[str, Any]:
    for _ in range(100):
        found = _call(f"{url}/v1/approvals", key)
        rows = (
            found if isinstance(found, list) else found.get("items") or found.get("approvals") or []
        )
        if rows:
            return dict(rows[0])
        time.sleep(0.1)
    raise SystemExit("nothing was asked")


def _address(printed: io.StringIO) -> tuple[str, str]:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        text = printed.getvalue()
        url, key = re.search(r"http://127\.0\.0\.1:\d+", text), re.search(r"pf_[\w-]+", text)
        if url and key and "try:" in text:
            return url[0], key[0]
        time.sleep(0.1)
    raise SystemExit("the service did not start")


def _call(url: str, key: str, body: object = None) -> Any:
    request = urllib.request.Request(
        url,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as got:
        return json.load(got)


def _print(name: str, walk: Walk, with_files: bool) -> None:
    print(
        f"{name}: {len(walk.files)} files, {len(walk.functions)} functions, {walk.hops} hops, "
        f"{walk.top_hops} between top-level folders, {walk.upward} of them upward; "
        f"in the order of time {walk.turns} changes of the folder, {walk.turned_up} upward; "
        f"{len(walk.scheduled - set(walk.files))} files more by the scheduler",
        file=sys.stderr,
    )
    if with_files:
        rooms = Counter("/".join(file.split("/")[:2]) for file in walk.files)
        print(
            "    " + ", ".join(f"{room} {count}" for room, count in rooms.most_common()),
            file=sys.stderr,
        )
        for file, calls in sorted(walk.files.items()):
            print(f"    {calls:5} {file}", file=sys.stderr)
        for (caller, callee), hops in walk.upward_edges.most_common():
            print(f"    {hops:5} {caller} -> {callee}", file=sys.stderr)


if __name__ == "__main__":
    main()
