"""Select the skills of a session and apply them: raw intent, domain, style, personality filter.

Selection follows from context, traits and requests. A stage that would lose or invent a fact is
skipped. Source: Executive decision loop §6.1, §7.2 and §13.2.
"""

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from state.event import Event
from state.personality import Traits
from state.response import MODEL, Intent, Wording
from state.session import Session, SkillChoice
from state.skill import LoadedSkill, SkillType
from state.talk import TalkRequest
from tools.catalog import Pack
from tools.catalog.pack_schema import Skill, SkillLine
from tools.platform.text_comparison import changed_facts, keywords_of, lost_facts, meets_condition
from tools.response.remarks import CASUAL, FORMAL, LIVELY, SERIOUS, TERSE, drawn, with_remarks

SOBER = 0.3
"""Enthusiasm down to which nothing is cried out."""
_LONG: Mapping[str, str] = {
    "can't": "cannot", "won't": "will not", "shan't": "shall not", "n't": " not", "'re": " are",
    "'ve": " have", "'ll": " will", "'m": " am", "let's": "let us", "it's": "it is",
    "that's": "that is", "there's": "there is", "what's": "what is", "here's": "here is",
    "who's": "who is", "i'd": "I would", "'d": " would", "gonna": "going to", "wanna": "want to",
    "gotta": "have to", "kinda": "rather", "yeah": "yes",
}  # fmt: skip
_SHORT: Mapping[str, str] = {
    "do not": "don't", "does not": "doesn't", "did not": "didn't", "is not": "isn't",
    "are not": "aren't", "cannot": "can't", "will not": "won't", "it is": "it's",
    "that is": "that's", "you are": "you're", "there is": "there's", "should not": "shouldn't",
}  # fmt: skip


def apply_traits(text: str, traits: Traits, *, is_serious: bool = False) -> str:
    """Word a text as the traits have it; nobody cheers about what is serious."""
    if traits.verbosity < TERSE:
        text = _first_sentence(text)
    text = _in_register(text, traits)
    if traits.enthusiasm >= LIVELY and traits.formality < FORMAL and not is_serious:
        text = re.sub(r"(?<=\w)\.$", "!", text)
    elif traits.enthusiasm <= SOBER or traits.formality >= FORMAL:
        text = re.sub(r"!+(?=\s|$)", ".", text)
    return text


def _in_register(text: str, traits: Traits) -> str:
    if traits.formality >= FORMAL:
        return _replaced(text, _LONG)
    return _replaced(text, _SHORT) if traits.formality <= CASUAL else text


def _first_sentence(text: str) -> str:
    return text[: text.index(". ") + 1] if ". " in text else text


def _replaced(text: str, wordings: Mapping[str, str]) -> str:
    text = text.replace("’", "'")
    for old, new in wordings.items():
        edge = "" if old.startswith(("'", "n't")) else r"(?<![\w'])"
        text = re.sub(rf"{edge}{re.escape(old)}(?![\w'])", _cased(new), text, flags=re.IGNORECASE)
    return text


def _cased(new: str) -> Callable[[re.Match[str]], str]:
    def written(match: re.Match[str]) -> str:
        return new[:1].upper() + new[1:] if match.group()[0].isupper() else new

    return written


_ORDER: Sequence[SkillType] = ("domain_skill", "capability_extension", "style_modifier")


@dataclass(frozen=True)
class SkillSelection:
    """The manifests of the packs; of two with one name the first pack's counts."""

    manifests: tuple[Skill, ...] = ()

    @classmethod
    def of(cls, packs: Sequence[Pack]) -> "SkillSelection":
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


PERSONALITY = "personality"
"""What the filter is called among the skills that spoke."""


def realize(intent: Intent, skills: Sequence[Skill]) -> Wording:
    """Shape an intent by the skills that are loaded, in their order, and the personality; pure."""
    return apply_personality(apply_skills(Wording(intent.text), intent, skills), intent, skills)


