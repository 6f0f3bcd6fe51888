"""What a text says."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.nlu.control.requests import control_request, matches_topic
    from tools.nlu.feedback import reaction
    from tools.nlu.intents.router import Router
    from tools.nlu.intents.utterance import UtteranceParser
    from tools.nlu.lexicon.normalization import normalise, word_set, words_of
    from tools.nlu.search_query.parser import read_search_fields
    from tools.nlu.search_query.refinement import refine
    from tools.nlu.taint import Taint, is_own_words

__all__ = [
    "Router",
    "Taint",
    "UtteranceParser",
    "control_request",
    "is_own_words",
    "matches_topic",
    "normalise",
    "reaction",
    "read_search_fields",
    "refine",
    "word_set",
    "words_of",
]

__getattr__ = lazy_names(
    __name__,
    {
        "control.requests": ("control_request", "matches_topic"),
        "feedback": ("reaction",),
        "intents.router": ("Router",),
        "intents.utterance": ("UtteranceParser",),
        "lexicon.normalization": ("normalise", "word_set", "words_of"),
        "search_query.parser": ("read_search_fields",),
        "search_query.refinement": ("refine",),
        "taint": ("Taint", "is_own_words"),
    },
)
