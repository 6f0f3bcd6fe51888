"""Negators and their reach, negated slot values, and signs that retract (`[ ]`, a cross mark)."""

import re
from collections.abc import Sequence
from unicodedata import category

from tools.nlu.lexicon.normalization import Normal, word_set

_CONTRACTED = word_set(
    "dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wouldnt couldnt shouldnt mustnt "
    "neednt cant wont aint shant dnt donot cannot nt dotn dnot"
)
NEGATORS = _CONTRACTED | word_set(
    "not never nobody none nothing neither nor without hardly noone unnecessary nicht nein niet"
)
_SPLIT = word_set("don doesn didn isn aren wasn weren hasn haven hadn wouldn couldn shouldn mustn")
"""What is left of a contraction when its apostrophe was typed as a space: `don t`."""
_NO_WHAT = word_set("need reason longer way point one use account circumstances circumstance means")
"""Behind `no` these deny what follows; any other noun is only absent, as in `no data`."""
_WISHES = word_set("want need must should can do like wish")
_OBLIGES = word_set("should must need needs ought have has want wants")
_AT = word_set("at in on")
_NO_TIME = frozenset({("no", "time"), ("no", "case"), ("no", "event"), ("no", "way")})
"""Behind `at` or `in` these deny; without it, `no time` is only short of it."""
_MAY_DENY = _SPLIT | _AT | {"no", "do"}
"""By what follows they deny or not."""
_THINKS = word_set("know think understand remember believe worry mind forget hesitate sure")
"""Denied, these say nothing about what to do: `don't know`, `don't forget to close it`."""
_PERCEIVES = word_set("have see recall get find")
"""As above, when the writer says it of himself: `I don't see it`, but not `don't recall it`."""

