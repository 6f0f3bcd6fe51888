"""An agent's call as the tables have it."""

from datetime import datetime

from pydantic import Field

from state.agent_call import AgentCall
from state.arrival import Standing
from state.event import Event
from state.noun import Noun
from state.offer import Offer
from state.record import DecisionRecord


class StoredCall(Noun):
    """An agent's call as the tables have it."""

    event: Event
    call: AgentCall
    standing: Standing
    accepted_at: datetime
    record: DecisionRecord | None = Field(description="null: it is not decided yet")
    offer: Offer | None
    is_offer_open: bool = Field(description="its suggestion can be chosen now")
    is_withdrawn: bool = Field(description="its suggestion was called off")
    chosen_decision_id: str | None
    chosen: DecisionRecord | None = Field(
        description="of the choice; null: nobody chose, or it is not decided yet"
    )
