"""How an answer is worded, by which strategy, in whose character, through which channel."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.response import template_replies
    from tools.response.character import Character
    from tools.response.delivery import ChannelSelector, NoticeBus
    from tools.response.entailment import WordingCheck
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
    "Voice",
    "WordingCheck",
    "context_of",
    "find_engine",
    "realize_with_model",
    "template_replies",
]

__getattr__ = lazy_names(
    __name__,
    {
        "character": ("Character",),
        "delivery": ("ChannelSelector", "NoticeBus"),
        "entailment": ("WordingCheck",),
        "llm_phrasing": ("Phraser", "realize_with_model"),
        "skills": ("SkillSelection",),
        "strategies": ("StrategyAssignment",),
        "strategy_base": ("context_of",),
        "voice": ("Voice", "find_engine"),
    },
)
