"""Tools that may not be used for now: the catalogue asks here, and what finds a change tells it."""

from typing import NamedTuple, Self

from state.action import Action
from state.errors import NotFound


class ToolKey(NamedTuple):
    """Which tool of which server of which pack."""

    pack: str
    server: str
    tool: str

    @property
    def id(self) -> str:
        """Write it as people name it."""
        return "/".join(self)

    @classmethod
    def of(cls, tool_id: str) -> Self:
        """Read what people name; a tool's own name may hold a slash.

        Raises:
            NotFound: it names no tool of a server of a pack.
        """
        parts = tool_id.split("/", maxsplit=2)
        if len(parts) < len(cls._fields):
            raise NotFound("tool", tool_id)
        return cls(*parts)


class Withheld:
    """The tools whose description changed since a person last accepted it, each with the reason.

    One object is shared by the catalogue and by the connections: a change that a running session
    brings counts from that moment on.
    """

    def __init__(self) -> None:
        self._reasons: dict[ToolKey, str] = {}

    def withhold(self, key: ToolKey, reason: str) -> None:
        """Let nobody ask for a tool from now on."""
        self._reasons = {**self._reasons, key: reason}

    def release(self, key: ToolKey) -> None:
        """Let it be asked for again."""
        self._reasons = {one: why for one, why in self._reasons.items() if one != key}

    def __contains__(self, key: ToolKey) -> bool:
        return key in self._reasons

    def why(self, action: Action) -> str | None:
        """Say why an action may not be used; None: it may."""
        if action.mcp is None:
            return None
        return self._reasons.get(ToolKey(action.pack, action.mcp.server, action.mcp.tool))

    @property
    def told(self) -> tuple[str, ...]:
        """Say a sentence for each tool that is withheld."""
        return tuple(self._reasons.values())
