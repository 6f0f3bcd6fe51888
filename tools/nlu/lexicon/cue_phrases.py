"""Function words and cue phrases: words that ask, suppose, report, undo or limit an order."""

import re
from collections.abc import Iterator, Sequence

from tools.nlu.lexicon.normalization import singular, word_set
from tools.nlu.values.date_offsets import SURELY_TIMES


def any_of_words(*alternatives: str, times: str = "") -> re.Pattern[str]:
    """Match one of the alternatives as whole words."""
    return re.compile(f"(?:(?:{'|'.join(alternatives)})(?: |$)){times}")


LEAD = any_of_words(
    "(?:please|pls|kindly) to",
    "hey|hi|hello|dear|ok|okay|so|well|now|please|pls|plz|kindly|and|then|also|but|just|yes|yeah|yep",
    "sure|alright|right|oh|um|uh|hmm|thanks|thank you|cheers|actually|quickly|quick|urgent",
    "urgently|asap|next|first|second|third|finally|lastly|instead|important|attention|action|anyway|anyways",
    "good (?:morning|afternoon|evening)|after that|afterwards|simply|immediately|rather",
    "go ahead and|go ahead|be (?:so|as) (?:kind|good) as to|be (?:kind|good) enough to|"
    r"for (?:[\w'-]+ ){1,2}sake(?! of\b)|"
    "i said|i told you to|i asked you to|feel free to",
    "don't forget to|do not forget to|dont forget to|don't hesitate to|make sure to",
    "make sure you|be sure to|remember to|try to|try and|prefrontal|assistant|computer",
    "therefore|thus|hence|consequently|accordingly",
    "plus|(?:when|once|after) (?:you're|you are|that's|that is|this is|it's) (?:done|finished)",
    "only|yo|dude|bro|mate|do me a (?:favou?r|solid) and",
    r"(?:captain|chief|guys|folks|team|everyone)"
    r"(?! (?:has|have|had|is|are|was|must|should|will|would|can"
    r"|could|may|needs|wants|does|did|always)\b)",
    "by the way|btw|one (?:more|last|other) thing|before i forget|while you're at it|meanwhile",
    "in the meantime|for now|to be safe|for safety|heads up|new topic|moving on|change of plan",
    times="+",
)
"""What comes before the clause proper."""

FEIGNED = re.compile(
    r"(?:let's|lets|let us|just|now) (?:say|pretend|suppose|assume|imagine)\b"
    r"|let me (?:think|sleep|consider|ponder|mull)\b"
    r"|(?:(?:i'm|i am|we're|we are|just|still|only|been) )*"
    r"(?:thinking (?:of|about)|contemplating|pondering|debating|mulling over|toying with)\b"
)
WHETHER = re.compile(
    r"(?:please )?(?:confirm|verify|clarify|advise|indicate|find out) (?:whether|if)\b"
)
"""An order that asks: `could you confirm whether it was closed`."""

