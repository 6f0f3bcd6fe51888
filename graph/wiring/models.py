"""Build encoders, language models, strategies, the decision journal and its vector index."""

from collections.abc import Sequence
from pathlib import Path

from graph.settings import Settings
from graph.toolbox import RequestEncoding
from state.errors import EncoderUnavailable
from state.model_use import Slot
from state.tuning import EncoderTuning, Tuning
from tools.access import SessionReaders
from tools.adapters import ChatModel, ChatModels, Encoder, Indexer, OpenAIChat
from tools.adapters.embedding.embedder import ClosableEmbedder, OpenAIEmbedder
from tools.adapters.embedding.minilm import AdaptedMiniLM, MiniLM
from tools.adapters.embedding.minilm_weights import JUDGE
from tools.adapters.embedding.reader import MiniLMReader
from tools.adapters.embedding.vector_cache import FILE, ShippedVectors, VectorCache
from tools.adapters.vector_index.chroma import FOLDER, ChromaIndex
from tools.attention.judge import EventJudge
from tools.catalog import Catalogue
from tools.journal import (
    Detector,
    Journal,
    JournalEvents,
    JournalSearch,
    JournalStore,
    ModelConfirmer,
)
from tools.journal.store.entry_rows import OF_DECISIONS
from tools.memory import OF_UTTERANCES, recorded_trace
from tools.nlu.reader.reading import Reader
from tools.notifications import Outbox
from tools.platform.clock import Clock
from tools.ports import NoticeStream
from tools.response import StrategyAssignment
from tools.storage import Database


def build_encoder(settings: Settings, tuning: EncoderTuning) -> Encoder | None:
    """Build the encoder with its cache; nothing is loaded, asked or written yet."""
    embedder = build_embedder(settings, tuning)
    if embedder is None:
        return None
    kept = VectorCache(settings.cache_folder / "vectors-1.sqlite", most=tuning.kept_vectors)
    return Encoder(embedder, kept, rest_seconds=tuning.rest_seconds)


def build_request_encoding(
    encoder: Encoder | None, adapted: AdaptedMiniLM | None, packs: Sequence[Path] = ()
) -> RequestEncoding:
    """Build the one that tells requests apart, on the same network and the same file of vectors.

    `packs` are folders of packs, in which vectors of their examples may lie.

    A server has one model for both. What was learnt for it are files of ours, which a broken
    installation may lack: no reason not to start.
    """
    if encoder is None or adapted is None:
        return RequestEncoding(encoder)
    try:
        _ = adapted.name, adapted.manner.name  # reads the files, of which they have the hashes
    except EncoderUnavailable as error:
        return RequestEncoding(None, str(error))
    # Only messages are asked how they are said, hardly one of them twice: to write costs more.
    manner = encoder.beside(adapted.manner, keeps=False)
    shipped = [ShippedVectors(folder / FILE) for folder in packs]
    return RequestEncoding(encoder.beside(adapted, manner=manner, shipped=shipped))


def build_adapted_encoder(settings: Settings, *, keeps: bool = True) -> AdaptedMiniLM | None:
    """Choose what is adapted to requests; None where one embedder serves for all."""
    if settings.embedder != "minilm":
        return None
    return AdaptedMiniLM(_graphs(settings) if keeps else None)


def build_embedder(
    settings: Settings, tuning: EncoderTuning, *, keeps: bool = True
) -> ClosableEmbedder | None:
    """Choose the embedder that is set; `keeps`: it may write to the cache folder."""
    match settings.embedder:
        case "none":
            return None
        case "minilm":
            return MiniLM(_graphs(settings) if keeps else None)
        case "openai":
            return OpenAIEmbedder(
                settings.embedding_model,
                base_url=settings.embedding_base_url or settings.model_base_url,
                api_key=settings.openai_api_key,
                dimensions=settings.embedding_dimensions,
                query_seconds=tuning.query_seconds,
                batch_seconds=tuning.batch_seconds,
            )


def build_reader(settings: Settings) -> Reader | None:
    """Open the reader of messages; None: without the encoder the grammar alone has to do."""
    return None if settings.embedder == "none" else Reader(MiniLMReader(_graphs(settings)))


def build_judge(settings: Settings) -> EventJudge | None:
    """Open the judge of events; None: without the encoder words have to do."""
    if settings.embedder == "none":
        return None
    return EventJudge(MiniLMReader(_graphs(settings), weights=JUDGE))


def _graphs(settings: Settings) -> Path:
    return settings.cache_folder / "encoder"


def build_models(settings: Settings, tuning: Tuning) -> ChatModels:
    """Build the chat models; without any set there are none."""
    fast = _model(settings, tuning, "fast", settings.model, settings.model_base_url)
    where = settings.strong_model_base_url or settings.model_base_url
    return ChatModels(fast, _model(settings, tuning, "strong", settings.strong_model, where))


def build_model(settings: Settings, tuning: Tuning) -> OpenAIChat | None:
    """Build the fast model alone; None: none is set."""
    return _model(settings, tuning, "fast", settings.model, settings.model_base_url)


def _model(
    settings: Settings, tuning: Tuning, slot: Slot, name: str | None, base_url: str | None
) -> OpenAIChat | None:
    if name is None:
        return None
    strategy = tuning.strategy
    return OpenAIChat(
        name,
        base_url=base_url,
        api_key=settings.openai_api_key,
        seconds=strategy.model_seconds,
        slot=slot,
        price=strategy.prices[slot],
        failures_in_a_row=strategy.failures_in_a_row,
        rest_seconds=strategy.rest_seconds,
    )


def build_strategies(
    settings: Settings, tuning: Tuning, catalogue: Catalogue, database: Database
) -> StrategyAssignment:
    """Build every strategy, and what assigns them."""
    given = settings.heuristic_threshold
    threshold = tuning.strategy.heuristic_threshold if given is None else given
    return StrategyAssignment.of(
        tuning.strategy,
        catalogue,
        settings.decision_strategy,
        threshold=threshold,
        kept=lambda name: recorded_trace(database, name),
    )


def build_indexing(settings: Settings, database: Database) -> Indexer:
    """Build it for the process that holds the data folder; nothing is opened yet."""
    index = ChromaIndex(settings.data_dir.resolve() / FOLDER)
    return Indexer(database, index, (OF_DECISIONS, OF_UTTERANCES))


def build_journal(
    database: Database,
    encoder: Encoder | None,
    tuning: Tuning,
    clock: Clock,
    *,
    model: ChatModel | None = None,
    telling: NoticeStream | None = None,
    outbox: Outbox | None = None,
    indexing: Indexer | None = None,
) -> Journal:
    """Build the decision journal on our tables.

    Args:
        telling: the live stream, if there is one.
        outbox: what webhooks tell; None: nothing.
        indexing: of whoever holds the data folder; None: vectors are compared one by one.
    """
    journal = tuning.journal
    rules = Detector(journal.detection_threshold)
    is_asked = model is not None and journal.model_confirmation
    return Journal(
        JournalSearch(
            JournalStore(
                database,
                encoder,
                outbox=outbox,
                future_days=journal.future_days,
                indexing=indexing,
            ),
            journal.similarity_floor,
        ),
        rules,
        clock,
        ModelConfirmer(rules, model, journal.detection_threshold) if model and is_asked else None,
        JournalEvents(telling),
        SessionReaders(tuning.sessions),
    )
