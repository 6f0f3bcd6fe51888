"""How the grammar reads a text where one action is known: closing work order 1042."""

from collections.abc import Set

from state.action import Action
from tools.routing.speech_acts.speech_act import SpeechAct, read_speech_act
from tools.routing.words.normalise import normalise, words_of
from tools.routing.words.verbs import VerbLexicon

CLOSE = Action.model_validate(
    {
        "name": "close_work_order",
        "pack": "p",
        "summary": "Close a work order",
        "verb": "update",
        "words": ["close", "sign off"],
        "object": "work_order",
        "effect": "destructive",
        "handler": "h:close",
    }
)
LEXICON = VerbLexicon.of([CLOSE])
KNOWN = frozenset(words_of("close sign off a work order list the crew question point note"))


def act(text: str) -> SpeechAct:
    normal = normalise(text)
    things = {place for place, token in enumerate(normal.tokens) if token.text == "wo-1042"}
    return read_speech_act(normal, LEXICON, frozenset(things), KNOWN)


def asked_of(text: str) -> Set[str]:
    """Give the actions that the verb of what is asked may be of; none where no verb asks."""
    ask = act(text).ask
    return ask.verb.actions if ask is not None and ask.verb is not None else frozenset()
