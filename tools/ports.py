"""Protocols through which nodes and policies use adapters, and the options of one routing call."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from pathlib import Path
from typing import Any, Protocol, TypedDict

from state.action import Action
from state.approval import ApprovalAnswer, LedgerAction
from state.arrival import Standing
from state.classification import WhyNot
from state.delivered import Delivered
from state.event import Event
from state.held import Beside, Held
from state.judgement import Timing
from state.note import NotedDecision
from state.notice import NoticeKind
from state.offer import ExplicitRequest, Offer, SaidChoice
from state.outcome import ActionOutcome
from state.output import Utterance
from state.policy import Routing, Suggestion
from state.principal import Principal
from state.proposal import Proposal
from state.query import Chosen
from state.reader import Reader
from state.record import DecisionRecord
from state.session import Session
from state.talk import TalkRequest
from state.undo import Undo
from tools.catalog import Pack


class RoutingOptions(TypedDict):
    """Where names are looked up, the day that `today` is, and who `me` is."""

    data_dir: Path
    today: date | None
    asker: str | None


@dataclass(frozen=True)
class RoutingEnvironment:
    """Where we stand: the folder in which every tenant has one, and the clock on the wall."""

    data_dir: Path
    zone: tzinfo = UTC

    def looks_in(self, event: Event) -> RoutingOptions:
        """Give what a text is read by; late in the evening it is tomorrow elsewhere already."""
        at = event.occurred_at
        return {
            "data_dir": self.data_dir / event.tenant_id,
            "today": at.astimezone(self.zone).date() if at else None,
            "asker": event.user,
        }


class Decisions(Protocol):
    """The store of decisions. See tools/storage/decisions.py."""

    async def open(self, event: Event, thread_id: str) -> Delivered:
        """Claim the decision of an event for a thread."""

    async def find(self, decision_id: str) -> tuple[Event, str, Standing]:
        """Read an event as it was taken in, and the thread that decides it."""

    async def wait(
        self, record: DecisionRecord, stages: Mapping[str, Any], *, thread_id: str
    ) -> bool:
        """Record that a person is asked."""

    async def hold(
        self,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        timing: Timing,
        *,
        thread_id: str,
        twins: Sequence[str] = (),
    ) -> bool:
        """Record that the moment is awaited."""

    async def finish(
        self,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        remember: Callable[[Session], Session],
        *,
        thread_id: str,
        speaker: str | None = None,
        signal: str | None = None,
        beside: Sequence[Beside] = (),
        twins: Sequence[str] = (),
    ) -> bool:
        """Write the one record."""


class Offers(Protocol):
    """Chips and clicks. See tools/storage/offers.py."""

    async def put(self, offer: Offer, *, minutes: float, call: Event | None = None) -> Offer:
        """Show an offer, or the one of the same call that waits already."""

    async def asker_of(self, event: Event) -> str | None:
        """Name the person who asked."""

    async def request(self, decision_id: str) -> ExplicitRequest | None:
        """Read what a choice event stands for."""


class OfferAnswers(Protocol):
    """Chips that are answered in words. See tools/dialogue/offer_replies.py."""

    async def take(self, decision_id: str) -> SaidChoice | None:
        """Let a message answer chips."""

    async def shown(self, event: Event) -> Offer | None:
        """Give the chips that a speaker was shown last."""

    async def decline(self, shown: Offer) -> None:
        """Let chips run out."""


class PendingApprovals(Protocol):
    """What waits for an approval. See tools/gate/ledger/queries.py."""

    async def newest(
        self, event: Event, named: str = "", *, own: bool = False
    ) -> LedgerAction | None:
        """Find what a yes or no may be meant for."""

    async def has_asked_since(self, event: Event, decision_id: str) -> bool:
        """Tell whether the speaker asked for a yes after a decision."""

    async def taken_back(self, event: Event, decision_id: str) -> LedgerAction | None:
        """Find what a message took back before it was broken off."""

    async def just_settled(self, event: Event) -> LedgerAction | None:
        """Find the speaker's newest question when it was settled a moment ago."""

    async def moved(self, event: Event) -> LedgerAction | None:
        """Find the speaker's newest question where it was asked again, in another session."""


class NamedFact(Protocol):
    """A fact as it was told."""

    @property
    def text(self) -> str:
        """The words of it."""


class PersonalFacts(Protocol):
    """What people told of themselves. See tools/memory/facts.py."""

    async def answer(self, event: Event) -> str | None:
        """Tell what the speaker told that answers their question; None: they told nothing."""

    async def about(self, event: Event, asked: str) -> NamedFact | None:
        """Find the fact of a speaker that some words are about."""

    async def corrected(self, event: Event, value: str) -> TalkRequest | None:
        """Make the change that a correction is of what was told just before; None: it is none."""


class PastEvents(Protocol):
    """What happened in a session. See tools/memory/facts.py."""

    async def answer(self, event: Event, things: str, words: str) -> str:
        """Say how often something happened to a thing and when last."""


