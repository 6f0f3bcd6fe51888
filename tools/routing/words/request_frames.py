"""How a request is framed before its verb, `can you …`, or before a thing: `have … closed`."""

import re

from tools.routing.words.phrases import word_set
from tools.routing.words.signs import any_of_words

NICE = word_set(
    "great nice good lovely helpful grateful glad happy wonderful obliged thankful delighted kind"
)
"""What it would be if you did it."""
_YOU_TO = "(?:you to|that you(?! not\\b))"
"""Behind a word for asking: `I ask you to …`, and no `I ask that you not …`."""
_HIGH_TIME = "(?:it's |it is )?(?:about |high )?time (?:we|i|you)"
REQUEST = any_of_words(
    "(?:i|we)(?:'d| would)?(?: really| just| kindly| also)* (?:have|need|like|love|want) to"
    f"(?: kindly)? (?:ask|beg|request) {_YOU_TO}",
    "(?:can|could|would|will) (?:you|u|ya)(?: (?:please|kindly|just|also|quickly|maybe|now"
    "|then|possibly|perhaps|simply|by any chance))*"
    "(?: be able to| mind| be so kind as to| be so good as to| go ahead and)?",
    "(?:i'd|i would|we'd|we would) (?:really )?(?:appreciate it|(?:like|love) it"
    "|be (?:much |very |most |so )?(?:grateful|obliged|thankful|glad|happy|delighted))"
    " if you (?:could|would|can)",
    "(?:i'm|i am|we're|we are) (?:going to|gonna) need(?: you)?(?: to)?|gonna need (?:you )?to",
    "(?:i'll|we'll|i will|we will)(?: also| just| probably)? need(?: you)?(?: to)?",
    "(?:can|could|would) (?:somebody|someone|anyone|anybody|one of you)(?: please| kindly| just)*",
    "(?:is there )?any (?:chance|way) (?:that )?(?:you|u) (?:could|can|might)(?: please| just)*",
    "(?:do you think|i wonder if|(?:(?:i|we) (?:was|were|am) |i'm |just )?wondering (?:if|whether))"
    " you could",
    "(?:i|we) (?:really |just |also |still |now )*(?:need|want|would like|would love|wish|gotta"
    "|have)(?: you)?(?: guys)?(?: all)? to",
    "(?:i'd|we'd) (?:really )?(?:like|love|need)(?: you)?(?: to)?",
    "(?:i'm|i am|we're|we are) (?:trying|looking|here|calling) to|i've got to",
    "(?:i|we) (?:really |just )*(?:need|want|require)|i would (?:like|love)",
    "(?:let's|lets|let us)(?: (?:just|now|also))*(?: go ahead and)?|go ahead and|go on and",
    "you (?:can|may)(?: now| also| just| please)*(?! not\\b)|you need to",
    r"(?:(?:do|would) you )?mind(?= [\w'-]+ing\b)",
    "help me(?: to)?|let me|need you to|need to|want to|need|time to",
    "(?:it |that )?would be (?:great|nice|good|lovely|helpful) if you could",
    "would it be possible (?:for you )?to",
    "why don't (?:you|we)|why not",
    "do (?:me|us) (?:the|a) (?:kindness|favou?r|courtesy|service|honou?r|solid|good turn)"
    " (?:of|and|to)",
    "(?:may|might|can|could|must) i(?: please| kindly| just)?"
    " (?:(?:ask|trouble|bother|beg|get) you to|ask that you(?! not\\b))",
    "i(?:'d| would| must)?(?: kindly| also| just)? (?:ask|beg) you to",
    f"(?:(?:i |we )?(?:kindly |hereby ))?(?:request|ask|beg) {_YOU_TO}",
    f"(?:kindly |hereby )?(?:requesting|asking) {_YOU_TO}",
    "(?:i|we)(?:'d| would) (?:really |much )?appreciate (?:you|your)(?= [\\w'-]+ing\\b)",
    "in advance for(?= [\\w'-]+ing\\b)",
    "(?:i'm|i am|we're|we are) (?:counting|relying) on you to",
    "(?:it's|it is)(?: now| about| high)* time to",
    "if you (?:could|would|can)(?: please| just| kindly)*(?= .+ (?:it|that)(?: would|'d) be"
    f" (?:so |very |really |most )?(?:{'|'.join(sorted(NICE))})(?: |$))",
    "(?:it'd|it would) be (?:very |so |really )?(?:nice|kind|good|great|lovely|sweet) of you to",
    r"(?:is there |there's )?any chance of(?= [\w'-]+ing\b)|(?:is there )?any chance you(?:'d)?",
    _HIGH_TIME,
    "(?:what|all) (?:i|we)(?:'d| would)?(?: really| just)? (?:need|want|like|ask)(?: now)? is"
    "(?: for you)? to",
    "(?:i|we) (?:just )?wanted to ask (?:you to|(?:if|whether) you (?:could|would))",
    r"(?:proceed with|(?:start|begin)(?: off)? (?:by|with)|go ahead with)(?= [\w'-]+ing\b)",
    "(?:you(?: had|'d)? )?better(?! not\\b)",
    "(?:i'm|i am|we're|we are|i was|we were)(?: really| just| kindly)? (?:hoping(?: that)? you"
    " (?:could|can|would|will|might)"
    "|(?:asking|begging) you to|requesting that you(?! not\\b))",
    "(?:it is|it's)(?: really| very| absolutely| now)* (?:necessary|important|essential|imperative"
    "|vital|crucial|urgent|required) (?:that (?:you|we)|for you to)"
    "(?= (?!not\\b|don't\\b|never\\b))",
    "(?:i|we) (?:must )?(?:request|insist|demand|ask)(?: that)? you"
    "(?= (?!not\\b|don't\\b))(?: to)?",
    "(?:my|our) (?:request|wish|order|ask|instruction) (?:is|was|would be)"
    " (?:to|that you|for you to)",
    "(?:your|the) (?:task|job|order)(?: now)? (?:is|would be) to",
    "(?:i'm|i am|we're|we are)(?: currently| still| also| now)?"
    r"(?= (?:looking|searching) (?:for|up)\b)",
)
"""Before a verb; as all of these it matches at the start of a clause whose words are joined by
single spaces."""
HIGH_TIME = re.compile(f"{_HIGH_TIME} ")
"""That of REQUEST which, before a past form, asks for it now: `time we closed it`."""
ANNOUNCES = re.compile(
    r"(?:start|begin|proceed|go ahead|go on|(?:about |high )?time|it's|it is|what|all)\b"
)
"""Those of REQUEST that tell what is next; a mark behind them asks whether it is."""
CAUSES = re.compile(
    r"(?:(?P<tells>(?:i|we)(?:'d| would)?(?: really| just| also)* (?:need|want|like|love)"
    r"(?: to (?:have|get|(?P<see>see)))?|have|get|want|need|would like(?: to have)?"
    r"|(?:it's )?time to (?:get|have))"
    r"|(?P<may>(?:can|could|may) (?:i|we) (?:please )?(?:get|have))"
    r"|(?:can|could|would|will) you (?:please |kindly )?(?:get|have)|let's (?:get|have)"
    r"|(?:how|what) about (?:getting|having)) "
)
"""Before a thing and what is to be done to it. A mark behind those that tell asks something else:
`have that closed?`. `See` and `may` ask to be shown what is described, too: `can I have the list of
papers marked to read`."""
ENSURES = re.compile(
    r"(?P<asks>(?:can|could|would|will) you (?:please |kindly )?(?!see that (?!.* gets? )))?"
    r"(?:see to it (?:that )?|see that |make (?:very |quite )?sure (?:that )?|ensure (?:that )?"
    r"|take care (?:that )?|let (?=.+ be ))(?!to\b)"
)
"""Before a sentence that is to become true: `make sure that it is closed`. A mark behind one that
asks us to is polite; `can you see that it is closed` asks whether we see it."""
FRAME_WORDS = word_set(
    "get gets got be been have has need needs want wants make sure ensure see let let's still "
    "really ready waiting due was were hoping asking requesting wondering i'm i'd we'd we're am "
    "like start begin proceed go ahead by"
)
"""What of all these is no value: `get P-3 tagged nlp`, `start by tagging it nlp`."""
