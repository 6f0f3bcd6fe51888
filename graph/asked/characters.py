"""How a session is spoken to, and changing it: each change is an event with its record."""

from graph.asked.attending import Attending
from graph.assembly.toolbox import Toolbox
from state.personality import Personality
from state.principal import Principal
from state.session import Session
from state.skill import LoadedSkill
from state.talk import TalkRequest


class Characters:
    """Shows personality and skills of a session, and takes what people want of them."""

    def __init__(self, box: Toolbox, attention: Attending) -> None:
        self._box = box
        self._attention = attention

    async def standing(
        self, tenant_id: str, session_id: str, user: str | None = None
    ) -> Personality:
        """Say how a session is spoken to now; `user` is whose profile counts if nobody spoke."""
        session = await self._session(tenant_id, session_id, user)
        return self._box.character.standing(session, self._now())

    async def skills(
        self, tenant_id: str, session_id: str, user: str | None = None
    ) -> tuple[LoadedSkill, ...]:
        """List the skills of the packs, whether each is loaded in a session, and why."""
        session = await self._session(tenant_id, session_id, user)
        present = self._box.character.present(session, self._now())
        template = self._box.character.standing(session, self._now()).template
        return tuple(self._box.skills.listed(present, template))

    async def change(
        self, principal: Principal, session_id: str, request: TalkRequest
    ) -> Personality:
        """Do what was asked about the manner, in a person's name, and say how it stands then.

        Raises:
            Forbidden: these roles change nothing here.
            NotFound: no such personality or skill.
        """
        await self._attention.ask(principal, session_id, request)
        return await self.standing(principal.tenant_id, session_id, principal.user)

    async def _session(self, tenant_id: str, session_id: str, user: str | None) -> Session:
        session = await self._box.decisions.session(tenant_id, session_id)
        if session.person is None and user is not None:
            return await self._box.decisions.session(tenant_id, session_id, speaker=user)
        return session

    def _now(self) -> float:
        return self._box.clock.now().timestamp()
