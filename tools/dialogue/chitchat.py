"""Reply to greetings, thanks, calls for help and messages that ask for nothing that can be done.

One sentence, chosen by code; none says that anything was done.
"""

import json
import re
from collections.abc import Iterable, Sequence

from state.action import Action
from state.event import Event
from state.policy import UNKNOWN_VERB, PolicyDecision, Routing
from tools.nlu import normalise, reaction
from tools.nlu.control.personal import TOLD
from tools.nlu.lexicon.closed_classes import CONDITION, THANKS
from tools.nlu.replies.corrections import proviso
from tools.nlu.replies.yes_no import plain_answer
from tools.platform.texts import t
from tools.ports import Catalogue

_SMALL_TALK_WHO = "there|all|again|everybody|everyone|team|folks|friend"
_TALK = re.compile(
    rf"(?:hi|hiya|hello|hey|yo|howdy|greetings)(?: (?:{_SMALL_TALK_WHO}))?"
    rf"|good (?:morning|afternoon|evening|night|day)(?: (?:{_SMALL_TALK_WHO}))?"
    rf"|morning(?: (?:{_SMALL_TALK_WHO}))?"
    r"|how are you(?: (?:doing|today))?|how(?:'s| is) it going|what'?s up|nice to (?:meet|see) you"
    rf"|(?:{THANKS}|ta)(?: (?:{_SMALL_TALK_WHO}|a lot|so much|very much))?"
    r"|for (?:your|the) help|much appreciated|ok|okay|alright|all right|great|perfect|nice|cool"
    r"|super|awesome|wonderful|excellent|good|fine|sure|right|i see|got it|understood|makes sense"
    r"|yes(?: please)?|yeah|yep|no(?: thanks| thank you)?|please|no worries|no problem"
    r"|you(?:'re| are) welcome|well done|good job"
    r"|bye|goodbye|good bye|see you(?: (?:later|soon|tomorrow))?"
    r"|have a (?:nice|good) (?:day|evening|weekend)|haha|lol|wow|oh|ah|hm+"
    r"|(?:that (?:was|is)|that's|it was|very) (?:great|good|helpful|nice|fine|all|useful)"
)
_BETWEEN = re.compile(r"[\s,.!?;:…()-]*")
MOST_SMALL_TALK_CHARACTERS = 120


def is_small_talk(text: str) -> bool:
    """Tell whether a text is made of such phrases alone: it asks for no action at all."""
    said = normalise(text[: MOST_SMALL_TALK_CHARACTERS + 1]).text
    if not said.strip() or len(text) > MOST_SMALL_TALK_CHARACTERS:
        return False
    place = _BETWEEN.match(said)
    at = place.end() if place else 0
    while at < len(said):
        phrase = _longest(said, at)
        if phrase == at:
            return False
        gap = _BETWEEN.match(said, phrase)
        at = gap.end() if gap else phrase
    return True


def _longest(said: str, at: int) -> int:
    """Find where the longest phrase that begins here ends; `at` itself when there is none."""
    ends = [
        end
        for end in range(len(said), at, -1)
        if (end == len(said) or not said[end].isalnum()) and _TALK.fullmatch(said, at, end)
    ]
    return ends[0] if ends else at


_CHITCHAT_THANKS = re.compile(
    r"\W*(?:many thanks|thanks|thank you|thx|cheers)(?: (?:a lot|so much|very much))?\W*",
    re.IGNORECASE,
)
_HELP = re.compile(
    r"\W*(?:help(?: me)?(?:,? please)?|please help|what can (?:you|i) (?:do|ask)(?: here| for me)?"
    r"|what do you do)\W*",
    re.IGNORECASE,
)
_DO_IT = re.compile(
    r"\W*(?:(?:please|just|ok|okay|now|go ahead and)[ ,]+)*(?:do (?:it|that|this|so)|go ahead"
    r"|make it (?:so|happen)|proceed)(?:[ ,]+(?:please|now|then|thanks|thank you))*\W*",
    re.IGNORECASE,
)
_CHITCHAT_WHO = re.compile(
    r"\W*(?:who|what) are you(?: anyway)?\W*|\W*what(?: is|'s|’s) your name\W*", re.IGNORECASE
)
_FORGET_ME = re.compile(
    r"\W*(?:please )?(?:forget (?:me|(?:everything|all|what)(?: that)?"
    r" (?:you (?:know|remember|kept|have|stored) )?(?:about|of) me)(?:,? please)?"
    r"|(?:delete|erase|remove) (?:all )?my (?:personal )?data)\W*",
    re.IGNORECASE,
)
_EXAMPLES = 3
"""Read at a glance: `prefrontal actions` lists all."""


