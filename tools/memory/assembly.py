"""Build the parts of memory: learned heuristics and record hooks."""

from datetime import tzinfo

from state.tuning import Tuning
from tools.access import SessionReaders
from tools.adapters import Encoder
from tools.catalog import Catalogue
from tools.memory.heuristics.administration import SqlHeuristics
from tools.memory.heuristics.learning import HeuristicLearner, LearningRecorder
from tools.memory.heuristics.matching import LearnedHeuristics
from tools.memory.heuristics.similarity import TextSimilarity
from tools.memory.reminder_recorder import ReminderRecorder
from tools.memory.utterance_recorder import UtteranceRecorder
from tools.storage import Database

Recorders = tuple[ReminderRecorder, UtteranceRecorder, LearningRecorder]


def open_heuristics(
    database: Database, catalogue: Catalogue, tuning: Tuning, encoder: Encoder | None
) -> SqlHeuristics:
    """Open the heuristics of a deployment; nothing is read before `load`."""
    likeness = TextSimilarity(tuning.learning, encoder, encoder.recall if encoder else None)
    shipped = {one.id: one for pack in catalogue.packs for one in pack.heuristics}
    return SqlHeuristics(
        database,
        HeuristicLearner(likeness, shipped),
        LearnedHeuristics(likeness, catalogue, SessionReaders(tuning.sessions)),
    )


def build_recorders(learned: SqlHeuristics, tuning: Tuning, zone: tzinfo) -> Recorders:
    """Build the record hooks that keep reminders, utterances and responses beside a decision."""
    catalogue, within = learned.learned.catalogue, tuning.personality.answers_within_seconds
    return (
        ReminderRecorder(catalogue, tuning.proactive, zone),
        UtteranceRecorder(within),
        LearningRecorder(
            learned.learning,
            learned.learned,
            catalogue,
            within,
            tuning.proactive.present_seconds,
        ),
    )
