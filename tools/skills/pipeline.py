"""Raw intent → domain → style → personality filter; no stage may lose or invent a fact.

Source: Executive decision loop §7.2. Where a stage would, its words are not taken and the ones
before it stand.
"""

import hashlib
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from state.event import Event
from state.personality import Traits
from state.response import ResponseType
from tools.catalogue.skill_file import Skill, SkillLine
from tools.salience.conditions import meets, words_of
from tools.skills.facts import changed_facts, lost_facts
from tools.skills.manner import TERSE, in_manner

PERSONALITY = "personality"
"""What the filter is called among the skills that spoke."""


@dataclass(frozen=True)
class Wording:
    """Words, who shaped them, and whose words were not taken."""

    text: str
    spoke: tuple[str, ...] = ()
    kept_plain: tuple[str, ...] = ()


@dataclass(frozen=True)
class Intent:
    """What is to be said, before anybody shapes it."""

    event: Event
    kind: ResponseType
    text: str
    traits: Traits
    seed: str = field(default="", metadata={"what": "the decision's id: the same one, same words"})

    @property
    def names(self) -> tuple[str, ...]:
        """List the things that the event names."""
        return tuple(entity.value for entity in self.event.entities)


def worded(intent: Intent, skills: Sequence[Skill]) -> Wording:
    """Shape an intent by the skills that are loaded, in their order, and the personality; pure."""
    return filtered(shaped(Wording(intent.text), intent, skills), intent)


def shaped(wording: Wording, intent: Intent, skills: Sequence[Skill]) -> Wording:
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


def filtered(wording: Wording, intent: Intent) -> Wording:
    """Let the personality have the last word; whatever loses a fact by it stays as it is."""
    text = in_manner(wording.text, intent.traits, is_alert=intent.kind == "alert")
    if text == wording.text:
        return Wording(text, (*wording.spoke, PERSONALITY), wording.kept_plain)
    changes = changed_facts(wording.text, text, intent.names)
    return _taken(wording, PERSONALITY, text, changes)


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
    said = words_of(f"{intent.event.text} {' '.join(intent.names)}")
    known = _fields(intent.event).keys() | {"text"}
    fitting = [
        line
        for line in skill.says
        if (not line.types or intent.kind in line.types)
        and (line.when is None or meets(line.when, said))
        and _places(line.say) <= known
    ]
    if not fitting:
        return None
    most = max(map(_closeness, fitting))
    closest = [line for line in fitting if _closeness(line) == most]
    return closest[_drawn(intent.seed, f"{skill.name} line") % len(closest)]


def _closeness(line: SkillLine) -> tuple[int, int]:
    """Rank a line: the one that asks for more words of the event, then the one that tells more."""
    return len(words_of(line.when or "")), len(_places(line.say))


def _is_turn(skill: Skill, intent: Intent) -> bool:
    """Draw whether a style shows this time: as often as its trait is high, by the decision's id."""
    level = getattr(intent.traits, skill.trait or "")
    return _drawn(intent.seed, skill.name) % 1000 < 1000 * float(level)


def _drawn(seed: str, what: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {what}".encode()).digest()[:8])


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
