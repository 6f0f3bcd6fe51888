"""Commands of a catalogue that can be put into other shapes, with the forms of their verbs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from state.action import Action
from tools.nlu import word_set

_FILE = yaml.load(Path(__file__).with_name("verbs.yaml").read_text("utf-8"), yaml.CSafeLoader)
_IRREGULAR: Mapping[str, tuple[str, ...]] = {
    verb: tuple(forms) for verb, forms in _FILE.pop("irregular").items()
}
_WORDS: Mapping[str, frozenset[str]] = {name: word_set(words) for name, words in _FILE.items()}
PARTICLES = _WORDS["particles"]
_PREFIXES = ("re", "un")
_VOWELS = "aeiou"


def gerund(verb: str) -> str:
    """Give the form in -ing."""
    if verb in _WORDS["doubled"]:
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("e") and not verb.endswith("ee") and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{verb}ing"


def past(verb: str) -> str:
    """Give the simple past."""
    return _irregular(verb)[0] if _irregular(verb) else _regular(verb)


def participle(verb: str) -> str:
    """Give the past participle."""
    return _irregular(verb)[-1] if _irregular(verb) else _regular(verb)


def _irregular(verb: str) -> tuple[str, ...]:
    for prefix in _PREFIXES:
        stem = verb.removeprefix(prefix)
        if verb not in _IRREGULAR and stem != verb and stem in _IRREGULAR:
            return tuple(prefix + form for form in _IRREGULAR[stem])
    return _IRREGULAR.get(verb, ())


def _regular(verb: str) -> str:
    if verb in _WORDS["doubled"]:
        return f"{verb}{verb[-1]}ed"
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ied"
    return f"{verb}ed"


_AWAY_FROM_IT = re.compile(
    r"[?:\"\n]|, \w+ (?:it|them)\b"
    r"|\b(?:not|never|no|don't|dont|if|when|once|unless|until|without|instead|please|and|then|can"
    r"|could|would|that|i|we|you|he|she|they|was|were|is|are|has|have|been)\b",
    re.IGNORECASE,
)
"""Who holds one of these says more than a command, or says it already in another mood."""
_ENDS_THING = re.compile(r",|;| - | because | so | at | by ")


@dataclass(frozen=True)
class Command:
    """An example that tells somebody to do something, taken apart."""

    action: str
    text: str
    verb: str
    """Its verb with the particle: `sign off`."""
    rest: str

    @property
    def thing(self) -> str | None:
        """What it is done to, when that directly follows the verb."""
        words = _ENDS_THING.split(self.rest)[0].strip().rstrip(".!").split()
        if words and words[0].lower() in ("me", "us"):
            words = words[1:]
        return " ".join(words) if words and words[0].lower() not in _WORDS["prepositions"] else None

    def forms(self) -> Mapping[str, str]:
        """Give the command and its inflected forms, by the names the shapes use."""
        first, _, particle = self.verb.partition(" ")
        tail = " ".join(filter(None, (particle, self.rest)))

        def told(form: str) -> str:
            return " ".join(filter(None, (form, tail)))

        forms = {
            "do": self.text,
            "DO": self.text.upper(),
            "doing": told(gerund(first)),
            "did": told(past(first)),
            "done": told(participle(first)),
        }
        if self.thing is not None:
            forms["thing"] = self.thing
            forms["participle"] = " ".join(filter(None, (participle(first), particle)))
        return forms


def commands_of(actions: Iterable[Action]) -> Sequence[Command]:
    """Collect the commands among the examples of some actions, in their order."""
    found = (
        _command(action, text.strip().rstrip(".!"))
        for action in actions
        for text in action.examples
    )
    return [command for command in found if command is not None]


def _command(action: Action, text: str) -> Command | None:
    words = text.split()
    if (
        len(words) < 2
        or words[0].lower() not in _WORDS["imperatives"]
        or _AWAY_FROM_IT.search(text)
    ):
        return None
    size = 2 if words[1].lower() in PARTICLES and len(words) > 2 else 1
    verb = " ".join(words[:size]).lower()
    text = " ".join((verb, *words[size:]))
    return Command(action.name, text, verb, " ".join(words[size:]))


MOST_WORDS = 7
"""Behind the verb: who says more has said it in one way only."""
_MOST_OF_THING = 4
_PLURAL = re.compile(r"(?<![ious])s(?= (?:of|on|in|for|from|with|behind) |$)")
"""The frames say `needs`, `is` and `has`."""
_ALWAYS = "to into onto as off under"


def forms_of(command: Command) -> Mapping[str, str]:
    """Return the forms that frames.yaml fills, by name."""
    plain = command.forms()
    forms = {"do": plain["do"], "doing": plain["doing"]}
    first, _, particle = command.verb.partition(" ")
    words = command.rest.split()
    if words[0].lower() in ("me", "us"):
        words = words[1:]
    whole = " ".join(words)
    if whole != command.thing or len(words) > MOST_WORDS:
        return forms
    if command.verb in _WORDS["showing"]:
        forms["seen"] = whole
    thing, *behind = _tail_of(first).split(whole, maxsplit=1)
    before, _, last = thing.rpartition(" ")
    if before and last.lower() in PARTICLES | {"together", "through"}:
        thing, behind = before, [last, *behind]
    if not _is_done_to(thing, first, behind):
        return forms
    tail = (particle, *behind)
    forms |= {
        "thing": thing,
        "gerund": _joined(gerund(first), *tail),
        "participle": _joined(participle(first), *tail),
        "do_it": _joined(first, "it", *tail),
    }
    return forms if behind else {**forms, "verb": command.verb}


def _tail_of(verb: str) -> re.Pattern[str]:
    """Find what follows the thing and belongs to the verb: `WO-1 needs to be given to Ben`."""
    words = _ALWAYS.split()
    if verb in _WORDS["of_taking"]:
        words.append("from")
    if verb in _WORDS["of_putting"]:
        words += ["on", "in"]
    if verb in _WORDS["of_joining"]:
        words.append("with")
    return re.compile(rf" (?=(?:{'|'.join(words)}) )")


def _is_done_to(thing: str, verb: str, behind: Sequence[str]) -> bool:
    words = thing.lower().split()
    if len(words) > _MOST_OF_THING or words[0] in _WORDS["no_thing"] or words[0].isdecimal():
        return False
    if words[-1] in _WORDS["half_a_preposition"]:
        return False
    if verb in _WORDS["of_doing"] or (verb in _WORDS["to_whom"] | _WORDS["how"] and not behind):
        return False
    return _PLURAL.search(thing) is None


def _joined(*words: str) -> str:
    return " ".join(filter(None, words))
