"""Parse a text once for all later stages: tokens, entities, dialogue act and verb.

Holds the content key, by which everything read or learnt of a catalogue is cached.
"""

import hashlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path
from typing import NamedTuple, Self

import rapidfuzz

from tools.catalog import Catalogue
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct, read_dialogue_act
from tools.nlu.dialogue_acts.negation import NEGATORS
from tools.nlu.entities.entity_index import EntityIndex
from tools.nlu.entities.names import Names
from tools.nlu.entities.recognition import EntityFinder, Mention
from tools.nlu.entities.references import antecedent_of
from tools.nlu.entities.roles import RoleFinder, Roles
from tools.nlu.intent_classifier.lexical_model import Evidence
from tools.nlu.lexicon.action_index import keys_of, wording_of
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import Normal, normalise, word_set
from tools.nlu.lexicon.politeness import without_report
from tools.nlu.lexicon.spelling import english_words, guessed, spelling_of
from tools.nlu.lexicon.verbs import Verb, VerbLexicon, join_particles
from tools.platform.process_resources import LRUCache

_LEARNT_FROM = {
    "name", "pack", "verb", "words", "object", "container", "summary", "effect", "slots",
    "examples", "undo",
}  # fmt: skip
"""What of an entry is read, by which texts are learnt."""

_NLU = Path(__file__).parents[1]
_LEARNING = (
    "actionability",
    "dialogue_acts",
    "entities",
    "intent_classifier",
    "intents",
    "lexicon",
    "rejection",
    "slots",
    "values",
)
"""Packages whose code decides what is learnt: an edit in one makes every pack learn anew."""


def content_key(catalogue: Catalogue) -> str:
    """Name what is read of a catalogue by all that it follows from; nothing is read for it."""
    entries = [
        action.model_dump_json(include=_LEARNT_FROM) for action in catalogue.actions.values()
    ]
    kinds = [
        f"{pack.name} {name} {entity.model_dump_json()}"
        for pack in catalogue.packs
        for name, entity in pack.entities.items()
    ]
    # JSON holds no line break, so that nothing reads like something else.
    content = [_code(), rapidfuzz.__version__, _english(), *entries, "", *kinds]
    return _name("\n".join(content))


def key_beside(content: str, beside: str | None) -> str:
    """Name what was learnt of such a content and of something beside it, such as an encoder."""
    return content if beside is None else _name(f"{content} {beside}")


def _name(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:32]


@once
def _english() -> str:
    return hashlib.sha256("\n".join(sorted(english_words())).encode()).hexdigest()


@once
def _code() -> str:
    """Hash the folder that reads and learns: other code may learn something else from the same."""
    digest = hashlib.sha256()
    code = [file for folder in _LEARNING for file in (_NLU / folder).glob("*.py")]
    for file in sorted([*code, *(_NLU / "lexicon").glob("*/values.yaml")]):
        digest.update(file.read_bytes())
    return digest.hexdigest()


MOST_HELD = 4
"""Catalogues that a process remembers: a service has one, tests open one after the other."""


@dataclass(frozen=True)
class CatalogIndex:
    """Verbs and things of a catalogue; shared by all who read with the same words."""

    lexicon: VerbLexicon
    listed: EntityIndex
    things: RoleFinder

    @classmethod
    def of(cls, catalogue: Catalogue) -> Self:
        """Read the entries."""
        actions = list(catalogue.actions.values())
        listed = EntityIndex.of(catalogue)
        kinds = [(kind, entity.words) for kind, entity in listed.types.items()]
        return cls(VerbLexicon.of(actions), listed, RoleFinder(actions, kinds))


_HELD: LRUCache[CatalogIndex] = LRUCache(MOST_HELD)


def catalog_index_of(content: str, catalogue: Catalogue) -> CatalogIndex:
    """Read the entries, or take what was read of the same `content` (learning/content.py)."""
    return _HELD.get(content, lambda: CatalogIndex.of(catalogue))


def kept_words(act: DialogueAct, count: int) -> frozenset[int]:
    """Name the words that count: of the kept clauses, and what was told after them."""
    if not act.kept:
        return frozenset(range(count))
    kept = {place for clause in act.kept for place in range(clause.first, clause.end)}
    if act.cut.content_first is not None:
        kept.update(range(act.cut.content_first, count))
    return frozenset(kept)


def ordered_words(words: list[str], act: DialogueAct, objects: Set[str]) -> list[str]:
    """Say `close` for the `closing` or `closed` that is asked for: what is talked about is so said.

    `Undo the closing of WO-1042` and `I deleted N-2` are examples of what takes that back, and so
    are others with these words; `WO-1042 needs closing` orders what `close it` does.
    """
    verb = act.ask.verb if act.ask is not None and act.ask.mood == "request" else None
    if verb is None or verb.form == "base":
        return words
    base = verb.base.split(maxsplit=1)[0]
    if base in objects:  # `have that noted` is about no note
        return words
    return [*words[: verb.first], base, *words[verb.first + 1 :]]


