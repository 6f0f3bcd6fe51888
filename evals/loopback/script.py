"""What a scripted model server is told: which request gets which answer, or which fault."""

import json
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from evals.loopback.answers import example

Fault = Literal[
    "hang",  # nothing is ever answered
    "rate_limit",  # 429 with retry-after
    "server_error",  # 500
    "unavailable",  # 503
    "reset",  # the connection is reset instead of an answer
    "refusal",  # a whole answer without content that says it refuses
    "drip",  # `seconds` before each byte of the answer
    "garbage",  # 200, and an HTML page
    "half_body",  # the connection closes in the middle of the answer
    "stall",  # the connection stays open in the middle of the answer
    "half_json",  # a whole answer, but the model's text is cut in the middle
    "length",  # the same, and it says so: finish_reason "length"
    "slow",  # `seconds` before each piece of a stream
]


@dataclass(frozen=True)
class Asked:
    """One request as it arrived; header names are in lower case."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """Return what rules look at: every message, or every text to embed."""
        if "messages" not in self.body:
            given = self.body.get("input", "")
            return given if isinstance(given, str) else "\n".join(map(str, given))
        return "\n".join(_words(message.get("content")) for message in self.body["messages"])

    @property
    def last(self) -> str:
        """Return the last message alone."""
        messages = self.body.get("messages")
        return _words(messages[-1].get("content")) if messages else self.text


Says = str | Mapping[str, Any] | Callable[[Asked], str | Mapping[str, Any]]


@dataclass
class Rule:
    """What to answer to which request; the first rule that fits and is not used up counts."""

    when: str = ""
    """A regular expression searched in the request's text, ignoring case; empty: always."""
    says: Says | None = None
    """None: an example of the response schema that was asked for, or an echo."""
    calls: Callable[[Asked], Sequence[Mapping[str, Any]]] | None = None
    """Tools it wants called, beside what it says."""
    vectors: Callable[[Asked], Sequence[Sequence[float]]] | None = None
    """What an embeddings request is answered with; None: vectors made of its words."""
    fault: Fault | None = None
    seconds: float = 0.0
    """Waited before the first byte and, with "slow" or "drip", before each piece or byte."""
    times: int | None = None
    """How often it may be used; None: for ever."""

    def fits(self, asked: Asked) -> bool:
        """Tell whether this rule answers the request."""
        return self.times != 0 and re.search(self.when, asked.text, re.IGNORECASE) is not None

    def words(self, asked: Asked) -> tuple[str, str]:
        """Return the answer's text and its finish reason."""
        said = self.says(asked) if callable(self.says) else self.says
        if said is None:
            said = example(asked.body.get("response_format"))
        if said is None:
            said = f"You said: {asked.last}"
        text = said if isinstance(said, str) else json.dumps(said)
        if self.fault in ("half_json", "length"):
            text = text[: len(text) // 2]
        return text, "length" if self.fault == "length" else "stop"


class Script:
    """The rules of one server and every request it was asked; safe to use from threads."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = list(rules)
        self.asked: list[Asked] = []
        self.stopped = threading.Event()
        self._lock = threading.Lock()

    def rule(self, asked: Asked) -> Rule:
        """Note the request and use up the rule that answers it."""
        with self._lock:
            self.asked.append(asked)
            rule = next((rule for rule in self.rules if rule.fits(asked)), Rule())
            if rule.times is not None:
                rule.times -= 1
            return rule


def _words(content: Any) -> str:
    if isinstance(content, list):
        return " ".join(str(part.get("text", "")) for part in content)
    return str(content or "")
