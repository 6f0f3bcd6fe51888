"""Which encoders this deployment has: one for all texts, and one for what people ask for."""

from pathlib import Path

from graph.settings import Settings
from state.tuning import EncoderTuning
from tools.embedding.embedder import ClosableEmbedder
from tools.embedding.encoder import Encoder
from tools.embedding.kept_vectors import KeptVectors
from tools.embedding.minilm import AdaptedMiniLM, MiniLM
from tools.embedding.openai_embedder import OpenAIEmbedder


def build_encoder(settings: Settings, tuning: EncoderTuning) -> Encoder | None:
    """Build the encoder with its cache; nothing is loaded, asked or written yet."""
    embedder = embedder_of(settings, tuning)
    if embedder is None:
        return None
    kept = KeptVectors(settings.cache_folder / "vectors-1.sqlite", most=tuning.kept_vectors)
    return Encoder(embedder, kept, rest_seconds=tuning.rest_seconds)


def routing_encoder(encoder: Encoder | None, settings: Settings) -> Encoder | None:
    """Give the one that tells requests apart, on the same network and the same file of vectors.

    A server has one model for both.
    """
    if encoder is None or settings.embedder != "minilm":
        return encoder
    adapted = AdaptedMiniLM(_graphs(settings))
    return encoder.beside(adapted, meaning=adapted.meaning)


def embedder_of(
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


def _graphs(settings: Settings) -> Path:
    return settings.cache_folder / "encoder"
