"""Recognisers of what a message says by itself: each returns its decision, or None for the next.

decide.py has them in their order.
"""

from state.action import Action
from state.policy import ASKS_NOTHING, PolicyDecision
from tools.access.permissions import may_change
from tools.dialogue.chitchat import chitchat_reply, code_reply, is_code
from tools.dialogue.dialogue_state import facts_in, with_facts
from tools.dialogue.interpreter import Message
from tools.dialogue.meta_requests import decide_meta_request
from tools.dialogue.quiet_requests import is_open_ended_quiet
from tools.dialogue.reply_decisions import reply
from tools.journal.conversation import detect_decision
from tools.nlu.control.meta_questions import asks_why, asks_why_done, loose_recall_question
from tools.nlu.search_query.requests import takes_search
from tools.platform.texts import t


def program(message: Message) -> PolicyDecision | None:
    """Recognise JSON and function calls: they are answered, and never run."""
    if not is_code(message.text):
        return None
    return reply(code_reply(message.event, message.reader.catalogue), "program")


def about_us(message: Message) -> PolicyDecision | None:
    """Recognise what is about the talking, our doing or what was said, by fixed phrases."""
    found = decide_meta_request(message)
    return None if is_open_ended_quiet(found) else found


def open_ended_quiet(message: Message) -> PolicyDecision | None:
    """Recognise a fixed phrase for quiet that does not say how long."""
    found = decide_meta_request(message)
    return found if is_open_ended_quiet(found) else None


def manners(message: Message) -> PolicyDecision | None:
    """Recognise thanks, calls for help and the like."""
    event = message.event
    says = chitchat_reply(event.text, message.reader.catalogue, event.roles, event.user)
    if says is None:
        return None
    routing = message.routing
    return PolicyDecision(
        intent="general",
        routing=routing,
        says=says,
        confidence=1.0,
        reasons=("manners", *routing.reasons),
    )


def small_talk(message: Message) -> PolicyDecision | None:
    """Recognise greetings, nods, praise and annoyance; they are answered by their manner."""
    if not (message.is_small_talk or message.reaction) or message.is_packs_own:
        return None
    reasons = ("small_talk", *message.routing.reasons)
    return PolicyDecision(intent="general", routing=message.routing, reasons=reasons)


def why(message: Message) -> PolicyDecision | None:
    """Recognise a question for the reason of something: the journal answers it."""
    routing, tuning, text = message.routing, message.reader.tuning, message.text
    is_asked = asks_why(text) and routing.asked_confidence < tuning.ask_confidence
    if not is_asked:
        actions = message.reader.catalogue.actions.values()
        is_sure = routing.asked_confidence >= tuning.auto_confidence
        is_asked = not is_sure and asks_why_done(text, actions)
    if not is_asked:
        return None
    return PolicyDecision(intent="journal", routing=routing, reasons=("asks_why",))


def recall(message: Message) -> PolicyDecision | None:
    """Recognise a loose question about the past where no action is likelier to answer it."""
    loose, tuning, routing = (
        loose_recall_question(message.text),
        message.reader.tuning,
        message.routing,
    )
    if loose is None:
        return None
    bar = tuning.auto_confidence if loose.happened else tuning.ask_confidence
    if routing.asked_confidence >= bar:
        return None
    return PolicyDecision(intent="recall", routing=routing, reasons=("asks_what_was_said",))


def decision_taken(message: Message) -> PolicyDecision | None:
    """Recognise that people decide something: it is noted for whoever may change something."""
    reader, routing = message.reader, message.routing
    if routing.mood != "statement":
        return None
    detected = detect_decision(message.text, reader.detection_threshold)
    if detected is None:
        return None
    if may_change(reader.catalogue, message.event.roles):
        return PolicyDecision(
            intent="decision", routing=routing, detected=detected, reasons=("decision_taken",)
        )
    refused = reply(t("dialogue.refused.decision"), "decision_not_noted", routing=routing)
    return refused.model_copy(update={"intent": "decision"})


def no_search(message: Message) -> PolicyDecision | None:
    """Recognise that filters are taken back where there is no search yet.

    Where a pack that searches nothing is understood, `clear the filters` may be of an engine's.
    """
    routing, catalogue = message.routing, message.reader.catalogue
    if routing.mood in ASKS_NOTHING:
        return None
    searches = {
        action.pack: action
        for action in catalogue.actions.values()
        if takes_search(action) and catalogue.may_ask(action.name, message.event.roles)
    }
    routed = _routed_action(message)
    if routed is not None and routed.pack not in searches:
        return None
    seekers = [
        message.recall.seeker(catalogue.pack(pack), action) for pack, action in searches.items()
    ]
    if not seekers or not all(one.has_nothing_to_take_back(routing.text) for one in seekers):
        return None
    return reply(t("dialogue.no_search"), "no_search", routing=routing)


def declared_facts(message: Message) -> PolicyDecision | None:
    """Recognise what the speaker declares, and keep it beside what they ask for."""
    catalogue, roles, session = message.reader.catalogue, message.event.roles, message.session
    home = catalogue.at_home(roles)
    learnt = facts_in(
        message.text,
        message.routing.mood,
        [pack for pack in catalogue.packs if pack.name in home],
        roles,
        memory=session.memory if session is not None else {},
        may_ask=lambda action: catalogue.may_ask(action, roles),
    )
    return with_facts(message.resolved, learnt) if learnt else None


def goal(message: Message) -> PolicyDecision | None:
    """Recognise a goal told in passing; where nothing is asked, propose one or a reminder."""
    proposals, event, session = message.reader.proposals, message.event, message.session
    asks_nothing = message.resolved.intent == "general"
    if proposals is None or not (asks_nothing or _is_hardly_asked(message)):
        return None
    aims = session.aims_of(event.user) if session is not None else ()
    return proposals.told(event, aims) or (
        proposals.inferred(event, message.reader.now) if asks_nothing else None
    )


def _is_hardly_asked(message: Message) -> bool:
    """Tell whether an action is asked for by a verb that is not its own."""
    action, routing = _routed_action(message), message.routing
    return (
        action is not None
        and routing.verb_family != action.verb
        and routing.asked_confidence < message.reader.tuning.auto_confidence
        and not routing.entities
    )


def _routed_action(message: Message) -> Action | None:
    return message.reader.catalogue.actions.get(message.routing.action or "")
