"""What policy makes of a text: the action meant, the alternatives, the intent, the permissions."""

import re
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from prefrontal.types.note import DetectedDecision
from prefrontal.types.noun import Noun, Score
from prefrontal.types.talk import Aside, TalkRequest

if TYPE_CHECKING:
    from prefrontal.types.action import Action

Mood = Literal["command", "request", "question", "negated", "reported", "hypothetical", "statement"]

ORDERS: frozenset[Mood] = frozenset({"command", "request"})
ASKS: frozenset[Mood] = ORDERS | {"question"}
"""Moods of a text that asks for something."""
ASKS_NOTHING: frozenset[Mood] = frozenset({"negated", "reported", "hypothetical"})
"""Moods of a text that names an action and does not ask for it: nothing is done or offered."""
SMALL_TALK_MOODS = ASKS_NOTHING | {"statement"}
"""Moods of what people say to each other too: better nothing than something annoying."""

READ_OR_CHANGE = "read_or_change"
"""Reason of what is offered while it is open if something is to be shown, changed, or both."""

ASKS_WHICH = "which_chip"
"""Reason of a decision that asks about chips again: an answer is still about them."""

IMPLIED = "implied"
"""The reason of a change that no verb of the text is about, though all else speaks for it."""


Hold = Literal[
    "mood",
    "verb",
    "several_requests",
    "several_fit",
    "foreign_word",
    "unlike_examples",
    "unread",
]
"""Why an action is offered, however sure it is. A read: for how it is said, for a verb that changes
things, as one of several, because others fit as well, because it turns on a word that the action
does not know, or because it is sure only if few texts are foreign. What needs a yes: as one of
several, or for words that nothing accounts for."""

SearchOrder = Literal["date", "citations"]
"""Newest first, or most cited first; without one the provider's relevance decides."""


class Candidate(Noun):
    """An action that might be meant."""

    action: str
    confidence: Score
    slots: Mapping[str, Any] | None = Field(  # by slot type
        default=None, description="its own arguments, where it is a request beside another one"
    )


class EntityMention(Noun):
    """A thing of the pack's world found in a text; span counts characters, end exclusive."""

    type: str
    value: str = Field(description="the canonical name or id")
    confidence: Score
    span: tuple[int, int]


class SearchPolicy(Noun):
    """Structured search fields. Source: policy-first plan, target architecture §1."""

    topic: str | None = Field(default=None, description="what it is about, in the asker's words")
    query_terms: tuple[str, ...] = Field(default=(), description="the topic's words, in order")
    year_from: int | None = None
    year_to: int | None = Field(default=None, description="inclusive")
    date_from: date | None = Field(default=None, description="said more finely than by years")
    date_to: date | None = Field(default=None, description="inclusive; as date_from")
    open_access_only: bool | None = Field(default=None, description="false: said not to matter")
    limit: int = Field(default=10, ge=1, le=100)
    authors: tuple[str, ...] = ()
    venue: str | None = None
    fields_of_study: tuple[str, ...] = Field(
        default=(), description="any of them, by Semantic Scholar's names: Computer Science"
    )
    sort_by: SearchOrder | None = None
    min_citations: int | None = Field(default=None, ge=0)


_TOPIC = ("topic", "query_terms")
"""Fields that are one slot: `query`, or `queries` for one topic each."""


def search_from(arguments: Mapping[str, Any]) -> SearchPolicy:  # by slot type
    """Read the fields of a search from an action's arguments."""
    known = {
        name: value
        for name, value in arguments.items()
        if name in SearchPolicy.model_fields and name not in _TOPIC and value is not None
    }
    query, queries = arguments.get("query"), arguments.get("queries")
    terms = terms_of(query) if isinstance(query, str) else ()
    topic = " ".join(terms) or None
    if not terms and isinstance(queries, list):  # `only open access` keeps the topics apart
        topic = ", ".join(map(str, queries)) or None
        terms = tuple(dict.fromkeys(term for one in queries for term in terms_of(str(one))))
    return SearchPolicy.model_validate({**known, "query_terms": terms, "topic": topic})


