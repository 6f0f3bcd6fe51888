"""The seven traits. Source: Executive decision loop §6.1."""

from state.noun import Noun, Score


class Traits(Noun):
    """How the assistant is; .5 is neither one way nor the other."""

    humor: Score = 0.5
    sarcasm: Score = 0.2
    formality: Score = 0.5
    proactive: Score = 0.5
    enthusiasm: Score = 0.5
    helpfulness: Score = 0.7
    verbosity: Score = 0.5
