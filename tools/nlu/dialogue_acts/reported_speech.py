"""Reported speech and mention: what others said or are to do, and orders only spoken of."""

import re

from tools.nlu.dialogue_acts.clauses import TELLING, ClauseMood, ClauseWords
from tools.nlu.lexicon import cue_phrases as signs
from tools.nlu.lexicon.politeness import REQUEST

_TOLD = re.compile(
    r"(?!(?:i|you|please|we|on second|on further) )(?:[\w'-]+ ){1,5}?"
    r"(?:said|says|told|tells|asked|asks"
    r"|(?:wants|wanted)(?= (?:[\w'-]+ ){0,4}?(?:to|[\w'-]+ed|done|gone)\b)"
    r"|mentioned|wrote|writes|suggested|suggests|claimed|claims|thought|thinks|texted|emailed"
    r"|yelled|yells|shouted|shouts|screamed|whispered|muttered|announced|replied|nags|begs"
    r"|(?:goes|went)$|(?:was|were) like (?!the |a )|titled|entitled"
    r"|(?:is|are|was|were|been) (?:saying|yelling|shouting|screaming|demanding|begging|insisting)"
    r"|insisted|insists|demanded|demands|instructed|requested|recommends|recommended|states|reads"
    r"|urged|urges|advised|advises|proposed|proposes|typed|begged|expects|reminded"
    r"|ordered (?:me|us|you|them|him|her)|keeps? (?:saying|telling|asking|writing|repeating))\b"
    r"|(?:they|people|others|all|most) (?:want|say|ask|tell|expect|think|suggest|demand)\b"
    r"|(?:i was|i've been|i have been|we were|we've been|we have been) (?:told|asked|instructed"
    r"|ordered|advised)"
    r"|(?:in|by) (?:his|her|their|my|your|[\w-]+'s) (?:own |exact )?words|in the words of|to quote"
    r"|as (?!(?:soon|long|of|for|in|at|to|well|if|per|an?|the|i|we|you|is|was|it)\b)[\w'-]+"
    r" (?:puts?|said|says|would say|has it|likes to say|always says)"
    r"|(?:and |so |then )*[\w'-]+ (?:was|were|is|goes|went)(?: all)? like$"
    r"|(?:and |so |then )*(?:he|she|they|it)(?:'s|'re)(?: all)? like\b"
    r"|according to|apparently|allegedly|(?:i|we) (?:over)?hear|i read (?:that|somewhere)"
    r"|rumou?r has it|(?:it was|it is|it's|was) (?:agreed|decided|said|written|suggested)"
)
_SHOWN = re.compile(
    r"(?:the|our|my|this) (?:computer|system|screen|display|list|label|gauge|meter|panel|log|sheet"
    r"|record|inventory|software|app|plate) (?:still |only )?(?:says|shows|reads) "
)
"""What a thing shows is nobody's word: `the computer says three, fix it`. An order in it is."""
_OF_YOURS = re.compile(
    r"(?:the|this|that|these|those|what) (?:[\w'-]+ ){0,4}?"
    r"(?:you|you've|you have)(?: just| only| now)?"
    r" (?:wrote|written|sent|typed|mentioned|suggested|proposed)"
    r"(?: (?:me|us|up|down|earlier|before|today|yesterday|there|just now))* "
    r"(?:is|are|was|were|isn't|aren't|wasn't|has|looks|sounds|reads|needs)\b"
)
"""What we wrote ourselves is spoken of: `the report you just wrote is useless`."""
_OF_OTHERS = re.compile(
    r"(?:(?:i|we)(?:'d| would)? (?:really |just |also )*)?"
    r"(?:(?:ask|tell|instruct|order|urge|allow|get|want|expect|need|force|advise|remind|invite)"
    r" (?!me |us |you |it |them |him |her |an? |\d)(?:(?:the|our|my) )?(?:[\w'-]+ ){1,2}?to "
    r"|remind (?:me|us) to |(?:let|have|make) (?!\w+ know )"
    r"(?!to |me |us |you |i |we |they |there |it |a |an |the |my |our |your |his |her |their |this "
    r"|that |these |sure )"
    r"[\w'-]+ )"
)
"""Somebody else is to do what the verb behind it says: `ask Ben to close it`."""
_ASKED_OF = re.compile(
    r"(?:please )?(?:ask|tell|instruct|urge|remind|advise|invite)"
    r" (?!me |us |you |it |them |him |her |an? |\d)(?:(?:the|our|my) )?[\w'-]+ to (?=[a-z]+ \S)"
)
"""As _OF_OTHERS, whatever word the doing is said by, unless it goes to a thing or a place."""
_OBLIGED = re.compile(
    r"(?!(?:i|we|you|please|can|could|would|will)\b)(?:[\w'-]+ ){1,4}?"
    r"(?:requires|obliges|forces|compels|expects|allows|permits|enables|asks|tells|advises|wants"
    r"|encourages|forbids|reminds) (?!me |us |you |it |an? )(?:the )?[\w'-]+ to (?!be\b|get\b)"
)
"""What something has others do: `the rule book requires people to close it`."""
_IS_ABLE = re.compile(
    r"(?:my|our|his|her|their|the|a|an|another|some|one of (?:my|our|the)) (?:[\w'-]+ ){1,3}?"
    r"(?:can|could|is able to|are able to|knows how to) (?:also |just |easily |always |then )*"
)
"""Somebody could do what the verb behind it says: `my colleague can close it`."""
_NOTION = re.compile(
    r"(?:[\w'-]+ ){0,3}?(?:idea|plan|plans|thought|notion|urge|trouble|temptation|decision|attempt"
    r"|attempts|habit|effort|bother|intention|desire|refusal|failure|threat)"
    r" (?:of|to) (?:not )?"
    r"|(?:prepare|get ready|be ready|get set|wait)(?: in advance| now)? (?:for|to) (?:not )?"
    r"|(?:consider|contemplate|discuss|debate|ponder) (?=[\w'-]+ing\b)"
    r"|(?:draft|write|compose) an? (?:order|letter|memo|mail|email|message|proposal|reminder) to "
)
"""Before a verb: what is spoken of is the doing, and not asked for: `drop the idea of …`, `get
ready for …`."""
_CAUSED = re.compile(
    r"(?:(?:i|we)(?:'d| would)? (?:really |just |also )*)?"
    r"(?:(?:get|convince|persuade|push|bug|nudge|teach|train|trust|rely on|count on|wait for|like"
    r"|love|prefer|expect|want|need|require|leave it to|it's up to|ask|tell|remind|have)"
    r" (?:(?:the|our|my|a|an|some|any) )?[\w'-]+(?: [\w'-]+)? to "
    r"|(?:help|watch|let|see|hear|make) (?!(?:me|us|it|this|that|these|those|the|a|an|my|our|sure"
    r"|all|any|up|what|who|how|if|whether|which|where|when|everything)\b)[\w'-]+ )"
)
"""As _OF_OTHERS, when whoever is named is nothing of the catalogue's."""
_SEE_TO_IT = re.compile(
    r"(?:make sure|see(?: to it)?|ensure|be sure|check|verify|confirm)(?: that)? (?!you\b|it\b|we\b"
    r"|i\b|the\b|that\b|this\b|all\b|everything\b|there\b|to\b)[\w'-]+ "
)
"""Before a verb that is done by whoever is named: `make sure Ben closed it`."""
_ONESELF = re.compile(
    r"(?:let me|i'll|i will|i'm going to|i am going to|allow me to|i can|i(?:'d| would) rather"
    r"|i (?:want|prefer|plan|need) to) .+ (?:myself|by hand|manually|on my own|in person)\b"
)
"""What the writer does without us: `let me close it by hand`."""
_LEFT_TO = re.compile(r"(?:leave (?:it|that|this) to|it's up to|it is up to) (?!me\b|us\b|you\b)")
"""Whatever `leave` means to a pack, somebody else is to do what stands behind this."""
_CAUSING = frozenset({"get", "have", "make", "let", "see", "help", "watch", "check", "verify"})
_SOMEBODY = frozenset(
    {"somebody", "someone", "anybody", "anyone", "them", "him", "her", "everybody", "everyone"}
)


