"""Two models: a fast one for words, and a strong one for what somebody waits for."""

from dataclasses import dataclass

from state.strategy import DecisionContext
from tools.models.chat import ChatModel


@dataclass(frozen=True)
class Models:
    """The models of a deployment; with only one of them set, it serves as both."""

    fast: ChatModel | None = None
    strong: ChatModel | None = None

    def __bool__(self) -> bool:
        return self.fast is not None or self.strong is not None

    @property
    def wording(self) -> ChatModel | None:
        """Hand out the one for words that are not waited for long."""
        return self.fast or self.strong

    def deciding(self, context: DecisionContext) -> ChatModel | None:
        """Hand out the one for a decision: the strong one reads requests, which may act."""
        if context.addressed and context.actions:
            return self.strong or self.fast
        return self.fast or self.strong

    @property
    def every(self) -> tuple[ChatModel, ...]:
        """List them, each once."""
        both = (one for one in (self.fast, self.strong) if one is not None)
        return tuple(dict.fromkeys(both))
