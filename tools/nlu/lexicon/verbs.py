"""Verb families, inflection and the verb lexicon of a catalogue, phrasal verbs included."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from state.action import Action
from tools.nlu.lexicon.cue_phrases import COURTESY, DETERMINERS, undone_noun, verbs_of_noun
from tools.nlu.lexicon.normalization import Match, Phrases, singular, word_set, words_of

# One group of synonyms a line: `cancel` and `approve` are both updates, and no synonyms.
_GROUPS = """
show: show; view; display; list; see; read; get; give me; tell me; bring up; pull up; look at
show: open; open up; let me see; present; go to; give me an overview; fetch; describe; summarise
show: summarize; sum up; name; remind me of; compare; explain; how is; status of; gimme; lemme see
show: recap; walk me through; run me through; take me through; talk me through; fill me in on
show: catch me up on; get me up to speed on; bring me up to date on; run down; call up
show: update me on; update us on; brief me on; brief us on; fill us in on; catch us up on
show: get us up to speed on; bring me up to speed on; bring us up to speed on; report back
show: bring us up to date on; run us through; walk us through; talk us through; clue me in on
show: bring out; set out; lay out; close look at; closer look at; take a close look at
show: have a close look at; take a closer look at; have a closer look at
show: put up; pull out; hand me; hand us; pass me; pass us; give us; take me to; take us to
show: tell us; let me know; let us know
query: check; scan; search; find; look up; look for; look in; query; locate; count; verify
query: retrieve; dig up; dig out; hunt down; track down; hunt for; grab; get hold of; gather
query: search for; calculate; find out; ask; convert; translate; spell; define; estimate; track
diagnose: diagnose; trace; expand; troubleshoot; investigate; analyse; analyze; debug
diagnose: what is wrong with; what's wrong with; what causes; what could cause; find the cause of
add: add; append; put; include; log; record; enter; insert; write; note; comment; register; \
mention; note down; write down; hand over; pin; save; jot; jot down; stick; pop; key in; punch in; \
type in; fill in; scribble; tack; bookmark; stash
add: leave a note; leave a comment; leave a remark
add: attach; upload; import; add; hang; link; enclose
create: create; generate; open; make; raise; draft; compose; build; compile; set up; file; \
produce; prepare; issue
create: order; buy; purchase; reorder; request; get more; restock
create: book; reserve; schedule; plan
create: start; begin; launch; run
update: update; edit; modify; change; set; correct; adjust; replace; rename; amend; fix; alter; \
reword; rephrase; rewrite
update: close; close out; complete; finish; sign off; mark; finalise; finalize; tick off; \
check off; wrap up; shut; close off
update: cancel; drop; revoke; undo; withdraw; call off; scrap; void; annul; ditch; axe; abort
update: undo; revert; roll back; reverse; take back; put back; retract; recall; rescind
update: reopen; restore; renew; extend; reinstate; revive; reactivate; bring back; recover; undelete
update: archive; retire; shelve
update: delete; remove; erase; wipe; clear; get rid of; do away with; throw away; throw out; \
bin; trash; scrap; discard; strike; strike out; cross out; take off; take out; take away; pull; \
pull out; kick out; ditch; dump; detach; unlink; get off; toss
update: assign; reassign; delegate; hand; move; give; put on
update: approve; accept; confirm; acknowledge; authorise; authorize; sign; okay; \
greenlight; sanction
update: reject; decline; refuse; deny
update: submit; send in; hand in
update: switch; turn; turn on; turn off; enable; disable; activate; deactivate; stop; freeze; \
block; reset
update: pay; transfer
update: postpone; reschedule; merge; push back; put off; delay; defer; bring forward; move up
export: export; download; print
export: share; send; email; mail; forward; publish
export: text; call
handle: see to; attend to
"""

READ_FAMILIES = frozenset({"show", "query", "diagnose"})
LIGHT_VERBS = frozenset(
    {"get", "fetch", "retrieve", "name", "pull", "pull up", "pull out", "open up", "put up"}
    | {"call up", "give me", "give us", "gimme", "hand me", "hand us", "pass me", "pass us"}
    | {"take me to", "take us to"}
)
"""They read or change, as what follows says: `get it off the list`, `give me a summary`."""
WRITE_FAMILIES = frozenset({"add", "create", "update"})
MERE_WAITING = frozenset({("hang", "on")})
"""Words of a verb by which nothing is asked for: `hang on, is that the limit switch one`."""


def grouped_phrases() -> Iterable[tuple[str, str]]:
    """Pair each phrase with its group, written family/number; looking up is all one group."""
    for number, line in enumerate(_GROUPS.strip().splitlines()):
        family, phrases = line.split(": ")
        group = f"{family}/{0 if family in READ_FAMILIES else number}"
        for phrase in phrases.split("; "):
            yield phrase, group


def family_of_group(group: str) -> str:
    """Name the family of a group."""
    return group.split("/", maxsplit=1)[0]


def _collected() -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for phrase, group in grouped_phrases():
        groups[phrase] = (*groups.get(phrase, ()), group)
    return groups


GROUPS_OF_PHRASE = _collected()
FAMILIES = frozenset(family_of_group(group) for _, group in grouped_phrases())


IRREGULAR = {
    "written": "write", "wrote": "write", "made": "make", "bought": "buy", "sent": "send",
    "given": "give", "gave": "give", "found": "find", "saw": "see", "seen": "see", "got": "get",
    "built": "build", "took": "take", "taken": "take", "began": "begin", "begun": "begin",
    "brought": "bring", "stuck": "stick", "struck": "strike", "thrown": "throw", "threw": "throw",
    "withdrawn": "withdraw", "withdrew": "withdraw", "hung": "hang", "hidden": "hide",
    "paid": "pay", "undid": "undo", "undone": "undo", "told": "tell", "shown": "show",
}  # fmt: skip
_UNCHANGED_IN_PAST = frozenset({"put", "set", "reset", "read", "hand"})
_LEAST_STEM = 3
_CLASHES = frozenset({"need", "bring", "thing", "during", "spring", "string", "based"})

Form = Literal["base", "past", "gerund"]


def bases(word: str) -> Iterator[str]:
    """Guess of which verbs a word may be the past form or the gerund."""
    for ending in ("ing", "ed", "d"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            yield stem
            yield f"{stem}e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]


def inflected(word: str) -> dict[str, tuple[str, Form]]:
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


Nature = Literal["read", "write", "either"]

_REMEMBERED = 4_096


@dataclass(frozen=True)
class Sense:
    """What a verb phrase stands for: a family, and the action that names the phrase itself."""

    family: str
    action: str | None = None
    group: str | None = None


class Verb(NamedTuple):
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
    form: Form
    base: str
    """The phrase with its verb in the base form: `pull up` of `pulling up`."""

    @property
    def is_light(self) -> bool:
        """Tell `get` and `getting`, which say little by themselves, from `got`."""
        return _is_light(self.base, self.form)


_Meaning = tuple[
    str, tuple[str, ...], frozenset[str], frozenset[str], Nature, Form, str
]  # of a `Verb`, all but its place


@dataclass
class VerbLexicon:
    """All verb phrases: the common ones, and those of the catalogue."""

    natures: Mapping[str, Nature]
    """Action → read or write, from its effect."""
    objects: frozenset[str] = frozenset()
    """What the actions are done to."""
    phrases: Phrases[Sense] = field(default_factory=Phrases)
    forms: dict[str, tuple[str, Form]] = field(default_factory=dict)
    _meant: dict[tuple[tuple[str, ...], str, Form], _Meaning] = field(
        default_factory=dict, repr=False, compare=False
    )
    """What has been said, and means: never more than all phrases in all their forms."""

    @classmethod
    def of(cls, actions: Iterable[Action]) -> "VerbLexicon":
        """Compile the lexicon of a catalogue."""
        listed = list(actions)
        natures: dict[str, Nature] = {
            action.name: "read" if action.effect == "read" else "write" for action in listed
        }
        lexicon = cls(natures, frozenset(action.object for action in listed))
        for phrase, group in grouped_phrases():
            lexicon.phrases.add(words_of(phrase), Sense(family_of_group(group), group=group))
        for action in listed:
            family = family_of(action.verb)
            for phrase in (*action.words, action.verb):
                sense = Sense(family, action.name if phrase in action.words else None)
                lexicon.phrases.add(words_of(phrase), sense)
        opposites = [one for one in _undoing(listed) if lexicon.phrases.at([one[0]], 0) is None]
        for word, taker in opposites:
            lexicon.phrases.add([word], Sense(family_of(taker.verb), taker.name))
        for word in lexicon.phrases.openings():
            lexicon.forms.update(inflected(word))
        return lexicon

    def at(self, words: Sequence[str], first: int) -> Verb | None:
        """Find a verb phrase that begins at one word, in any form."""
        if first >= len(words) or words[first] not in self.openings:
            return None
        if tuple(words[first : first + 2]) in MERE_WAITING:
            return None
        match = self.phrases.at(words, first)
        if match is not None:
            return self._verb(words, match, words[first], "base")
        if words[first] not in self.forms:
            return None
        base, form = self.forms[words[first]]
        match = self.phrases.at([*words[:first], base, *words[first + 1 : first + 5]], first)
        return self._verb(words, match, base, form) if match is not None else None

    @cached_property
    def openings(self) -> frozenset[str]:
        """Collect the words one of which begins a verb phrase, in any form."""
        return frozenset(self.phrases.openings() | self.forms.keys())

    @cached_property
    def by_letter(self) -> Mapping[str, Sequence[str]]:
        """Sort the verbs of one word by their first letter."""
        words = sorted(self.phrases.single())
        return {letter: tuple(own) for letter, own in groupby(words, lambda word: word[0])}

    def stands_for(self, verb: Verb, phrase: Sequence[str]) -> Verb | None:
        """Read a verb as the phrase it makes with words further on; None: nobody has that one."""
        match = self.phrases.at(phrase, 0)
        if match is None or match.end < len(phrase):
            return None
        found = self._verb(phrase, match, phrase[0], verb.form)
        return found._replace(first=verb.first, end=verb.end)

    def find(self, words: Sequence[str], is_free: Callable[[int], bool]) -> list[Verb]:
        """Find all verb phrases, from left to right."""
        found = []
        openings, place = self.openings, 0
        while place < len(words):
            may_begin = words[place] in openings and is_free(place)
            verb = self.at(words, place) if may_begin else None
            if verb is not None:
                found.append(verb)
            place = verb.end if verb is not None else place + 1
        return found

    def _verb(self, words: Sequence[str], match: Match[Sense], base: str, form: Form) -> Verb:
        said = tuple(words[match.first : match.end])
        meant = self._meant.get((said, base, form))
        if meant is None:
            meant = self._meant[said, base, form] = self._meaning(said, match.payloads, base, form)
        return Verb(match.first, match.end, *meant)

    def _meaning(
        self, said: Sequence[str], senses: Sequence[Sense], base: str, form: Form
    ) -> _Meaning:
        actions = frozenset(sense.action for sense in senses if sense.action is not None)
        families = tuple(dict.fromkeys(sense.family for sense in senses))
        natures = {self.natures[action] for action in actions}
        natures |= {_nature_of(family) for family in families}
        natures -= {"either"} if actions else set()
        whole = " ".join((base, *said[1:]))
        is_clear = len(natures) == 1 and not _is_light(whole, form)
        nature = natures.pop() if is_clear else "either"
        groups = frozenset(sense.group for sense in senses if sense.group is not None)
        return " ".join(said), families, actions, groups, nature, form, whole


def _undoing(actions: Sequence[Action]) -> list[tuple[str, Action]]:
    """Give `uncancel` for what undoes a cancelling, and for all that is asked for by its words."""
    named = {action.name: action for action in actions}
    return [
        (f"un{word}", taker)
        for action in actions
        if action.undo in named and action.undo != action.name
        for taker in actions
        if not set(named[action.undo].words).isdisjoint(taker.words) and taker != action
        for word in action.words
        if word.isalpha()
    ]


@lru_cache(_REMEMBERED)
def family_of(verb: str) -> str:
    """Name the family of a pack's verb; an unknown verb is a family of its own."""
    words = " ".join(words_of(verb))
    groups = GROUPS_OF_PHRASE.get(words)
    return words if words in FAMILIES or groups is None else family_of_group(groups[0])


