"""The words that bind one clause to another: conjunctions, conditions, denials of a part."""

from collections.abc import Sequence

from tools.routing.speech_acts.conditions import BINDING, condition_at, is_only_then, once_done
from tools.routing.speech_acts.denials import negator_in
from tools.routing.speech_acts.excluding import EXCEPTING, LEAVING, NOTHING, leaves_out
from tools.routing.speech_acts.ordering import LEADS_ON, PLEASE, Verbs, begins_order, ordered
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import AUXILIARIES, DETERMINERS, SAYING, SUBJECTS
from tools.routing.words.verbs import VerbLexicon

_CONTRACTED = word_set("it's that's i'm you're we're they're")
_AFTER_NOT = word_set(
    "the a an to in into on onto for from at with this that these those my our your it them"
)
_AND = word_set("and or plus")
_SAID_WITHIN = 4
"""Words before `please` in which somebody may be said to have said it."""
_REACH = 14
"""Words before `please` in which a denial may stand that it ends."""
_IT_SAYS = frozenset({("it", "reads"), ("it", "says"), ("it", "shows")})
"""Behind `so that`, what is written: `correct the note so that it says thirty`."""
_WHATEVER = word_set("anything something anyone anybody it he she they there things he")
_INSTEAD = word_set("but instead rather without except")
_SO = word_set("so therefore thus hence consequently accordingly")
"""Before an order these draw the conclusion from what was said: it is the writer's own."""
_BEFORE_SO = word_set(
    "is are was were be been being am not if or even do does did done say says said saying tell "
    "told think thought thinks hope guess suppose believe just quite ever why feel looks look got "
    "get it's that's he's she's i'm we're you're they're"
)
"""Behind these `so` is a degree or stands for what was said: `it was so close`, `he said so`."""
_ENABLES = word_set(
    "can can't cannot could couldn't will won't would wouldn't don't doesn't needn't"
    " isn't aren't never"
)
"""Behind `so` and a subject these say what an order is for."""
_ALSO_ADJECTIVE = word_set("close open clean clear dry slow cool warm complete present light free")
_NEVER_SO = word_set("far much many long that as on be called")
_I_ASK = frozenset(
    {("let", "me"), ("let", "us"), ("i", "need"), ("i", "want"), ("we", "need"), ("we", "want")}
    | {("i'd", "like"), ("we'd", "like"), ("may", "i"), ("can", "i"), ("could", "i")}
)

_GO_ON = frozenset({("go", "ahead"), ("go", "on")})
"""Before `and` these are of what follows: `let's go ahead and close it`."""

_JOINING = BINDING | LEAVING | _INSTEAD | _SO | _AND | PLEASE | word_set("should then only not")
"""The words one of which begins a clause that no comma or the like parts from the one before."""


def joint_at(words: Sequence[str], place: int, end: int, verbs: Verbs, *, is_soft: bool) -> str:
    """Name the word that begins a new clause at `place`, nothing when none does."""
    word, before = words[place], words[place - 1]
    if not is_soft and word not in _JOINING:
        return ""
    following = words[place + 1] if place + 1 < end else ""
    if word == "should" and following in _WHATEVER and before not in SUBJECTS:
        return "if"  # `close it should anything break`
    if is_only_then(words, place):
        return "if"
    if word == "then" and before not in ("and", "until"):
        return "and"
    part = _denied_part(words, place, end, verbs)
    if part is not None:
        return part
    purpose = _purpose(words, place, end, verbs)
    if purpose is not None:
        return purpose
    condition = condition_at(words, place, end, verbs)
    if condition is not None:
        return condition
    if word in _SO and _concludes(words, place, end, verbs, is_soft=is_soft):
        return "so"
    return _before_order(words, place, end, verbs, is_soft=is_soft)