HOW = re.compile(
    r".{0,80}?\b(?:how (?:do|can|could|would|should|does|did|to|is|are|i|we|you|one|they|people)"
    r"|what happens (?:if|when))\b"
)
ASKS_HOW = re.compile(
    r"(?:[\w'-]+ ){0,2}(?:how|what)\b|any (?:idea|clue)"
    r"|(?:i|we)(?:'d| would|'m| am|'ve| have)?(?: really| just| still| also)*"
    r" (?:don't know|do not know|dont know|forgot|forget|want|need|like|love|wonder|wondering"
    r"|no idea|not sure|unsure|can't remember|cannot remember|don't remember|never learned)\b"
)
"""Who begins like this asks himself how; in other sentences `how` belongs to what is told."""
WHAT_IF = re.compile(
    r"(?:so |and |but |hey |ok )*(?:what if|what would happen|suppose|supposing"
    r"|how (?:i|we) (?:wish|hate|love|miss|regret))\b"
)
INSTRUCTIONS = re.compile(
    r"(?:[\w'-]+ ){0,6}?(?:instructions?|steps?|tutorials?|guides?|procedures?|manuals?|ways?"
    r"|tricks?|commands?|explanations?|lessons?|directions|rules|help|advice|tips?|how-?to) "
    r"(?:for|on|of|about|with|to)(?: |$)"
)
"""Before a verb: what is wanted is to read about it. `steps for closing a job`."""
LEARNING = re.compile(
    r"(?:teach|train|coach) (?:me|us)(?: how)? to\b"
    r"|(?:show|tell|help|remind|walk|explain) (?:to )?(?:me|us)(?: through| to)*"
    r" (?:understand |learn |see )?(?:how|what it takes)\b"
)
ASKED = re.compile(
    r"(?:(?:and|so|but|ok|hey|hi|please) )*(?:(?:what|which|who|whom|whose|where|why|how)"
    r"(?:'s|'re)?|whats|hows|wheres|whos|in which case"
    r"|when (?:is|are|was|were|did|do|does|will|can|should|has|have|would|could|may)"
    r"|is|are|am|was|were|does|did|has|had|may|might|shall|should|isn't|aren't|wasn't|weren't"
    r"|doesn't|didn't|hasn't|haven't|hadn't|won't|wouldn't|couldn't|shouldn't|can't|ought|must i"
    r"|(?:at|in|on|by|from|to|for|of|with|until|since) (?:what|which|whom|whose|how|when)"
    r"|any (?:idea|objections?|chance|reason|harm|clue|way)"
    r"|(?:do|have|can|could|will|would|must) (?:i|we|you|he|she|it|they|this|that|these|those"
    r"|there|any|all|some|any(?:one|body|thing)|some(?:one|body|thing)|the|a|my|our))(?: |$)"
)
SUPPOSED = any_of_words(
    "if|unless|once|suppose|supposing|assuming|imagine|in case|provided|what if|as soon as",
    "whenever|when|maybe|perhaps|possibly|thinking (?:of|about)|considering|eventually|someday",
    "only if|only when|hypothetically|theoretically|say (?:i|we|you)|one day|at some point",
    "should you|were (?:i|we) to|i wonder|i'll|we'll|i will|we will|it (?:might|may|could|would)",
    "(?:i|we|you|they|he|she|someone) (?:might|may|could|should|would|was thinking|were thinking)",
    "(?:i'm|i am|we're|we are|i was|we were) (?:thinking|wondering|considering|planning|about"
    "|supposed|not sure|unsure|going(?= to (?!bed|sleep|work|school|town|lunch|dinner|the\\b)))",
    "(?:i|we) (?:plan|intend|hope|mean|aim|expect) (?:to|on)|i (?:haven't|have not) decided",
    "for example|for instance|whether|pretend|make believe|(?:i|we) (?:really |rather )?doubt",
    "(?:i'd|we'd|i would|we would) (?:suggest|propose|argue|recommend)",
    "(?:as|so) long as|subject to|depending on|conditional on|contingent (?:on|upon)|until then",
    "with [\\w' -]{1,30}?(?:permission|approval|consent|blessing|ok|okay)|in (?:future|theory)",
    "in (?:principle|an ideal world|a perfect world)|(?:the )?next time|from now on|who knows",
    "(?:for|just for) the sake of (?:argument|it)|picture this|soon",
    "would that|if only|like (?:hell|i|we|anyone|anybody)|as if|the (?:moment|day|minute) (?:i|we)",
)
EXCLAIMS = re.compile(
    r"(?:so |oh |but )*(?:what an? (?:[\w'-]+ )+?(?:to|that|it|we|this)\b"
    r"|how (?!long|many|much|far|often|soon|old|big|late|do|to|can|could|would|should|did|does)"
    r"[\w'-]+ (?:to|that|of (?:you|them|him|her|us))\b"
    r"|would that (?:i|we|they|he|she)\b|what an? [\w'-]+(?: [\w'-]+)?$"
    r"|(?:why|how|what|who) (?:on earth|the (?:hell|heck)|in the world)\b)"
)
"""Who begins like this cries out: `what a pain to close it`, `how silly to close it`."""
NEXT_TIME = re.compile(r"(?:the )?next time\b|until (?:then|further notice)\b")
"""What is to be done then is not asked for now."""
INVERTED_WISH = re.compile(r"(?:(?:were|was) i to|were (?:we|you|they|he|she) to)\b")
"""These suppose, whatever follows: `were I to close it`."""
INVERTED_HAD = re.compile(r"(?:had|were|should) [\w'-]+ ")
"""Before a comma and another clause these suppose: `had we closed it, …`."""
DONE_LEAD = re.compile(
    r"(?:(?:i|we|he|she|they|you|it|someone|somebody|who) )?"
    r"(?:(?:have|has|had|was|were|is|are|been|got|being|just|already|also|recently|finally|i've"
    r"|we've|they've|he's|she's|it's) )*"
)
"""What comes before a past form: `I have already …`, `WO-1042 was …`."""
PASSIVE_DONE = re.compile(r"\b(?:was|were|been|got|is already|already) (\w+)\b")

