"""Cues of polarity in English: patterns that deny, end or practise what a clause names.

Each is matched in the clause of a word: before it (`$`), behind it (`^`), or the whole clause.
"""

import re

JOINT = re.compile(
    r"[.!?](?=\s|$)|[;\n\]\[()]|:(?!\d)|,(?!\d)|\s[-–—|]+\s"  # as they are written
    r"|\b(?:and|but|however|though|although|while|when|where|which|who|because|since|after|before"
    r"|until|till|unless|if|whether|so|yet(?! to\b)|then)\b"
)
ENDS_SENTENCE = frozenset(".!?\n")
LABELS = frozenset(":]-–—|")  # dashes as they are written
CLOSERS = frozenset(")]")

AUX = (
    r"(?:(?:is|are|was|were|has|have|had|been|be|being|got|gets|now|all|also|fully|completely"
    r"|entirely|just|already|successfully|automatically|manually|finally|since|safely|again"
    r"|quickly|meanwhile|both|it|they|status|state)\s+|(?:'s|'re|'ve)\s+)"
)
STRONG = (
    r"(?:resolved|cleared|recovered|extinguished|quenched|doused|repaired|rectified|remedied"
    r"|sealed|patched|solved|averted|avoided|prevented|dismissed|cancell?ed|withdrawn|lifted"
    r"|disarmed|defused|neutrali[sz]ed|eliminated|stood down|put out|ruled out|repelled"
    r"|called off|went out|back to normal|back online|up again|back up|in order again"
    r"|normal again|(?:returned|restored) to (?:normal|service)|(?:a )?false (?:alarm|positive)"
    r"|no more|any ?more|no longer (?:there|present|active|detected|valid|an issue|a problem)"
    r"|(?:changed|switched|went|turned|returned)(?: from \w+)? to (?:off|clear|ok|normal|closed"
    r"|dry|false|idle|0))"
)
WEAK = (
    r"(?:stopped|ended|over|gone|out(?! (?:in|on|at|there|here)\b)|off|fixed|closed|passed(?=\s*$)"
    r"|clear|normal|ok|okay|done|fine|killed|slain|defeated|vanquished|absent|negative|zero|none"
    r"|nil|finished|subsided|receded|abated|ebbed|died down|dissipated|dry|false|restored|safe"
    r"|inactive|history|fake"
    r"|(?:an? )?(?:hoax|prank|joke|mistake|misunderstanding))"
)
"""These end something only behind an auxiliary, or right behind its name."""
TAIL = (
    r"(?=\s*$|\s+(?:by|at|on|in|for|with|from|under|now|again|already|today|yesterday|since|as"
    r"|completely|fully|successfully|safely|itself|there|here|manually|automatically"
    r"|\d{1,2}[:.]\d\d)\b)"
)
"""What may follow a passive; behind a transitive verb stands its object."""
SPEAKS_OF_IT = re.compile(
    rf"\b(?:{STRONG}|{WEAK}|no|not|none|never|nobody|cannot|without|nothing|zero)\b|n't"
)
RESERVED = re.compile(
    r"n't\b|\b(?:not|no|none|never|nobody|cannot|cant|can|could|should|must|need|needs|to|try"
    r"|tries|trying|tried|fail|fails|failed|failing|unable|will|would|may|might|shall|please|being"
    r"|only|hardly|barely|almost|nearly|partly|partially|half|yet|far|nothing|neither|nor|un)\b"
)
ATTRIBUTIVE = re.compile(
    r"\b(?:the|a|an|our|my|his|her|its|their|that|this|of|in|from|at|by|with|near|to|into|on"
    r"|breaks?|broke|breaking|com(?:es?|ing)|pour(?:s|ing)?|leak(?:s|ing)?)\s+$"
)
ENDS = re.compile(rf"(?<![\w-])(?:(?P<strong>{STRONG})|(?P<aux>{AUX}+)?(?P<weak>{WEAK})){TAIL}")
KIND = r"(?:\s+(?:alarm|alert|warning|error|problem|condition|sensor|call|event)s?)?"
PLACE = r"(?:\s+(?:in|at|on|of|under|behind|near|from)(?:\s+the)?\s+[\w-]+(?:\s+[\w-]+)?)?"
DIRECTLY = re.compile(rf"^{KIND}{PLACE}\s*$")
BARRIER = (
    r"(?:from|to|for|with|by|on|in|at|into|near|over|under|of|than|as|is|are|was|were|be|has"
    r"|have|had|does|do|did|can|could|will|would|may|might|must|should|one|body|longer|matter"
    r"|doubt|warning|way|wonder|idea|sooner|fewer|less|only|just|even|time|but|that|there|left"
    r"|response|answer|reply|contact|access|help|communication|escape|exit|you|we|they|it|i|he|she)\b"
)
ENDED_IT = re.compile(
    r"(?<![\w-])(?:(?P<end>resolved|cleared|extinguished|put out|fixed|repaired|solved|stopped"
    r"|averted|avoided|prevented|defused|neutrali[sz]ed|eliminated|ended|killed|slain|defeated"
    r"|vanquished|recovered from)|(?:you|we|i) (?:have )?(?:evaded|escaped|survived))"
    r"(?:\s+(?:the|a|an|all|that|this|both|every|your|our|their|\d+)"
    rf"(?:\s+(?!{BARRIER})[\w-]+){{0,2}})?\s+$"
)
"""Its object is what is named next: `extinguished the fire`, `you killed the creeper`."""
CLOSES = re.compile(
    rf"\W*(?:(?:it|this|that|these|everything|situation|incident|issue|problem)\s+)?{AUX}*"
    rf"(?:{STRONG}|(?:now |was |is |all |{AUX}+){WEAK}|all clear|none(?: found| left| detected"
    rf"| reported| so far)?|(?:nothing|nobody) (?:found|detected|there)|extinguished|put out|over"
    rf"|ended|gone|stopped|resolved|fixed|closed)(?:{TAIL}.*)?\W*$"
)
VALUE = re.compile(
    r"\W*(?:off|no|none|nil|zero|false|ok|okay|clear|normal|dry|inactive|idle|negative|absent|closed"
    r"|0+(?:\.0+)?(?:\s?(?:%|ppm|mm|l|kg|m|bar|total|of \d+))?)\W*$"
)
STATE = (
    r"(?:resolved|recovered|recovery|cleared|all clear|clear|closed|ok|okay|fixed|restored|solved"
    r"|back to normal|false alarm|false positive|cancell?ed|withdrawn|stand down|rescinded)"
)
OVER_LABEL = re.compile(
    r"\W*(?:(?:problem|incident|alert|alarm|issue|event|warning|error|trigger|status|state|update"
    rf"|info)\s+)?(?:(?:is|was|now|has been)\s+)*{STATE}(?: now)?\W*$"
)
TEST = (
    r"(?:test(?:ing|s)?|drills?|exercises?|rehearsal|simulation|simulated|training|practice"
    r"|dry run|demo|demonstration|mock)"
)
PRACTISED = re.compile(
    r"\W*(?P<said>(?:(?:this|it|that|attention|notice|the following)\s*)?(?:(?:is|was|'s)\s+)?"
    rf"(?:(?:only|just|merely)\s+)?)(?:(?:a|an|the|our)\s+)?(?:(?:fire|alarm|safety|weekly|monthly"
    rf"|routine|planned|scheduled|daily|annual|system|self|alert|emergency)[\s-]+){{0,2}}{TEST}"
    rf"(?:\W+{TEST})*(?:\s+(?:only|alert|alarm|message|notification|event|call|mode|today|now"
    r"|please ignore))*\W*$"
)
REAL = re.compile(
    rf"(?:\b(?:no|not|never)|n't)\s+(?:(?:a|an|just|only)\s+){{0,2}}{TEST}\b|\bfor real\b"
)
RETURNS = re.compile(
    r"\bre-?ignit|\brekindl|\bflar(?:ed|es|ing) up|\brecur|\breappear|\brelaps"
    r"|\b(?:it|alert|alarm|incident|issue|ticket|leak|breach|wound)(?: has| was| is)? re-?opened"
    r"|\breturn(?:ed|s)\b(?! to (?:normal|service))|\bspread(?:s|ing)?\b"
    r"|\b(?:is|are|was|it's|has come|came|comes) back\b(?! to| online| up| in | at | on )"
)
DEVICE = r"(?:alarm|detector|sensor|system|signal|siren|suppression|alert|head|panel|unit|beam)"
TESTED = re.compile(
    rf"(?:[\s-]+{DEVICE}s?){{0,2}}(?:[\s-]+self)?[\s-]+(?:tests?|testing|drills?|exercises?"
    r"|rehearsal|simulation|practice|training)\b(?!\s+(?:bench|lab|rig|room|bed|pump|area|site|tube"
    r"|cell|stand|track|flight|chamber|driver?|tank|car|cent(?:re|er)|ground|school|camp|facility"
    r"|hall|building|plant|station|ship|vehicle|tower|house))"
)
TESTING = re.compile(
    rf"\b(?:(?:{TEST}\s+(?:of|for|with)|testing)(?:\s+(?:the|a|an|our|all|every|each)"
    r"(?:\s+[\w-]+)?)?|(?:simulated|simulating|mock|staged|fake)(?:\s+[\w-]+)?)\s+$"
    r"|^\W*(?:test|practice|exercise|training)\s+$"
)
SYMPTOM = re.compile(r"(?:fail|error|exception|broken|lost|stuck|crash|overheat|exceed|block)")
FINE = re.compile(
    rf"^(?:[\s-]+{DEVICE}s?)*{PLACE}\s+{AUX}*(?:battery\s+{AUX}*)?(?:ok|okay|online|tested"
    r"|replaced|installed|armed|working|functional|serviced|charged|healthy|reset|enabled"
    rf"|connected|normal|inspected|calibrated|passed|commissioned|maintained){TAIL}"
)
OF_DEVICE = re.compile(rf"^[\s-]+{DEVICE}s?\b")