def as_reported(own: ClauseWords) -> ClauseMood | None:
    """Judge what somebody else said, or is to do."""
    others = _OF_OTHERS.match(own.rest)
    is_causing = others is not None and others[0].split()[-1] != "to"
    if others and (is_causing or not (own.head is not None and own.head.actions)):
        place = own.words_of(others[0])
        verb = own.verb_at(place)
        is_asked = _ASKED_OF.match(own.rest) and own.text.words[place] not in signs.FUNCTION_WORDS
        if is_asked and place not in own.text.is_thing:
            return own.judged("reported", "of_others")
        is_let = own.rest.startswith("let ") and not own.text.is_known(own.rest.split()[1])
        if is_let or (verb is not None and verb.form == "base"):
            return own.judged("reported", "of_others")
    oneself = _ONESELF.match(own.rest)
    if oneself and own.verb_after(own.start + 1, "base") is not None:
        return own.judged("reported", "of_others")
    is_ours = own.head is not None and own.head.actions and own.head.phrase not in _CAUSING
    left_to = _LEFT_TO.match(own.rest)
    if left_to and own.verb_after(own.words_of(left_to[0]) + 1, "base") is not None:
        return own.judged("reported", "of_others")
    if not is_ours and _has_another_do_it(own):
        return own.judged("reported", "of_others")
    asks = own.head is not None or REQUEST.match(own.rest) or signs.ASKED.match(own.rest)
    if not own.clause.is_asked and (_is_shown(own) or (not asks and _OF_YOURS.match(own.rest))):
        return own.judged("statement", "declared")
    if not asks and (_OBLIGED.match(own.rest) or _is_able(own)):
        return own.judged("reported", "of_others")
    if not asks and (_TOLD.match(own.whole) or _TOLD.match(own.rest)):
        return own.judged("reported", "reported_speech")
    return None


