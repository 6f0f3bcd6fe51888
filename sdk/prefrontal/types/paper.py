"""Scholarly papers, the service that searches for them, and what it found and left out."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, Protocol

from pydantic import Field

from prefrontal.types.errors import BadInput, Unreachable
from prefrontal.types.noun import CleanText, Noun
from prefrontal.types.policy import SearchPolicy

PaperProvider = Literal["semantic_scholar", "openalex"]

ProviderState = Literal["answered", "partial", "failed"]
"""failed: it brought nothing that counts as an answer, not even that there is nothing."""

SearchFilter = Literal["dates", "years", "open_access", "venue", "authors", "fields", "citations"]
"""What can narrow a search down besides its words."""

PaperLink = Literal["citing", "cited"]
"""citing: the papers that cite one; cited: its references."""


class Paper(Noun):
    """One paper, put together from every provider that knows it."""

    paper_id: CleanText = Field(description="doi:…, arxiv:…, s2:… or openalex:…, the first it has")
    ids: Mapping[str, CleanText] = Field(
        default_factory=dict, description="doi, arxiv, pubmed, semantic_scholar, openalex"
    )
    title: CleanText = Field(min_length=1)
    authors: tuple[CleanText, ...] = ()
    year: int | None = None
    published: date | None = Field(default=None, description="the day, when it is known")
    venue: CleanText | None = None
    abstract: CleanText | None = None
    doi: CleanText | None = Field(default=None, description="in lower case, without its resolver")
    url: CleanText | None = Field(default=None, description="a page about it")
    open_access: bool | None = Field(default=None, description="None: nobody says")
    open_access_url: CleanText | None = None
    fields_of_study: tuple[CleanText, ...] = Field(
        default=(), description="by Semantic Scholar's names; none: nobody says"
    )
    citations: int | None = Field(default=None, description="the highest count of a provider")
    providers: tuple[PaperProvider, ...] = ()


class ProviderAnswer(Noun):
    """What one provider was asked and what came of it."""

    provider: PaperProvider
    state: ProviderState
    found: int = Field(default=0, description="papers of it that meet every constraint")
    requests: int = Field(default=0, description="sent to it, repeated ones included")
    sent: Mapping[str, str] = Field(
        default_factory=dict, description="the query and native filters, as they were sent"
    )
    checked_here: tuple[SearchFilter, ...] = Field(
        default=(), description="constraints it cannot filter by; we did"
    )
    reason: str = Field(default="", description="why it failed, or is incomplete")


class SearchResult(Noun):
    """Papers, the best first, and how complete they are."""

    papers: tuple[Paper, ...] = ()
    answers: tuple[ProviderAnswer, ...] = ()
    notes: tuple[str, ...] = Field(default=(), description="what a person should know about it")

    @property
    def is_partial(self) -> bool:
        """Tell whether a provider was down, or broke off before it had told everything."""
        return any(answer.state != "answered" for answer in self.answers)


class PaperSearch(Protocol):
    """Searches scholarly providers for a handler whose second parameter is named `papers`.

    Hosts and keys are the deployment's. No paper that it returns breaks a constraint.
    """

    async def search(self, search: SearchPolicy, *, beyond: Sequence[Paper] = ()) -> SearchResult:
        """Find papers by structured fields.

        Args:
            beyond: the papers of earlier pages; none of them comes again.

        Raises:
            BadInput: nothing is searched for, or its years end before they begin.
            Unreachable: no provider answered.
        """
        ...

    async def batch(
        self, searches: Sequence[SearchPolicy]
    ) -> tuple[SearchResult | BadInput | Unreachable, ...]:
        """Run several searches at once; each result, or why there is none, in their order.

        Raises:
            BadInput: there are too many.
        """
        ...

    async def similar(
        self, paper: Paper, search: SearchPolicy | None = None, *, beyond: Sequence[Paper] = ()
    ) -> SearchResult:
        """Find papers like one; of `search` its constraints and its limit hold, not its words.

        Raises:
            Unreachable: no provider answered, or none knows this paper.
        """
        ...

    async def linked(
        self,
        paper: Paper,
        link: PaperLink,
        search: SearchPolicy | None = None,
        *,
        beyond: Sequence[Paper] = (),
    ) -> SearchResult:
        """Find what cites a paper, or what it cites; of `search` the constraints and limit hold.

        Raises:
            Unreachable: no provider answered, or none knows this paper.
        """
        ...

    async def find(self, paper_ids: Sequence[str]) -> SearchResult:
        """Look papers up by id (doi:…, arxiv:…, pubmed:…, s2:…, openalex:…), unknown ones left out.

        Raises:
            Unreachable: no provider answered, or none knows such ids.
        """
        ...

    async def paper(self, paper_id: str) -> Paper:
        """Look one paper up.

        Raises:
            NotFound: no provider that answered knows it.
            Unreachable: no provider answered.
        """
        ...