TOKEN = r"[\w-]+"  # noqa: S105  # a word of a text
ABSENT = re.compile(
    rf"(?:(?<![\w.,-])(?:no(?!\.?\s*\d)|without|zero|nil|nor|neither|none of(?: the| these)?"
    rf"|free (?:of|from)|absence of|0+(?:\.0+)?)(?:\s+(?:any|a|an|further|new|other|more|single"
    rf"|known|such|known))*(?:(?:\s+(?!{BARRIER}){TOKEN})?\s+(?:sign|trace|evidence|indication"
    r"|report|hint|smell|risk|danger|threat|chance|case|instance|symptom|suspicion|record"
    r"|mention|detection)s?\s+(?:of|for)(?:\s+(?:any|a|an|the))?)?"
    rf"(?P<between>(?:\s+(?!{BARRIER}){TOKEN}){{0,2}})\s+)$"
)
LISTED = re.compile(
    rf"(?<![\w-])(?:no|without|zero|neither|never any)\s+(?:{TOKEN}(?:\s+{TOKEN})?\s*,\s*){{0,4}}"
    rf"(?:{TOKEN}\s+){{1,2}},?\s*(?:or|nor)\s+(?:any\s+)?(?:{TOKEN}\s+)?$"
)
IN_LIST = re.compile(rf"(?<![\w-])(?:no|without|zero)\s+(?:{TOKEN}(?:\s+{TOKEN})?\s*,\s*){{1,4}}$")
LIST_GOES_ON = re.compile(rf"^(?:\s*,\s*{TOKEN}(?:\s+{TOKEN})?){{0,3}},?\s+(?:or|nor)\s+\w")
NOT = re.compile(
    r"(?:\b(?:not|never|no longer)|n't)(?:\s+(?:a|an|any|the|yet|on|really|actually|currently"
    r"|considered|been|be|have|has|showing?|show|report(?:ed|ing)?|detect(?:ed|ing)?|find|found"
    r"|cause[ds]?|measure[ds]?|at|under)){0,4}\s+$"
)
MISSED = re.compile(
    r"^(?:\s+[\w-]+){0,3}?(?:\s+(?:is|are|was|were|has|have|had|been|does|do|did|can|could))*"
    r"(?:\s+(?:not|never|neither|no longer)|n't)\s+(?:\w+ly\s+)?(?:been\s+|be\s+)?(?:detected"
    r"|present|visible|there|here|active|real|near|nearby|burning|measured|sensed|happening"
    r"|occurring|any ?more|an? (?:problem|danger|threat|concern|fire|issue))\b(?!\s+by\b)"
)
WAS_A_TEST = re.compile(
    rf"\s+{AUX}*(?:(?:is|was)\s+)(?:(?:only|just|merely|part of)\s+)?(?:a|an|the)\s+(?:\w+\s+)?"
    rf"{TEST}(?=\s*$|\W\s|\s+(?:only|run|by|of|for|at|today))"
)
BACK_AFTER = re.compile(r"(?:back (?:online|up|to normal|in service)|(?:up|running) again)$")
PROVED = re.compile(
    r"^(?:\s+[\w-]+){0,5}?\s+(?:(?:turned|turns) out to be|proved to be|(?:was|were|is|are) (?:only"
    r"|merely)(?=(?:\s+(?:a|an|some))?\s+[\w-]+\s*$))\s+(?!\w*(?:ed|ing|er|en)\b|real|true|serious"
    r"|bad|genuine|arson|small|deliberate)"
)
"""What it was instead, where that is no worse."""
NO_SUBJECT = re.compile(
    rf"\b(?:no|none of(?: the| our)?|nobody|no one)(?:\s+(?!{BARRIER}){TOKEN}){{0,3}}"
    r"\s+(?:is|are|was|were|has|have|had)(?:\s+(?:in|now|currently|reported|any|an?))?\s+$"
    rf"|(?<![\w.,])0 of(?: the)? \d+(?:\s+{TOKEN}){{0,2}}\s+$"
)
SUBORDINATES = frozenset(
    {
        *("after", "before", "until", "till", "unless", "if", "whether", "since", "because"),
        *("when", "where", "while", "which", "who"),
    }
)
FALSE = re.compile(r"\bfalse (?:[\w-]+ )?$")
VICTIM = re.compile(r"man overboard|unconscious|not breathing|heart attack|bleeding|mayday")
LOST = re.compile(r"gone|out|off|killed|negative|closed|done|finished|put out")
"""What ends a danger, and does not save who is in one."""
RESCUED = re.compile(
    r"\b(?:rescued|recovered|on board again|back on board|conscious again|breathing again)\b"
)
FLAMES = re.compile(r"fire|smoke|flame|blaze|candle")
"""What is put out; anything else that is was sent."""
TROUBLE = re.compile(
    r"\b(?:(?:problem|issue|threat|malware|intrusion|incident|alert|alarm|finding|defect|conflict"
    r"|outage|infection|violation|difference|complaint|failure|warning|irregularit(?:y|ie)|injur"
    r"(?:y|ie)|anomal(?:y|ie)|vulnerabilit(?:y|ie)|discrepanc(?:y|ie)|casualt(?:y|ie))s?"
    r"|virus(?:es)?|trouble|crack|fault|error)s?\b(?!\s+(?:scan|check|filter|protection|reports?|log"
    r"|list|monitor|detector|code|cent)\b)"
)
"""What goes wrong, in any domain: alone it is no danger, and denied it says that all is well."""
WELL = re.compile(
    r"\W*(?:(?:all|everything|everybody|everyone)(?:\s+[\w-]+){0,2}?(?:\s+(?:is|are|looks?|runs?"
    r"|running))?\s+(?:well|good|fine|ok|okay|normal|quiet|operational|green|safe|healthy|nominal"
    r"|accounted for|normally|as usual|as expected)"
    r"|nothing\s+(?:to report|unusual|suspicious|wrong|abnormal|amiss|out of the ordinary)"
    r"(?:\s+(?:found|detected|seen|reported|noted))?)"
    rf"{PLACE}\W*$"
)
