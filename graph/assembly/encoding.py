"""Which encoder this deployment has."""

from graph.settings import Settings
from state.tuning import EncoderTuning
from tools.embedding.embedder import ClosableEmbedder
from tools.embedding.encoder import Encoder
from tools.embedding.kept_vectors import KeptVectors
from tools.embedding.minilm import MiniLM
from tools.embedding.openai_embedder import OpenAIEmbedder


def build_encoder(settings: Settings, tuning: EncoderTuning) -> Encoder | None:
    """Build the encoder with its cache; nothing is loaded, asked or written yet."""
    embedder = embedder_of(settings, tuning)
    if embedder is None:
        return None
    kept = KeptVectors(settings.cache_folder / "vectors-1.sqlite", most=tuning.kept_vectors)
    return Encoder(embedder, kept, rest_seconds=tuning.rest_seconds)


def embedder_of(
    settings: Settings, tuning: EncoderTuning, *, keeps: bool = True
) -> ClosableEmbedder | None:
    """Choose the embedder that is set; `keeps`: it may write to the cache folder."""
    match settings.embedder:
        case "none":
            return None
        case "minilm":
            return MiniLM(settings.cache_folder / "encoder" if keeps else None)
        case "openai":
            return OpenAIEmbedder(
                settings.embedding_model,
                base_url=settings.embedding_base_url or settings.model_base_url,
                api_key=settings.openai_api_key,
                dimensions=settings.embedding_dimensions,
                query_seconds=tuning.query_seconds,
                batch_seconds=tuning.batch_seconds,
            )