def typed_words(
    words: list[str], mentions: tuple[Mention, ...], kept: frozenset[int]
) -> tuple[str, ...]:
    """Follow each thing by its type, for the statistical pass."""
    types: Mapping[int, list[str]] = {mention.end - 1: [] for mention in mentions}
    for mention in mentions:
        types[mention.end - 1].append(f"@{mention.kind.type}")
    found: list[str] = []
    for place, word in enumerate(words):
        if place in kept:
            found.append(word)
            found.extend(types.get(place, ()))
    return tuple(found)


def said_words(words: list[str], mentions: tuple[Mention, ...], kept: frozenset[int]) -> str:
    """Join the words, and say `work order` where one is named: which one does not matter."""
    instead: dict[int, str] = {}
    for mention in mentions:
        if mention.is_known and mention.first not in instead:
            instead |= dict.fromkeys(range(mention.first, mention.end), "")
            instead[mention.first] = mention.kind.type.replace("_", " ")
    spoken = (instead.get(place, word) for place, word in enumerate(words) if place in kept)
    return " ".join(word for word in spoken if word)


_MOST_TOLD = 80
"""Words in which verbs are looked for that ask for nothing."""
_WHY = word_set("why whys")
_ARTICLES = word_set("the a an")
_CONTRACTED = word_set("it's that's what's who's where's how's there's here's let's he's she's")
_POINTS = word_set("it that this them these those one ones there same")
"""These stand for something that was said elsewhere."""
_WRONG = word_set("wrong cause causes problem matter")


class ParsedUtterance(NamedTuple):
    """Everything the text says by itself, before any action is compared."""

    normal: Normal
    names: Names
    mentions: tuple[Mention, ...]
    act: DialogueAct
    verb: Verb | None
    things: Roles
    evidence: Evidence
    asked: range
    kept: frozenset[int]
    model_words: tuple[str, ...]
    """The words that count, each thing followed by its type, for the statistical pass."""
    said: str
    """The same with each thing by the name of its type, for the encoder."""
    verbs: tuple[Verb, ...] = ()
    """Every verb phrase that the writer says himself, in whatever form and clause."""
    slips: tuple[tuple[str, str], ...] = ()
    """Words that were put right, and what they were read as."""
    meant: frozenset[int] = frozenset()
    """The words that `it` stands for."""
    asker: str | None = None
    """Who says it, by the name that the caller knows."""
    report: str | None = None  # an end that only asks to hear of it: `and let me know`

    @property
    def leaves_out(self) -> bool:
        """Tell whether something of it does not count, as it is told or denied."""
        return len(self.kept) < len(self.normal.tokens)

    def whole(self) -> "ParsedUtterance":
        """Let every word count: what was told may say what is asked for, `give me the list`."""
        everything = frozenset(range(len(self.normal.tokens)))
        return self._scored_by(everything)._replace(kept=everything)

    def order(self) -> "ParsedUtterance | None":
        """Let the words of the order alone say which action it is; None: they need the others.

        `We leave the yard, close WO-1042` is about no yard; `take it off` needs what was told.
        """
        if self.act.ask is None or self.act.ask.verb is None:
            return None
        if any(self.normal.tokens[place].text in _POINTS for place in self.asked):
            return None
        told = range(self.act.cut.content_first or len(self.normal.tokens), len(self.normal.tokens))
        own = self.kept & {*self.asked, *self.meant, *told}
        return self._scored_by(own) if len(own) < len(self.kept) else None

    def _scored_by(self, places: frozenset[int]) -> "ParsedUtterance":
        words = self.normal.words
        kinds = frozenset(one.kind.type for one in self.mentions if one.first in places)
        counted = [words[place] for place in sorted(places)]
        return self._replace(
            evidence=self.evidence._replace(words=counted, kinds=kinds),
            model_words=typed_words(words, self.mentions, places),
            said=said_words(words, self.mentions, places),
        )


@dataclass(frozen=True)
class ParsedExample:
    """An example as both models see it."""

    words: tuple[str, ...]
    said: str
    plain: str
    """As said, with things by their names."""


