"""What a person hears who asked for nothing that can be done: always a sentence, by its act."""

import json
import re
from collections.abc import Iterable

from state.event import Event
from state.policy import PolicyDecision, Routing
from tools.policy.follow_ups import proviso
from tools.policy.plain_answers import plain_answer
from tools.policy.plain_replies import TAKES_BACK
from tools.policy.small_talk import is_small_talk
from tools.ports import Catalogue
from tools.salience.reactions import reaction

_THANKS = re.compile(r"\b(?:thanks?|thank you|thx|cheers|much appreciated)\b", re.IGNORECASE)
_GREETS = re.compile(
    r"\W*(?:(?P<day>good (?:morning|afternoon|evening|day))|(?P<short>morning|evening)"
    r"|hi+|hiya|hello|hey+|yo|howdy|greetings)\b",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    r"\W*(?:bye(?: bye)?|good ?bye|good night|see you|have a (?:nice|good))\b", re.IGNORECASE
)
_HOW_ARE_YOU = re.compile(r"\b(?:how are you|how(?:'s| is) it going|what'?s up)\b", re.IGNORECASE)
_NODS = re.compile(r"\W*(?:ok(?:ay)?|k|sure|right|al ?right|all right)\b", re.IGNORECASE)
_CALL = re.compile(r"\s*(?P<name>[A-Za-z_]\w*(?:\.\w+)*)\((?P<given>.*)\)\s*;?\s*", re.DOTALL)
"""A call of a function as programs write it."""
_WHEN = re.compile(
    r"\b(?:only (?:if|when)|if|unless|when(?:ever)?|once|as soon as|as long as|provided|until|till"
    r"|while|after|before)\b(?P<what>[^,;]*)",
    re.IGNORECASE,
)
_THOUGHT = re.compile(r"\W*(?:if|suppose|supposing|imagine|what if|maybe|perhaps)\b", re.IGNORECASE)
_NAMED = 3
"""Things that a sentence names at most; of more, it says `that`."""
_PROGRAM = (
    "That looks like a call of a program. I read plain words here, and nothing was done: say what"
    " to do in a sentence{example}."
)
_UNASKED = "You asked for nothing, so I changed nothing."
_UNSURE = "I cannot tell whether that is a no."
_NO_QUESTION = "Nothing here waits for a yes or a no of yours."
_NOT_TOLD_US = "You tell me what somebody says or wants, so I do nothing: ask for it yourself"


def last_word(event: Event, policy: PolicyDecision, catalogue: Catalogue) -> str:
    """Answer a message that nothing else answers; it never says that something was done."""
    if is_program(event.text):
        return of_program(event, catalogue)
    if proviso(event.text):
        return _NO_QUESTION
    routing = policy.routing
    if said := _manners(event.text):
        return said
    match routing.mood if routing else "statement":
        case "negated":
            return _of_denied(routing)
        case "reported" if routing and _sign(routing) in _OTHERS:
            return f"{_NOT_TOLD_US}, if you want it."
        case "hypothetical":
            return _of_thought(event.text)
        case _:
            about = _named(routing)
            return f"I read that as information{about}. {_UNASKED}"


def word_beside(
    event: Event, policy: PolicyDecision, summary: str, things: Iterable[str] = ()
) -> str | None:
    """Answer a message that asks for nothing, while its speaker's own request is still open.

    It never says that nothing is done: what is open may still run. None: a mere greeting.

    Args:
        summary: of what is open.
        things: what that is about.
    """
    routing = policy.routing
    said = _manners(event.text)
    if said and (_GREETS.match(event.text) or _LEAVES.match(event.text)):
        return None
    if said == _NO_QUESTION:
        said = _UNSURE
    if not said:
        match routing.mood if routing else "statement":
            case "negated":
                named = set(_things(routing)) if routing else set()
                if named and named.isdisjoint(things):
                    return None
                said = _UNSURE
            case "reported":
                said = "I read that as what somebody says or wants."
            case "hypothetical":
                said = "I read that as a thought, and no answer to what is open."
            case _:
                said = f"I read that as information{_named(routing)}."
    return f"{said} This is still open, and runs after a yes: {summary}. {TAKES_BACK}"


_OTHERS = frozenset({"quoted", "reported_speech", "of_others", "mentioned"})


def is_program(text: str) -> bool:
    """Tell whether a text is JSON or a call of a function, and no sentence."""
    said = text.strip()
    if _CALL.fullmatch(said):
        return True
    if said[:1] not in ("{", "["):
        return False
    try:
        return isinstance(json.loads(said), (dict, list))
    except ValueError:
        return said[-1:] in ("}", "]") and '"' in said


def of_program(event: Event, catalogue: Catalogue) -> str:
    """Tell whoever sends JSON or code what is read here, with a sentence for what it names."""
    named = set(re.findall(r"\w+", event.text))
    action = next((one for name, one in catalogue.actions.items() if name in named), None)
    is_theirs = action is not None and catalogue.may_ask(action.name, event.roles)
    example = (
        f", such as “{action.examples[0]}”" if action and is_theirs and action.examples else ""
    )
    return _PROGRAM.format(example=example)


def _manners(text: str) -> str:
    """Answer a greeting, thanks, a nod or a sign of mood; empty: the text is more than that."""
    feels = reaction(text)
    is_short = is_small_talk(text) or feels is not None or not re.search(r"\w", text)
    if is_short and (greets := _GREETS.match(text)):
        day = greets["day"] or (f"good {greets['short']}" if greets["short"] else "")
        asks = " All is well here." if _HOW_ARE_YOU.search(text) else ""
        return f"{day.capitalize() or 'Hello'}.{asks}"
    if _THANKS.search(text) and len(text.split()) <= 12:
        return "You're welcome."
    if not is_short:
        return ""
    if _LEAVES.match(text):
        return "Goodbye."
    if _HOW_ARE_YOU.search(text):
        return "All is well here, thank you."
    if feels == "bad":
        return "All right, I take note of that."
    if feels == "good":
        return "Good to hear."
    plain = plain_answer(text)
    if plain is not None and not _NODS.match(text) and re.search(r"\w", text):
        return _NO_QUESTION
    return "All right."


def _of_denied(routing: Routing | None) -> str:
    if routing is None or _sign(routing) in ("cancelled", "cancel"):
        return "All right, I leave it."
    names = _things(routing)
    if not names:
        return "All right, I do nothing, and nothing was changed."
    return (
        f"All right, I leave {' and '.join(names)} as it is."
        if len(names) == 1
        else (f"All right, I leave {', '.join(names[:-1])} and {names[-1]} as they are.")
    )


def _of_thought(text: str) -> str:
    when = None if _THOUGHT.match(text) else _WHEN.search(text)
    if when is None:
        return f"I read that as a thought, and no request. {_UNASKED}"
    condition = " ".join(when[0].split()).strip(" .!?")
    return (
        f"I cannot wait for a condition: “{condition}”. Nothing was done or planned; ask for it"
        " again when it is to be done."
    )


def _named(routing: Routing | None) -> str:
    names = _things(routing) if routing else ()
    return f" about {' and '.join(names)}" if names else ""


def _things(routing: Routing) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(one.value for one in routing.entities))
    return names if len(names) <= _NAMED else ()


def _sign(routing: Routing) -> str:
    if routing.sign:
        return routing.sign
    mood = next((one for one in routing.reasons if one.startswith("mood:")), "")
    return mood.rpartition(":")[2]