QUESTION_INSIDE = re.compile(
    r"\b(?:will|do|does|did|can|could|would|is|are|should|shall|may|am) (?:i|it|they|we|there|that"
    r"|my|the|he|she|any|some|this)\b"
)
"""An auxiliary before its subject, inside a clause: `if I use it there, will it cost more`."""
POINTER = re.compile(
    r"(?:please )?(?:see|read|look) (?:below|above|attached|the attached|here|this)"
)
TAG = re.compile(
    r"(?:right|correct|yes|no|ok|okay|true|or what|or not|huh|eh|(?:is|are|do|does|did|can|could"
    r"|will|would|have|has|was|were)(?:n't|nt)? (?:you|it|we|they|that|i|he|she)(?: not)?)"
)
"""A clause that turns the one before into a question: `you can close it, right?`"""
HAVING = word_set("have has had i've we've they've he's she's already")
"""Before any verb these say that it is done: `I have read it`."""
SAYING = word_set("said say says saying told tell asked wrote write typed")
"""Behind these stands what was told, and is not asked for here: `nobody said please close it`."""
POLITE_WORDS = frozenset({"please", "pls", "kindly", "plz"})
GREETINGS = word_set("hi hello hey")
AUXILIARIES = word_set(
    "is are was were am be been do does did has have had can could will would shall should "
    "may might must if whether why or"
)
WHAT = word_set("how what which who whose")
PRONOUNS = word_set("it that this them these those one please yet now")
HEDGES = word_set("please just also kindly quickly go ahead and now then")
SUBJECTS = word_set(
    "i we you he she they it somebody someone nobody everybody everyone anybody anyone people who "
    "others that this there i'm we're they're you're he's she's it's i've we've they've you've i'd "
    "we'd they'd he'd she'd you'd i'll we'll they'll he'll she'll you'll"
)
BEFORE_VERB = word_set(
    "to can could may might must shall should will would ought has have had do does did need needs "
    "i'll we'll they'll he'll she'll you'll i'd we'd gonna cannot always never usually normally "
    "often sometimes"
)
"""Right before a verb in its base form these make it part of a sentence, and no order."""
DETERMINERS = word_set(
    "the a an my our your his her their its this that these those all every each some any me us "
    "it them everything another both no"
)
COURTESY = POLITE_WORDS | word_set(
    "thanks thank you very much so cheers ta ok okay now asap urgently today right away quickly "
    "immediately again too also then and for me us a lot in advance would will could can bye great "
    "perfect cool good yes"
)
"""A clause of nothing but these adds nothing to what is asked."""
ASSENT = word_set("right yes yeah yep correct eh huh")
"""Asked behind an order, each asks whether it is to be: `close it, right?`."""
DO_THIS = word_set(
    "please do this these the following for me us can could would you i need to a an one another "
    "favour favor kindness solid big huge small quick"
)
"""All words of what only announces the request behind it: `please do the following: …`."""
BEFORE_GERUND = word_set(
    "am is are was were be been i'm we're you're they're he's she's it's of from by without hate "
    "love like enjoy regret mind finish finished start started keep keeps kept stop stopped "
    "consider suggest recommend avoid tired sick busy worth while after before"
)
NUMBERS = word_set("one two three four five six seven eight nine ten eleven twelve twenty fifty")
PARTICLES = word_set("up off out on in down away back over through")
FUNCTION_WORDS = (
    SUBJECTS
    | BEFORE_VERB
    | DETERMINERS
    | COURTESY
    | PRONOUNS
    | HEDGES
    | word_set(
        "of in on at by from with about as into onto off over under up down back away and or but "
        "if when then than not don't no is are was were be been am what which where why how there "
        "here any new next last old more most less own same other such only just even still yet "
        "ever what's where's how's who's when's why's whose who whom since during per between"
    )
)
"""Words of the grammar, which no catalogue has to know."""
NO_VERBS = GREETINGS | word_set(
    "let lets help after before yesterday today tomorrow during while because since until like "
    "maybe sorry good thats dont whats hows wheres whos theres im ive id ill youre as "
    "except without besides despite considering regarding concerning including plus minus what how "
    "when why be have whether whatever whenever wherever unfortunately nobody no not never almost "
    "nearly anything everything something nothing among between until except beyond within forgot "
    "against across around above below behind beside near via towards upon inside outside "
    "lost broke fell felt came went knew thought ran said told"
)
"""Words before `the` or `me` that begin a sentence and are no order."""