class Queries(Protocol):
    """What people asked and then chose. See tools/observability/query_log.py."""

    async def chosen_before(self, tenant_id: str, predicted: str) -> Mapping[str, Chosen]:
        """Tell what people chose after a reading."""


class UndoQueries(Protocol):
    """What can be taken back. See tools/gate/ledger/undo.py."""

    async def newest(self, tenant_id: str, session_id: str, user: str) -> Undo | None:
        """Find what `undo that` means."""


class Ledger(Protocol):
    """The only door out. See tools/gate/ledger/ledger.py."""

    async def propose(self, proposal: Proposal) -> LedgerAction:
        """Write an action down."""

    async def action(self, action_id: str, whose: Reader | str | None = None) -> LedgerAction:
        """Read one action."""

    async def newest(self, action_id: str) -> LedgerAction:
        """Read what an action has become by being edited."""

    async def decide(
        self, asked: LedgerAction | str, answer: ApprovalAnswer, principal: Principal
    ) -> LedgerAction:
        """Take a person's answer."""

    async def take_back(self, asked: LedgerAction, principal: Principal) -> LedgerAction:
        """Let who asked for it call it off."""

    async def execute(self, action_id: str) -> ActionOutcome:
        """Have an approved action done, once."""


class Catalogue(Protocol):
    """What can be done. See tools/catalog/action_catalog.py."""

    def of_tenant(self, tenant_id: str) -> "Catalogue":
        """Return it with what the agents of a tenant declare."""

    @property
    def packs(self) -> tuple[Pack, ...]:
        """List the loaded packs."""

    @property
    def actions(self) -> Mapping[str, Action]:
        """List the actions by name."""

    def missing(self, name: str, given: Mapping[str, Any]) -> tuple[str, ...]:
        """Name the required slots that have no value."""

    def arguments(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Read arguments strictly."""

    def summary(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Render an action for a person."""

    def may_ask(self, name: str, roles: tuple[str, ...]) -> bool:
        """Tell whether these roles may ask for an action."""

    def why_not(self, name: str, roles: tuple[str, ...]) -> WhyNot | None:
        """Say what keeps these roles from asking for an action."""

    def why_withheld(self, name: str) -> str | None:
        """Say why an action that is there may not be used for now."""

    def pack(self, name: str) -> Pack:
        """Find a pack."""

    def at_home(self, roles: Sequence[str]) -> frozenset[str]:
        """Name the packs in which somebody of these roles is understood."""

    def internal_domains(self, pack: str) -> tuple[str, ...]:
        """List the e-mail domains of a pack's own people."""


class Router(Protocol):
    """Text to action. See tools/nlu/intents/router.py."""

    def route(
        self,
        text: str,
        *,
        data_dir: Path | None = None,
        today: date | None = None,
        roles: Sequence[str] = (),
        asker: str | None = None,
    ) -> Routing:
        """Read what a text asks for."""

    def answer(
        self,
        text: str,
        action: str,
        missing: Sequence[str],
        *,
        data_dir: Path | None = None,
        today: date | None = None,
        asker: str | None = None,
        given: Mapping[str, Any] | None = None,
    ) -> Routing | None:
        """Read a text as the answer to a question for slots."""


class HeuristicMatcher(Protocol):
    """Shipped and learned heuristics. See tools/memory/heuristics/matching.py."""

    def fitting(self, event: Event) -> tuple[Suggestion, ...]:
        """List what fits an event, best first."""

    def is_blocking(self, event: Event) -> bool:
        """Tell whether `fitting` has to be called from a thread."""


class Heuristics(Protocol):
    """Shipped conditions. See tools/memory/heuristics/matching.py."""

    def match(self, event: Event) -> Suggestion | None:
        """Find the best shipped condition an event meets."""


class DecisionNotes(Protocol):
    """Decisions people took. See tools/journal/decision_recall.py."""

    async def put(self, note: NotedDecision, event: Event) -> None:
        """Keep a noted decision."""

    async def about(self, event: Event, *, limit: int = 3) -> list[NotedDecision]:
        """Find decisions that a question may be about, and that may be told where it was asked."""


class NoticeStream(Protocol):
    """The live stream. See tools/response/delivery.py."""

    def tell(
        self, kind: NoticeKind, tenant_id: str, data: Mapping[str, Any], sessions: Collection[str]
    ) -> None:
        """Tell whoever listens and may read all the sessions that it is from."""


class SpeechPort(Protocol):
    """Says things aloud."""

    @property
    def is_ready(self) -> bool:
        """Tell whether what is said now will be spoken."""
        ...

    def say(self, utterance: Utterance) -> None:
        """Speak after what is being spoken; never waits."""
        ...


class HeldDecisions(Protocol):
    """Decisions that wait for their moment."""

    async def beside(
        self, event: Event, *, group: str, released_by: str | None, now: float
    ) -> tuple[Held, ...]:
        """List what is told together with an event."""
        ...
