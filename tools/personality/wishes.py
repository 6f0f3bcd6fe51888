"""What people ask of the manner of talking: be less sarcastic, another character, a skill."""

import re
from collections.abc import Mapping

from state.personality import TraitName
from state.talk import TalkRequest

PLAIN_STEPS = 2.0
"""`be formal`, without a `more`: as much as `much more formal`."""
_PLEASE = r"^(?:please |ok |okay |hey |can you |could you |would you |i want you to |you should )*"
_DEGREES: Mapping[str, float] = {
    "a bit": 0.5, "a little": 0.5, "a little bit": 0.5, "slightly": 0.5, "somewhat": 0.5,
    "much": 2.0, "a lot": 2.0, "lots": 2.0, "far": 2.0, "way": 2.0, "even": 1.0, "": 1.0,
}  # fmt: skip
_DEGREE = rf"(?:(?P<degree>{'|'.join(filter(None, _DEGREES))}) )?"
_UP: Mapping[TraitName, str] = {
    "humor": r"funny|humorous|playful|witty|amusing|jokes?|joking|humou?r|puns?",
    "sarcasm": r"sarcastic(?:ally)?|sarcasm|snarky|snark|ironic(?:al)?|irony",
    "formality": r"formal(?:ly|ity)?|polite(?:ly)?|professional(?:ly)?|official",
    "proactive": r"proactive|talkative|forthcoming",
    "enthusiasm": r"enthusiastic(?:ally)?|enthusiasm|excited|energetic|cheerful|lively",
    "helpfulness": r"helpful|supportive",
    "verbosity": r"verbose|detailed|wordy|chatty|long-winded",
}
_DOWN: Mapping[TraitName, str] = {
    "humor": r"serious(?:ly)?",
    "sarcasm": r"sincere(?:ly)?",
    "formality": r"casual(?:ly)?|informal(?:ly)?|relaxed|familiar|friendly",
    "proactive": r"reserved|reactive",
    "enthusiasm": r"calm(?:ly)?|sober|matter-of-fact",
    "verbosity": r"brief(?:ly)?|short|concise(?:ly)?|terse(?:ly)?|to the point|succinct",
}
_COMPARED: Mapping[str, tuple[TraitName, int]] = {
    "funnier": ("humor", 1), "wittier": ("humor", 1), "kinder": ("sarcasm", -1),
    "nicer": ("sarcasm", -1), "politer": ("formality", 1), "friendlier": ("formality", -1),
    "livelier": ("enthusiasm", 1), "calmer": ("enthusiasm", -1), "briefer": ("verbosity", -1),
    "shorter": ("verbosity", -1), "chattier": ("verbosity", 1), "wordier": ("verbosity", 1),
}  # fmt: skip
_WORDS = "|".join((*_UP.values(), *_DOWN.values()))
_BE = r"(?:be|sound|talk|speak|write|act|keep it|make it|stay|get)"
_STEP = re.compile(
    rf"{_PLEASE}(?:{_BE} )?{_DEGREE}(?P<way>more|less|fewer) (?P<word>{_WORDS})"
    r"(?: (?:to|with|towards) me)?(?: now| please)*$"
)
_COMPARATIVE = re.compile(
    rf"{_PLEASE}{_BE} {_DEGREE}(?P<compared>{'|'.join(_COMPARED)})"
    r"(?: (?:to|with) me)?(?: now| please)*$"
)
_TOO = re.compile(rf"^(?:you are|you're|that is|that's|this is) {_DEGREE}too (?P<word>{_WORDS})$")
_NONE = re.compile(
    rf"{_PLEASE}(?:no (?:more )?|stop (?:being |the |your )?|quit (?:being |the |your )?"
    rf"|(?:don't|do not|never) be |(?P<so>(?:don't|do not|stop) be(?:ing)? (?:so|that) ))"
    rf"(?P<word>{_WORDS})(?: any ?more| at all| now| please)*$"
)
_PLAIN = re.compile(rf"{_PLEASE}{_BE} (?:more )?(?P<word>{_WORDS})(?: with me)?(?: now| please)*$")
_TEMPLATE = re.compile(
    rf"{_PLEASE}(?:(?:switch|change|go) to|use|take|set|become|be|act (?:as|like)) "
    r"(?:(?:the|a|an|your) )?(?P<template>[\w][\w -]{0,60}?) (?:personality|character|persona)"
    r"(?: now| please)*$"
)
_AS_USUAL = re.compile(
    rf"{_PLEASE}(?:(?:reset|restore) (?:your |the )?(?:personality|character|traits|manner)"
    r"|(?:be|act) (?:like )?your(?:self| usual self| normal self| old self)"
    r"|(?:talk|speak) (?:as usual|normally)(?: again)?)(?: again| now| please)*$"
)
_LOAD = re.compile(
    rf"{_PLEASE}(?:load|enable|use|activate|turn on|switch on) (?:the |your )?"
    r"(?P<skill>[\w][\w -]{0,60}?) skill(?: again| now| please)*$"
)
_UNLOAD = re.compile(
    rf"{_PLEASE}(?:unload|disable|deactivate|turn off|switch off|drop|stop using) (?:the |your )?"
    r"(?P<skill>[\w][\w -]{0,60}?) skill(?: now| please)*$"
)


def manner_wish(said: str) -> TalkRequest | None:
    """Recognise a wish about the manner; `said` is lower case, without its full stop.

    `less sarcastic` and `too sarcastic` are a step down, `be formal` and `don't be so casual` two
    up, `no sarcasm` is none at all. How long a step is stands in policy.toml.
    """
    if match := _STEP.match(said) or _COMPARATIVE.match(said) or _TOO.match(said):
        return _step(match)
    if match := _NONE.match(said):
        trait, sign = _trait_of(match["word"])
        if match["so"]:
            return TalkRequest(kind="trait", trait=trait, steps=-sign * PLAIN_STEPS)
        return TalkRequest(kind="trait", trait=trait, value=0.0) if sign > 0 else None
    if match := _PLAIN.match(said):
        trait, sign = _trait_of(match["word"])
        return TalkRequest(kind="trait", trait=trait, steps=sign * PLAIN_STEPS)
    if match := _TEMPLATE.match(said):
        return TalkRequest(kind="template", topic=_named(match["template"]))
    if _AS_USUAL.match(said):
        return TalkRequest(kind="as_usual")
    if match := _UNLOAD.match(said):
        return TalkRequest(kind="unload_skill", topic=_named(match["skill"]))
    if match := _LOAD.match(said):
        return TalkRequest(kind="load_skill", topic=_named(match["skill"]))
    return None


def _step(match: re.Match[str]) -> TalkRequest:
    given = match.groupdict()
    if compared := given.get("compared"):
        trait, sign = _COMPARED[compared]
    else:
        trait, sign = _trait_of(given["word"])
        sign = sign if given.get("way") == "more" else -sign
    steps = sign * _DEGREES[given.get("degree") or ""]
    return TalkRequest(kind="trait", trait=trait, steps=steps)


def _trait_of(word: str) -> tuple[TraitName, int]:
    for sign, words in ((1, _UP), (-1, _DOWN)):
        for trait, pattern in words.items():
            if re.fullmatch(pattern, word):
                return trait, sign
    raise AssertionError(word)  # the patterns above are made of these words


def _named(said: str) -> str:
    return re.sub(r"[ -]+", "_", said.strip())