PREPOSITIONS = word_set("of for on in about from to with before after behind at by than without")
"""Between two names these say that one thing is meant by another one."""
TAKES_BACK = word_set(
    "wait stop undo strike ignore disregard oops sorry joke joking kidding jest testing"
)
"""Even in a reason for it these are said of the order: `because they are gone oops wrong chat`."""
TURNS = TAKES_BACK | word_set(
    "why how what who whom whose where when not no never none nobody nothing don't won't can't "
    "can could will would shall should might must let per according than "
    "hold hang forget already cancelled pending denied refused rejected vetoed forbidden "
    "needed necessary test maybe perhaps possibly without until mistake wrong only still instead "
    "probably supposedly unsure undecided guess think doubt myself ourselves yourself said says "
    "but except besides others rest"
)
"""Behind an order these ask about it, take it back, doubt it or tell of it, whatever the examples
hold them for: nothing of an order but what a value or the verb takes."""
TURNS_TOLD = TURNS | word_set(
    "first depends depend decide decides decision keep keeps kept wish wishes want wants ask asks "
    "one ones theirs slip tell tells telling told demand demands sign signs signature signatures "
    "signed agree agrees incomplete unless or if limit meant drill exercise"
)
"""In what is told behind an order these may be no reason for it: `it needs two signatures`."""
TURNS_IN_ORDER = TURNS | word_set("is are am was were does did you he she they or")
"""Without anything between, these begin another sentence, `close WO-1042 is that ok`, or leave
open which thing is meant."""
DATED = SURELY_TIMES | word_set(
    "tomorrow yesterday week weeks month months quarter year years season winter summer spring "
    "autumn"
)
"""A time that no slot took limits the order, or puts it off."""
SHARES = word_set("first second third fourth fifth sixth seventh eighth ninth tenth")
"""Before `of` these are a part: `a third of PO-2201`."""
HARMLESS = (
    SHARES
    | FUNCTION_WORDS - word_set("before after last other less")
    | word_set(
        "sir madam mate everyone team guys folks really straight finally completely fully entirely "
        "permanently properly formally officially soon possible today tonight moment minute second "
        "whole full entire itself behalf him her w number nr both"
    )
)


UNDOING = word_set(
    "undo cancel revert reverse revoke rescind withdraw annul void retract stop drop overturn"
)
"""What is done by these to the noun of a verb takes back what that verb does."""
_ENDINGS = ("ation", "ition", "ion", "ment", "al", "ure", "ance", "ing", "age")
_LEAST_STEM = 3


def verbs_of_noun(noun: str) -> Iterator[str]:
    """Guess of which verbs a noun may be made: `cancellation`, `approval`, `closure`."""
    word = singular(noun)
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _LEAST_STEM:
            continue
        yield stem
        yield f"{stem}e"
        yield f"{stem}ate"  # `activation`
        if stem[-1] == stem[-2]:
            yield stem[:-1]


def undone_noun(words: Sequence[str], base: str, place: int, end: int) -> int | None:
    """Find the noun that is undone, behind a verb that ends before `place`."""
    if base not in UNDOING:
        return None
    while place < end and words[place] in DETERMINERS:
        place += 1
    return place if place < end and next(verbs_of_noun(words[place]), None) else None
