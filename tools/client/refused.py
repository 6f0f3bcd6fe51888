"""What a service answers when it refuses: its problem, as an exception."""

from collections.abc import Mapping
from typing import Any

import httpx

from state.errors import AgentError


class Refused(AgentError):
    """The service refused; `slug` is the kind of problem, such as forbidden or conflict."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: str | None) -> None:
        self.status = status
        self.slug = str(problem.get("type", "")).rpartition(":")[2]
        self.detail = str(problem.get("detail") or problem.get("title") or f"status {status}")
        self.request_id = problem.get("request_id")
        self.standing = problem.get("standing")
        # A proxy in between may name a date instead; then we wait as if it had said nothing.
        is_seconds = retry_after is not None and retry_after.isascii() and retry_after.isdigit()
        self.retry_after_seconds = float(retry_after or 0) if is_seconds else None
        super().__init__(f"the service refused ({status}): {self.detail}")


def refused(answer: httpx.Response) -> Refused:
    """Read a refusal; what is no problem of ours, such as a proxy's page, is one by its status."""
    try:
        told = answer.json()
    except ValueError:
        told = {}
    problem = told if isinstance(told, dict) else {}
    return Refused(answer.status_code, problem, answer.headers.get("retry-after"))
