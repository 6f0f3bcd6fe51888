"""How did it go? An outcome from -1 to 1 of what happened, was done for somebody, or was said."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from state.event import Event
from state.stages import Gathered
from state.tuning import PersonalityTuning
from tools.personality.sentiment import sentiment
from tools.salience.conditions import meets, words_of
from tools.salience.reactions import Reaction, reaction


@dataclass(frozen=True)
class Appraising:
    """Reads outcomes; `words` are those of the packs, phrase → score."""

    tuning: PersonalityTuning
    words: Mapping[str, float] = field(default_factory=dict)

    def outcomes(self, gathered: Gathered) -> Iterator[float]:
        """List what a decision tells of how things went; nothing of it: no outcome."""
        event, done = gathered.event, gathered.outcome
        if done is not None and done.state in ("failed", "unknown"):
            yield self.tuning.outcome_failed
        elif done is not None and done.state == "succeeded" and done.changed:
            yield self.tuning.outcome_done
        elif event.kind == "message" and (felt := self.sentiment(event)):
            yield felt
        elif not event.is_addressed:
            if felt := self.of_event(event):
                yield felt
            for one in gathered.timing.beside if gathered.timing else ():
                if one.ending != "stays" and (beside := self._of_words(one.text)):
                    yield beside

    def of_event(self, event: Event) -> float:
        """Read the outcome that an event brings as `payload.outcome`, or that its words tell."""
        given = event.payload.get("outcome")
        if isinstance(given, (int, float)) and not isinstance(given, bool):
            return min(1.0, max(-1.0, float(given)))
        return self._of_words(event.text)

    def sentiment(self, event: Event) -> float:
        """Tell how a person feels who says this, -1 to 1; their client may know better."""
        if event.kind != "message":
            return 0.0
        given = event.payload.get("sentiment")
        if isinstance(given, (int, float)) and not isinstance(given, bool):
            return min(1.0, max(-1.0, float(given)))
        reacted = reaction(event.text)
        if reacted is not None:
            return self.tuning.outcome_reaction * (1 if reacted == "good" else -1)
        return sentiment(event.text)

    def _of_words(self, text: str) -> float:
        said = words_of(text)
        found = [score for phrase, score in self.words.items() if meets(phrase, said)]
        return max(found, key=abs, default=0.0)


def feedback_of(
    gathered: Gathered, last_said_at: float, now: float, within_seconds: float
) -> float:
    """Read a message as a reaction to what was said or answered last: 1, -1, or 0 for none."""
    if gathered.event.kind != "message" or not 0 <= now - last_said_at <= within_seconds:
        return 0.0
    taken: Reaction | None = reaction(gathered.event.text)
    return {"good": 1.0, "bad": -1.0, None: 0.0}[taken]
