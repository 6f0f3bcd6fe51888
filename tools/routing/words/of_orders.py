"""Words that belong to an order whatever it orders, and words that turn it."""

from tools.routing.words.calendar import SURELY_TIMES
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import FUNCTION_WORDS

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