def _is_shown(own: ClauseWords) -> bool:
    """Tell `the computer says three` from `the computer says close it`."""
    shown = _SHOWN.match(own.rest)
    return shown is not None and own.verb_after(own.words_of(shown[0]), "base") is None


def _has_another_do_it(own: ClauseWords) -> bool:
    """Tell `get somebody to close it` from `get access to it`: a person stands before the verb."""
    for sign, forms in ((_CAUSED, ("base",)), (_SEE_TO_IT, ("past", "base"))):
        matched = sign.match(own.rest)
        if matched is None:
            continue
        place = own.words_of(matched[0])
        verb = own.verb_at(place)
        if verb is None or verb.form not in forms or own.clause.is_asked:
            continue
        person = own.text.words[place - 2 if matched[0].endswith(" to ") else place - 1]
        if person in _SOMEBODY or not own.text.is_known(person) or _is_name(own, place):
            return True
    return False


def _is_able(own: ClauseWords) -> bool:
    """Tell `my colleague can close it` from `the second one can close`, a thing of ours."""
    able = _IS_ABLE.match(own.rest)
    if able is None or own.clause.is_asked:
        return False
    place = own.words_of(able[0])
    verb = own.verb_at(place)
    is_doing = verb is not None and verb.form == "base" and verb.end < own.clause.end
    return is_doing and own.text.is_thing.isdisjoint(range(own.start, place))


def _is_name(own: ClauseWords, place: int) -> bool:
    """Tell whether a single thing without number stands before the verb: somebody of the crew."""
    before = place - 1 - (own.text.words[place - 1] == "to")
    return before in own.text.is_thing and before - 1 not in own.text.is_thing


def is_of_notion(own: ClauseWords) -> bool:
    """Tell `abandon the plan to close it`, where the doing is only spoken of."""
    notion = _NOTION.match(own.rest)
    if notion is None or own.clause.is_asked:
        return False
    place = own.words_of(notion[0])
    is_doing = own.verb_at(place) is not None and place - 2 not in own.text.is_thing
    return is_doing and REQUEST.match(own.rest) is None


