"""Match a text against the intent rules of packs, and filter out what is not actionable.

Says which read an intent forces, whether a text is a plain statement, whether a candidate action is
confident and permitted enough to be offered, and where examples of a pack sound like talk with us.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from state.action import Action
from state.event import Event
from state.execution import ExecutionTuning
from state.policy import ASKS_NOTHING, IMPLIED, ORDERS, Candidate, Mood, Routing
from tools.catalog import Pack
from tools.catalog.pack_schema import IntentRule
from tools.dialogue.chitchat import is_small_talk
from tools.nlu import control_request, normalise, reaction
from tools.nlu.control.meta_questions import recall_question, self_question
from tools.nlu.lexicon.verbs import family_of
from tools.nlu.reader.reading import Reader
from tools.nlu.search_query.actionability import only_talks_of_papers, tells_or_asks_what_was
from tools.ports import Catalogue

_FORCES_NOTHING: Mapping[str, frozenset[str]] = {
    "question": frozenset({"how_to", "about_itself"}),
    "statement": frozenset({"reason", "declared", "unable", "unknown_verb", "unknown_word"}),
    "request": frozenset({"unknown_verb"}),
}
"""By mood, the signs of what asks for words and not for the deed, or may not ask at all."""
_DOUBTS = frozenset(
    f"doubt:{doubt}"
    for doubt in (
        "taken_back",
        "told",
        "unclear_part",
        "unknown_words",
        "afterthought",
        "irony",
        "addressed",
        "also_wonders",
        "asks_how",
    )
)

_UNLIKELY = 0.1
"""Share of the best action's confidence below which an intent's words do not force a read. .1 and
.03 do the same on research phrasings, and .1 a little better on fresh ones."""


@dataclass(frozen=True)
class IntentMatch:
    """An intent that a text has, in its pack, and what in the text says so."""

    pack: str
    intent: str
    rule: IntentRule
    reason: str


def intent_of_text(
    text: str, packs: Sequence[Pack], routing: Routing, catalogue: Catalogue
) -> IntentMatch | None:
    """Find the first intent of a text that it does not deny, or the first of all."""

    def is_denied(meant: IntentMatch) -> bool:
        action = catalogue.actions.get(meant.rule.force_tool or "")
        return action is not None and denies(routing, action)

    intents = tuple(_intents_of(text, packs))
    return next((one for one in intents if not is_denied(one)), next(iter(intents), None))


def only_denies(routing: Routing, tuning: ExecutionTuning) -> bool:
    """Tell `don't search, just tell me`: what is left of it is surely no action."""
    told = any(reason.startswith("denied:") for reason in routing.reasons)
    return told and IMPLIED not in routing.reasons and routing.confidence < tuning.ask_confidence


def _intents_of(text: str, packs: Sequence[Pack]) -> Iterator[IntentMatch]:
    """Find the intents whose words or patterns a text holds; packs in their order."""
    said = " ".join(normalise(text).text.split())
    for pack in packs:
        for name, rule in pack.policy.intents.items():
            for kind, form in _forms(rule):
                found = form.search(said)
                if found:
                    yield IntentMatch(
                        pack.name, name, rule, f"intent:{name}:{kind}:{found[0][:60]}"
                    )
                    break


def intent_of_action(action: Action, intents: Mapping[str, IntentRule]) -> str | None:
    """Name the intent that somebody has who asks for an action; None: the pack has none for it."""
    listed = (name for name, rule in intents.items() if action.name in rule.actions)
    forced = (name for name, rule in intents.items() if action.name == rule.force_tool)
    return next(listed, None) or next(forced, None)


def may_force(routing: Routing) -> bool:
    """Tell whether a text asks at all: what is denied, told or supposed forces nothing."""
    if routing.mood in ASKS_NOTHING:
        return False
    if routing.sign in _FORCES_NOTHING.get(routing.mood, ()):
        return False
    if only_talks_of_papers(routing.text) or tells_or_asks_what_was(routing.text):
        return False
    return _DOUBTS.isdisjoint(routing.reasons)


def denies(routing: Routing, action: Action) -> bool:
    """Tell whether a clause denies what an action does: `don't search, tell me what you think`."""
    return family_of(action.verb) in routing.denied


def is_unlikely(routing: Routing, action: Action, tuning: ExecutionTuning) -> bool:
    """Tell whether the router offers another action and finds this one out of the question."""
    found = {one.action: one.confidence for one in routing.alternatives}
    if routing.action is not None:
        found[routing.action] = routing.confidence
    best = max(found.values(), default=0.0)
    least = _UNLIKELY * best
    return best >= tuning.offer_confidence and found.get(action.name, 0.0) < least


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)


def _forms(rule: IntentRule) -> list[tuple[str, re.Pattern[str]]]:
    words = [("word", _compiled(re.escape(word))) for word in rule.words]
    return [*words, *(("pattern", _compiled(pattern)) for pattern in rule.patterns)]


_LEAD = r"\W*(?:(?:ok|okay|well|so|and|but|oh|hey|hi|hello|by the way|fyi|look)[ ,.!:-]+)*"
_ASKS = re.compile(
    r"\b(?:needs?|wants?|wish|should|must|ought|please|could|would|can|let|shall|had better"
    r"|(?:has|have|had|is|are) to)\b|\?",
    re.IGNORECASE,
)
"""Whoever says one of these tells what shall be, and not what is."""
_STATES = re.compile(
    rf"{_LEAD}(?!(?:is|are|was|were|has|have|had|did|does|do|how|what|which|who|whose|where|when"
    r"|why)\b)"
    r"(?:(?!(?:that|while|when|if|because|until|unless|as|since|once)\b)[\w'’@./-]+ ){1,8}?"
    r"(?:is|are|was|were|isn't|aren't|wasn't|weren't|has|have|had|hasn't|haven't|costs|weighs"
    r"|holds|contains|measures|lasts|belongs|stands|sits"
    r"|(?:[a-z]+ed|left|shut|put) (?:the|a|an|my|our|his|her|their))\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[,;:.!]\s+\w|\b(?:and|so|but)\b", re.IGNORECASE)
"""Behind it something may be asked for: `the fan is annoying, make it stop`."""
_THEIRS = re.compile(
    rf"{_LEAD}(?!(?:i|we|you)\b)(?:[\w'’.-]+ ){{1,4}}?"
    r"(?:says?|said|told|tells|writes|wrote|asks|asked|thinks|thought|hopes|hoped|claims|claimed)\b",
    re.IGNORECASE,
)
"""What somebody else says: who wants something then is not who speaks."""
_WONDERS = re.compile(
    rf"{_LEAD}(?:(?:should|must|may|ought) (?:i|we)\b|do (?:i|we) (?:have|need|want) to\b"
    r"|is it (?:ok|okay|fine|right|wise|time|safe|better) to\b).*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)


_ASKS_FACT = re.compile(
    rf"{_LEAD}(?:how (?:many|much|long|often|far|old)|which|what|who|whose|where|when)\b"
    r"(?!.*\b(?:can|could|should|would|shall|will|may|might|must)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""`How many lights are on` is answered, or not; it switches nothing on."""


