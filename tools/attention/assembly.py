"""Build the parts of attention from the packs and the thresholds."""

from state.tuning import Context, Tuning
from tools.adapters import Embedder
from tools.attention.filters import RelevanceFilters
from tools.attention.inbox import Inbox
from tools.attention.lexicon import SalienceLexicon
from tools.attention.salience import InhibitionRules, SalienceAssessor, SalienceScorer
from tools.attention.situations import Situations, builtin_kinds, merge_examples
from tools.attention.timing import HeldReassessment, TimingPolicy
from tools.catalog import Catalogue
from tools.ports import Heuristics


def build_salience(
    catalogue: Catalogue, heuristics: Heuristics, tuning: Tuning, embedder: Embedder | None
) -> SalienceAssessor:
    """Build the assessment of events by what the packs say of their domains."""
    rules = tuple(
        rule.model_copy(update={"id": f"{pack.name}.{rule.id}"})
        for pack in catalogue.packs
        for rule in pack.attention.inhibits
    )
    scorer = SalienceScorer(
        heuristics,
        tuning.salience,
        _lexicon(catalogue),
        {
            source: vector
            for pack in catalogue.packs
            for source, vector in pack.attention.sources.items()
        },
        _situations(catalogue, tuning, embedder),
    )
    return SalienceAssessor(
        scorer, tuning.salience, tuning.habituation, catalogue.context, InhibitionRules(rules)
    )


def _lexicon(catalogue: Catalogue) -> SalienceLexicon:
    """Compile the words and patterns that the packs say stand out."""
    files = [pack.attention for pack in catalogue.packs]
    levels = {
        word.lower(): (str(dimension), score)
        for file in files
        for dimension, scores in file.words.items()
        for score, words in scores.items()
        for word in words
    }
    patterns = [
        (pattern, str(dimension), score)
        for file in files
        for dimension, scores in file.patterns.items()
        for score, found in scores.items()
        for pattern in found
    ]
    return SalienceLexicon.of(levels, patterns)


def _situations(
    catalogue: Catalogue, tuning: Tuning, embedder: Embedder | None
) -> Situations | None:
    if embedder is None:
        return None
    kinds = [builtin_kinds(), *(pack.attention.situations for pack in catalogue.packs)]
    return Situations(embedder, merge_examples(kinds), usual=tuning.salience.usually_wanted)


def build_inbox(catalogue: Catalogue, tuning: Tuning) -> Inbox:
    """Build the lines in which the events of sessions wait for their turn."""
    return Inbox(tuning.salience, tuning.relevance, _lexicon(catalogue))


def build_timing(
    salience: SalienceAssessor, filters: RelevanceFilters, tuning: Tuning, context: Context
) -> TimingPolicy:
    """Build the choice of the moment, and of what is told with it."""
    reassessment = HeldReassessment(salience, filters, tuning.timing)
    return TimingPolicy(tuning.timing, context, reassessment, tuning.proactive.kept_seconds)
