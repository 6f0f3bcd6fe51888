"""What is said to a thank you, a call for help and a bare `do it`: one sentence, by code."""

import re
from collections.abc import Sequence

from state.action import Action
from tools.ports import Catalogue

_THANKS = re.compile(
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
_WHO = re.compile(
    r"\W*(?:who|what) are you(?: anyway)?\W*|\W*what(?: is|'s|’s) your name\W*", re.IGNORECASE
)
_FORGET_ME = re.compile(
    r"\W*(?:please )?(?:forget (?:me|(?:everything|all|what)(?: that)?"
    r" (?:you (?:know|remember|kept|have|stored) )?(?:about|of) me)(?:,? please)?"
    r"|(?:delete|erase|remove) (?:all )?my (?:personal )?data)\W*",
    re.IGNORECASE,
)
_FORGETTING = (
    "I forget nobody on a word alone, for it cannot be undone: `prefrontal memory forget {user}`,"
    " or DELETE /v1/memory with your key, removes what I remember of you. Records of what was done"
    " stay."
)
_EXAMPLES = 3
"""Read at a glance: `prefrontal actions` lists all."""


def is_thanks(text: str) -> bool:
    """Tell whether a text gives thanks and says nothing else."""
    return _THANKS.fullmatch(text) is not None


def answer_to_manners(
    text: str, catalogue: Catalogue, roles: Sequence[str], user: str | None = None
) -> str | None:
    """Answer a text that is such a phrase and nothing else; None for any other."""
    if is_thanks(text):
        return "You're welcome."
    if _HELP.fullmatch(text):
        return _help(catalogue, tuple(roles))
    if _WHO.fullmatch(text):
        can = _help(catalogue, tuple(roles))
        return f"I'm Prefrontal: I hear what happens here, and say what matters. {can}"
    if _FORGET_ME.fullmatch(text):
        return _FORGETTING.format(user=user or "NAME")
    if _DO_IT.fullmatch(text):
        return "It is not clear to me what you mean: say what to do, and with which thing."
    return None


def _help(catalogue: Catalogue, roles: tuple[str, ...]) -> str:
    """Count what these roles may ask for, and show how some of it is asked: reads come first."""
    home = catalogue.at_home(roles)
    allowed = [
        one
        for one in catalogue.actions.values()
        if one.pack in home and catalogue.may_ask(one.name, roles)
    ]
    if not allowed:
        return "There is nothing here that your role may ask for."
    shown = [one.examples[0] for one in sorted(allowed, key=_floor) if one.examples][:_EXAMPLES]
    count = "1 thing" if len(allowed) == 1 else f"{len(allowed)} things"
    told = f", such as: {'; '.join(shown)}" if shown else ""
    return f"You may ask for {count}{told}."


def _floor(action: Action) -> str:
    return action.floor
