"""From packs and thresholds to what weighs events."""

from state.tuning import Tuning
from tools.catalogue.catalogue import Catalogue
from tools.embedding.embedder import Embedder
from tools.ports import Heuristics
from tools.relevance.causes import Causes
from tools.relevance.scorer import Scorer
from tools.relevance.weighing import Weighing
from tools.salience.words import Lexicon
from tools.situations.examples import examples_of, our_kinds
from tools.situations.situations import Situations


def build_weighing(
    catalogue: Catalogue, heuristics: Heuristics, tuning: Tuning, embedder: Embedder | None
) -> Weighing:
    """Build what weighs events by what the packs say of their domains."""
    rules = tuple(
        rule.model_copy(update={"id": f"{pack.name}.{rule.id}"})
        for pack in catalogue.packs
        for rule in pack.attention.inhibits
    )
    scorer = Scorer(
        heuristics,
        tuning.salience,
        lexicon_of(catalogue),
        {
            source: vector
            for pack in catalogue.packs
            for source, vector in pack.attention.sources.items()
        },
        _situations(catalogue, tuning, embedder),
    )
    return Weighing(scorer, tuning.salience, tuning.habituation, catalogue.context, Causes(rules))


def lexicon_of(catalogue: Catalogue) -> Lexicon:
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
    return Lexicon.of(levels, patterns)


def _situations(
    catalogue: Catalogue, tuning: Tuning, embedder: Embedder | None
) -> Situations | None:
    if embedder is None:
        return None
    kinds = [our_kinds(), *(pack.attention.situations for pack in catalogue.packs)]
    return Situations(embedder, examples_of(kinds), usual=tuning.salience.usually_wanted)
