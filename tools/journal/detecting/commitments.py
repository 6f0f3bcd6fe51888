"""Words that choose: "we decided to …", "we're dropping …", "from now on …"."""

import re

_WHO = (
    r"(?:we|us|team|group|wg|committee|everyone|everybody|board|council|all|management|leadership"
    r"|trustees|members|maintainers|reviewers|directors|panel|jury|assembly|conference|meeting"
    r"|majority|partners|shareholders|governors|society|club)"
)
_CHANGES = (
    r"adopt|cancel|cut|delay|delete|deprecate|descope|disable|drop|enable|end|extend|freeze|hire"
    r"|merge|migrate (?:to|from|off)|pause|pick|postpone|proceed|publish|refund|reject|remove"
    r"|rename|renew|rent|replace|retire|roll back|ship|skip|split|standardi[sz]e|suspend|support"
    r"|switch|buy|stop (?!by|for|here)"
)
_STAYS = (
    r"keep (?!\w+ing\b|you|an eye|in (?:mind|touch)|going|track|up|on)|stay (?:on|with|at)|stick"
    r" (?:with|to)"
    r"|go (?:with|for|ahead)|move (?:it |that |this |\S+ \S+ )?to|take (?!a (?:look|break)|notes"
    r"|care|turns|over|it from)"
    r"|use|run (?!late|out|into|through)"
)
_CHANGING = (
    r"(?:not )?accepting|adopting|cancelling|canceling|cutting|delaying|deleting|deprecating"
    r"|descoping|disabling"
    r"|dropping|enabling|ending|extending|freezing|keeping (?!you|an eye|track|up|in)|killing"
    r"|merging|migrating (?:to|off|from)|moving (?:to|off|from)|pausing|postponing|pulling"
    r"|removing|renaming|renewing|renting|replacing|retiring|rolling back|skipping|splitting"
    r"|staying (?:on|with)|suspending|switching|not (?:shipping|supporting|buying|doing)"
)
_LEAD = r"(?:ok(?:ay)?|alright|all right|right|great|good|cool|fine|perfect|sold|done|yes)"
COMMITS = re.compile(
    r"\b(?:i(?:'ve| have|'m| am)?(?: just| now| finally)? (?:decided (?!improvement)|going with"
    r"|picking)"
    rf"|{_WHO}"
    r"(?:'ve|'re|'ll| have| has| had| are| is| will| all| both| just| now| finally| therefore"
    r"| hereby| then| unanimously| also)*"
    r" (?:decided?|decides|agreed|agrees?(?: (?:to|on|that))|chose|chosen|choose"
    r"|settled?(?: on| the| this| that| it)|resolved?|resolves"
    r"|opted?(?: for)?|picked|selected|voted (?:\d+\W+(?:to |)\d+ |unanimously )?(?:to|for|in"
    r"|against)"
    r"|concluded|approved?|approves|adopted?|accept(?:ed|s)|declined?s?|rejected|ratified|endorsed"
    r"|authori[sz]ed|made up (?:our|their) minds?"
    r"|adopting|going with|going to go with|go with|going for|sticking (?:with|to)"
    r"|stick (?:with|to)|standardi[sz](?:e|ed|ing) on|switch(?:ing)? to|moving to)"
    r"|let's (?:just |then |all )?(?:go with|go for|use|stick (?:with|to)|settle on"
    r"|adopt|move to|switch to|standardi[sz]e on"
    r"|take (?!a\b|five|care|notes|turns|(?:it|this|that) (?:offline|from)))"
    r"|(?:it|this|that) (?:was|is|has been) (?:decided|agreed|resolved)|(?:decision|consensus)"
    r"(?: in the [\w ]{2,30})? (?:is|was) (?:to|that)"
    r"|the winner is|we will use|we'll use|we are using from now on|from now on,? we)\b"
    r"|^\W*+(?:(?!it\b|it's|i'm|is\b|they|he\b|she\b|you|who|he's|she's)\w+(?:'\w+)?\W+){0,8}?"
    r"going with (?!the (?:kids|flow)|my |you|him|her|them|friends)\b",
    re.IGNORECASE,
)
"""Says that something is chosen; what stands around it tells whether it is so now."""
PLANS = re.compile(
    rf"\bwe(?:'re| are)(?: (?:all|now|also|therefore))*(?: not| no longer)? (?:going to|gonna)"
    rf" (?:{_CHANGES}|{_STAYS})\b"
    rf"|\bwe(?:'ll| will| shall| won't)(?: (?:all|now|also|therefore|not|no longer|then))*"
    rf" (?:{_CHANGES}|{_STAYS})\b"
    r"|\b(?:is|are) (?:now |hereby |therefore )?(?:cancell?ed|called off|dropped|postponed"
    r"|discontinued"
    r"|off the table)\b(?! (?:when|if|by|on|from|into|out|to the)\b)"
    rf"|\bwe(?:'re| are)(?: (?:all|now|also|therefore|hereby))* (?:{_CHANGING})"
    rf"|\b(?!all\b|us\b){_WHO} (?:will|shall)(?: not)? (?:pursue|{_CHANGES}|{_STAYS})\b"
    rf"|^\W*(?:(?:so|then|well)\W+)*(?:{_LEAD}\b\W+)+(?:(?:so|then)\W+)*(?:we|it)(?: (?:all|just"
    rf"|will))* (?:{_CHANGES}|{_STAYS})\b",
    re.IGNORECASE,
)
"""Says what will be done otherwise from here on, as settled."""
NARRATES = re.compile(
    r"\b(?:here|each|every time|this (?:change|function|line|test|code|loop|method|patch|diff))\b",
    re.IGNORECASE,
)
"""Tells what a program does, not what people will do."""
RULES = re.compile(
    r"^\W*(?:from now on|going forward|henceforth|with immediate effect|effective (?:immediately"
    r"|from|\d)"
    r"|from (?:next|this) (?:sprint|week|month|quarter|year|season|release))\b"
    r"|^\W*(?!i\b)(?:\w+\W+){4,}(?:from now on|going forward|with immediate effect|until further"
    r" notice)\W*$",
    re.IGNORECASE,
)
"""Lays down what holds from a time on."""
ANNOUNCES = re.compile(
    r"\b(?:(?:happy|pleased|glad|writing) to (?:confirm|announce|inform|let you know|tell)"
    r"|this is to (?:let you know|inform|confirm)|(?:to|let me) (?:confirm|announce)\b)",
    re.IGNORECASE,
)
"""Tells formally what was settled: then who is spoken to says nothing against it."""
GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|thanks|thank"
    r" you)\b[^,.!?\n]{0,60}[,.!\n]\s*",
    re.IGNORECASE,
)
TAKES = re.compile(
    r"^\W*(?:after [^,]{2,40}, )?(?:(?:ok(?:ay)?|alright|all right|right(?! now)|great|good|cool"
    r"|fine|perfect|sold|done"
    r"|agreed|yes|yeah|yep|nice|then|so)\b\W*)+(?=\S)",
    re.IGNORECASE,
)
"""Begins by taking what was offered; the words after it say what."""
PICKS = re.compile(
    r"^\W*+(?:we(?:'ll| will)? (?:take|go with|use) )?[^\s?,.]++(?: [^\s?,.]++){0,2}? (?:then|it"
    r" is(?: then)?)(?:\W*$|\s*[,;.!]\s)"
    r"|^\W*+(?:let's (?:take|do|use)|we(?:'ll)? take|i(?:'ll| will) (?:go with|take))\s+\S+",
    re.IGNORECASE,
)
"""Names one of what was offered: "Vite then"."""
DOES_IT = re.compile(
    r"^\W*(?:\w+ing|do(?:ing)?|i'll \w+|we(?:'ll)? \w+) (?:it|that|this|them)\b", re.IGNORECASE
)
"""Goes and does what was proposed: "dropping it"."""
