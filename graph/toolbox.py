"""The toolbox: every tool the graph is built from, built once a process.

And the delivery of answers.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from graph.settings import Settings
from graph.telemetry import Tracing
from nodes.deliver import Deliver
from state.tuning import Context, Tuning
from tools.access import SessionReaders, SqlKeys
from tools.adapters import ChatModels, Encoder, Indexer, OpenAIChat
from tools.attention import Inbox, RelevanceFilters, SalienceAssessor
from tools.catalog import Catalogue
from tools.dialogue import MessageInterpreter
from tools.gate import (
    AuditMonitor,
    Classifier,
    ExternalServices,
    Ledger,
    SqlDeclaredTools,
    SqlToolPins,
    UndoService,
)
from tools.journal import Journal, JournalNotes
from tools.memory import HeuristicRepertoire, SqlHeuristics, UtteranceRecall
from tools.nlu import Router
from tools.notifications import ChannelOutbox, WebhookSender
from tools.observability import SqlQuality, SqlQueryLog
from tools.platform.clock import Clock
from tools.platform.texts import t
from tools.response import (
    ChannelSelector,
    Character,
    NoticeBus,
    Phraser,
    SkillSelection,
    StrategyAssignment,
    Voice,
    WordingCheck,
    find_engine,
)
from tools.storage import Database, SqlDecisions, SqlHolds, SqlOffers, SqlRecords


@dataclass(frozen=True)
class RequestEncoding:
    """What requests are told apart by beside their words."""

    encoder: Encoder | None
    missing: str | None = None
    """Why there is none, though the deployment has an encoder."""

    @property
    def problem(self) -> str | None:
        """Tell why it, or what hears how a text is said, cannot be used; None: nothing is known."""
        manner = self.encoder.manner if self.encoder else None
        problems = (one.problem for one in (self.encoder, manner) if one is not None)
        return self.missing or next(filter(None, problems), None)


@dataclass(frozen=True)
class Toolbox:
    """The adapters behind the ports, and the thresholds they work with."""

    settings: Settings
    tuning: Tuning
    clock: Clock
    database: Database
    decisions: SqlDecisions
    records: SqlRecords
    holds: SqlHolds
    offers: SqlOffers
    journal: Journal
    webhooks: WebhookSender
    channels: ChannelOutbox
    notes: JournalNotes
    keys: SqlKeys
    recall: UtteranceRecall
    queries: SqlQueryLog
    quality: SqlQuality
    classifier: Classifier
    ledger: Ledger
    watching: AuditMonitor
    undoing: UndoService
    tool_pins: SqlToolPins
    declared: SqlDeclaredTools
    catalogue: Catalogue
    governed: Catalogue
    """The same and the service's own changes: for the gate alone, see Catalogue.with_own."""
    elsewhere: ExternalServices
    degraded: tuple[str, ...]
    """What of the packs is not there, and what that means."""
    encoder: Encoder | None
    hearing: RequestEncoding
    router: Router
    messages: MessageInterpreter
    heuristics: HeuristicRepertoire
    learned: SqlHeuristics
    weighing: SalienceAssessor
    gates: RelevanceFilters
    inbox: Inbox
    models: ChatModels
    strategies: StrategyAssignment
    bus: NoticeBus
    tracing: Tracing
    voice: Voice
    character: Character
    skills: SkillSelection
    phraser: Phraser | None
    wording_check: WordingCheck
    context: Context
    pack_data_dir: Path

    @property
    def readers(self) -> SessionReaders:
        """Tell who may read which session."""
        return self.journal.readers

    @property
    def encoders(self) -> tuple[Encoder, ...]:
        """List what turns texts into vectors: the one for all, and another for requests."""
        both = dict.fromkeys((self.encoder, self.hearing.encoder))
        return tuple(one for one in both if one is not None)

    @property
    def closers(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """List what ends it, the last to be ended first."""
        yield self.database.close
        if self.journal.store.indexing is not None:
            yield self.journal.store.indexing.close
        yield self.elsewhere.close
        yield self.tracing.close
        if self.encoder is not None:
            yield partial(asyncio.to_thread, self.encoder.close)
        for model in self.models.every:
            if isinstance(model, OpenAIChat):
                yield model.close

    @property
    def lessened(self) -> tuple[str, ...]:
        """Say what is absent or out of order, and what that means; the work goes on."""
        return (
            *_of_the_models(self.models),
            *_of_the_encoder(self.encoder, self.hearing),
            *_of_the_index(self.journal.store.indexing),
            *self.degraded,
            *self.catalogue.withheld.told,
        )


def _of_the_models(models: ChatModels) -> tuple[str, ...]:
    if not models:
        return (t("service.no_model", by_code=t("service.by_code")),)
    resting = [each.problem for each in models.every if isinstance(each, OpenAIChat)]
    return tuple(
        t("service.model_down", told=told, by_code=t("service.by_code")) for told in resting if told
    )


def _of_the_index(indexing: Indexer | None) -> tuple[str, ...]:
    problem = indexing.problem if indexing is not None else ""
    if not problem:
        return ()
    return (t("service.index_down", problem=problem, one_by_one=t("service.one_by_one")),)


def _of_the_encoder(encoder: Encoder | None, hearing: RequestEncoding) -> tuple[str, ...]:
    if encoder is None:
        return (t("service.no_encoder", by_words=t("service.by_words")),)
    problem = encoder.problem or hearing.problem
    if not problem:
        return ()
    return (t("service.encoder_down", problem=problem, by_words=t("service.by_words")),)


def build_voice(settings: Settings, catalogue: Catalogue) -> Voice:
    """Find what speaks here; nothing is spoken before it is opened."""
    tts = catalogue.packs[0].outputs.tts
    named = None if tts.voice == "personality_bound" else tts.voice
    voice = settings.speech_voice or named
    engine, problem = find_engine(settings.speech, voice=voice, preferred=tts.engine)
    return Voice(engine, problem or None, tts.interruption)


def build_phraser(
    settings: Settings, tuning: Tuning, models: ChatModels, check: WordingCheck
) -> Phraser | None:
    """Build what words answers by a model; None: code words them."""
    if models.wording is None or not settings.model_phrases:
        return None
    return Phraser(models.wording, tuning.strategy.phrase_seconds, check)


def build_delivery(box: Toolbox) -> Deliver:
    """Build the node that says things, by the preferences of the first pack."""
    outputs = box.catalogue.packs[0].outputs
    return Deliver(
        box.bus,
        box.clock,
        box.voice,
        ChannelSelector(outputs.output_preferences),
        outputs.tts.speed_modifiers,
        box.settings.zone,
        box.tuning.relevance.quiet_hours,
        box.tuning.relevance.quip_seconds,
    )


@asynccontextmanager
async def run_voice(voice: Voice) -> AsyncIterator[None]:
    """Let the voice speak until the block ends: in a service, and nowhere else."""
    voice.open()
    try:
        yield
    finally:
        await asyncio.to_thread(voice.close)
