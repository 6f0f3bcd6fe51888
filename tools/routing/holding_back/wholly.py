"""Is a text nothing but an order for one action, each of its words accounted for?"""

from state.action import Action
from tools.routing.reading import Reading
from tools.routing.words.signs import FUNCTION_WORDS
from tools.routing.words.verbs import family_of

_LEAST_STRENGTH = 0.9
"""The object by its own name or a thing of its kind; the last word of a name may be another's."""


def says_wholly(reading: Reading, action: Action) -> bool:
    """Tell whether verb, object, things and little words are all there is, and ask for this.

    No example has to be near what says an entry's own words: `show hours of rest for Ben`.
    """
    verb = reading.verb
    if verb is None or reading.act.mood not in ("command", "request"):
        return False
    if action.name not in verb.actions and family_of(action.verb) not in verb.families:
        return False
    targets = reading.things.targets
    if not any(one.name == action.object and one.strength >= _LEAST_STRENGTH for one in targets):
        return False
    spans = [(verb.first, verb.end)]
    spans += [(thing.first, thing.end) for thing in reading.things.all]
    spans += [(mention.first, mention.end) for mention in reading.mentions]
    accounted = {place for first, end in spans for place in range(first, end)}
    return all(
        place in accounted or token.text in FUNCTION_WORDS
        for place, token in enumerate(reading.normal.tokens)
    )
