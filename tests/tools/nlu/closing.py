"""How the grammar reads a text where one action is known: closing work order 1042."""

from collections.abc import Set

from state.action import Action
from tools.nlu.dialogue_acts.dialogue_act import DialogueAct, read_dialogue_act
from tools.nlu.lexicon.normalization import normalise, words_of
from tools.nlu.lexicon.verbs import VerbLexicon

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


def act(text: str) -> DialogueAct:
    normal = normalise(text)
    things = {place for place, token in enumerate(normal.tokens) if token.text == "wo-1042"}
    return read_dialogue_act(normal, LEXICON, frozenset(things), KNOWN)


def asked_of(text: str) -> Set[str]:
    """Give the actions that the verb of what is asked may be of; none where no verb asks."""
    ask = act(text).ask
    return ask.verb.actions if ask is not None and ask.verb is not None else frozenset()
