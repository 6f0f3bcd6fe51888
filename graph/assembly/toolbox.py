"""Every tool the graph is built from, once a process."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from graph.assembly.encoding import Hearing
from graph.settings import Settings
from graph.watching.tracing import Tracing
from state.tuning import Context, Tuning
from tools.callers.readers import Readers
from tools.catalogue.catalogue import Catalogue
from tools.classification.classifier import Classifier
from tools.clock import Clock
from tools.embedding.encoder import Encoder
from tools.handlers.elsewhere import Elsewhere
from tools.heuristics.repertoire import Repertoire
from tools.heuristics.store import SqlHeuristics
from tools.journal.journal import Journal
from tools.journal.remembered import JournalNotes
from tools.ledger.ledger import Ledger
from tools.ledger.tool_pins import SqlToolPins
from tools.ledger.undoing import Undoing
from tools.ledger.watching import Watching
from tools.models.chat import OpenAIChat
from tools.models.slots import Models
from tools.outputs.bus import Bus
from tools.outputs.voice import Voice
from tools.personality.character import Character
from tools.policy.messages import MessageReader
from tools.quality.log import SqlQuality
from tools.queries.log import SqlQueries
from tools.relevance.gates import Gates
from tools.relevance.weighing import Weighing
from tools.routing.router import Router
from tools.skills.loading import Skills
from tools.skills.phrasing import Phraser
from tools.storage.database import Database
from tools.storage.decisions import SqlDecisions
from tools.storage.holds import SqlHolds
from tools.storage.keys import SqlKeys
from tools.storage.offers import SqlOffers
from tools.storage.records import SqlRecords
from tools.strategy.assigning import Strategies
from tools.timing.inbox import Inbox
from tools.vector_index.indexing import Indexing
from tools.webhooks.sending import Sending

BY_CODE = "everything is decided and worded by code"
NO_MODEL = f"no model (EXECUTIVE_MODEL): {BY_CODE}, and nothing new is learned"
BY_WORDS = "texts are compared by their words"
ONE_BY_ONE = "vectors are compared one by one, and it is made anew"
NO_ENCODER = f"no encoder (EXECUTIVE_EMBEDDER=none): {BY_WORDS}"


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
    webhooks: Sending
    notes: JournalNotes
    keys: SqlKeys
    queries: SqlQueries
    quality: SqlQuality
    classifier: Classifier
    ledger: Ledger
    watching: Watching
    undoing: Undoing
    tool_pins: SqlToolPins
    catalogue: Catalogue
    governed: Catalogue
    """The same and the service's own changes: for the gate alone, see Catalogue.with_own."""
    elsewhere: Elsewhere
    degraded: tuple[str, ...]
    """What of the packs is not there, and what that means."""
    encoder: Encoder | None
    hearing: Hearing
    router: Router
    messages: MessageReader
    heuristics: Repertoire
    learned: SqlHeuristics
    weighing: Weighing
    gates: Gates
    inbox: Inbox
    models: Models
    strategies: Strategies
    bus: Bus
    tracing: Tracing
    voice: Voice
    character: Character
    skills: Skills
    phraser: Phraser | None
    context: Context
    pack_data_dir: Path

    @property
    def readers(self) -> Readers:
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


def _of_the_models(models: Models) -> tuple[str, ...]:
    if not models:
        return (NO_MODEL,)
    resting = [each.problem for each in models.every if isinstance(each, OpenAIChat)]
    return tuple(f"the model {told}: {BY_CODE}" for told in resting if told)


def _of_the_index(indexing: Indexing | None) -> tuple[str, ...]:
    problem = indexing.problem if indexing is not None else ""
    return (f"the vector index cannot be asked ({problem}): {ONE_BY_ONE}",) if problem else ()


def _of_the_encoder(encoder: Encoder | None, hearing: Hearing) -> tuple[str, ...]:
    if encoder is None:
        return (NO_ENCODER,)
    problem = encoder.problem or hearing.problem
    return (f"the encoder cannot be used ({problem}): {BY_WORDS}",) if problem else ()