UNDOING = re.compile(
    r"(?:please )?(?:avoid|refrain from|desist from|abstain from|quit|cease|stop|hold off(?: on)?"
    r"|forget about|give up|put off|skip|leave off|lay off|swear off|do without|dispense with"
    r"|(?:keep|stay|steer|shy) (?:away|clear)(?: of| from)?|think twice (?:about|before)"
    r"|(?:spare|save) (?:me|us|yourself)|(?:do )?(?:anything|everything) (?:but|except|other than)"
    r"|wait(?: (?:a|some|one|bit|moment|minute|while|more|longer))* (?:with|before))(?= )"
)
"""Before a gerund these deny it: `avoid closing it`."""
FRAGMENT = re.compile(
    r"(?:(?:no|and|but|or) )*"
    r"(?:not|instead of|rather than|without|except|never ?mind|forget about)(?: |$)"
    r"|no more (?!than\b|of than\b|\d)(?:[\w'-]+ ){0,3}[\w'-]+$"
)
REFUSING = re.compile(
    r"(?:i|we)(?:'ll| will| would| must| have to| still| really| simply| just| absolutely)* "
    r"(?:refuse|refused|decline|declined|object|am unwilling|are unwilling|am reluctant) to "
)
"""Before a verb: the writer says that he himself will not do it."""
FORBIDDEN = re.compile(
    r"(?:shouldn't|mustn't|won't|wouldn't|cannot|can't|(?:should|must|will|would|can|may) not)"
    r" (?!i\b|we\b|you\b|he\b|she\b|they\b|it\b|there\b|that\b|this\b|the\b|be\b)"
)
"""Without a subject, behind another clause."""
INABILITY = re.compile(
    r"(?:i|we) (?:still |really |just |also )*"
    r"(?:can't|cannot|can ?not|cant|couldn't|could not|couldnt|am unable to|are unable to"
    r"|was unable to|were unable to|(?:'m|am|was) not able to)(?: |$)"
)
CANCEL = re.compile(
    r"(?:(?:no|oh|wait|sorry|actually|hold on|on (?:second thoughts?|reflection)|or|hmm+|nah|well"
    r"|ah|please|ok"
    r"|(?:ha)+|(?:he)+|lol|hell|heck|god|ugh|um|uh|err?"
    r"|okay|but|and|so|just|i mean|oops|rather|better) )*"
    r"(?:no|nope|nah|wait|stop|not|don't|dont|do not|never ?mind|nevermind|cancel (?:that|it|this)"
    r"|forget (?:it|that|this|about it|about that|i said anything)"
    r"|(?:scratch|strike|drop) (?:that|it)"
    r"|(?:keep|leave) (?:it|that|this|them|everything|things|all)"
    r" (?:open|running|there|as (?:(?:it|they) )?(?:is|was|are|were)|unchanged|for now)"
    r"|hold on|hang on|hold (?:it|off|(?:that|this)(?: thought)?)|not (?:yet|now|really|today)"
    r"|(?:let's |just )?leave (?:it|that|things)(?: be| alone| at that)?|let it be|let's not"
    r"|belay (?:that|it|this|my last)|as you were|stand (?:down|by)|scrap (?:that|it)|no way"
    r"|no (?:more )?need(?: (?:for (?:it|that|this)|any ?more|now|really))*"
    r"|(?:you )?wait for (?:my|the|his|her|our) [\w'-]+(?: [\w'-]+)?|ignore (?:the |all )?above"
    r"|undo that|(?:i )?(?:think|guess|suppose) not|(?:just |only )?(?:messing|playing|kidding)"
    r" (?:with you|around)"
    r"|(?:better|rather|absolutely|certainly|definitely|of course|please|maybe|perhaps) not"
    r"|(?:it(?:'s| is) )?(?:no longer|not) (?:needed|necessary|required|wanted|relevant)"
    r"|(?:ignore|disregard)"
    r"(?: (?:that|this|it|me|my|the|last|previous|message|one|request|please))*"
    r"|(?:no|not a|fat) chance(?: in hell)?|not (?:on|in) (?:my (?:watch|life)|a million years)"
    r"|in your dreams|dream on|over my dead body"
    r"|do nothing|(?:don't|dont|do not) bother|(?:i|i'll|i will) take (?:that|it) back"
    r"|i changed my mind"
    r"|changed my mind|i've changed my mind|i was (?:just )?(?:joking|kidding))"
    r"(?: (?:yet|now|please|thanks|thank you|either|after all|no|wait|do (?:it|that|so|this)"
    r"|bother))*"
)
"""A whole clause that takes back what was asked before it."""
CAREFUL = re.compile(
    r"(?:please )?(?:make (?:very )?sure|be (?:very )?(?:careful|sure)|take care|try|remember|mind"
    r"|see to it|ensure|promise|let's try)"
    r"(?: that)?(?: (?:you|we|nobody|no one))?(?: (?:do|does|will))? ?"
    r"(?:not|never|n't|don't|dont)\b"
)
"""An order to see to it that something is not done."""
CLOSING = re.compile(
    r".+? (?:(?:lol|haha|hehe|lmao|hmm|oh|ah|uh|um|sorry|ok|no|well|but|oops) )*"
    r"(?:jks?|(?:just|only|i'm|im)? ?(?<!no )(?<!not )(?:kidding|joking)|sike|psych|nvm"
    r"|never ?mind|as if|yeah right"
    r"|(?:just )?(?:messing|playing|kidding|joking|fooling)(?: (?:with|around|you|ya|y'all))+"
    r"|wait no|no wait|scratch that|(?<!don't )(?<!not )forget (?:it|that)|disregard(?: that)?"
    r"|ignore that|cancel that)"
    r"(?: (?:lol|haha|lmao|sorry|thanks|please|though|tbh|man|bro|dude|xd))*"
    r"|.+? (?:lol|lmao|rofl|(?:ha){2,}|(?:he){2,}|ugh|pff+t?|hmm+) (?:no|nope|nah|not|never)"
    r"|.+? (?:under no circumstances|on no account|not (?:now|yet))"
    r"|.+? (?:said|says) (?:no one|noone|no-one|nobody|none)(?: (?:ever|at all|here))*"
)
"""A text that ends like this takes back what it asked for."""
LABEL = re.compile(r"\s*(?:(?:never|don't|do not|not to) do\b[^:,]{0,40}|(?:to )?not do):(?=\s|$)")
"""Before what is not to be done: `never do this: close it`."""
VERDICT = re.compile(
    r"(?:no|nope|never|denied|refused|rejected|vetoed|forbidden|prohibited"
    r"|(?:absolutely |definitely )?not"
    r"(?: (?:allowed|permitted|now|yet|today|possible|approved|wanted|needed|ok|okay))?)"
)
"""Behind the colon of an order these say that it is none: `approve it: no`."""
DISOWNING = re.compile(
    r"(?:(?:it's|(?:this|that|it)(?: is)?) )?(?:not|isn't|never)"
    r"(?: (?:really|even|at all|a|an|the|my|our))*"
    r" (?:allowed|permitted|authorised|authorized|approved|happening|(?:good|great|smart) idea"
    r"|order|command|instruction|request|now|yet|today)"
    r"|not (?:safe|true|ok|okay|our job|my job|for us)"
    r"|(?:under|in) no (?:circumstances?|case)|on no account"
    r"|without (?:permission|approval|consent)|forbidden|prohibited|rejected|refused|vetoed|denied"
    r"|nein(?: danke)?|(?:nicht|niet|ne)(?: \w+)?|non|nej|nee|não"
)
"""All of a part before an order that leaves open whether it is one: `not allowed: close it`."""
JEST_TAIL = re.compile(
    r"[-,;.!(]\s*(?:(?:haha|lol|oh|no|sorry|just|only|i'm|i am|im) )*"
    r"(?:(?<!no )(?<!not )(?:kidding|joking)|jks?|jk lol|sike|nvm|never ?mind|scratch that"
    r"|strike that)"
    r"(?: (?:lol|haha|sorry|obviously|of course))*[\s.!)]*$"
)
"""Behind a stop these take back even what was told: `note that it leaks - kidding`."""
UNMEANT = re.compile(
    r"\s/(?:s|sarcasm|jk|j)\W*$|\by ?/ ?n\b\W*$"
    r"|[\U0001f644\U0001f921\U0001f643\U0001f61c\U0001f92a]"
    r"|[\u274c\u26d4\U0001f6ab\U0001f6d1\U0001f44e\U0001f645\u270b]"
)
"""Marks of a prompt, `(y/n)`; of irony: `/s`, rolled eyes, a clown, a face upside down; and of no:
a cross, a stop sign, no entry, a thumb or a hand that says so."""
AFTERTHOUGHT = re.compile(
    r"(?:(?:hmm+|well|but|or|and|so|oh|no) )*"
    r"(?:maybe|perhaps|possibly|probably|why|really|seriously|since when|says who|as if|fat chance"
    r"|(?:are you|is (?:he|she)) serious|in your dreams|not (?:on|in) (?:my|a) [\w ]+|not a chance"
    r"|over my dead body|(?:you(?:'re| are)|(?:you )?must be|is (?:he|she|this)) (?:joking|kidding)"
    r"|(?:you )?must be (?:a joke|joking|kidding)"
    r"|what (?:a|an) [\w ]*?(?:idea|joke|mess|thought|plan)"
    r"|(?:(?:i(?:'ve)?|i have) )?(?:got )?(?:no idea|no clue|dunno)"
    r"|what(?: on earth| the [a-z]+)?(?: for)?|good (?:question|one|luck)(?: with that)?|whatever"
    r"|i'll think about (?:it|that)|(?:i'm |i am )?not sure(?: yet)?|or not|who knows|let me think"
    r"|who (?:came up with|thought of|asked for|wants|said|needs) (?:that|this|it)"
    r"|it(?:'s| is) (?:fine|ok|okay|nothing|all right|alright|a test|an example|only a test)"
    r"|(?:this|that)(?:'s| is| was) (?:just |only )?(?:a|an) "
    r"(?:test|example|drill|joke|demo|sample))"
    r"(?: (?:later|not|then|tomorrow|some other time|another time|sometime|either|though|lol"
    r"|haha))*"
)
"""A part beside a request that leaves open whether it is one: `close it? maybe`."""
NEVER = re.compile(
    r"^(?:never|no longer)\b|(?:^|\S )(?:(?:in|at|by|on|under) no (?:case|means|time|condition"
    r"|conditions|account|circumstances?|event|way|moment)|not under any circumstances)"
    r"(?=$| (?:the|this|that|these|those|my|our|it|them|any)\b| [\w-]*\d)"
)
"""Behind the verb of an order, at its end or before what it is done to, these forbid it."""
DENYING = word_set("do not don't dont never no wait please you but or rather actually")
IN_JEST = word_set("joke joking kidding sarcasm pretend prank test testing example illustration")
"""Words of an earlier clause that do so too."""
TAKING_BACK = word_set(
    "joke joking kidding oops whoops ignore disregard nevermind mistake mistyped mistaken typo "
    "accident accidentally wrong mind sarcasm pretend prank test testing sorry meant retract unsay "
    "example illustration hypothetical hypothetically"
)
"""Words of a later clause that put in doubt whether what was asked is still wanted."""