def _concludes(words: Sequence[str], place: int, end: int, verbs: Verbs, *, is_soft: bool) -> bool:
    """Tell `it leaks, so close it` from `it was so close`."""
    following = words[place + 1 : place + 3]
    if not following or following[0] in _NEVER_SO:
        return False
    if is_soft:
        return True
    if words[place - 1] in _BEFORE_SO and words[place] == "so":
        return False
    if tuple(following) in _I_ASK or _is_frame(words, place + 1):
        return True
    if not begins_order(words, place + 1, end, verbs):
        return False
    is_clear = following[0] not in _ALSO_ADJECTIVE or words[place] != "so"
    behind = following[-1]
    return is_clear or behind in DETERMINERS or any(map(str.isdigit, behind))


def _denied_part(words: Sequence[str], place: int, end: int, verbs: Verbs) -> str | None:
    """Name what binds a part that is denied or put against another; None: nothing of the kind."""
    word, before = words[place], words[place - 1]
    following = words[place + 1] if place + 1 < end else ""
    if word == "but" and before in ("anything", "everything"):  # `do anything but close it`
        return "not"
    if word in EXCEPTING and before in NOTHING:  # `show nothing but the urgent ones`
        return ""
    if leaves_out(words, place, end, verbs):
        return "not"  # `share it with everyone but Lena`
    if word in _INSTEAD and before not in ("i'd", "we'd", "would"):  # `I'd rather you closed it`
        return "not" if word != "but" and following in ("of", "than", "") else word
    if word == "not" and before not in AUXILIARIES | _CONTRACTED:
        return "not" if _denies_part(words, place, end, verbs.lexicon) else ""
    return None


def _purpose(words: Sequence[str], place: int, end: int, verbs: Verbs) -> str | None:
    """Name what an order is for, `export it so that Ana can print it`; None: none begins here."""
    if words[place : place + 2] == ["so", "that"]:
        is_content = tuple(words[place + 2 : place + 4]) in _IT_SAYS
        return "" if is_content else "so that"
    return "so that" if words[place] == "so" and _is_purpose(words, place, end, verbs) else None


def _is_purpose(words: Sequence[str], place: int, end: int, verbs: Verbs) -> bool:
    """Tell `save it so I don't lose it` from what is concluded, `it leaks, so I closed it`."""
    subject = place + 1 + (words[place + 1 : place + 2] in (["the"], ["my"], ["our"]))
    is_enabled = words[subject + 1 : subject + 2] and words[subject + 1] in _ENABLES
    if not is_enabled or words[place - 1] in _BEFORE_SO or words[subject] in LEADS_ON:
        return False
    return ordered(words, place, end, verbs) is not None


def _before_order(
    words: Sequence[str], place: int, end: int, verbs: Verbs, *, is_soft: bool
) -> str:
    word = words[place]
    if word == "and" and tuple(words[place - 2 : place]) in _GO_ON:
        return ""
    if word in ("and", "but") and _is_frame(words, place + 1):
        return "and" if word != "but" else word
    if word in PLEASE and not SAYING.isdisjoint(words[max(0, place - _SAID_WITHIN) : place]):
        return ""  # `nobody told me please close it`
    if word in PLEASE and begins_order(words, place, end, verbs):
        return "but" if negator_in(words, max(0, place - _REACH), place) is not None else ""
    if word in _AND or is_soft:
        start = place + (word in _AND)
        start += once_done(words, start)
        while start < end and words[start] in LEADS_ON:
            start += 1
        if start < end and words[start] in ("don't", "dont", "never", "do", "not"):
            return word
        if word in _AND and begins_order(words, start, end, verbs):
            return "or" if word == "or" else "and"
    return ""


def _denies_part(words: Sequence[str], place: int, end: int, lexicon: VerbLexicon) -> bool:
    """Tell `not the handover` from `make sure not to close it`."""
    following = words[place + 1] if place + 1 < end else ""
    if following == "to" and place + 2 < end and lexicon.at(words, place + 2) is not None:
        return False
    return following in _AFTER_NOT or any(map(str.isdigit, following))


def _is_frame(words: Sequence[str], place: int) -> bool:
    """Tell whether `please` or `can you` begins at a word."""
    pair = tuple(words[place : place + 2])
    return pair[:1] == ("please",) or (
        len(pair) == 2 and pair[0] in ("can", "could", "would", "will") and pair[1] == "you"
    )
