"""A conversation with the research pack: a whole Executive, its providers on loopback."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from state.memory import PackMemory
from state.principal import Principal
from state.record import DecisionRecord
from tests.graph.harbour import Harbour
from tests.tools.adapters.papers.servers import PaperServer
from tests.tools.adapters.papers.shelf import Entry

MEMBER = Principal(user="priya", tenant_id="default", roles=("member",))
OWNER = Principal(user="elif", tenant_id="default", roles=("owner",))
VIEWER = Principal(user="vic", tenant_id="default", roles=("viewer",))

SHELF = [
    Entry(
        f"Whale song {word} in the Pacific",
        year=year,
        day=f"{year}-05-02",
        authors=(author, "Ada Lovelace"),
        doi=f"10.1/{number}",
        is_open=number % 2 == 0,
        citations=number * 10,
        abstract=f"We study whale song {word}. Results show {number * 7} % more calls at night.",
    )
    for number, (word, year, author) in enumerate(
        (
            ("structure", 2025, "Mia Castellote"),
            ("learning", 2024, "Ben Okafor"),
            ("decline", 2023, "Chen Wei"),
            ("dialects", 2018, "Ida Larsen"),
            ("history", 2009, "Tom Becker"),
        ),
        1,
    )
]


@dataclass
class Talk:
    """A channel of the research pack."""

    harbour: Harbour
    semantic_scholar: PaperServer
    openalex: PaperServer

    async def says(
        self, text: str, who: Principal = MEMBER, session: str = "default"
    ) -> DecisionRecord:
        """Say something in a channel."""
        return await self.harbour.says(text, who, session_id=session)

    async def chooses(self, record: DecisionRecord, who: Principal = MEMBER) -> DecisionRecord:
        """Take the first chip of an offer."""
        assert record.offer_id is not None, record
        return await self.harbour.executive.offers.choose(record.offer_id, "chip-1", who)

    async def does(self, text: str, who: Principal = MEMBER) -> DecisionRecord:
        """Say something that changes the project, and take its chip."""
        return await self.chooses(await self.says(text, who), who)

    async def policy(self, record: DecisionRecord) -> Mapping[str, Any]:
        """Read what policy decided."""
        trace = await self.harbour.executive.records.trace(record.decision_id, "default")
        policy: Mapping[str, Any] = trace.stages["policy"]
        return policy

    async def memory(self) -> PackMemory:
        """Read what the channel keeps."""
        return (await self.harbour.session()).memory.get("research", PackMemory())

    def are_down(self) -> None:
        """Let no provider answer any more."""
        from tests.tools.adapters.papers.servers import said

        for server in (self.semantic_scholar, self.openalex):
            server.always = said({"message": "down"}, 500)

    def are_back(self) -> None:
        """Let the providers answer again."""
        for server in (self.semantic_scholar, self.openalex):
            server.always = None