def apply_skills(wording: Wording, intent: Intent, skills: Sequence[Skill]) -> Wording:
    """Let skills shape a wording, one after the other."""
    for skill in skills:
        line = _line_of(skill, intent)
        if line is None:
            continue
        is_style = skill.type == "style_modifier"
        given = {**_fields(intent.event), "text": _before(line.say, wording.text)}
        text = string.Formatter().vformat(line.say, (), given)
        check = changed_facts if is_style else lost_facts
        wording = _taken(wording, skill.name, text, check(wording.text, text, intent.names))
    return wording


def apply_personality(wording: Wording, intent: Intent, skills: Sequence[Skill] = ()) -> Wording:
    """Let the personality have the last word; whatever loses a fact by it stays as it is.

    An alert is left alone: all of it may matter. Where a style or a model has spoken, the
    personality adds no opening or aside of its own.
    """
    if intent.kind == "alert":
        return Wording(wording.text, (*wording.spoke, PERSONALITY), wording.kept_plain)
    text = apply_traits(wording.text, intent.traits, is_serious=intent.stake in SERIOUS)
    changes = changed_facts(wording.text, text, intent.names)
    wording = _taken(wording, PERSONALITY, text, changes)
    if MODEL in wording.spoke:
        return wording
    spoke = {one.type for one in skills if one.name in wording.spoke}
    text = with_remarks(
        wording.text,
        intent,
        partial(_in_register, traits=intent.traits),
        is_styled="style_modifier" in spoke,
        is_explained=bool(spoke - {"style_modifier"}) or not intent.is_own_text,
    )
    return Wording(text, wording.spoke, wording.kept_plain)


def _taken(wording: Wording, name: str, text: str, changes: Sequence[str]) -> Wording:
    if changes:
        told = f"{name}: {', '.join(changes)}"
        return Wording(wording.text, wording.spoke, (*wording.kept_plain, told))
    return Wording(text, (*wording.spoke, name), wording.kept_plain)


def _line_of(skill: Skill, intent: Intent) -> SkillLine | None:
    """Find what a skill has to say to an intent: nothing, in a style, about an alert."""
    is_alert = intent.kind == "alert"
    if skill.type == "style_modifier":
        if is_alert or skill.trait is None or not _is_turn(skill, intent):
            return None
    elif intent.traits.verbosity < TERSE and not is_alert:
        return None
    said = keywords_of(f"{intent.event.text} {' '.join(intent.names)}")
    known = _fields(intent.event).keys() | {"text"}
    fitting = [
        line
        for line in skill.says
        if (not line.types or intent.kind in line.types)
        and (line.when is None or meets_condition(line.when, said))
        and _places(line.say) <= known
    ]
    if not fitting:
        return None
    most = max(map(_closeness, fitting))
    closest = [line for line in fitting if _closeness(line) == most]
    return closest[drawn(intent.seed, f"{skill.name} line") % len(closest)]


def _closeness(line: SkillLine) -> tuple[int, int]:
    """Rank a line: the one that asks for more words of the event, then the one that tells more."""
    return len(keywords_of(line.when or "")), len(_places(line.say))


def _is_turn(skill: Skill, intent: Intent) -> bool:
    """Draw whether a style shows this time: as often as its trait is high, by the decision's id."""
    level = getattr(intent.traits, skill.trait or "")
    return drawn(intent.seed, skill.name) % 1000 < 1000 * float(level)


def _places(say: str) -> set[str]:
    return {name for _words, name, _layout, _conv in string.Formatter().parse(say) if name}


def _fields(event: Event) -> Mapping[str, str]:
    """List what a domain may name of an event: its source and the plain values of its payload."""
    plain = {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in event.payload.items()
        if isinstance(value, (str, int, float)) and not isinstance(value, bool)
    }
    return {**plain, "source": event.source}


def _before(say: str, text: str) -> str:
    """Fit a sentence to the words after it: it ends where they begin."""
    follows = say.partition("{text}")[2]
    ends = text[-1:] in ".!?…"
    return text if ends or not follows.startswith(" ") else f"{text}."