def is_thanks(text: str) -> bool:
    """Tell whether a text gives thanks and says nothing else."""
    return _CHITCHAT_THANKS.fullmatch(text) is not None


def chitchat_reply(
    text: str, catalogue: Catalogue, roles: Sequence[str], user: str | None = None
) -> str | None:
    """Answer a text that is such a phrase and nothing else; None for any other."""
    if is_thanks(text):
        return t("dialogue.welcome")
    if _HELP.fullmatch(text):
        return help_reply(catalogue, roles)
    if _CHITCHAT_WHO.fullmatch(text):
        return who_reply(catalogue, roles)
    if _FORGET_ME.fullmatch(text):
        return forget_me_reply(user)
    if _DO_IT.fullmatch(text):
        return t("dialogue.do_what")
    return None


def who_reply(catalogue: Catalogue, roles: Sequence[str]) -> str:
    """Say who speaks, and what can be asked."""
    return t("dialogue.who", can=help_reply(catalogue, roles))


def forget_me_reply(user: str | None) -> str:
    """Say how what is kept of a person is deleted."""
    return t("dialogue.forget_me", user=user or "NAME")


def help_reply(catalogue: Catalogue, roles: Sequence[str]) -> str:
    """Count what these roles may ask for, and show how some of it is asked: reads come first."""
    held = tuple(roles)
    home = catalogue.at_home(held)
    allowed = [
        one
        for one in catalogue.actions.values()
        if one.pack in home and catalogue.may_ask(one.name, held)
    ]
    if not allowed:
        return t("dialogue.help_nothing")
    shown = [one.examples[0] for one in sorted(allowed, key=_floor) if one.examples][:_EXAMPLES]
    things = t(
        "dialogue.help_one" if len(allowed) == 1 else "dialogue.help_many", count=len(allowed)
    )
    return t("dialogue.help", things=things, examples="; ".join(shown))


def _floor(action: Action) -> str:
    return action.floor


_FALLBACK_THANKS = re.compile(rf"\b(?:{THANKS}|much appreciated)\b", re.IGNORECASE)
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
_WHEN = re.compile(rf"\b(?:only (?:if|when)|{CONDITION})\b(?P<what>[^,;]*)", re.IGNORECASE)
_THOUGHT = re.compile(r"\W*(?:if|suppose|supposing|imagine|what if|maybe|perhaps)\b", re.IGNORECASE)
_NOTHING_TOLD = UNKNOWN_VERB | {"statement"}
"""Signs of a statement that may as well be a request."""
_NAMED = 3
"""Things that a sentence names at most; of more, it says `that`."""


def fallback_reply(
    event: Event, policy: PolicyDecision, catalogue: Catalogue, called: str | None = None
) -> str:
    """Answer a message that nothing else answers; it never says that something was done.

    Args:
        called: how the speaker wants to be greeted.
    """
    if is_code(event.text):
        return code_reply(event, catalogue)
    said = t("dialogue.no_question") if proviso(event.text) else _manners(event.text, called)
    if not said and TOLD in policy.reasons:
        return t("answer.fact.kept")
    return said or _by_mood(event.text, policy.routing)


def _by_mood(text: str, routing: Routing | None) -> str:
    match routing.mood if routing else "statement":
        case "negated":
            return _of_denied(routing)
        case "reported" if routing and routing.mood_sign in _OTHERS:
            return t("dialogue.reported")
        case "hypothetical":
            return _of_thought(text)
        case "statement" if routing is None or routing.mood_sign in _NOTHING_TOLD:
            return t("dialogue.unknown_request", about=_named(routing))
        case "statement" if not _named(routing):
            return t("dialogue.nothing_found")
        case _:
            return t("dialogue.information", about=_named(routing))


