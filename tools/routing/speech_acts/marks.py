"""Signs beside words: which of them say nothing, and which take back what is said."""

import re
from unicodedata import category

from tools.routing.speech_acts.denials import CLOSING, JEST_TAIL, UNMEANT
from tools.routing.words.normalise import Normal

_PLAIN_MARK = re.compile(
    r"[\s\w.,;:!?'\"()\[\]*`#@&/+%°€$£=⁄→•-]|->|[👍👌✅✔🙏🙂😀😃😄😊❤🎉🏻-🏿\ufe0f]"
)
"""What stands beside a value and changes nothing about it, or says yes to it."""
_STRUCK = re.compile(r"\[\s*\]|~~")
"""A box that is not ticked, and what is struck through."""

_WRONG = re.compile(
    r"(?:no |nope |but |sorry )*(?:(?:the )?(?:number |option |no )?"
    r"(?:that|this|it|they|those|these|both|all|neither|\d+|one|two|three|first|second|last)"
    r"(?: ones?)?(?:'s| is| are|'re| was| were| looks?| seems?)|that's|it's)"
    r"(?: all| both| quite| just| simply| completely| totally| also)*"
    r" (?:wrong|incorrect|false|mistaken|an? (?:mistake|error)|not (?:right|correct|true|it))"
)
"""Said alone this turns down what was offered, and is no value: `1 is wrong`."""
_ARROW = re.compile(r"[-=]>|[+:]=")


def has_sign(normal: Normal) -> bool:
    """Tell whether a sign stands among the words that may say what changes: `P-7 ★★★★★`."""
    is_sign = any(category(one) in ("So", "Sm") and one != "+" for one in normal.text)
    return is_sign or _ARROW.search(normal.text) is not None


def strange_marks(text: str) -> str:
    """Give the signs that say neither yes nor nothing: `?`, `🤔`, `❓`."""
    return _PLAIN_MARK.sub("", text)


def is_unmeant(normal: Normal) -> bool:
    """Tell whether a sign beside the words takes them back, or may: `PO-1997 ❌`, `kidding`.

    A sign that says neither yes nor no leaves open which of them it is: that is no answer either.
    """
    text, said = normal.text, " ".join(normal.words)
    if UNMEANT.search(text) or _STRUCK.search(text) or JEST_TAIL.search(text):
        return True
    return CLOSING.fullmatch(said) is not None or strange_marks(text) != ""


def turns_down(normal: Normal) -> bool:
    """Tell whether a text says that something is wrong, and nothing else."""
    return _WRONG.fullmatch(" ".join(normal.words)) is not None