def query_of(terms: tuple[str, ...]) -> str:
    """Write terms as one query, a phrase of several words in quotation marks."""
    return " ".join(f'"{term}"' if " " in term else term for term in terms)


def terms_of(query: str) -> tuple[str, ...]:
    """Split a query into its terms: words, and phrases in quotation marks."""
    return tuple(quoted or word for quoted, word in re.findall(r'"([^"]+)"|(\S+)', query))


class FieldSource(Noun):
    """Where a search field was read from; span counts characters, end exclusive."""

    field: str
    value: str | None = Field(description="null: said, but not taken; the rule says why")
    rule: str
    span: tuple[int, int]

    @property
    def reason(self) -> str:
        """Give it as one word of a decision's reasons: `year_from:2021 since@12-22`."""
        return f"{self.field}:{self.value or 'left_out'} {self.rule}@{self.span[0]}-{self.span[1]}"


class SearchReading(Noun):
    """The search fields of a text, each with its source."""

    search: SearchPolicy
    sources: tuple[FieldSource, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Give the reasons of all fields, in the order of the text."""
        return tuple(source.reason for source in self.sources)


class Uncovered(Noun):
    """Words of an order that nothing of its action takes: no slot, no word of its own."""

    text: str = Field(description="as they were written")
    narrows: bool = Field(
        description="a time, an amount, a condition, an exception or another thing: without it "
        "more would be done than was asked for"
    )
    attaches: bool = Field(description="a preposition ties it to the order: for the plumber")


UNKNOWN_VERB = frozenset({"unknown_verb", "unknown_word"})
"""Signs of a text that may be a request in words nobody here knows."""
GUESS = 0.25
"""Below this, an action whose verb nobody knows is named by what it is about alone."""


class Routing(Noun):
    """What the router read from one text; `action` is None when nothing in the catalogue fits."""

    text: str
    normalized: str
    tokens: tuple[str, ...]
    action: str | None = None
    confidence: Score
    alternatives: tuple[Candidate, ...] = Field(
        default=(), description="best first, without action"
    )
    mood: Mood
    sign: str = Field(default="", description="what shows the mood: denied, how_to, imperative …")
    denied: tuple[str, ...] = Field(default=(), description="verb families that a clause denies")
    left: str | None = Field(
        default=None, description="the text without clauses that deny; null: none does"
    )
    held: Hold | None = Field(default=None, description="why it is offered, however sure it is")
    verb_family: str | None = None
    target_object: str | None = None
    target_container: str | None = None
    slots: Mapping[str, Any] = Field(default_factory=dict)  # typed by the catalogue's slots
    missing_slots: tuple[str, ...] = Field(
        default=(), description="required, not found in the text"
    )
    entities: tuple[EntityMention, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict, description="slot → the several things its words may name"
    )
    not_found: Mapping[str, str] = Field(
        default_factory=dict, description="slot → a name that is nobody's and nothing's"
    )
    uncovered: tuple[Uncovered, ...] = Field(
        default=(), description="words of an order that nothing takes; of a read what narrows it"
    )
    order: "Routing | None" = Field(
        default=None,
        description="the order in a text that hangs on a condition or a time, read without that",
    )
    reasons: tuple[str, ...] = ()

    @property
    def asked_confidence(self) -> float:
        """How sure it is that this is asked for in so many words: what is implied is not."""
        return 0.0 if IMPLIED in self.reasons else self.confidence

    def only_guesses(self, confidence: float, action: "Action") -> bool:
        """Tell whether a dangerous action is a mere guess: nobody knows the verb of the text."""
        if action.floor != "C" or confidence >= GUESS or self.mood_sign not in UNKNOWN_VERB:
            return False
        reason = next((one for one in self.reasons if one.startswith("words:")), "")
        known = reason.removeprefix("words:").split(",")  # `lock LK-12` begins with a known one
        return not self.tokens or self.tokens[0] not in known

    @property
    def mood_sign(self) -> str:
        """Return what shows the mood, from `sign` or the reason `mood:statement:declared`."""
        mood = next((one for one in self.reasons if one.startswith("mood:")), "")
        return self.sign or mood.rpartition(":")[2]

    @property
    def said_verb(self) -> str:
        """Return the verb as the text has it, from the reason `verb:cancel→update`; "" for none."""
        reason = next((one for one in self.reasons if one.startswith("verb:")), "")
        return reason.removeprefix("verb:").partition("→")[0]


class StageTransition(Noun):
    """A step of a pack's own state machine, taken by code when an action succeeds."""

    from_stage: str | None = None
    to_stage: str
    on_action: str
    reason: str


PolicyIntent = str
"""action, clarify, choice, proposal, control, journal, decision, general, notice, undo, remember,
or one that a pack declares, such as direct_search and analysis."""


_SETTLED = ("control", "journal", "explain", "recall", "clarify", "decision")


class PolicyDecision(Noun):
    """The one deterministic decision made before any model. Source: policy-first plan."""

    intent: PolicyIntent
    routing: Routing | None = None
    action: str | None = Field(default=None, description="the action policy settled on")
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    confidence: Score = 0.0
    held: Hold | None = Field(default=None, description="why a read does not run by itself")
    alternatives: tuple[Candidate, ...] = ()
    explicit: bool = Field(default=False, description="a person chose exactly this: a chip")
    offer_id: str | None = Field(
        default=None, description="the offer the chip came from, or that is asked about again"
    )
    undo_of: str | None = Field(default=None, description="the action that this one takes back")
    variants: tuple[Mapping[str, Any], ...] = Field(
        default=(), description="the arguments it may mean, where a name fits several things"
    )
    unclear: str = Field(default="", description="what could not be made out, as a sentence")
    asks: tuple[str, ...] = Field(
        default=(), description="slots that an answer to it fills, beside those that are missing"
    )
    says: str = Field(default="", description="the answer, when policy has it already")
    force_tool: str | None = Field(
        default=None, description="a read that runs, however sure the router is"
    )
    search: SearchPolicy | None = None
    left_out: str = Field(default="", description="what a search does not follow, as a sentence")
    stage_transition: StageTransition | None = Field(
        default=None, description="taken when the action has succeeded, and not before"
    )
    learnt: Mapping[str, Mapping[str, str]] = Field(
        default_factory=dict, description="pack → name → what the text says of it"
    )
    blocked: tuple[str, ...] = Field(default=(), description="actions this role may not ask for")
    suggestion: "Suggestion | None" = None
    candidates: tuple["Suggestion", ...] = Field(
        default=(), description="heuristics that fit, best first"
    )
    detected: DetectedDecision | None = Field(default=None, description="people just decided this")
    talk: TalkRequest | None = Field(default=None, description="asked about the talking itself")
    beside: Aside | None = Field(
        default=None, description="a wish about the talking beside what the rest of this is about"
    )
    proposes: TalkRequest | None = Field(
        default=None, description="what a yes to the answer would do"
    )
    reasons: tuple[str, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Tell whether action and arguments came typed, on a chip or in a call."""
        return self.explicit or self.intent == "proposal"

    @property
    def is_settled(self) -> bool:
        """Tell whether policy has decided by itself: a chip, chips to offer, its own answer."""
        is_known = self.action is not None or bool(self.says)
        return is_known or self.intent in _SETTLED or self.beside is not None


class Suggestion(Noun):
    """A heuristic that fits the event, shipped or learned. Source: decision strategy spec."""

    heuristic_id: str
    confidence: Score = Field(
        description="what may be relied on: see tools/memory/heuristics/rows.py"
    )
    condition_text: str
    suggested_action: str = Field(description="the words to say")
    action: str | None = Field(default=None, description="a catalogue action it proposes instead")
    learned: bool = False
    reworded: bool = Field(default=False, description="shipped, and its words are a person's")
    locked: bool = Field(default=False, description="known by heart: no model is asked beside it")
    blocked: bool = Field(default=False, description="on probation: it never fires alone")
    doubted: bool = Field(default=False, description="called wrong last: a model is asked if any")
    unshared: bool = Field(
        default=False, description="too few taught it for others to hear it alone, and this is them"
    )
    similarity: Score = 1.0


Routing.model_rebuild()
PolicyDecision.model_rebuild()
