"""What `doctor` finds of the encoder: which one, whether it works, how long a vector is."""

import asyncio

from graph.assembly.encoding import adapted_of, embedder_of
from graph.assembly.toolbox import BY_WORDS
from graph.settings import Settings
from state.errors import EncoderUnavailable
from state.tuning import EncoderTuning


async def encoder_state(settings: Settings, wait_seconds: float) -> tuple[bool, str]:
    """Embed one word, writing nothing; tell whether it worked, and a sentence."""
    tuning = EncoderTuning(
        query_seconds=wait_seconds, batch_seconds=wait_seconds, rest_seconds=0, kept_vectors=1
    )
    embedder = embedder_of(settings, tuning, keeps=False)
    if embedder is None:
        return False, f"none (EXECUTIVE_EMBEDDER): {BY_WORDS}"
    try:
        vectors = await asyncio.to_thread(embedder.embed, ["ready"])
        adapted = adapted_of(settings, keeps=False)
        if adapted is not None:
            await asyncio.to_thread(adapted.embed, ["ready"])
            await asyncio.to_thread(adapted.manner.embed, ["ready"])
    except EncoderUnavailable as error:
        return False, f"{error}: {BY_WORDS}"
    finally:
        embedder.close()
    return True, f"{embedder.name}, {vectors.shape[1]} dimensions"
