"""Search papers at all providers concurrently and return one list."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import httpx
from pydantic import JsonValue, SecretStr

from state.errors import BadInput, NotFound, Unreachable
from state.paper import Paper, PaperLink, PaperProvider, ProviderAnswer, SearchResult
from state.policy import SearchPolicy
from state.tuning import SearchTuning
from tools.adapters.papers import openalex, semantic_scholar
from tools.adapters.papers.constraints import constraint_names, period_of
from tools.adapters.papers.provider import Page, Provider, Request, query_text
from tools.adapters.papers.provider_client import (
    PagedResult,
    ProviderEndpoint,
    RateLimiter,
    fetch_lists,
    fetch_pages,
)
from tools.adapters.papers.response_fields import names_of
from tools.adapters.papers.result_merging import fuse_rankings, sort_papers
from tools.platform.egress import Egress, place_of
from tools.platform.egress_policy import DEFAULT_PORTS, AllowedHosts

NAMES: dict[PaperProvider, str] = {
    "semantic_scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
}
MOST_IN_A_BATCH = 10
"""Of one batch: at a request a second to a provider, what seconds of `[search]` allow."""
NOBODY_ANSWERED = (
    "no paper provider answered, so the search could not be done now. Nothing was lost: "
    "try again in a while; `prefrontal why` tells what each one said."
)
"""What a person is told; the line behind it says why of each provider, for the record."""


@dataclass(frozen=True)
class Source:
    """A provider and the way to it."""

    provider: Provider
    line: ProviderEndpoint


@dataclass(frozen=True)
class PaperSearch:
    """What a handler of a pack is given when it takes `papers`."""

    sources: tuple[Source, ...] = ()
    same_title: float = 1.0

    @classmethod
    def of(
        cls,
        doors: Mapping[PaperProvider, tuple[str, SecretStr | None]],
        tuning: SearchTuning,
        *,
        private_hosts: frozenset[str],
        ca_file: Path | None,
    ) -> Self:
        """Build the search: each provider has a way out that leads to its own host alone.

        So a pack that searches needs no entry in EXECUTIVE_ALLOWED_HOSTS, and `http` of a pack
        cannot use what is open for the search. Inside our own network a host needs its entry in
        `private_hosts` all the same.

        Args:
            doors: the base URL and the key of each provider, in the order they are asked.
        """
        sources = []
        for name, (url, key) in doors.items():
            place, scheme = place_of(httpx.URL(url)), httpx.URL(url).scheme
            is_usual = place.port == DEFAULT_PORTS[scheme]
            entries = {str(place)} | ({place.host} if is_usual else set())
            hosts = AllowedHosts(
                public=frozenset({str(place)}), private=frozenset(entries & private_hosts)
            )
            secret = key.get_secret_value() if key else ""
            line = ProviderEndpoint(
                name,
                url,
                Egress(hosts, ca_file=ca_file),
                tuning,
                RateLimiter(tuning.pace_seconds.get(name, 0.0)),
                secrets=(secret,) if secret else (),
            )
            if name == "openalex":
                params = {openalex.KEY_PARAMETER: secret} if secret else {}
                sources.append(Source(openalex.OpenAlex(), replace(line, params=params)))
            else:
                headers = {semantic_scholar.KEY_HEADER: secret} if secret else {}
                theirs = semantic_scholar.SemanticScholar()
                sources.append(Source(theirs, replace(line, headers=headers)))
        return cls(tuple(sources), tuning.same_title)

    async def search(self, search: SearchPolicy, *, beyond: Sequence[Paper] = ()) -> SearchResult:
        """Find papers by structured fields; none that is told breaks one of them.

        Args:
            beyond: papers that were shown on the pages before; whatever is new since, none of
                them comes again and none is passed over.

        Raises:
            BadInput: nothing is searched for, or its years end before they begin.
            Unreachable: no provider answered; the sentence says why of each.
        """
        _check(search)
        gathered = [PagedResult(source.provider) for source in self._sources()]
        # From the first page on: what two providers found is one list only as a whole.
        deep = search.model_copy(update={"limit": search.limit + len(beyond)})
        await asyncio.gather(
            *(
                fetch_pages(source.line, one, deep)
                for source, one in zip(self.sources, gathered, strict=True)
            )
        )
        return await asyncio.to_thread(self._told, gathered, search, beyond)

    async def batch(
        self, searches: Sequence[SearchPolicy]
    ) -> tuple[SearchResult | BadInput | Unreachable, ...]:
        """Run several searches at once; each result, or why there is none, in their order.

        Raises:
            BadInput: there are more than MOST_IN_A_BATCH.
        """
        if len(searches) > MOST_IN_A_BATCH:
            raise BadInput(f"at most {MOST_IN_A_BATCH} searches at once; send them in parts")

        async def one(search: SearchPolicy) -> SearchResult | BadInput | Unreachable:
            try:
                return await self.search(search)
            except (BadInput, Unreachable) as refusal:
                return refusal

        return tuple(await asyncio.gather(*map(one, searches)))

    async def similar(
        self, paper: Paper, search: SearchPolicy | None = None, *, beyond: Sequence[Paper] = ()
    ) -> SearchResult:
        """Find papers like one; of `search` its constraints and its limit hold, not its words.

        Raises:
            Unreachable: no provider answered, or none knows this paper.
        """
        wanted = search or SearchPolicy()
        number = _number(wanted, beyond)
        lists = [
            (source, source.provider.similar(paper, wanted=number), source.provider.read_similar)
            for source in self._sources()
        ]
        return await self._around(paper, lists, wanted, beyond)

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
        wanted = search or SearchPolicy()
        number = _number(wanted, beyond)
        if self.sources and not all(one.provider.name in paper.ids for one in self.sources):
            with contextlib.suppress(NotFound, Unreachable):  # then who knows it is asked
                paper = await self.paper(paper.paper_id)
        lists = [
            (
                source,
                source.provider.linked(paper, link, wanted=number),
                source.provider.read_linked,
            )
            for source in self._sources()
        ]
        return await self._around(paper, lists, wanted, beyond)

    async def _around(
        self,
        paper: Paper,
        lists: Sequence[tuple[Source, tuple[Request, ...], Callable[[JsonValue], Page]]],
        search: SearchPolicy,
        beyond: Sequence[Paper],
    ) -> SearchResult:
        """Ask each source that knows a paper for its list, and leave the paper itself out."""
        gathered: list[PagedResult] = []
        work = []
        for source, requests, read in lists:
            if requests:
                one = PagedResult(source.provider)
                gathered.append(one)
                work.append(fetch_lists(source.line, one, requests, read, search))
        await asyncio.gather(*work)
        return await asyncio.to_thread(self._told, gathered, search, (paper, *beyond))

    async def find(self, paper_ids: Sequence[str]) -> SearchResult:
        """Look papers up by id (doi:…, arxiv:…, pubmed:…, s2:…, openalex:…); unknown ones are left.

        Raises:
            Unreachable: no provider answered, or none knows such ids.
        """
        gathered: list[PagedResult] = []
        work = []
        for source in self._sources():
            requests = source.provider.lookup(paper_ids)
            if requests:
                one = PagedResult(source.provider)
                gathered.append(one)
                work.append(fetch_lists(source.line, one, requests, source.provider.read_lookup))
        await asyncio.gather(*work)
        found = await asyncio.to_thread(self._told, gathered, None)
        return found.model_copy(update={"papers": _in_order(found.papers, paper_ids)})

    async def paper(self, paper_id: str) -> Paper:
        """Look one paper up.

        Raises:
            NotFound: no provider that answered knows it.
            Unreachable: no provider answered.
        """
        found = await self.find([paper_id])
        if not found.papers:
            raise NotFound("paper", paper_id)
        return found.papers[0]

    def _sources(self) -> tuple[Source, ...]:
        if not self.sources:
            raise Unreachable("no paper provider is set up; see EXECUTIVE_PAPER_PROVIDERS")
        return self.sources

    def _told(
        self,
        gathered: Sequence[PagedResult],
        search: SearchPolicy | None,
        beyond: Sequence[Paper] = (),
    ) -> SearchResult:
        """Merge what was gathered; on a thread, for merging hundreds takes a tenth of a second."""
        answers = tuple(one.answer() for one in gathered)
        if not any(answer.state != "failed" for answer in answers):
            told = "; ".join(f"{NAMES[one.provider]}: {one.reason}" for one in answers)
            if not told:
                raise Unreachable("no paper provider answered; none knows this one")
            raise Unreachable(f"{NOBODY_ANSWERED}\n{told}")
        papers = fuse_rankings([one.papers for one in gathered], same_title=self.same_title)
        if search is not None:
            shown = {one for paper in beyond for one in paper.ids.items()}
            new = [one for one in papers if not shown.intersection(one.ids.items())]
            papers = sort_papers(new, search.sort_by)[: search.limit]
        return SearchResult(
            papers=tuple(papers),
            answers=answers,
            notes=tuple(note for answer in answers if (note := _note(answer))),
        )


def _number(search: SearchPolicy, beyond: Sequence[Paper]) -> int:
    """Tell how many to ask for, when some will be left out here."""
    return (100 if constraint_names(search) or search.sort_by else search.limit) + len(beyond)


def _check(search: SearchPolicy) -> None:
    if not query_text(search) and not constraint_names(search):
        raise BadInput("there is nothing to search for; name a topic, an author, years or a venue")
    period = period_of(search)
    if period and period.first and period.last and period.first > period.last:
        raise BadInput(f"no paper is from after {period.first} and before {period.last}")


def _in_order(papers: Sequence[Paper], paper_ids: Sequence[str]) -> tuple[Paper, ...]:
    by_id = {name.lower(): paper for paper in papers for name in names_of(paper)}
    asked_for = (by_id.get(one.lower()) for one in paper_ids)
    return tuple({one.paper_id: one for one in asked_for if one}.values())


def _note(answer: ProviderAnswer) -> str:
    name = NAMES[answer.provider]
    if answer.state == "failed":
        return f"{name} could not be asked: {answer.reason}"
    if answer.state == "partial":
        return f"{name} was not heard out: {answer.reason}"
    return f"{name}: {answer.reason}" if answer.reason else ""
