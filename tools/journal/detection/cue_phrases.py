"""Cue phrases of deciding, as compiled patterns.

Commitments, plans and rules state a decision; proposals, assents, objections and closings
mark the course of a discussion; hedges, questions and reports decide nothing.
"""

import re

_FLAGS = re.IGNORECASE


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, _FLAGS)


MARKED_DECISION = _pattern(
    r"^[^\w>|\n]*+(?:(?:resolved|resolution|decision|decided|agreed|approved|conclusion|outcome)"
    r"(?:\s+(?:unanimously|by consensus|(?:no\.? ?)?\d[\d/.-]*))?\s*(?::|->|=>)\s*"
    r"|(?:\w[\w' ]{0,19}[.!] )?(?:(?!no\b|any\b|open\b|pending\b|which\b|last\b|old\b|earlier\b"
    r"|previous\b|their\b"
    r"|what\w*\b|if\b|not\b|need\w*\b|possible\b)\w[\w'-]*,?\s+){0,4}"
    r"(?:decision|outcome|conclusion|verdict|final call|ruling)"
    r"(?:\s+(?:on|for|about|after|from|of|regarding|re|today|so far)\b[^:.?!\n]{0,40})?:\s*"
    r"|(?-i:AGREED|RESOLVED|DECIDED)\s+(?:that\s+|to\s+)?)(?!(?:unknown|pending|tbd|tba|open|none"
    r"|not yet|still|to be)\b)"
    r"(?P<what>\S.*)"
)
"""RESOLVED: and its like, with what was resolved behind it; "outcome of the review: …" too."""
MARKED_PROPOSAL = _pattern(
    r"^[^\w>|\n]*(?:(?:draft|proposed|straw(?: man)?|counter)[ -]*)?"
    r"(?:proposed|proposal|proposition|motion|suggestion|prop|strawpoll|poll|resolution proposal)"
    r"(?: \d+| #\d+)?\s*(?::|->|=>)\s*(?P<what>\S.*)"
)
PROPOSES = _pattern(
    r"\b(?:(?:i|we)(?:'d| would|'ll)? (?:like to |hereby |therefore |also )?"
    r"(?:propose|proposing|suggest|move|recommend)|my (?:proposal|suggestion|recommendation)"
    r"|(?:how|what) about|should we|shall we|could we|can we|why don't we|maybe we|perhaps we"
    r"|i think we (?:should|could|can)|we (?:should|could|ought to|might)"
    r"|i(?:'d| would)(?: rather| prefer to)? (?:go with|say|vote|have|keep|use|take|drop|pick"
    r"|choose"
    r"|leave|suggest|recommend|like to (?!ask|know|hear|see|thank|say|add|understand|point))|i"
    r" vote|let's|let us|lets"
    r"|propos(?:al is|ed closing)|proposes|ready to (?:merge|close)|(?:any )?thoughts (?:on|about)"
    r"|what do (?:you|we|people) think (?:of|about)|(?:are we(?: all)?|everyone|everybody|you"
    r" all) (?:ok|okay|fine|good|happy|cool) with"
    r"|do we (?:postpone|keep|use|drop|move|take|cancel|skip|go|switch|close|merge|buy|rent"
    r"|split))\b"
)
"""A proposal in ordinary words; some of it also decides, which the words after it tell."""
OPEN_IF = _pattern(r"\b(?:if|once|when|unless) (?:we|i|you|they)\b[^.!?\n]*$")
"""Up to a proposal: it hangs on what people have still to decide."""
VOTE_FOR = _pattern(
    r"^\W*(?:\+\s?(?:1\d?|one)\b|:\+1:|:thumbsup:|\U0001f44d"
    r"|(?:(?:in that case|then|so|ok(?:ay)?|yes|yep|yeah|sure)\W+){1,2}\+1(?=\W*$))"
)
VOTE_AGAINST = _pattern(r"^\W*(?:[-−–]\s?(?:1|one|0?\.\d+)\b|:-1:|\U0001f44e|veto\b)")
VOTE_NEUTRAL = _pattern(r"^\W*(?:[+-]?0(?!\S)|\+?0?\.\d+(?=\W*$)|abstain\b)")
ASSENTS = _pattern(
    r"^\W*(?:(?:ok|okay|yes|yep|yeah|sure|right|great|good|perfect|fine)\W+)*"
    r"(?:ok(?:ay)?(?: (?:with|by) me)?|yes|yep|yeah|sure|agree|i agree|we agree|agreed|aye|lgtm"
    r"|works for me|fine (?:by|with) me|fine(?=\W*$)|i'm (?:fine|ok|good|happy) with (?:it|that"
    r"|this)"
    r"|sounds good"
    r"|(?:looks|sounds) (?:good|fine|right|great)(?: to me)?|that works|let's do (?:it|that|this)"
    r"|seconded?|second that|i can live with (?:it|that)|in favou?r|no objections?|no concerns"
    r"|go (?:ahead|for it)|do it|make it so|ship it|approved|done|deal|perfect|absolutely"
    r"|support(?=\W*$)|\+1)\b"
)
"""Said of what somebody else proposed."""
ACCEPTS = _pattern(
    r"^\W*(?:(?:ok|okay|yes|yep|yeah|sure|right|great|good|perfect|fine|well|then)\W+)*"
    r"(?:agreed|we agree|(?:i )?second(?:ed)?|let's do (?:it|that|this)|make it so|ship it"
    r"|go for it"
    r"|go ahead|do it|approved|deal|done|no objections?|works for me|that works|sold|aye"
    r"|let's go(?:!|$)|i'm (?:in|on board)|settled)\b(?!\s*(?:that|to disagree|upon))"
)
"""Takes what somebody else proposed, in words that leave no doubt."""
TURNS = _pattern(r"\b(?:but|however|although|though|except|unless|only if|not sure|depends)\b")
SETTLES = _pattern(
    r"\b(?:so (?:agreed|decided|resolved)|make it so(?!\s+\w)|let's do (?:it|that|this)|ship it"
    r"|(?:hearing|seeing|hear|see) (?:none|no (?:objections?|opposition|dissent))"
    r"|no objections?(?: heard| raised)?|none (?:expressed|heard)|objections\? none"
    r"|(?:we have|there is|there's|i see|i hear|achieved|reached|seeing|sounds like) (?:a )?"
    r"(?:consensus|agreement|unanimity)|(?:unanimous"
    r"|motion (?:is )?(?:passes|passed|carries|carried))"
    r"|it's (?:decided|settled|agreed|a deal)|that's (?:decided|settled|agreed|final|carried"
    r"|passed)"
    r"|settled then|final answer|decision made|(?:consider|call) (?:it|that|this) (?:done|decided)"
    r"|(?:we've|we have) (?:a|made a|our) decision|go ahead and (?:do|merge|publish|ship|order"
    r"|book)|closing (?:this |it )?as (?:won't fix|wontfix|not planned|rejected|accepted"
    r"|invalid))\b"
    r"|(?:^|[.,;:–-]\s*)final[.!]*\s*$|(?:^|[.!;,:–-]\s*)(?:so )?(?:decided|settled)[.!]*\s*$"
    r"|^\W*(?:ok(?:ay)?|good|great|right|fine)\W+(?:adopted|carried|passed|accepted)(?:[.!,;]|$)"
)
"""Closes a question, in words of its own."""
SETTLED_ON = _pattern(r"\b(?:agreed|settled|sold|done|decided)\b")
CHOICE = _pattern(r"\b\S+ or \S+.*\?")
"""Asks which of two."""
BIDS = _pattern(r"\bgo ahead and\b")
"""Settles it and says what to do: as much an order as a yes."""
PASSED = _pattern(
    r"\b(?:minutes|meeting|agenda|report|budget|motion|proposal|draft|charter|amendment"
    r"|pull request|patch|adr|rfc|accounts|by-?laws|offer|quote|bid"
    r"|resolution)\b[^.?!]{0,60}?\b(?:(?:is|are|was|were|be|has been|have been)\s+)?"
    r"(?<!not )(?:approved|accepted|adopted|(?<!minutes have )passed|ratified|confirmed)\b"
    r"|\b(?:motion|proposal|resolution|amendment)\b[^.?!]{0,40}\bcarried\b"
)
_WELL = r"(?:ok(?:ay)?|alright|all right|right|so|then|great|good|cool|well|fine)\b"
IT_IS = _pattern(
    rf"^\W*+(?:{_WELL}\W++)*(?!{_WELL}\W)"
    r"(?!(?:\S+\s+)*?(?:yes|no|so|as|like|here|there|what|how|that|think|know|see|say|if|because"
    r"|maybe"
    r"|guess|where|which|who|when|hope|sure|believe|than)\s+it\b)"
    r"\w[^\s?]*+(?:\s+[^\s?]++){0,3}\s+(?:(?:it is|it shall be)(?: then)?(?:\W*$|\s*[,;:!.–—-]\s)"
    r"|wins\b(?!\s+(?:by|when|if)))"
)
"""Names the winner: "the ferry it is"."""
ASKS_FOR_DISSENT = _pattern(
    r"\b(?:objections?|oppos\w+|dissent|comments?|concerns?|corrections?"
    r"|disagree\w*)\b[^.!]{0,40}\?"
    r"|\b(?:any|anyone|anybody|if (?:there(?:'s| is| are) |we have )?no|call(?:ing)? for"
    r"|silence (?:is|=+|means))\b[^.?!]{0,30}"
    r"\b(?:objects?|objections?|oppos\w+|consent|approval|against|comments?|concerns?)\b"
    r"|\b(?:can|may|shall) (?:i|we) take (?:that|this|it) as (?:agreed|settled|read|a yes)\b"
    r"|\b(?:all|everyone|everybody|are we|ok(?:ay)?)\b[^.!]{0,30}\b(?:agree(?:d|ment)?"
    r"|in favou?r|ok(?:ay)?"
    r"|with (?:it|that|this)|to (?:close|merge|accept|approve|publish))\b[^.!]{0,20}\?"
)
"""A chair makes sure before closing."""
CALLS_FOR_WORDS = _pattern(
    r"\b(?:(?:need|want|have|record(?:ed)? (?:that |it )?as|make|call for|draft|take|get|get to)"
    r" (?:a |an |the |some )?(?:formal |new |official )?(?:resolution|vote|decision|consensus)"
    r"|let's (?:vote|propose|write)|(?:we )?(?:can|should|could) (?:we )?vote|ready to vote"
    r"|(?:new|the|my|a|another|next) (?:proposal|resolution|motion) (?:is|would be|could be|should)"
    r"|(?:call|put) (?:it|that|this) to (?:a |the )?vote)\b"
)
"""What is said next is put to the vote: it decides nothing yet."""
OPENS = _pattern(
    r"^\W*(?:(?:ok(?:ay)?|alright|all right|right|so|and|then|now|good|great)\b\W*)*"
    r"(?:(?:our |the )?next(?: (?:item|topic|issue|point|question|one|agenda item|in line))*"
    r"(?: (?:is|are|up|on)\b|\W*[:#])"
    r"|(?:moving|let's move|we move|let us move) on to\b|(?:sub)?topic\W*[:#])"
)
"""Turns to the next matter: what it names is still to be talked about."""
GROUP_STATES = _pattern(
    r"^\W*(?:the )?(?:wg|group|team|board|council|committee|working group|cg|tf|we)"
    r" (?:hereby )?(?:decides?|approves?|agrees?|accepts?|adopts?|resolves?|endorses?)\b"
)
"""How a resolution is worded, and before it the proposal: votes tell which of them it is."""
NAMES_ISSUE = _pattern(r"(?:#|\b(?:issues?|tickets?|prs?|pull requests?|bugs?) )\s*#?\d+")
ASKS_TO_CLOSE = _pattern(
    r"\b(?:clos(?:e|ed|ing)|merg(?:e|ed|ing)|resolv(?:e|ed|ing)|resolution|approv(?:e|al|ing)"
    r"|obsolete|covered (?:in|by)|no longer relevant|move on|consensus|agreement)\b"
)
DENIES = _pattern(
    r"\b(?:haven't|have not|hasn't|has not|didn't|did not|don't|do not|not yet|never|no one|nobody"
    r"|nothing(?: is| was|'s)?|no|undecided|without|isn't|wasn't|is not|was not|cannot|can't)"
    r"(?: \w+){0,3} (?:decid\w+|decision|agree\w*|consensus|chosen|chose|settled|resolved"
    r"|resolution"
    r"|approved|picked)\b|\bdisagree\b|\bnot agreed\b|\bundecided\b"
)
SUPPOSES = _pattern(
    r"\b(?:if (?:we|i|they|you|it|that|the|there|everyone|nobody)|once (?:we|it|that|the)|unless"
    r"|until (?:we|it)|whether|what if|suppose|assuming|imagine|in case|when we (?:decide|agree)"
    r"|to be decided|tbd|status:? (?:is )?(?:proposed|draft|open|pending)|would have|had we|were"
    r" we to|might|may have to|could have|not sure"
    r"|still (?:deciding|discussing|thinking|open|to decide)|need(?:s)? to (?:decide|agree|choose)"
    r"|have to (?:decide|agree|choose)|has to (?:decide|agree)|going to (?:decide|agree)"
    r"|will (?:decide|discuss|choose|vote|agree)|'ll (?:decide|discuss|choose|vote|agree)"
    r"|trying to (?:decide|choose)|want(?:s)? to (?:decide|discuss)|can(?:'t)? (?:decide|agree))\b"
)
HEDGES = _pattern(
    r"\b(?:maybe|perhaps|i think|i guess|i believe|i suppose|in my opinion|imo|imho|personally"
    r"|i would|i'd|i wonder|probably|seems?|sounds like|kind of|sort of|somewhat|tend to|leaning"
    r"|lean towards?|i'm (?:not )?(?:sure|thinking|inclined)|possibly|my (?:view|take"
    r"|preference))\b"
)
UNSURE = _pattern(r"^\W*(?:maybe|perhaps|possibly|i (?:propose|suggest|guess|suppose|wonder))\b")
RECALLS = _pattern(
    r"\b(?:last (?:week|month|year|time|meeting|sprint|quarter|spring|summer|autumn|fall|winter)"
    r"|yesterday|previously|earlier|back (?:in|when|then)|a (?:while|year|month|week) ago"
    r"|(?:days?|weeks?|months?|years?) ago|already (?:decided|agreed|resolved|chose)"
    r"|as (?:we )?(?:decided|agreed|discussed)|when we (?:decided|agreed|chose)"
    r"|(?:before|after|since) we|used to|at the time|had (?:decided|agreed|resolved|been"
    r" (?:approved|accepted|adopted|decided|agreed))"
    r"|remember (?:that|when)|in (?:19|20)\d\d"
    r"|(?:why|when|how) (?:did|have) (?:we|you|they)"
    r"|the (?:decision|resolution) (?:we|that|from|of|was|to)|(?:they|he|she) (?:decided"
    r"|agreed|chose))\b"
)
ASKS = re.compile(r"\?\s*(?:$|[)\"'”])")
ASKS_AT_ALL = _pattern(
    r"^\W*(?:(?:and|so|but|ok|well)\W+)*(?:why|what|when|where|who|which|how|did|do|does|is|are|was"
    r"|were|have|has|had|can|could|should|shall|would|will|may|any|anyone)\b.*\?"
    r"|^\W*(?:are|is|was|were|do|does|did|have|has|should|shall|could|would|can|may)"
    r" (?:we|i|you|they|it|there|that|this|anyone|everyone)\b(?<!do it)(?<!do that)(?<!do this)"
    r"|^\W*(?:(?:and|so|but|ok)\W+)*(?:what|which|why|how|when|where|who) (?:did|do|does|should"
    r"|would|will|can)\b"
)
INNER_QUOTE = re.compile(r"[\"“][^\"“”]{1,200}[\"”]")
"""Words that are cited in the middle of a sentence are not said by the speaker."""
QUOTED = re.compile(r"^\s*(?:>|```|~~~|\|\s)|^\s{4,}\S")
FIRST_PERSON = _pattern(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine)\b")
LINK_ALONE = re.compile(r"^\W*(?:see |cf\.? )?https?://\S+\W*$", _FLAGS)
WILL = _pattern(
    r"\b(?:will|shall|must|is to|are to|can be|may be)\b|^\W*\w+(?: \w+)? to (?:review|merge|write"
    r"|open|draft|send|update|check|prepare|contact|follow|move|publish|close|take|add|create|do)\b"
)


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