DOING = word_set("run execute act perform apply process it this that anything actually really")
"""What is denied by these is whatever was asked: `do not run`."""
IRONY = re.compile(
    r"(?:oh )?(?:yeah|sure|yes) right|oh (?:sure|yeah|joy|brilliant)"
    r"|what could (?:possibly )?go wrong|just what (?:we|i) need(?:ed)?|(?:good|nice) one"
    r"|(?:what an? )?(?:great|brilliant|genius|stellar|fantastic) (?:idea|plan|thinking)"
    r"|(?:what an? )(?:\w+ )?(?:idea|plan)|"
    r"(?:(?:because|'cause|cause|cos) )?(?:that|this|it)(?:'ll| will|'d| would)"
    r" (?:definitely|surely|totally|really|certainly|obviously|absolutely|just) [\w' -]+"
)
"""A clause beside an order that may well mean the opposite of what it says."""


def negator_in(words: Sequence[str], first: int, end: int) -> int | None:
    """Find the first negator among some words, None when there is none."""
    for place in range(first, end):
        word = words[place]
        if word in NEGATORS or word.endswith("n't"):
            return place
        if word not in _MAY_DENY:
            continue
        following = words[place + 1] if place + 1 < end else ""
        if word == "no" and following in _NO_WHAT:
            return place
        if word == "no" and following in _WISHES and place > first:  # `I no want that you …`
            return place
        if word in _AT and tuple(words[place + 1 : place + 3]) in _NO_TIME and place + 3 < end:
            return place + 1
        if (word in _SPLIT and following == "t") or (word == "do" and following in ("nt", "n't")):
            return place
    return None


