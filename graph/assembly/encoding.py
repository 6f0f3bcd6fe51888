"""Which encoders this deployment has: one for all texts, and one for what people ask for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graph.settings import Settings
from state.errors import EncoderUnavailable
from state.tuning import EncoderTuning
from tools.embedding.embedder import ClosableEmbedder
from tools.embedding.encoder import Encoder
from tools.embedding.kept_vectors import KeptVectors
from tools.embedding.minilm import AdaptedMiniLM, MiniLM
from tools.embedding.openai_embedder import OpenAIEmbedder
from tools.embedding.shipped_vectors import FILE, ShippedVectors


@dataclass(frozen=True)
class Hearing:
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


def build_encoder(settings: Settings, tuning: EncoderTuning) -> Encoder | None:
    """Build the encoder with its cache; nothing is loaded, asked or written yet."""
    embedder = embedder_of(settings, tuning)
    if embedder is None:
        return None
    kept = KeptVectors(settings.cache_folder / "vectors-1.sqlite", most=tuning.kept_vectors)
    return Encoder(embedder, kept, rest_seconds=tuning.rest_seconds)


def build_hearing(
    encoder: Encoder | None, adapted: AdaptedMiniLM | None, packs: Sequence[Path] = ()
) -> Hearing:
    """Build the one that tells requests apart, on the same network and the same file of vectors.

    `packs` are folders of packs, in which vectors of their examples may lie.

    A server has one model for both. What was learnt for it are files of ours, which a broken
    installation may lack: no reason not to start.
    """
    if encoder is None or adapted is None:
        return Hearing(encoder)
    try:
        _ = adapted.name, adapted.manner.name  # reads the files, of which they have the hashes
    except EncoderUnavailable as error:
        return Hearing(None, str(error))
    # Only messages are asked how they are said, hardly one of them twice: to write costs more.
    manner = encoder.beside(adapted.manner, keeps=False)
    shipped = [ShippedVectors(folder / FILE) for folder in packs]
    return Hearing(encoder.beside(adapted, manner=manner, shipped=shipped))


def adapted_of(settings: Settings, *, keeps: bool = True) -> AdaptedMiniLM | None:
    """Choose what is adapted to requests; None where one embedder serves for all."""
    if settings.embedder != "minilm":
        return None
    return AdaptedMiniLM(_graphs(settings) if keeps else None)


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
