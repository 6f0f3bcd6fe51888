"""Who reads: a tenant, and which of its sessions are closed to whoever asks."""

import unicodedata
from fnmatch import fnmatchcase
from typing import Annotated, Self

from pydantic import Field, model_validator

from state.noun import Name, Noun, TenantId

SessionPattern = Annotated[Name, Field(pattern=r"^[^\[\]]+$")]
"""A session's id, or one with * for anything and ? for a character.

No brackets: SQLite and Python read them differently, and the two must never differ here.
"""


class ClosedSessions(Noun):
    """Sessions that a few may read: `[[sessions]]` in policy.toml; all others are the tenant's.

    Raises:
        ValueError: nobody could read them.
    """

    names: tuple[SessionPattern, ...] = Field(min_length=1)
    tenant: TenantId | None = Field(default=None, description="null: of every tenant")
    roles: tuple[Name, ...] = Field(default=(), description="any of which reads")
    users: tuple[Name, ...] = Field(default=(), description="who reads whatever the roles")

    @model_validator(mode="after")
    def _somebody_reads(self) -> Self:
        if not self.roles and not self.users:
            raise ValueError("name the roles or users who read these sessions")
        return self

    def names_session(self, tenant_id: str, session_id: str) -> bool:
        """Tell whether a session is one of them."""
        return self.tenant in (None, tenant_id) and is_among(session_id, self.names)


class Reader(Noun):
    """Whoever reads: nothing of another tenant, and nothing of the sessions closed to them."""

    tenant_id: TenantId
    closed: tuple[str, ...] = Field(default=(), description="patterns of sessions; see above")
    decides: tuple[str, ...] = Field(
        default=(), description="roles; a question that waits for one of them is theirs to see"
    )

    def may_read(self, *sessions: str) -> bool:
        """Tell whether all of these are open to them. In SQL: tools/storage/query_filters.py."""
        return not any(is_among(one, self.closed) for one in sessions)


def whole(tenant_id: str) -> Reader:
    """Read everything of a tenant: as we ourselves do, and whoever may open the data folder."""
    return Reader(tenant_id=tenant_id)


def reader_of(whose: Reader | str) -> Reader:
    """Take a bare tenant for the whole of it: no route has one to give (tests/architecture)."""
    return whole(whose) if isinstance(whose, str) else whose


def is_among(session_id: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether one of the patterns is meant for a session; case does not count."""
    folded = fold_session(session_id)
    return any(fnmatchcase(folded, fold_session(one)) for one in patterns)


def fold_session(name: str) -> str:
    """Write a session's id or a pattern in the form that these are compared in.

    A session called Board-1, or spelt in full-width letters, is no way round a rule for board-*.
    """
    return name.lower() if name.isascii() else unicodedata.normalize("NFKC", name).casefold()