def is_opinion(words: Sequence[str], negator: int, end: int) -> bool:
    """Tell `don't know` and `don't forget to` from what denies a doing."""
    place = negator + 1
    while place < end and words[place] in ("t", "nt", "really", "even", "ever", "you", "to"):
        place += 1
    if place >= end:
        return False
    if words[place] in ("think", "believe", "suppose") and _OBLIGES & set(words[place:end][:5]):
        return False  # `I don't think you should close it`
    is_own = bool({"i", "we"} & set(words[max(0, negator - 2) : negator]))
    return words[place] in _THINKS or (is_own and words[place] in _PERCEIVES)


EXCEPT = "except_"
_REACH = 60
"""Characters before a value that may hold what denies it."""
_NOT = (
    r"(?:(?:is|are|was|were|has|have|had|do|does|did)n['’]?t|not|never|without|except(?: for)?"
    r"|excluding|other than|all but|(?:to|must|should|cannot) be)"
)
_BETWEEN = (
    r"(?:yet|already|currently|i|we|they|been|being|be|the|a|an|any|ones?|that|are|is|was|were"
    r"|marked|assigned|tagged|labell?ed|as|to|on|for|with|by|of|in)"
)
_DENIES = re.compile(rf"(?<![\w'’])(?:{_NOT}(?: {_BETWEEN}){{0,4}} |non-)$", re.IGNORECASE)
_ASKS_WHETHER = re.compile(r"(?:^|[,.;:!?]\s*)(?:well |but |and |so )?$", re.IGNORECASE)
"""Before `isn't`: a clause that begins with it expects a yes, and denies nothing."""
_WHY = re.compile(r"\b(?:why|how come)\b", re.IGNORECASE)


def denied_from(text: str, start: int) -> int | None:
    """Give where the denial of what starts here begins; None: it is not denied."""
    offset = max(0, start - _REACH)
    before = text[offset:start]
    match = _DENIES.search(before)
    if match is None or _WHY.search(text[:start]):
        return None
    is_question = re.match(r"\w+n['’]?t\b", match[0]) is not None
    if is_question and _ASKS_WHETHER.search(before[: match.start()]):
        return None
    return offset + match.start()


def takes_denied(name: str) -> bool:
    """Tell whether a slot is for what is denied of another one."""
    return name.startswith(EXCEPT)


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


def is_retracted_by_sign(normal: Normal) -> bool:
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
