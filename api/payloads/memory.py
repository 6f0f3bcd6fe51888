"""What is asked of the memory over the wire, with its examples."""

from typing import Self

from pydantic import Field, model_validator

from api.examples.common import RECORD, Json
from state.errors import Forbidden
from state.noun import Name, Noun
from state.principal import Principal
from state.reader import Reader
from state.remembered import Remembered, SaidBy
from tools.memory.recalling import Where


class MemoryQuery(Noun):
    """What to recall; without `about` the newest."""

    about: str | None = Field(default=None, min_length=2, max_length=400)
    session_id: Name | None = Field(
        default=None, description="null: your own words, and what you were told, in any session"
    )
    said_by: SaidBy | None = None
    user: Name | None = None
    limit: int = Field(default=10, ge=1, le=100)
    cursor: int | None = Field(
        default=None, ge=1, le=2**53, description="`next_cursor` of the page before"
    )

    @model_validator(mode="after")
    def _goes_on_in_a_list(self) -> Self:
        if self.about is not None and self.cursor is not None:
            raise ValueError("what is about something has one page; leave about or cursor out")
        return self

    def where(self, caller: Principal, reader: Reader) -> Where:
        """Say in whose words to look: those of others are found in the session they fell in.

        Raises:
            Forbidden: others' words are asked for in any session.
        """
        user = self.user
        if self.session_id is None:
            if user not in (None, caller.user):
                raise Forbidden("others' words are found in a session; name session_id")
            user = caller.user
        return Where(caller.tenant_id, self.session_id, self.said_by, user, reader=reader)


class ForgetQuery(Noun):
    """Whom to forget: the caller, whether named or not."""

    user: Name | None = Field(default=None, description="yourself, if anybody is named")

    def demand(self, caller: Principal) -> None:
        """Refuse to forget the caller where somebody else was meant.

        Raises:
            Forbidden: somebody else is named.
        """
        if self.user not in (None, caller.user):
            raise Forbidden("somebody else's is removed by `prefrontal memory forget` alone")


class MemoryPage(Noun):
    """What was found."""

    said: tuple[Remembered, ...]
    next_cursor: int | None = Field(
        default=None, description="null on the last page, and where `about` was asked for"
    )


SAID: Json = {
    "decision_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
    "session_id": "engine-room",
    "said_by": "us",
    "user": None,
    "at": "2026-02-07T14:32:00Z",
    "text": "Watermaker salinity high: 520 ppm",
    "about": "tank_sensor watermaker",
    "action": {"event_id": "evt-18", "response_type": "observation", "skills_used": []},
    "reaction": "good",
}
FORGOTTEN: Json = {
    "user": "ann",
    "said": 31,
    "reminders": 1,
    "goals": 2,
    "profile": True,
    "sessions": 1,
}
ENTITY: Json = {"entity": "watermaker", "said": [SAID], "happened": [RECORD], "facts": {}}
