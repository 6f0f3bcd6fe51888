"""What moves attention by request: shown one by one, and each can be taken back."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from state.noun import Noun

ModulationKind = Literal["suppress", "heighten", "habituate", "adjust_threshold"]


class Modulation(Noun):
    """One of them. Source: Executive decision loop §10."""

    modulation_id: str = Field(description="by which it is taken back")
    kind: ModulationKind
    topic: str | None = None
    amount: float | None = Field(default=None, description="of a threshold, of a habituation")
    until: datetime | None = Field(default=None, description="null: until it is taken back")
    threats: bool = Field(default=False, description="of a suppression: threats too")
    origin: Literal["asked", "proposed", "implicit"] = Field(
        default="asked", description="proposed: we asked, and somebody said yes; implicit: by use"
    )