def groups_of(phrases: Iterable[str]) -> frozenset[str]:
    """Name the groups of synonyms that some phrases belong to."""
    return frozenset(
        group
        for phrase in phrases
        for group in GROUPS_OF_PHRASE.get(" ".join(words_of(phrase)), ())
    )


def _is_light(base: str, form: Form) -> bool:
    return form != "past" and base in LIGHT_VERBS


def _nature_of(family: str) -> Nature:
    if family in READ_FAMILIES:
        return "read"
    return "write" if family in WRITE_FAMILIES else "either"


_PARTICLES = word_set("up off out back away forward")
_BEHIND = word_set("from to of on with for at by in into again until till and or so because than")
_INSIDE = word_set("to in into on onto from with at by about that and or but")
"""Behind one of these stands no object any more: `put the note in and go back`."""
_MOST_BETWEEN = 8
_SHOWING = word_set("put pull bring throw flash place get")
_SCREENS = word_set("screen display monitor")
_UP = ("pull", "up")


def join_particles(words: Sequence[str], verb: Verb, end: int, lexicon: VerbLexicon) -> Verb:
    """Read `take the filter off WO-1042` as taking off, `put it on the screen` as showing.

    `Take me back to it` and `put the note on the screen door` stay what they are.

    Args:
        end: where the clause of the verb ends.
    """
    first = verb.end
    if verb.end - verb.first > 1:
        return verb
    if (opposite := _particle_undoing(words, verb, end, lexicon)) is not None:
        return opposite
    if first >= end or words[first] in ("me", "us"):
        return verb
    for place in range(first, min(end, first + _MOST_BETWEEN + 1)):
        word = words[place]
        behind = words[place + 1 : end]
        is_shown = word == "on" and verb.base in _SHOWING and _is_screen(behind)
        if place > first and (is_shown or (word in _PARTICLES and _ends_so(behind, word))):
            return lexicon.stands_for(verb, _UP if is_shown else (verb.base, word)) or verb
        if word in _INSIDE:
            break
    return verb


