"""What is said around a request to be polite: I was wondering if, thanks a million, will you."""

from tools.search_fields.words.orders import FIND_SOME
from tools.search_fields.words.papers import PAPERS, PRAISED
from tools.search_fields.words.pieces import any_of
from tools.search_fields.words.please import PLEASE

_VERY = "(?:(?:really|very|so|most|much|greatly|truly|ever so|very much|rather|quite) )?"
_COULD = "(?:could|can|would|will|might|may|happen to|possibly|perhaps|please|kindly)"
_GREAT = any_of(
    "great", "nice", "good", "helpful", "appreciated", "lovely", "wonderful", "fantastic",
    "awesome",
    "perfect", "ideal", "brilliant", "amazing", "kind", "useful",
)  # fmt: skip
_PERSON = any_of(
    "colleagues?", "co-?workers?", "boss", "supervisor", "team", "group", "lab", "students?",
    "friends?", "advis[eo]rs?", "wife", "husband", "son", "daughter", "sister", "brother", "mum",
    "mom", "dad", "mother", "father", "teacher", "professor", "prof", "pi", "manager", "class",
    "partner", "co-?authors?", "mentor", "director", "client", "assistant", "secretary",
)  # fmt: skip
_THEIRS = rf"(?:my|our|his|her|the) {_PERSON}(?: [a-z]+)?"
_FOR_WHOM = any_of(
    "for (?:me|us|myself|ourselves)"
    rf"(?:(?:,| and|, and|, for| and for) (?:{_THEIRS}|[a-z]+)){{0,3}}",
    rf"for (?=my|our){_THEIRS}(?: and (?:me|us|myself|{_THEIRS}|[a-z]+)){{0,2}}",
)
_IF_FINE = any_of(
    "possible", "ok(?:ay)?", "al(?:l ?)?right", "fine", "convenient", "feasible",
    "(?:no|any|a) (?:trouble|bother|hassle|problem)",
    "at all possible", "(?:not )?too much (?:trouble|bother|work|to ask)", "in your power",
)  # fmt: skip
_GRATEFUL = any_of(
    any_of("(?:many |much |big |huge )?thanks", "(?:and )?(?:i )?thank you", "thx", "cheers",
           "(?<=, )t(?:i?a|y)", "bless you", "much obliged")
    + any_of(" a (?:lot|million|bunch|ton|heap|thousand)", " so much", " very much(?: indeed)?",
             " ever so much", " again", " kindly", " heaps", " loads", " indeed", " in advance",
             " for (?:your|the|any|all(?: of)?(?: your| the)?)"
             " (?:help|time|support|assistance|effort|trouble|patience)") + "{0,3}",
    f"{_VERY}appreciated?",
    rf"i(?:'d| would|'ll| will)? {_VERY}appreciate (?:it|this|that|your help)"
    "(?: very much| a lot)?",
    rf"(?:{_VERY}appreciate it|i(?:'d| would|'m| am|'ll)? be {_VERY}(?:grateful|thankful|obliged))",
    rf"(?:(?:and )?(?:that|it|this|which) )?(?:would|will|'d|'ll) be {_VERY}{_GREAT}(?: of you)?",
    "(?:and )?(?:will|would|could|can|won't|wouldn't|couldn't|can't) you(?: please| kindly)?",
    rf"if (?:that|it|this)(?:'s| is| isn't| would be) (?:not )?{_IF_FINE}(?: (?:for|with) you)?",
    "if at all possible",
    "if you (?:don't|do not|wouldn't|would not) (?:mind|object)",
    "if you(?:'d| would| could| can|'ll| will)?(?: please)? be so (?:kind|good)", "if i may",
    "if you(?:'d| would) be so (?:kind|good)(?: as to)?", "be so kind",
    "(?:there is |there's )?no (?:hurry|rush|pressure|stress|worries)",
    "you(?:'re| are) (?:a |the |an )?(?:star|best|legend|lifesaver|gem|great|amazing|angel|dear)",
    "i owe you(?: one)?", "there's a (?:good|dear) [a-z]+", "sorry to bother(?: you)?",
    "(?<=, )(?:sir|madam|ma'am|mate|buddy|dear|my (?:friend|dear)|pal|dude|folks|guys|friend)",
    _FOR_WHOM,
)  # fmt: skip
_MORE = f"(?: {_COULD}| be)"
"""Is read in one way only, so that `(?!...)` behind all of them leaves none of them out."""
_WHO = "(?:you|i|we|there|it|anyone|anybody|someone|somebody)"
_LEADING = any_of(
    "(?:(?:could|would) you )?be (?:so|very) (?:kind|good)(?: and| as to)?",
    "(?:(?:would|might|could|will) it be|is it) (?:at all )?possible(?: for (?:you|me|us))?"
    "(?: to| that you)?",
    "(?:i(?:'m| am| was|'ve been)?|we(?:'re| are| were)?) (?:just |also |only )?wonder(?:ing|ed)?"
    rf"(?: (?:if|whether) {_WHO}(?: {_COULD}){{0,3}}"
    "(?: (?:have|know of|know|help me(?: to)?|be|is|are|was|were|got)){0,2})?",
    rf"i(?:'d| would|'m| am|'ll| will) be {_VERY}(?:grateful|thankful|glad|happy|obliged)"
    rf"(?: if you {_COULD}| for)?",
    f"i(?:'d| would) {_VERY}appreciate(?: it)?(?: if you {_COULD})?",
    "good (?:morning|afternoon|evening|day)", "greetings", "dear (?:sir|madam|all|assistant)",
    rf"(?:could|can|might|may|would) {_WHO}{_MORE}*(?!{_MORE})",
    "(?:is|are|was|were)n't there", "(?:ca|could|wo|would)n't (?:you|we)", "haven't you(?: got)?",
    "(?:don't|do) you (?:happen to )?(?:have|know of)", "why (?:not|don't you)",
    "nope", "no(?=,)",
    "not sure(?=,)", "(?:please )?do (?:me|us) a (?:favou?r|solid|kindness) and",
    r"(?:start|begin)(?: off)? (?:by|with)(?= [\w-]+ing\b)", r"proceed with(?= [\w-]+ing\b)",
    rf"(?:go ahead|go on) and(?= {FIND_SOME}\b| search\b| look\b)", "go ahead(?=,)",
    r"(?:(?:it's|it is) )?(?:now |about |high )?time to(?= (?:find|search|look|dig|hunt|get me)\b)",
    r"(?:thanks|thank you) in advance for(?= [\w-]+ing\b)",
    "(?:brief|update) (?:me|us) on", "(?:fill|clue) (?:me|us) in on", "catch (?:me|us) up on",
    "(?:get|bring) (?:me|us) up to (?:speed|date) on", "(?:take|have) a (?:close|closer) look at",
)  # fmt: skip
_ABLE = r"(?: please| kindly| maybe)?(?: be able to)?"
LEADING = any_of(
    "(?:urgently|badly|really|desperately)(?= (?:need|want|require|looking))", "asap", "urgent",
    "feel free to", "(?:don't|do not) forget(?: about| to (?:include|add|find))?",
    "any chance (?:of|for|(?:that )?(?:you|we|i)(?: could| can| might)?)",
    "ha(?:s|ve) (?:any|some)(?:one|body)(?: ever| already)?"
    " (?:written|published|worked|studied|looked)(?: anything)?",
    _LEADING,
    "hi", "hello", "hey", PLEASE, "thanks", "thank you", "ok(?:ay)?",
    "so", "well", "now", "then", "and", "but", "also", "yes", "(?:would|do) you mind",
    rf"(?:could|can|would|will) (?:you|u|we|i){_ABLE}",
    "i(?:'d| would) (?:really )?(?:like|love|want)(?: you)?(?: to)?",
    "i (?:really )?(?:want|need|require)(?: you)?(?: to)?",
    "(?:i|we)(?:'m| am|'re| are) (?:currently )?"
    + any_of("(?:looking|searching|hunting) for", "interested in", "trying to find", "after"),
    "(?:we )?need", "want", "(?:looking|searching) for", "help me(?: to)?", "let's", "let me",
    "do you (?:know|have)(?: of)?", "are there", "is there", "have you got", "what about",
    "how about", "has", "have", "what(?:'?s| is)(?: there)?",
    "whatever (?:there is|you (?:have|find))", "what are", "what", "which", "anything",
    "something", "sth", "everything", "me", "us",
)  # fmt: skip
"""What may begin a request, and asks for nothing yet."""
ENDING = any_of(
    _GRATEFUL,
    PLEASE, "thanks(?: in advance)?",
    "thank you(?: (?:very|so) much)?(?: in advance)?", "thx", "cheers", "for (?:me|us)",
    "if (?:possible|you can|you could)", "asap", "now", "right now", "too", "as well", "only",
    "instead", "soon", "urgently", "no rush", "as soon as (?:possible|you can)",
    "right away", "(?<=, )at once", "once and for all", "take your time",
    "at your (?:earliest )?(?:convenience|leisure)", "chop chop", "before i forget",
    "for (?:heaven|god|goodness|pete)'s sake",
    r"(?<=, )(?:(?:right|yeah)(?=\?)|eh|huh|quick|pronto)",
    "(?:when(?:ever)?|if) you (?:have|get) (?:the )?(?:time|a (?:moment|minute|chance))",
    "when(?:ever)? you can", "if you (?:don't mind|like|please)",
    "(?:cheers|thanks|many thanks|thank you|best|(?:(?:best|kind) )?regards), ?[a-z]+",
    "(?:would|will) be (?:great|nice|good|helpful|appreciated)",
    r"(?:(?:and|so) )?(?:i |we )?(?:urgently |really )?(?:need|want|require|am looking for)"
    rf"\s+{PRAISED}(?:some |a few )?(?:sources|references|literature|reading|{PAPERS})",
)  # fmt: skip
"""What may end one."""
COURTEOUS_WORDS = frozenset(
    {
        "chance", "chances", "possible", "possibly", "urgently", "urgent", "asap", "feel", "free",
        "sorry", "excuse", "bother", "wonder", "wondering", "grateful", "appreciate",
        "appreciated", "glad", "happy", "favor", "favour", "time", "moment", "minute", "when",
        "whenever", "if", "really", "badly", "desperately", "immediately", "soon", "today",
        "tonight", "ask", "asking", "request", "requesting", "require", "would", "case", "way",
        "rush", "hurry", "question", "by", "next", "later", "supervisor", "boss", "professor",
        "advisor", "adviser", "teacher", "colleague", "wants", "needs", "asked", "asks", "must",
        "wanted", "needed", "whether", "happen", "kind", "morning", "afternoon", "evening",
        "ideally", "simply", "still", "having", "trouble", "hard", "job",
    }
)  # fmt: skip
"""Words that stand before `papers on` where a request is polite, or in a hurry."""
