"""The verb families, and within each the words that mean the same.

Source: action execution contract §4, with everyday words for each family.
"""

from collections.abc import Iterable

# One group of synonyms a line: `cancel` and `approve` are both updates, and no synonyms.
_GROUPS = """
show: show; view; display; list; see; read; get; give me; tell me; bring up; pull up; look at
show: open; open up; let me see; present; go to; give me an overview; fetch; describe; summarise
show: summarize; sum up; name; remind me of; compare; explain; how is; status of; gimme; lemme see
show: recap; walk me through; run me through; take me through; talk me through; fill me in on
show: catch me up on; get me up to speed on; bring me up to date on; run down; call up
show: update me on; update us on; brief me on; brief us on; fill us in on; catch us up on
show: get us up to speed on; bring me up to speed on; bring us up to speed on; report back
show: bring us up to date on; run us through; walk us through; talk us through; clue me in on
show: bring out; set out; lay out; close look at; closer look at; take a close look at
show: have a close look at; take a closer look at; have a closer look at
show: put up; pull out; hand me; hand us; pass me; pass us; give us; take me to; take us to
show: tell us; let me know; let us know
query: check; scan; search; find; look up; look for; look in; query; locate; count; verify
query: retrieve; dig up; dig out; hunt down; track down; hunt for; grab; get hold of; gather
query: search for; calculate; find out; ask; convert; translate; spell; define; estimate; track
diagnose: diagnose; trace; expand; troubleshoot; investigate; analyse; analyze; debug
diagnose: what is wrong with; what's wrong with; what causes; what could cause; find the cause of
add: add; append; put; include; log; record; enter; insert; write; note; comment; register; \
mention; note down; write down; hand over; pin; save; jot; jot down; stick; pop; key in; punch in; \
type in; fill in; scribble; tack; bookmark; stash
add: leave a note; leave a comment; leave a remark
add: attach; upload; import; add; hang; link; enclose
create: create; generate; open; make; raise; draft; compose; build; compile; set up; file; \
produce; prepare; issue
create: order; buy; purchase; reorder; request; get more; restock
create: book; reserve; schedule; plan
create: start; begin; launch; run
update: update; edit; modify; change; set; correct; adjust; replace; rename; amend; fix; alter; \
reword; rephrase; rewrite
update: close; close out; complete; finish; sign off; mark; finalise; finalize; tick off; \
check off; wrap up; shut; close off
update: cancel; drop; revoke; undo; withdraw; call off; scrap; void; annul; ditch; axe; abort
update: undo; revert; roll back; reverse; take back; put back; retract; recall; rescind
update: reopen; restore; renew; extend; reinstate; revive; reactivate; bring back; recover; undelete
update: archive; retire; shelve
update: delete; remove; erase; wipe; clear; get rid of; do away with; throw away; throw out; \
bin; trash; scrap; discard; strike; strike out; cross out; take off; take out; take away; pull; \
pull out; kick out; ditch; dump; detach; unlink; get off; toss
update: assign; reassign; delegate; hand; move; give; put on
update: approve; accept; confirm; acknowledge; authorise; authorize; sign; okay; \
greenlight; sanction
update: reject; decline; refuse; deny
update: submit; send in; hand in
update: switch; turn; turn on; turn off; enable; disable; activate; deactivate; stop; freeze; \
block; reset
update: pay; transfer
update: postpone; reschedule; merge; push back; put off; delay; defer; bring forward; move up
export: export; download; print
export: share; send; email; mail; forward; publish
export: text; call
handle: see to; attend to
"""

READ_FAMILIES = frozenset({"show", "query", "diagnose"})
LIGHT_VERBS = frozenset(
    {"get", "fetch", "retrieve", "name", "pull", "pull up", "pull out", "open up", "put up"}
    | {"call up", "give me", "give us", "gimme", "hand me", "hand us", "pass me", "pass us"}
    | {"take me to", "take us to"}
)
"""They read or change, as what follows says: `get it off the list`, `give me a summary`."""
WRITE_FAMILIES = frozenset({"add", "create", "update"})
MERE_WAITING = frozenset({("hang", "on")})
"""Words of a verb by which nothing is asked for: `hang on, is that the limit switch one`."""


def grouped_phrases() -> Iterable[tuple[str, str]]:
    """Pair each phrase with its group, written family/number; looking up is all one group."""
    for number, line in enumerate(_GROUPS.strip().splitlines()):
        family, phrases = line.split(": ")
        group = f"{family}/{0 if family in READ_FAMILIES else number}"
        for phrase in phrases.split("; "):
            yield phrase, group


def family_of_group(group: str) -> str:
    """Name the family of a group."""
    return group.split("/", maxsplit=1)[0]


def _collected() -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for phrase, group in grouped_phrases():
        groups[phrase] = (*groups.get(phrase, ()), group)
    return groups


GROUPS_OF_PHRASE = _collected()
FAMILIES = frozenset(family_of_group(group) for _, group in grouped_phrases())
