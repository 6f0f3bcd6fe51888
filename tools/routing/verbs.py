"""Verbs and their families: what kind of doing does a word ask for?"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from state.action import Action
from tools.routing.normalise import words_of
from tools.routing.phrases import Match, Phrases

Nature = Literal["read", "write", "either"]

FAMILIES: Mapping[str, str] = {
    "show": "show; view; display; list; see; read; get; give me; tell me; bring up; pull up; "
    "look at; let me see; open up; present; go to; give me an overview; fetch; describe; summarise; "
    "summarize; name; remind me of; compare; explain; how is; status of",
    "query": "check; scan; search; find; look up; look for; look in; query; locate; count; verify; "
    "search for; calculate; find out; ask; convert; translate; spell; define; estimate; track",
    "diagnose": "diagnose; trace; expand; troubleshoot; investigate; analyse; analyze; debug; "
    "what is wrong with; what's wrong with; what causes; what could cause; find the cause of",
    "add": "add; attach; upload; append; put; include; log; record; enter; insert; write; note; "
    "comment; register; mention; note down; write down; hand over; pin; save; import",
    "create": "create; generate; open; make; raise; draft; compose; build; compile; order; buy; "
    "purchase; book; reserve; schedule; plan; start; begin; set up; file; produce; reorder; "
    "request; prepare; issue; new; launch",
    "update": "update; edit; modify; change; set; close; close out; complete; finish; sign off; "
    "mark; cancel; reopen; archive; delete; remove; assign; reassign; approve; submit; move; "
    "rename; adjust; correct; replace; reset; delegate; accept; reject; confirm; finalise; "
    "finalize; switch; turn; turn on; turn off; pay; transfer; clear; revoke; restore; undo; "
    "retire; postpone; extend; renew; reschedule; acknowledge; merge; drop; erase; wipe; stop; "
    "disable; enable; activate; deactivate; freeze; block; tick off; check off; hand",
    "export": "export; download; share; send; email; mail; print; forward; publish; text; call",
}
"""Source: action execution contract §4, with everyday words for each family."""

READ_FAMILIES = frozenset({"show", "query", "diagnose"})
WRITE_FAMILIES = frozenset({"add", "create", "update"})
IRREGULAR = {
    "written": "write", "wrote": "write", "made": "make", "bought": "buy", "sent": "send",
    "given": "give", "gave": "give", "found": "find", "saw": "see", "seen": "see", "got": "get",
    "built": "build", "took": "take", "taken": "take", "began": "begin", "begun": "begin",
    "paid": "pay", "undid": "undo", "undone": "undo", "told": "tell", "shown": "show",
}  # fmt: skip
_UNCHANGED_IN_PAST = frozenset({"put", "set", "reset", "read", "hand"})
_CLASHES = frozenset({"need", "bring", "thing", "during", "spring", "string", "based"})

Form = Literal["base", "past", "gerund"]


@dataclass(frozen=True)
class Sense:
    """What a verb phrase stands for: a family, and the action that names the phrase itself."""

    family: str
    action: str | None = None


@dataclass(frozen=True)
class Verb:
    """A verb phrase found at words `first` to `end`."""

    first: int
    end: int
    phrase: str
    families: tuple[str, ...]
    actions: frozenset[str]
    """Actions whose pack entry names this phrase."""
    nature: Nature
    form: Form = "base"


@dataclass
class VerbLexicon:
    """All verb phrases: the common ones, and those of the catalogue."""

    natures: Mapping[str, Nature]
    """Action → read or write, from its effect."""
    phrases: Phrases[Sense] = field(default_factory=Phrases)
    forms: dict[str, tuple[str, Form]] = field(default_factory=dict)

    @classmethod
    def of(cls, actions: Iterable[Action]) -> "VerbLexicon":
        """Compile the lexicon of a catalogue."""
        listed = list(actions)
        lexicon = cls({a.name: "read" if a.effect == "read" else "write" for a in listed})
        for family, phrases in FAMILIES.items():
            for phrase in phrases.split("; "):
                lexicon.phrases.add(words_of(phrase), Sense(family))
        for action in listed:
            family = family_of(action.verb)
            for phrase in (*action.words, action.verb):
                sense = Sense(family, action.name if phrase in action.words else None)
                lexicon.phrases.add(words_of(phrase), sense)
        for word in lexicon.phrases.single():
            lexicon.forms.update(_inflected(word))
        return lexicon

    def at(self, words: Sequence[str], first: int) -> Verb | None:
        """Find a verb phrase that begins at one word, in any form."""
        if first >= len(words):
            return None
        match = self.phrases.at(words, first)
        form: Form = "base"
        if match is None:
            base, form = self.forms.get(words[first], ("", "base"))
            match = self.phrases.at([*words[:first], base, *words[first + 1 : first + 5]], first)
        return self._verb(words, match, form) if match is not None else None

    def find(self, words: Sequence[str], is_free: Callable[[int], bool]) -> list[Verb]:
        """Find all verb phrases, from left to right."""
        found = []
        place = 0
        while place < len(words):
            verb = self.at(words, place) if is_free(place) else None
            if verb is not None:
                found.append(verb)
            place = verb.end if verb is not None else place + 1
        return found

    def _verb(self, words: Sequence[str], match: Match[Sense], form: Form) -> Verb:
        actions = frozenset(sense.action for sense in match.payloads if sense.action is not None)
        families = tuple(dict.fromkeys(sense.family for sense in match.payloads))
        natures = {self.natures[action] for action in actions}
        natures |= {_nature_of(family) for family in families}
        natures -= {"either"} if actions else set()
        nature = natures.pop() if len(natures) == 1 else "either"
        phrase = " ".join(words[match.first : match.end])
        return Verb(match.first, match.end, phrase, families, actions, nature, form)


def family_of(verb: str) -> str:
    """Name the family of a pack's verb; an unknown verb is a family of its own."""
    words = " ".join(words_of(verb))
    return words if words in FAMILIES else _FAMILY_OF_PHRASE.get(words, words)


_FAMILY_OF_PHRASE = {
    phrase: family for family, phrases in FAMILIES.items() for phrase in phrases.split("; ")
}


def _nature_of(family: str) -> Nature:
    if family in READ_FAMILIES:
        return "read"
    return "write" if family in WRITE_FAMILIES else "either"


def _inflected(word: str) -> dict[str, tuple[str, Form]]:
    """Give the past and the gerund of a verb of one word, and the irregular ones."""
    irregular: dict[str, tuple[str, Form]] = {
        past: (base, "past") for past, base in IRREGULAR.items() if base == word
    }
    if not word.isalpha() or len(word) < 3:
        return irregular
    stems = [word.removesuffix("e")]
    if word[-1] not in "aeiouwxy" and word[-2] in "aeiou" and word[-3] not in "aeiou":
        stems.append(word + word[-1])
    forms: dict[str, tuple[str, Form]] = {}
    for stem in stems:
        forms[f"{stem}ing"] = (word, "gerund")
        if word not in _UNCHANGED_IN_PAST:
            forms[f"{stem}ed"] = (word, "past")
    if word.endswith("y") and word[-2] not in "aeiou":
        forms[f"{word[:-1]}ied"] = (word, "past")
    return {form: kind for form, kind in forms.items() if form not in _CLASHES} | irregular
