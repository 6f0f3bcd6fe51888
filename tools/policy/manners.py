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
_EXAMPLES = 3


def answer_to_manners(text: str, catalogue: Catalogue, roles: Sequence[str]) -> str | None:
    """Answer a text that is such a phrase and nothing else; None for any other."""
    if _THANKS.fullmatch(text):
        return "You're welcome."
    if _HELP.fullmatch(text):
        return _help(catalogue, tuple(roles))
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
