"""How is an answer worded, by which strategy, in whose character, and through which channel?"""

from tools.response import template_replies
from tools.response.character import Character
from tools.response.delivery import ChannelSelector, NoticeBus, Subscription
from tools.response.llm_phrasing import Phraser, realize_with_model
from tools.response.skills import SkillSelection
from tools.response.strategies import StrategyAssignment
from tools.response.strategy_base import context_of
from tools.response.voice import Voice, find_engine

__all__ = [
    "ChannelSelector",
    "Character",
    "NoticeBus",
    "Phraser",
    "SkillSelection",
    "StrategyAssignment",
    "Subscription",
    "Voice",
    "context_of",
    "find_engine",
    "realize_with_model",
    "template_replies",
]
