"""Verbs and their families: what kind of doing does a word ask for?"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from state.action import Action
from tools.routing.normalise import words_of
from tools.routing.phrases import Match, Phrases

Nature = Literal["read", "write", "either"]

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "show": (
        "show; view; display; list; see; read; get; give me; tell me; bring up; pull up; look at; "
        "let me see; open; open up; present; go to; give me an overview; fetch; describe; "
        "summarise; summarize; name; remind me of; compare; explain; how is; status of",
    ),
    "query": (
        "check; scan; search; find; look up; look for; look in; query; locate; count; verify; "
        "search for; calculate; find out; ask; convert; translate; spell; define; estimate; track",
    ),
    "diagnose": (
        "diagnose; trace; expand; troubleshoot; investigate; analyse; analyze; debug; "
        "what is wrong with; what's wrong with; what causes; what could cause; find the cause of",
    ),
    "add": (
        "add; append; put; include; log; record; enter; insert; write; note; comment; register; "
        "mention; note down; write down; hand over; pin; save",
        "attach; upload; import; add",
    ),
    "create": (
        "create; generate; open; make; raise; draft; compose; build; compile; set up; file; "
        "produce; prepare; issue; new",
        "order; buy; purchase; reorder; request; get more; restock",
        "book; reserve; schedule; plan",
        "start; begin; launch; run",
    ),
    "update": (
        "update; edit; modify; change; set; correct; adjust; replace; rename; amend",
        "close; close out; complete; finish; sign off; mark; finalise; finalize; tick off; check off",
        "cancel; drop; revoke; undo; withdraw",
        "reopen; restore; renew; extend",
        "archive; retire; shelve",
        "delete; remove; erase; wipe; clear; get rid of; throw away; throw out",
        "assign; reassign; delegate; hand; move; give; put on",
        "approve; accept; confirm; acknowledge; authorise; authorize; sign",
        "reject; decline; refuse; deny",
        "submit; send in; hand in",
        "switch; turn; turn on; turn off; enable; disable; activate; deactivate; stop; freeze; block; "
        "reset",
        "pay; transfer",
        "postpone; reschedule; merge",
    ),
    "export": (
        "export; download; print",
        "share; send; email; mail; forward; publish",
        "text; call",
    ),
}
"""Family → groups of words that mean the same. `cancel` and `approve` are both updates, and no
synonyms. Source: action execution contract §4, with everyday words for each family."""

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
    group: str | None = None


@dataclass(frozen=True)
class Verb:
    """A verb phrase found at words `first` to `end`."""

    first: int
    end: int
    phrase: str
    families: tuple[str, ...]
    actions: frozenset[str]
    """Actions whose pack entry names this phrase."""
    groups: frozenset[str]
    """Groups of synonyms that it belongs to."""
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
        for phrase, group in _phrases_and_groups():
            lexicon.phrases.add(words_of(phrase), Sense(group.split("/")[0], group=group))
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
        groups = frozenset(sense.group for sense in match.payloads if sense.group is not None)
        return Verb(match.first, match.end, phrase, families, actions, groups, nature, form)


def family_of(verb: str) -> str:
    """Name the family of a pack's verb; an unknown verb is a family of its own."""
    words = " ".join(words_of(verb))
    groups = _GROUPS_OF_PHRASE.get(words)
    return words if words in FAMILIES or groups is None else groups[0].split("/")[0]


def groups_of(phrases: Iterable[str]) -> frozenset[str]:
    """Name the groups of synonyms that some phrases belong to."""
    return frozenset(
        group
        for phrase in phrases
        for group in _GROUPS_OF_PHRASE.get(" ".join(words_of(phrase)), ())
    )


def _phrases_and_groups() -> Iterable[tuple[str, str]]:
    """Pair each phrase with its group, written family/number."""
    for family, groups in FAMILIES.items():
        for number, phrases in enumerate(groups):
            for phrase in phrases.split("; "):
                yield phrase, f"{family}/{number}"


def _grouped() -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for phrase, group in _phrases_and_groups():
        groups[phrase] = (*groups.get(phrase, ()), group)
    return groups


_GROUPS_OF_PHRASE = _grouped()


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
