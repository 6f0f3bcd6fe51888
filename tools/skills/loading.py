"""Which skills speak in a session: by its context, its traits, and what people asked for.

Nothing of it is kept: it follows from the session each time, as the Executive decision loop §13.2
has it. Source: §7.1 and §7.3.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from state.event import Event
from state.session import Session, SkillChoice
from state.skill import LoadedSkill, SkillType
from state.talk import TalkRequest
from tools.catalogue.pack import Pack
from tools.catalogue.skill_file import Skill

_ORDER: Sequence[SkillType] = ("domain_skill", "capability_extension", "style_modifier")


@dataclass(frozen=True)
class Skills:
    """The manifests of the packs; of two with one name the first pack's counts."""

    manifests: tuple[Skill, ...] = ()

    @classmethod
    def of(cls, packs: Sequence[Pack]) -> "Skills":
        """Join the skills of packs."""
        named: dict[str, Skill] = {}
        for skill in (skill for pack in packs for skill in pack.skills):
            named.setdefault(skill.name, skill)
        return cls(tuple(named.values()))

    def named(self, name: str) -> Skill | None:
        """Find a skill that people may load; a personality template is chosen, not loaded."""
        return next(
            (
                skill
                for skill in self.manifests
                if skill.name == name and skill.type != "personality_template"
            ),
            None,
        )

    def context_of(self, event: Event, session: Session) -> str | None:
        """Tell the context a session is in when an event has come: `gaming.minecraft`."""
        given = event.payload.get("context") if event.kind == "signal" else None
        if isinstance(given, str):
            return given.strip().lower() or None
        for skill in self.manifests:
            if event.source in skill.sources:
                return skill.context_binding
        return session.active_context

    def speaking(self, session: Session) -> tuple[Skill, ...]:
        """List the skills that are loaded, in the order of the pipeline."""
        loaded = [skill for skill in self.manifests if self._reason(skill, session) is not None]
        speaking = [skill for skill in loaded if skill.type in _ORDER]
        return tuple(sorted(speaking, key=lambda skill: _ORDER.index(skill.type)))

    def listed(self, session: Session, template: str | None) -> Iterator[LoadedSkill]:
        """List every skill, whether it is loaded in a session, and why."""
        for skill in self.manifests:
            reason = self._reason(skill, session)
            if skill.type == "personality_template" and skill.name == template:
                reason = "the character of now"
            yield LoadedSkill(
                name=skill.name,
                type=skill.type,
                summary=skill.summary,
                is_loaded=reason is not None,
                reason=reason or self._why_not(skill, session),
                capabilities=skill.capabilities,
            )

    def asked(
        self, session: Session, request: TalkRequest
    ) -> Mapping[str, Mapping[str, SkillChoice]]:
        """Return what a wish to load or unload changes in a session."""
        name = request.topic or ""
        if request.kind not in ("load_skill", "unload_skill") or self.named(name) is None:
            return {}
        choice: SkillChoice = "loaded" if request.kind == "load_skill" else "unloaded"
        return {"skills": {**session.skills, name: choice}}

    def _reason(self, skill: Skill, session: Session) -> str | None:
        context = session.active_context
        choice = session.skills.get(skill.name)
        if choice is not None or skill.type == "capability_extension":
            return "asked for" if choice == "loaded" else None
        if skill.context_binding is not None:
            bound = skill.context_binding
            inside = context is not None and f"{context}.".startswith(f"{bound}.")
            return f"the context is {context}" if inside else None
        if skill.trait is not None:
            level = getattr(session.traits, skill.trait)
            return f"{skill.trait} is {level:.2f}" if level >= skill.at_least else None
        return None

    def _why_not(self, skill: Skill, session: Session) -> str:
        if session.skills.get(skill.name) == "unloaded":
            return "asked to leave it"
        match skill.type:
            case "domain_skill":
                return f"loaded in the context {skill.context_binding}"
            case "style_modifier":
                return f"loaded from {skill.trait} {skill.at_least:g} on"
            case "personality_template":
                return "chosen as a personality"
            case "capability_extension":
                return "loaded when asked for"