def asks_no_change(text: str, change: Action) -> bool:
    """Tell whether a text asks for no change: it states what is so, or asks about it.

    Args:
        change: one of its examples that states something too shows that its pack takes that for a
            request.
    """
    if _WONDERS.match(text) or _ASKS_FACT.match(text):
        return True
    if _THEIRS.match(text):
        return not any(map(_THEIRS.match, change.examples))
    return is_plain_statement(text) and not _is_asked_by_stating(change.examples)


@lru_cache(maxsize=2_000)
def _is_asked_by_stating(examples: tuple[str, ...]) -> bool:
    return any(map(is_plain_statement, examples))


def is_plain_statement(text: str) -> bool:
    """Tell whether a text says in one clause how things are, and asks for nothing in it."""
    found = _STATES.match(text)
    return found is not None and not _ASKS.search(text) and not _GOES_ON.search(text, found.end())


def is_actionable(
    meant: Candidate,
    mood: Mood,
    event: Event,
    catalogue: Catalogue,
    *,
    tuning: ExecutionTuning,
) -> bool:
    """Tell whether to name or offer an action.

    What only tells how things are changes nothing. What is no command or request at most reads,
    what asks for nothing reads only when it is clear, and what is refused is not done at all.
    Somebody who may not do it is told so only when it is clear that they asked.
    """
    clear = meant.confidence >= tuning.ask_confidence
    action = catalogue.actions[meant.action]
    reads = action.floor == "A"
    if not reads and mood not in ORDERS and asks_no_change(event.text, action):
        return False
    if mood == "negated" or (not reads and (mood == "question" or mood in ASKS_NOTHING)):
        return False
    if mood in ASKS_NOTHING and not clear:
        return False
    return meant.confidence >= tuning.offer_confidence and (
        clear or catalogue.may_ask(meant.action, event.roles)
    )


_OWN, _LOOKED_AT = 0.15, 24
"""Share of an action's examples of a label, above which it is the pack's own; and how many are
read at most."""
FORMS: Mapping[str, Callable[[str], object]] = {
    "control": control_request,
    "self_question": self_question,
    "recall_question": recall_question,
    "small_talk": is_small_talk,
    "reaction": reaction,
}


@dataclass(frozen=True)
class PackOverrides:
    """Knows which of a catalogue's actions have examples of a form."""

    catalogue: Catalogue

    def sounding_like(self, forms: Iterable[str]) -> frozenset[str]:
        """Name the actions that have an example of one of these forms.

        A pack that keeps reminders of its own is asked for them by `remind me to …`, and its
        author has written so.
        """
        return frozenset().union(*map(self._having, forms))

    def _having(self, form: str) -> frozenset[str]:
        """Look through all examples, once: some ten thousand take a fifth of a second."""
        if form not in self._known:
            self._known[form] = frozenset(
                name
                for name, action in self.catalogue.actions.items()
                if any(map(FORMS[form], action.examples))
            )
        return self._known[form]

    def owns(self, name: str, text: str, label: str, reader: Reader) -> bool:
        """Tell whether an action's examples have this text, or this control label of the reader.

        Raises:
            EncoderUnavailable: the reader's files are broken.
        """
        examples = self.catalogue.actions[name].examples
        if normalise(text).text in {normalise(one).text for one in examples}:
            return True
        if name not in self._labels:
            examples = examples[:_LOOKED_AT]
            self._labels[name] = [reader.read(normalise(one)).control for one in examples]
        labels = self._labels[name]
        return labels.count(label) > _OWN * len(labels)

    @cached_property
    def _labels(self) -> dict[str, list[str]]:
        return {}

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        return {}