class UtteranceParser:
    """Reads texts with the words of one catalogue."""

    def __init__(self, catalogue: Catalogue, *, cache: Path | None = None) -> None:
        """Read the catalogue's words, or find them read in the folder `cache`."""
        self.content = content_key(catalogue)
        """Names all that is read here."""
        actions = list(catalogue.actions.values())
        known = catalog_index_of(self.content, catalogue)
        self.lexicon = known.lexicon
        file = cache / f"wording-{self.content}.json" if cache is not None else None
        self.wording = wording_of(actions, self.lexicon, file)
        self._objects = [action.object for action in actions]
        self._natural = self.wording.words
        self._openings = self.wording.openings
        verb_words = self.lexicon.phrases.words()
        words = self._natural | verb_words
        # A negator with a slip is still a negator, and never a word of the catalogue.
        grammar = FUNCTION_WORDS | NEGATORS
        rare = self.wording.rare - verb_words - grammar
        self._spelling = spelling_of(words | grammar, rare, frozenset(self.lexicon.forms))
        self._entities = EntityFinder(catalogue, words, verb_words, known.listed)
        self._things = known.things

    def read(
        self, text: str, data_dir: Path | None = None, asker: str | None = None
    ) -> ParsedUtterance:
        """Read one text."""
        normal, report = without_report(normalise(text))
        names = self._entities.names(data_dir)
        mentions = self._entities.find(normal, names)
        named = frozenset(place for one in mentions for place in range(one.first, one.end))
        spelt = self._spelling.mended(normal, named)
        normal = spelt.normal
        words = normal.words
        is_thing = self._things.named(words) | named | self._things.heading(normal)
        known = self._natural - guessed(spelt.slips) if spelt.slips else self._natural
        act = read_dialogue_act(normal, self.lexicon, is_thing, known, self._openings)
        kept = kept_words(act, len(words))
        ordered = ordered_words(words, act, self.lexicon.objects)
        meant = antecedent_of(act, words, mentions, self._things.kinds, self._asked_of)
        kept |= meant
        asked = _asked(act, len(words))
        verb, others = self._verbs(words, act, asked, is_thing)
        verb_first = verb.first if verb is not None else -1
        things = self._things.find(words, list(asked), mentions, verb_first)
        counted = [place for place in range(len(words)) if place in kept]
        evidence = Evidence(
            words=[words[place] for place in counted],
            verb=verb,
            other_verbs=others,
            implied_family=_implied_family(act, [words[place] for place in asked]),
            things=things,
            kinds=frozenset(m.kind.type for m in mentions if m.first in kept),
        )
        return ParsedUtterance(
            normal=normal,
            names=names,
            mentions=mentions,
            act=act,
            verb=verb,
            things=things,
            evidence=evidence,
            asked=asked,
            kept=kept,
            meant=meant,
            model_words=typed_words(ordered, mentions, kept),
            said=said_words(ordered, mentions, kept),
            verbs=self._spoken_of(words, act, is_thing),
            slips=spelt.slips,
            asker=asker,
            report=report,
        )

    def example(self, text: str) -> ParsedExample:
        """Give the words of an example as a reading would, without judging its mood."""
        normal = normalise(text)
        mentions = self._entities.find(normal, self._entities.names(None))
        named = frozenset(place for one in mentions for place in range(one.first, one.end))
        words = [token.text for token in self._spelling.mended(normal, named).normal.tokens]
        everything = frozenset(range(len(words)))
        said = said_words(words, mentions, everything)
        return ParsedExample(typed_words(words, mentions, everything), said, " ".join(words))

    def _spoken_of(
        self, words: list[str], act: DialogueAct, is_thing: frozenset[int]
    ) -> tuple[Verb, ...]:
        own = act.cut.quoted | is_thing
        return tuple(self.lexicon.find(words[:_MOST_TOLD], lambda place: place not in own))

    def _asked_of(self, verb: Verb | None) -> frozenset[str]:
        """Name the kinds of things that a verb is asked of: `call it off` is of no shipyard."""
        keys = keys_of(verb) if verb is not None else ()
        places = {place for key in keys for place in self.wording.asked_with.get(key, ())}
        return frozenset(self._objects[place] for place in places)

    def _verbs(
        self, words: list[str], act: DialogueAct, asked: range, is_thing: frozenset[int]
    ) -> tuple[Verb | None, list[Verb]]:
        """Find the verb that asks, and whatever other verb phrases stand in its clause."""

        def is_free(place: int) -> bool:
            is_word = place not in is_thing and place not in act.cut.quoted
            return is_word and not _is_noun(words, place)

        clause = words[: asked.stop]
        found = [verb for verb in self.lexicon.find(clause, is_free) if verb.first >= asked.start]
        head = act.ask.verb if act.ask is not None else None
        # By a verb that only the examples know: no other is the one.
        by_opening = act.mood == "command" or (act.ask is not None and act.ask.opening != "")
        if head is None and not by_opening:
            own = [verb for verb in found if verb.actions]
            if act.mood in ("statement", "question"):
                head = next((verb for verb in own if verb.form == "base"), None)
            else:
                head = next(iter(own or found), None)
        others = [verb for verb in found if head is None or verb.first != head.first]
        return join_particles(
            words, head, asked.stop, self.lexicon
        ) if head is not None else None, others


def _is_noun(words: Sequence[str], place: int) -> bool:
    """Tell `with the label vision`, `the crew's list` and `not any more`: no verb of an action."""
    before = words[place - 1] if place else ""
    is_owned = before.endswith("'s") and before not in _CONTRACTED
    return (
        is_owned
        or before in _ARTICLES
        or (words[place] == "any" and words[place + 1 : place + 2] in (["more"], ["longer"]))
    )


def _asked(act: DialogueAct, count: int) -> range:
    if act.ask is None:
        return range(count)
    return range(act.ask.clause.first, act.ask.clause.end)


def _implied_family(act: DialogueAct, asked: list[str]) -> str | None:
    """Guess the family where no verb is said: `handover: watermaker flushed` adds."""
    if act.mood != "question":
        return "add" if act.cut.content_first is not None else None
    if asked and (asked[0] in _WHY or _WRONG & set(asked)):
        return "diagnose"
    return "query"
