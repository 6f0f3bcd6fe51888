"""The OpenAI-compatible test server, for tests to import and for developers to start by hand.

In a test: `with OpenAIServer(Rule(when="bilge", says="Pump it.")) as server:`, `server.base_url`.
By hand: `.venv/bin/python tests/openai_server.py --port 8100 --rules rules.jsonl`, a rule a line.
"""

import argparse
import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path

from evals.loopback.openai_server import Fault, ModelRequest, OpenAIServer, Rule

__all__ = ["Fault", "ModelRequest", "OpenAIServer", "Rule"]


def _rules(path: Path | None) -> Iterator[Rule]:
    lines = path.read_text(encoding="utf-8").splitlines() if path else []
    return (Rule(**json.loads(line)) for line in lines if line.strip())


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--rules", type=Path, help="JSON lines, one rule each")
    given = parser.parse_args()
    with OpenAIServer(*_rules(given.rules), port=given.port) as server:
        print(server.base_url, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
