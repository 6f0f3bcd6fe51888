"""The words that show what a clause does: ask, deny, wonder, suppose, tell, report as done.

All match at the start of a clause whose words are joined by single spaces; none can backtrack
far, and a text is at most 2,000 characters long.
"""

import re

from tools.routing.phrases import word_set


def _any(*alternatives: str, times: str = "", end: str = "(?: |$)") -> re.Pattern[str]:
    """Match one of the alternatives as whole words."""
    return re.compile(f"(?:(?:{'|'.join(alternatives)}){end}){times}")


LEAD = _any(
    "hey|hi|hello|ok|okay|so|well|now|please|pls|plz|kindly|and|then|also|but|just|yes|yeah|yep",
    "sure|alright|right|oh|um|uh|thanks|thank you|actually|quickly|quick|urgent|urgently|asap",
    "next|first|finally|instead|important|attention|action|good (?:morning|afternoon|evening)",
    "go ahead and|go ahead|be so kind as to|i said|i told you to|i asked you to|feel free to",
    "don't forget to|do not forget to|dont forget to|don't hesitate to|make sure to",
    "make sure you|be sure to|remember to|try to|try and|prefrontal|assistant|computer",
    "captain|chief",
    times="+",
)
"""What comes before the clause proper."""

REQUEST = _any(
    "(?:can|could|would|will) (?:you|u|ya)(?: (?:please|kindly|just|also|quickly|maybe))*"
    "(?: be able to| mind)?",
    "(?:i|we) (?:really |just |also )*(?:need|want|would like|would love|wish|gotta|have)"
    "(?: you)?(?: guys)? to",
    "(?:i'd|we'd) (?:really )?(?:like|love|need)(?: you)?(?: to)?",
    "(?:i'm|i am|we're|we are) (?:trying|looking|here|calling) to|i've got to",
    "(?:i|we) (?:really |just )*(?:need|want|require)|i would (?:like|love)|let's|let us",
    "you (?:can|may)(?: now| also| just)*(?! not\\b)",
    "help me(?: to)?|need you to|need to|want to|need|time to",
    "would be (?:great|nice|good) (?:if you could|to)",
)
NOT_TO = re.compile(r"(?:please )?(?:not|never)\b")
"""Behind a request: `can you not close it`."""

POLITE_IF = re.compile(
    r"(?:if|when|whenever) (?:possible|you (?:can|could|would|may|have|get|don't mind|please|like"
    r"|want)|it's (?:ok|okay|possible|not)|not too|that's (?:ok|okay))"
)
DENIED = re.compile(
    r"(?:(?:no|please|and|but|or|so) )*"
    r"(?:(?:you|we|they|he|she|nobody|no one|people|someone)(?: really)? )?"
    r"(?:do not|don't|dont|should not|shouldn't|shouldnt|must not|mustn't|never|cannot|can not"
    r"|may not|shall not|shan't|no need to|need not|needn't|not to|avoid|refrain from|let's not"
    r"|let us not|stop short of|under no circumstances|by no means|no longer)(?: |$)"
)
NO_COMMAND = re.compile(r"(?:know|have|see|think|understand|recall|remember|believe|worry|get)\b")
"""Behind a denial: an inability or an opinion, as in `don't know`, and no order."""
UNWANTED = re.compile(
    r"(?:i|we) (?:really )?(?:do not|don't|dont|wouldn't|would not|didn't|did not|won't|will not"
    r"|never) (?:want|need|like|wish|ask|mean|intend|said|asked|told|close|add|order)\b"
)
PASSIVE_DENIED = re.compile(
    r".{0,120}?\b(?:should|must|may|shall|can|is|are)(?: ?not|n't)(?: to)? be \w+(?:ed|en)\b"
)
FORGET_NOT = re.compile(r"(?:please )?(?:don't|do not|dont|never) forget\b")
FRAGMENT = re.compile(
    r"(?:(?:no|and|but) )*"
    r"(?:not|instead of|rather than|without|except|never ?mind|forget about)(?: |$)"
)
CANCEL = re.compile(
    r"(?:(?:no|oh|wait|sorry|actually|hold on|on second thought) )*(?:no|nope|wait|stop|don't|dont"
    r"|do not|never ?mind|cancel that|cancel it|forget (?:it|that|about it)|scratch that|hold on"
    r"|not yet|not now|leave it|better not|rather not)"
    r"(?: (?:yet|now|please|thanks|do (?:it|that)))*"
)
HOW = re.compile(
    r".{0,80}?\b(?:how (?:do|can|could|would|should|does|did|to|is|are)|what happens (?:if|when))\b"
)
ASKED = re.compile(
    r"(?:(?:and|so|but|ok|hey|hi|please) )*(?:(?:what|which|who|whom|whose|where|why|how)"
    r"(?:'s|'re)?|whats|hows|wheres|whos"
    r"|when (?:is|are|was|were|did|do|does|will|can|should|has|have)"
    r"|is|are|am|was|were|does|did|has|had|may|might|shall|should|isn't|aren't|wasn't|weren't"
    r"|doesn't|didn't|hasn't|haven't|hadn't|won't|wouldn't|couldn't|shouldn't|can't"
    r"|(?:do|have|can|could|will|would|must) (?:i|we|you|he|she|it|they|this|that|these|those"
    r"|there|any|all|some|anyone|someone|the|a|my|our))(?: |$)"
)
SUPPOSED = _any(
    "if|unless|once|suppose|supposing|assuming|imagine|in case|provided|what if|as soon as",
    "whenever|when|maybe|perhaps|possibly|thinking (?:of|about)|considering|eventually|someday",
    "should you|were (?:i|we) to|i wonder|i'll|we'll|i will|we will|it (?:might|may)",
    "(?:i|we|you|they|he|she|someone) (?:might|may|could|should|would|was thinking|were thinking)",
    "(?:i'm|i am|we're|we are|i was|we were) (?:thinking|wondering|considering|going|planning"
    "|about|supposed)",
)
TOLD = re.compile(
    r"(?!(?:i|you|please) )(?:[\w'-]+ ){1,4}?(?:said|says|told|tells|asked|wants|wanted|mentioned"
    r"|wrote|writes|suggested|suggests|claimed|claims|thought|thinks|texted|emailed|insisted"
    r"|insists|demanded|instructed|requested|recommends|recommended|states|reads|goes)\b"
    r"|(?:i was|i've been|i have been|we were|we've been|we have been) (?:told|asked|instructed)"
    r"|according to|apparently|allegedly|i heard|rumou?r has it"
)
DONE_LEAD = re.compile(
    r"(?:(?:i|we|he|she|they|you|it|someone|somebody|who) )?"
    r"(?:(?:have|has|had|was|were|is|are|been|got|being|just|already|also|recently|finally|i've"
    r"|we've|they've|he's|she's|it's) )*"
)
PASSIVE_DONE = re.compile(r"\b(?:was|were|been|got|is already|already) (\w+)\b")
"""What comes before a past form: `I have already …`, `WO-1042 was …`."""

HAVING = word_set("have has had i've we've they've he's she's already")
"""Before any verb these say that it is done: `I have read it`."""
POLITE_WORDS = frozenset({"please", "pls", "kindly"})
PRONOUNS = word_set("it that this them these those one please yet now")
HEDGES = word_set("please just also kindly quickly go")
DENYING = word_set("do not don't dont never no wait please you but")
