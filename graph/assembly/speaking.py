"""From settings and packs to the voice and the node that uses it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graph.assembly.toolbox import Toolbox
from graph.settings import Settings
from nodes.deliver import Deliver
from state.tuning import Tuning
from tools.catalogue.catalogue import Catalogue
from tools.models.slots import Models
from tools.outputs.engines import find_engine
from tools.outputs.preferences import OutputChoosing
from tools.outputs.voice import Voice
from tools.skills.phrasing import Phraser


def build_voice(settings: Settings, catalogue: Catalogue) -> Voice:
    """Find what speaks here; nothing is spoken before it is opened."""
    tts = catalogue.packs[0].outputs.tts
    named = None if tts.voice == "personality_bound" else tts.voice
    voice = settings.speech_voice or named
    engine, problem = find_engine(settings.speech, voice=voice, preferred=tts.engine)
    return Voice(engine, problem or None, tts.interruption)


def build_phraser(settings: Settings, tuning: Tuning, models: Models) -> Phraser | None:
    """Build what words answers by a model; None: code words them."""
    if models.wording is None or not settings.model_phrases:
        return None
    return Phraser(models.wording, tuning.strategy.phrase_seconds)


def delivering(box: Toolbox) -> Deliver:
    """Build the node that says things, by the preferences of the first pack."""
    outputs = box.catalogue.packs[0].outputs
    return Deliver(
        box.bus,
        box.clock,
        box.voice,
        OutputChoosing(outputs.output_preferences),
        outputs.tts.speed_modifiers,
        box.settings.zone,
        box.tuning.relevance.quiet_hours,
        box.tuning.relevance.quip_seconds,
    )


@asynccontextmanager
async def speaking_aloud(voice: Voice) -> AsyncIterator[None]:
    """Let the voice speak until the block ends: in a service, and nowhere else."""
    voice.open()
    try:
        yield
    finally:
        await asyncio.to_thread(voice.close)
