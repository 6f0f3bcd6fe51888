"""The programs that speak, when they are installed: piper or espeak-ng."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

EngineName = Literal["piper", "espeak-ng"]
WORDS_A_MINUTE = 175
"""The usual speed of espeak-ng."""
_PIPER_RATE = "22050"


@dataclass(frozen=True)
class Engine:
    """One of them; what is said goes in by its standard input, never as an argument."""

    name: EngineName
    program: str
    voice: str | None = None
    player: str | None = None
    """What plays the samples that piper writes."""

    def commands(self, speed: float) -> tuple[Sequence[str], ...]:
        """Give the programs to run, each reading what the one before writes."""
        if self.name == "espeak-ng":
            spoken = [self.program, "--stdin", "-s", str(round(WORDS_A_MINUTE * speed))]
            return ([*spoken, "-v", self.voice] if self.voice else spoken,)
        length = f"{1 / speed:.3f}"
        speaking = [self.program, "--model", self.voice or "", "--output-raw"]
        playing = [self.player or "", "-q", "-r", _PIPER_RATE, "-f", "S16_LE", "-t", "raw", "-"]
        return [*speaking, "--length_scale", length], playing


def find_engine(
    wanted: Literal["off", "auto", "piper", "espeak-ng"],
    *,
    voice: str | None = None,
    preferred: EngineName = "piper",
    path: str | None = None,
) -> tuple[Engine | None, str]:
    """Find what can speak here, or say why nothing does.

    Args:
        voice: piper's file of a voice, without which it cannot speak; espeak-ng's name of one.
        preferred: which of two that are installed speaks, when any may (`auto`).
        path: where programs are looked for; None: as a shell does.
    """
    if wanted == "off":
        return None, "speech is switched off (EXECUTIVE_SPEECH)"
    espeak = shutil.which("espeak-ng", path=path)
    is_turn = preferred == "piper" or not espeak
    if wanted == "piper" or (wanted == "auto" and is_turn):
        piper, player = shutil.which("piper", path=path), shutil.which("aplay", path=path)
        if piper and player and voice:
            return Engine("piper", piper, voice, player), ""
        if wanted == "piper":
            return None, "piper speaks with a voice (EXECUTIVE_SPEECH_VOICE) and aplay"
    if espeak:
        named = None if voice is None or voice.endswith(".onnx") else voice
        return Engine("espeak-ng", espeak, named), ""
    return None, "neither piper nor espeak-ng is installed"
