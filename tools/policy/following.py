"""What a message comes to where its speaker's own request still waits for a yes or a choice."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from state.action import PRIMITIVE_SLOT_TYPES, Action
from state.event import Event
from state.policy import Mood, PolicyDecision, Routing
from state.session import OpenQuestion, Session
from tools.policy.approval_words import leaves_open
from tools.policy.follow_ups import Correction, addition, correction, proviso
from tools.policy.messages import MessageReader
from tools.policy.same_again import same_for
from tools.policy.small_talk import is_small_talk
from tools.routing.slots.answering import NO_ANSWER
from tools.routing.words.verb_forms import bases

_ORDERS: frozenset[Mood] = frozenset({"command", "request"})
_ASKS: frozenset[Mood] = _ORDERS | {"question"}
_SURE = 0.6
"""Probability from which a refusal in free words takes something back."""
_IT = re.compile(r"\b(?:that one|this one|it|that|this|them|those|these)\b", re.IGNORECASE)
_YES_AFTER_ALL = re.compile(
    r"(?:y(?:es|e+a+h*|e+p|up)|do (?:it|that)|go ahead|please do)(?:,? please)?", re.IGNORECASE
)
"""Behind a no it takes nothing back, and approves nothing."""
_VERB = "verb:"


@dataclass(frozen=True)
class Before:
    """The request that waits."""

    action: str
    arguments: Mapping[str, Any]  # by slot type
    summary: str


@dataclass(frozen=True)
class Followed:
    """What follows for it, and the decision on what is wanted instead or beside it.

    takes_back: it is off. corrects: it is off, and `decision` stands instead. adds: both stand.
    hedges: a yes with a condition, `words`. asks: what waits, and for whom, is to be told.
    """

    kind: Literal["takes_back", "corrects", "adds", "hedges", "asks"]
    decision: PolicyDecision | None = None
    words: str = ""


@dataclass(frozen=True)
class FollowUps:
    """Reads messages in the light of the request before them."""

    reader: MessageReader

    def of(self, event: Event, before: Before, session: Session) -> Followed | None:
        """Read what a message does to the request; None: it is about something else.

        Fixed phrases (`no`, `never mind`) are answered before: see approval_words.py.
        """
        text, action = event.text, self.reader.catalogue.actions.get(before.action)
        if action is None or action.floor == "A":
            return None  # what refines a read is for searches to say
        if condition := proviso(text):
            return Followed("hedges", words=condition)
        if (added := self._added(event, before, session)) is not None:
            return added
        said = correction(text)
        if said is not None and _YES_AFTER_ALL.fullmatch(said.instead):
            return Followed("asks")
        if said is not None and said.instead:
            corrected = self._corrected(event, said, before, session)
            if corrected is not None:
                return corrected
        return self._answered(event, before)

    def asks(self, event: Event, before: Before) -> bool:
        """Tell whether a message asks what waits, or gives a yes that counts nowhere."""
        if proviso(event.text):
            return True
        heard = self.reader.acts.of(event.text)
        is_asked = heard is not None and heard.act == "asks_pending"
        return is_asked and not self._is_whole(self.reader.routed(event), before)

    def asks_of_nothing(self, event: Event, session: Session) -> bool:
        """Tell whether a message asks what waits, and nothing else could be meant by it."""
        heard = self.reader.acts.of(event.text)
        if heard is None or heard.act != "asks_pending":
            return False
        read = self.reader.read(event, session)
        is_open = read.intent == "general" and not (read.action or read.alternatives or read.says)
        routing = read.routing
        return is_open and routing is not None and routing.mood in _ASKS and not routing.entities

    def _added(self, event: Event, before: Before, session: Session) -> Followed | None:
        """Take `the same for the desk fan` and `the desk fan too` for a second request."""
        routing = self.reader.routed(event)
        things = same_for(event.text, routing)
        more = " and ".join(one.value for one in things) or addition(event.text)
        if not more or not routing.entities:
            return None
        found = self._fitting(event, more, before, session)
        return None if found is None else Followed("adds", found)

    def _answered(self, event: Event, before: Before) -> Followed | None:
        routing = self.reader.routed(event)
        if self._denies(routing, before):
            return Followed("takes_back")
        if self._is_whole(routing, before):
            return None
        if leaves_open(event.text):
            return Followed("asks")
        heard = self.reader.acts.of(event.text)
        if heard is None or heard.act in ("hush", "speak_again"):
            return None
        is_no = heard.act == "takes_back" and routing.mood != "question"
        return Followed("takes_back" if is_no and heard.likely >= _SURE else "asks")

    def _corrected(
        self, event: Event, said: Correction, before: Before, session: Session
    ) -> Followed | None:
        rest = event.model_copy(update={"text": said.instead})
        routing = self.reader.routed(rest)
        is_order = routing.verb_family is not None and routing.mood in _ORDERS
        if not is_order:
            found = self._fitting(event, said.instead, before, session)
            if found is not None:
                return Followed("corrects", found, said.instead)
        if not said.is_sure:
            return None
        if routing.mood in _ASKS:
            whole = rest.model_copy(update={"text": self._in_full(said.instead, routing, before)})
            found = self.reader.read(whole, session)
            if found.action or found.alternatives or found.says:
                return Followed("corrects", found, said.instead)
        is_no_more = routing.mood != "statement" or is_small_talk(said.instead)
        return Followed("takes_back", words="" if is_no_more else said.instead)

    def _fitting(
        self, event: Event, words: str, before: Before, session: Session
    ) -> PolicyDecision | None:
        """Ask for the same action with the values that words name; None: they name no other."""
        action = self.reader.catalogue.actions.get(before.action)
        if action is None:
            return None
        slots = [name for name, slot in action.slots.items() if slot.type not in ("text", "list")]
        routing = self.reader.router.answer(
            words, action.name, slots, given={}, **self.reader.here.looks_in(event)
        )
        if routing is None or NO_ANSWER in routing.reasons:
            return None
        rest = event.model_copy(update={"text": words})
        question = self._question(action, before)
        found = self.reader.asked(rest, routing, session).answer(action, question)
        is_other = found.unclear or dict(found.arguments) != dict(before.arguments)
        return found if is_other else None

    def _question(self, action: Action, before: Before) -> OpenQuestion:
        return OpenQuestion(
            action=action.name,
            arguments=before.arguments,
            slots=(),
            confidence=self.reader.policy.forced_confidence,
            at=0.0,
        )

    def _in_full(self, words: str, routing: Routing, before: Before) -> str:
        """Put the thing of the request before in the place of `it`: `cancel it` has no list."""
        thing = next(self.things(before), "")
        if routing.entities or not thing:
            return words
        pointed = _IT.search(words)
        if pointed is None:
            return words
        return f"{words[: pointed.start()]}{thing}{words[pointed.end() :]}"

    def things(self, before: Before) -> Iterator[str]:
        """Give the things that the request before names, each by its canonical name."""
        action = self.reader.catalogue.actions.get(before.action)
        for name, value in before.arguments.items():
            slot = action.slots.get(name) if action else None
            if slot is not None and slot.type not in PRIMITIVE_SLOT_TYPES:
                yield from map(str, value) if isinstance(value, (list, tuple)) else [str(value)]

    def _denies(self, routing: Routing, before: Before) -> bool:
        """Tell whether a text forbids that very deed: `don't cancel O-1003`, of cancelling it."""
        named, things = {one.value for one in routing.entities}, set(self.things(before))
        if routing.mood != "negated" or not named or not named <= things:
            return False
        said = next((one for one in routing.reasons if one.startswith(_VERB)), "")
        verb = said.removeprefix(_VERB).partition("→")[0]
        action = self.reader.catalogue.actions.get(before.action)
        words = (*action.words, action.name.replace("_", " "), before.summary) if action else ()
        first = {word.casefold().partition(" ")[0] for word in words}
        return not first.isdisjoint({verb, *bases(verb)})

    def _is_whole(self, routing: Routing, before: Before) -> bool:
        """Tell whether a text is a request of its own, or names a thing of its own."""
        if {one.value for one in routing.entities} - set(self.things(before)):
            return True
        if routing.action is None or routing.mood not in _ASKS or routing.verb_family is None:
            return False
        tuning = self.reader.tuning
        # `Status?` is nearest to some read wherever there are reads.
        is_asked = routing.mood == "question"
        bar = tuning.auto_confidence if is_asked else tuning.ask_confidence
        return routing.asked_confidence >= bar and not self.reader.catalogue.missing(
            routing.action, routing.slots
        )
