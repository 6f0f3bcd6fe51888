"""Dialogue policy: what a message means in its session, and the decision that follows."""

from tools.dialogue.chitchat import fallback_reply
from tools.dialogue.conversation import Conversation
from tools.dialogue.decide import MessageInterpreter, decide_message
from tools.dialogue.dialogue_state import transition_for
from tools.dialogue.meta_requests import with_resolved_name
from tools.dialogue.offer_replies import OfferReplies
from tools.dialogue.proposals import Proposals
from tools.dialogue.quiet_requests import control_requests_in

__all__ = [
    "Conversation",
    "MessageInterpreter",
    "OfferReplies",
    "Proposals",
    "control_requests_in",
    "decide_message",
    "fallback_reply",
    "transition_for",
    "with_resolved_name",
]