def _particle_undoing(
    words: Sequence[str], verb: Verb, end: int, lexicon: VerbLexicon
) -> Verb | None:
    """Read `cancel the cancellation of it` and `un-cancel it` as uncancelling, if that is a verb.

    A booking that can be cancelled is a thing, where a catalogue has such things.
    """
    if verb.first and words[verb.first - 1] == "un":
        found = lexicon.at([f"un{words[verb.first]}"], 0)
        return found._replace(first=verb.first - 1, end=verb.end) if found is not None else None
    noun = undone_noun(words, verb.base, verb.end, end)
    if noun is None or {words[noun], singular(words[noun])} & lexicon.objects:
        return None
    for base in verbs_of_noun(words[noun]):
        found = lexicon.at([f"un{base}"], 0)
        if found is not None and found.form == "base":
            return found._replace(first=verb.first, end=noun + 1)
    return None


def _is_screen(behind: Sequence[str]) -> bool:
    while behind and behind[0] in DETERMINERS:
        behind = behind[1:]
    return bool(behind) and behind[0] in _SCREENS and _ends_so(behind[1:], "up")


def _ends_so(behind: Sequence[str], particle: str) -> bool:
    """Tell `off` behind an object from one that begins a name: `print the back page`."""
    if particle == "up" and behind and behind[0] in ("on", "in"):
        return behind[0] == "on" and _is_screen(behind[1:])
    if not behind or behind[0] in _BEHIND or COURTESY.issuperset(behind):
        return True
    return particle == "off" and (behind[0] in DETERMINERS or any(map(str.isdigit, behind[0])))