_PREDICATE = re.compile(
    r"(?:would|could|might|may|must|should|shall|will|can)(?:n't| not)? (?:be|have|not|never)\b"
    r"|(?:wouldn't|won't|couldn't|shouldn't|mustn't|can't|cannot) (?:be|have)\b"
    r"|(?:is|was|isn't|wasn't|seems|seemed|sounds|sounded)"
    r"(?: (?:not|never|just|only|really|clearly|like|probably|exactly|to be))*"
    r" (?:an?|the|my|your|his|her|our|their|what|how|why|who|where|something|nothing|wrong"
    r"|forbidden|prohibited|banned|illegal|impossible|unsafe|dangerous|pointless|useless|stupid"
    r"|out of the question|off the table"
    r"|(?:not |un)(?:allowed|permitted|wanted|necessary|possible))\b"
    r"|(?:said|says|wrote|writes) (?!i\b|we\b)[\w'-]+(?: [\w'-]+)?$"
)
"""Behind `close it` these make the order the subject of a sentence, or what somebody said."""
_COPULA = re.compile(
    r"(?:is|was|isn't|wasn't|seems|sounds|(?:would|could|might|will|should)(?:n't| not)?)\b"
)
_TAKES_LONG = re.compile(
    r"(?!(?:bring|sing|ring|ping|string|spring|swing|fling|(?:any|some|every|no)?thing|morning"
    r"|evening)\b)[\w'-]{2,}ing (?:(?!(?:that|which|who|what)\b)[\w'-]+ )+?"
    r"(?:takes|took|is taking)(?: me| us| you)?"
    r" (?:ages|forever|hours|days|weeks|(?:so |too |very )?long|(?:so |too )?much time|an eternity"
    r"|a while|half [\w ]+)"
)
"""A doing that somebody complains of, whatever its verb: `bringing it up takes ages`."""
_LETTER = re.compile(
    r"(?:write|draft|compose|type|pen|prepare)(?: up| me| us)? (?:an?|another|some)"
    r" (?:(?!e )[\w'-]+ )?(e ?mail|mail|text|letter|sms|dm|tweet|speech|poem|song|haiku|limerick"
    r"|joke|essay|story|message|reply)"
    r"(?: (?:to|for|telling|saying|asking|reminding|informing|instructing|about|where|in which|of"
    r"|on)\b|$)"
)


def is_mentioned(own: ClauseWords) -> bool:
    """Tell `close WO-1042 would be a mistake`, where the order is what the sentence is about."""
    if _TAKES_LONG.fullmatch(own.rest):
        return True
    verb = own.verb_at(own.start)
    words, end = own.text.words, own.clause.end
    if verb is None or verb.form == "past" or words[verb.first] in TELLING:
        return False
    place = noun = _past(own, verb.end, signs.DETERMINERS)
    while place < end and own.is_named(place):
        place += 1
    if place == noun and noun > verb.end:  # a noun that nobody listed: `close the job was a typo`
        while place < min(noun + 2, end) and words[place] not in signs.FUNCTION_WORDS:
            place += 1
    if place == verb.end:
        return False
    said = " ".join(words[place:end])
    return bool((_COPULA if verb.form == "gerund" else _PREDICATE).match(said))


def is_piece_about(own: ClauseWords) -> bool:
    """Tell `write me a poem about closing WO-1042`: what is wanted is none of the things here."""
    head, words, end = own.head, own.text.words, own.clause.end
    if head is None or head.nature == "read":
        return False
    noun = _past(own, head.end, signs.DETERMINERS) if head.end == head.first + 1 else head.end
    if noun < end and words[noun] in own.text.lexicon.objects:
        return False  # `write a note to Kim about the leak`
    for place in range(noun, min(noun + 4, end - 1)):
        if words[place] in ("about", "on", "of") and place > noun:
            name = words[place - 1]
            is_new = place - 1 not in own.text.is_thing and not own.text.is_known(name)
            return is_new and (words[place] == "about" or words[place + 1].endswith("ing"))
    return False


def is_letter(own: ClauseWords) -> bool:
    """Tell `write an email telling Ben to close it`: what is wanted is a text for somebody.

    A pack that keeps emails itself is asked for one by the same words.
    """
    matched = _LETTER.match(own.rest) if own.head is not None else None
    return matched is not None and matched[1].replace(" ", "") not in own.text.lexicon.objects


def _past(own: ClauseWords, place: int, skipped: frozenset[str]) -> int:
    while place < own.clause.end and own.text.words[place] in skipped:
        place += 1
    return place