def fallback_while_pending(
    event: Event,
    policy: PolicyDecision,
    summary: str,
    things: Iterable[str] = (),
    *,
    is_offered: bool = False,
) -> str | None:
    """Answer a message that asks for nothing, while its speaker's own request is still open.

    It never says that nothing is done: what is open may still run. None: a mere greeting.

    Args:
        summary: of what is open.
        things: what that is about.
        is_offered: it is a suggestion, and waits for no approval.
    """
    routing = policy.routing
    said = _manners(event.text)
    if said and (_GREETS.match(event.text) or _LEAVES.match(event.text)):
        return None
    if said == t("dialogue.no_question"):
        said = t("dialogue.unsure_no")
    if not said:
        match routing.mood if routing else "statement":
            case "negated":
                named = set(_things(routing)) if routing else set()
                if named and named.isdisjoint(things):
                    return None
                said = t("dialogue.unsure_no")
            case "reported":
                said = t("dialogue.read_reported")
            case "hypothetical":
                said = t("dialogue.read_thought")
            case "statement" if routing is None or routing.mood_sign in _NOTHING_TOLD:
                said = t("dialogue.read_unknown")
            case _:
                said = t("dialogue.read_information", about=_named(routing))
    if is_offered:
        return t("dialogue.still_offered", said=said, summary=summary)
    return t("dialogue.still_open", said=said, summary=summary)


_OTHERS = frozenset({"quoted", "reported_speech", "of_others", "mentioned"})


def is_code(text: str) -> bool:
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


def code_reply(event: Event, catalogue: Catalogue) -> str:
    """Tell whoever sends JSON or code what is read here, with a sentence for what it names."""
    named = set(re.findall(r"\w+", event.text))
    action = next((one for name, one in catalogue.actions.items() if name in named), None)
    is_theirs = action is not None and catalogue.may_ask(action.name, event.roles)
    example = action.examples[0] if action and is_theirs and action.examples else ""
    return t("dialogue.program", example=example)


def _manners(text: str, called: str | None = None) -> str:
    """Answer a greeting, thanks, a nod or a sign of mood; empty: the text is more than that."""
    feels = reaction(text)
    is_short = is_small_talk(text) or feels is not None or not re.search(r"\w", text)
    if is_short and (greets := _GREETS.match(text)):
        day = greets["day"] or (f"good {greets['short']}" if greets["short"] else "")
        asks = _HOW_ARE_YOU.search(text) is not None
        greeting = day.capitalize() or t("dialogue.hello")
        return t(
            "dialogue.greeting_well" if asks else "dialogue.greeting",
            greeting=greeting,
            name=called,
        )
    if _FALLBACK_THANKS.search(text) and len(text.split()) <= 12:
        return t("dialogue.welcome")
    if not is_short:
        return ""
    manners = (
        (_LEAVES.match(text), t("dialogue.goodbye")),
        (_HOW_ARE_YOU.search(text), t("dialogue.all_well")),
        (feels == "bad", t("dialogue.take_note")),
        (feels == "good", t("dialogue.good_to_hear")),
        (_answers_nothing(text), t("dialogue.no_question")),
    )
    return next((says for is_so, says in manners if is_so), t("dialogue.ok"))


def _answers_nothing(text: str) -> bool:
    is_answer = plain_answer(text) is not None and not _NODS.match(text)
    return is_answer and re.search(r"\w", text) is not None


def _of_denied(routing: Routing | None) -> str:
    if routing is None or routing.mood_sign in ("cancelled", "cancel"):
        return t("dialogue.left")
    names = _things(routing)
    if not names:
        return t("dialogue.nothing_done")
    if len(names) == 1:
        return t("dialogue.as_it_is", name=names[0])
    return t("dialogue.as_they_are", names=", ".join(names[:-1]), last=names[-1])


def _of_thought(text: str) -> str:
    when = None if _THOUGHT.match(text) else _WHEN.search(text)
    if when is None:
        return t("dialogue.thought")
    condition = " ".join(when[0].split()).strip(" .!?")
    return t("dialogue.condition", condition=condition)


def _named(routing: Routing | None) -> str:
    names = _things(routing) if routing else ()
    return " and ".join(names)


def _things(routing: Routing) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(one.value for one in routing.entities))
    return names if len(names) <= _NAMED else ()
