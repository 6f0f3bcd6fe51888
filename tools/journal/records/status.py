"""Read the status of a decision record from its front matter, status section or history."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from state.journal import DecisionStatus
from tools.journal.records.markdown import plain_words

_ACTIVE_WORDS = r"""
accept(?:ed|ance)? approv(?:ed|al) active adopted adoption agreed decided chosen settled ratified
ratification enacted implemented implementable implementation done complete[d]? final(?:i[sz]ed)?
effective resolved confirmed permanent standing current valid live released merged enforced
endorsed signed passed stable mandatory in[ ](?:force|effect|use) applies applicable
angenommen akzeptiert beschlossen entschieden genehmigt freigegeben umgesetzt verabschiedet
bestätigt gültig aktiv in[ ]kraft
acceptée? adoptée? approuvée? validée? décidée? actif en[ ]vigueur
aceptad[oa] aprobad[oa] adoptad[oa] decidid[oa] vigente
aceit[oa] aceite aprovad[oa] adotad[oa] em[ ]vigor
accettat[oa] approvat[oa] adottat[oa] decis[oa] in[ ]vigore
geaccepteerd aanvaard goedgekeurd besloten van[ ]kracht
zaakceptowan[aeoy] przyjęt[aeoy] zatwierdzon[aeoy] accepterad godkänd antagen beslutad
принято утверждено"""
_SUPERSEDED_WORDS = r"""
super[sc]eded replaced obsoleted obsolete deprecated deprecation outdated expired lapsed retired
sunset(?:ted)? archived discontinued decommissioned phased[ ]out rescinded
revoked repealed reverted reversed undone annulled overturned overruled overridden rolled[ ]back
historic(?:al)? legacy defunct former inactive moot ended terminated dead stale removed subsumed
absorbed nullified invalidated struck[ ]down set[ ]aside overtaken
ersetzt abgelöst hinfällig überholt veraltet aufgehoben au(?:ß|ss)er[ ]kraft zurückgenommen
remplacée? caduc(?:que)? obsolète déprécié abrogée? périmée?
reemplazad[oa] sustituid[oa] obsolet[oa] derogad[oa] deprecad[oa] caducad[oa]
substituíd[oa] revogad[oa] superad[oa] descontinuad[oa]
sostituit[oa] obsolet[oa] superat[oa] deprecat[oa] abrogat[oa]
vervangen verouderd vervallen ingetrokken
zastąpion[aeoy] przestarzał[aeoy] nieaktualn[aey] ersatt föråldrad upphävd заменено устарело"""
_REJECTED_WORDS = r"""
reject(?:ed|ion) declined denied refused dismissed vetoed withdrawn abandoned dropped cancell?ed
discarded scrapped killed binned axed ditched nixed canned shot[ ]down disapproved
(?:decided[ ])?against turned[ ]down voted[ ]down called[ ]off given[ ]up failed void
retracted invalid wontfix won't[ ](?:do|fix|implement) unsuccessful
abgelehnt verworfen zurückgezogen aufgegeben zurückgewiesen
rejetée? refusée? abandonnée? écartée? retirée? annulée?
rechazad[oa] anulad[oa] descartad[oa] abandonad[oa] retirad[oa] cancelad[oa]
rejeitad[oa] recusad[oa]
respint[oa] rifiutat[oa] scartat[oa] ritirat[oa] abbandonat[oa] bocciat[oa]
afgewezen verworpen geweigerd odrzucon[aeoy] avvisad förkastad отклонено"""
_PROPOSED_WORDS = r"""
propos(?:ed|al|ing) pending draft(?:ed|ing)? in[ ]review review(?:ing)? under[ ]\w+
discuss(?:ion|ing) rfc request[ ]for[ ]comments? comment deferred postponed delayed
on[ ](?:hold|ice) parked paused shelved suspended
stalled blocked open idea wip work[ ]in[ ]progress in[ ]progress ongoing tb[dacr] todo
undecided unresolved investigat(?:ion|ing) evaluat(?:ion|ing) explor(?:ation|ing) candidate
provisional(?:ly)? tentative(?:ly)? conditional(?:ly)? experiment(?:al)? trial planned submitted
requested new waiting awaiting consider(?:ation|ing) consultation incubating backlog needs[ ]\w+
vorgeschlagen vorschlag entwurf in[ ](?:diskussion|prüfung|arbeit|bearbeitung) offen zurückgestellt
vertagt verschoben ausstehend
proposée? brouillon ébauche en[ ](?:discussion|attente|cours|revue) reportée? suspendu à[ ]l'étude
propuest[oa] borrador en[ ](?:discusión|revisión|espera|estudio|curso|pausa) pendiente aplazad[oa]
propost[oa] rascunho em[ ](?:discussão|revisão|análise|andamento|espera) pendente adiad[oa]
propost[oa] bozza in[ ](?:discussione|revisione|sospeso|attesa|corso) rinviat[oa]
voorgesteld concept in[ ](?:behandeling|bespreking) uitgesteld zaproponowan[aeoy] szkic
odroczon[aeoy] föreslagen utkast uppskjuten предложено черновик"""


def _words(listed: str) -> re.Pattern[str]:
    # A blank inside one of them is written [ ]: it does not part two.
    each = re.split(r"(?<!\[)\s+(?!\])", listed.strip())
    return re.compile(rf"\b(?:{'|'.join(each)})\b")


_VOCABULARY = (
    (DecisionStatus.SUPERSEDED, _words(_SUPERSEDED_WORDS)),
    (DecisionStatus.REJECTED, _words(_REJECTED_WORDS)),
    (DecisionStatus.PROPOSED, _words(_PROPOSED_WORDS)),
    (DecisionStatus.ACTIVE, _words(_ACTIVE_WORDS)),
)
_BY = r"(?:by|with|through|in favou?r of|durch|von|par|por|pel[oa]|da|dal?l[ao]|door|av|przez)"
_REVISED = re.compile(
    r"\b(?:amended|revised|updated|extended|modified|clarified|complemented|refined|ergänzt"
    r"|geändert|modifié|complété|modificad[oa]|modificat[oa])\b"
)
_IN_PART = re.compile(
    r"\b(?:partial(?:ly)?|partly|in part|teilweise|zum teil|partiellement|en partie"
    r"|parcialmente|en parte|em parte|parzialmente|gedeeltelijk|częściowo|delvis)\b"
)
_OF_ANOTHER = re.compile(
    r"^\W*(?:\w+\W+){0,2}?(?:super[sc]edes?|replaces|obsoletes|deprecates|amends|revises|updates|extends"
    r"|clarifies|complements|refines|relates|ersetzt(?! (?:durch|von)\b)(?=\W+\w)|löst"
    r"|ergänzt(?! (?:durch|von)\b)(?=\W+\w)|remplace|complète|reemplaza|sustituye|substitui"
    r"|sostituisce|vervangt|zastępuje|ersätter)\b(?! (?:by|par|por|durch)\b)"
)
"""Says what this record does to another one."""
_NEGATED = (
    ("not yet", re.compile(
        r"\b(?:not yet|yet to|pending|awaiting|waiting|await|seeking|requires?|needs?|for|to be"
        r"|(?:will|shall|may|might|should|could|would|can|must) (?:\w+ )?be|ready|until|if|once"
        r"|proposed (?:to|for)|conditional\w*|provisional\w*|tentative\w*|noch nicht"
        r"|pas encore|aún no|todavía no|ainda não|non ancora|nog niet|jeszcze nie)\b[^.]*$"
    )),
    ("no more", re.compile(
        r"\b(?:no longer|nicht mehr|plus|ya no|não mais|non più|niet meer|już nie|ceased to be)\b"
        r"[^.]*$"
    )),
    ("before", re.compile(
        r"\b(?:formerly|previously|originally|initially|ex|ehemals|zuvor|ursprünglich|anciennement"
        r"|auparavant|anteriormente|previamente"
        r"|precedentemente|voorheen)\b[^.]*$"
    )),
    ("not", re.compile(
        r"\b(?:not|never|no|neither|nor|nicht|nie|kein\w*|pas|jamais|nunca|não|non|niet|inte|cannot"
        r"|can't|wasn't|isn't|hasn't|without|failed to be)\b[^.]*$"
    )),
)  # fmt: skip
_DENIED = re.compile(r"^\W*(?:(?P<yet>(?:not yet|yet to be|to be)\b)|(?:not|never)\b)\W+\w")
"""Before a word that is not known: "not pursued", "to be surveyed"."""
_JOINED = re.compile(r"[\W\d]*(?:(?:as|and|now|later)\W+)?(?:an? )?")
_NO_MORE_AFTER = re.compile(r"^[^.]{0,20}\b(?:any ?more|any longer)\b|^[^.]{0,20}\bmehr\b")
_FILLING = re.compile(
    r"^(?:\d[\w.:/-]*|an?|the|this|that|our|it|its|adr|rfc|decision|record|proposal|document|status"
    r"|state|has|have|been|be|is|are|was|were|now|then|later|since|finally|again|and|but|on|at|in|as"
    r"|of|by|q[1-4]|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*"
    r"|currently|subsequently|also|not|no|longer|never|yet|fully|partially|partly|formally|officially"
    r"|conditionally|unanimously|wurde|ist|am|est|été|le|fue|el|foi|em|nicht|mehr|pas|plus)$"
)
"""May stand before a status in what follows an earlier one: else it is a sentence of prose."""
_STRUCK = re.compile(r"~~.*?~~|<(del|s|strike)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_BADGE = re.compile(r"!\[([^\[\]]*)\]\([^()]*/badge/([^()?\s]*)[^()]*\)")
_TAG = re.compile(r"<[^<>]{1,200}>")
_TASK = re.compile(r"^\s*[-*+]\s*\[([ xX✓✔])\]")
_CHOICES = re.compile(r"[\[{(<][^\[\]{}()<>\n]*[\]})>]")
_ALTERNATIVES = re.compile(r"\s*\|\s*|\s*/\s*|,?\s+(?:or|oder|ou|o)\s+")
_DATED = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)(?:-(?P<d>\d\d))?(?!\d)"
    r"|(?<!\d)(?P<d2>\d{1,2})[./](?P<m2>\d{1,2})[./](?P<y2>(?:19|20)\d\d)(?!\d)"
    r"|(?:(?P<mon>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\W+(?:\d{1,2}\W+)?)?"
    r"(?<!\d)(?P<y3>(?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLAUSES = re.compile(
    r"[,;:|()\[\]{}→⇒–—•]|->|=>|\s-\s|[.!?](?=\s|$)|\b(?:but|then|und|aber|dann|puis)\b"
    r"|\b(?:because|when|while|which|that|weil|car|porque)\b"
)
_REASON = re.compile(r"because|when|while|which|that|weil|car|porque")
_READ_CHARACTERS = 4_000
"""As much of it is read; a history of statuses is no longer."""
_READ_WORDS = 8
"""As far into its first clause a status is looked for."""


@dataclass(frozen=True)
class _Said:
    status: DecisionStatus
    at: tuple[int, int, int] | None
    line: int


def read_status(text: str) -> DecisionStatus:
    """Read what a status line or section says; of a history the last entry counts.

    Returns:
        UNKNOWN where the words tell none, or list what could be chosen; REVISITED where the
        decision was changed in part.
    """
    lines = [line for line in _lines(text) if re.search(r"\w", line)]
    said: list[_Said] = []
    for number, line in enumerate(lines):
        for clause, is_aside in _clauses(line):
            if _OF_ANOTHER.search(clause):
                continue
            known = said[-1].status if said else None
            found = _read(clause, is_first=known is None)
            if found is not None and _may_follow(known, found, is_aside=is_aside):
                said.append(_Said(found, _date(line), number))
    if said:
        return _last(said)
    # What says nothing of itself, and only what it replaces, is in force.
    is_of_others = bool(lines) and all(_OF_ANOTHER.search(line) for line in lines)
    return DecisionStatus.ACTIVE if is_of_others else DecisionStatus.UNKNOWN


def least_in_force(found: Sequence[DecisionStatus]) -> DecisionStatus:
    """Choose of what several places of one page say: the first, unless another says it is over."""
    over = (DecisionStatus.SUPERSEDED, DecisionStatus.REJECTED)
    return next((one for one in found if one in over), found[0])


def _lines(text: str) -> list[str]:
    plain = _STRUCK.sub(" ", text[:_READ_CHARACTERS])
    plain = _BADGE.sub(lambda one: f"{one[1]} {re.sub(r'[-_]+', ' ', unquote(one[2]))}", plain)
    plain = plain_words(_TAG.sub(" ", plain)).replace("’", "'").lower()
    rows = plain.splitlines()
    if any(_TASK.match(row) for row in rows):
        rows = [row for row in rows if (task := _TASK.match(row)) is None or task[1] != " "]
        rows = [_TASK.sub("", row) for row in rows]
    return [_without_choices(row) for row in rows]


def _without_choices(line: str) -> str:
    """Leave out what a template offers: [Proposed, Accepted, Rejected], accepted | rejected."""
    line = _CHOICES.sub(lambda one: "" if _kinds(one.group()) > 1 else one.group(), line)
    if line.lstrip().startswith("|"):
        return line
    parts = _ALTERNATIVES.split(line)
    kinds = {one for part in parts if (one := _kind(part)) is not None}
    return "" if len(parts) > 1 and len(kinds) > 1 else line


def _kinds(text: str) -> int:
    return sum(pattern.search(text) is not None for _status, pattern in _VOCABULARY)


def _kind(text: str) -> DecisionStatus | None:
    return next((status for status, pattern in _VOCABULARY if pattern.search(text)), None)


def _clauses(line: str) -> Iterator[tuple[str, bool]]:
    """Cut a line where another thing is said; True: it stands in brackets. A reason is left out."""
    start, depth, is_reason = 0, 0, False
    cuts = [(one.start(), one.end(), one.group()) for one in _CLAUSES.finditer(line)]
    dates = [(one.end(), one.end(), "") for one in _DATED.finditer(line)]
    for begin, end, mark in sorted([*cuts, *dates, (len(line), len(line), "")]):
        if begin < start:
            continue
        if not is_reason and line[start:begin].strip():
            yield line[start:begin], depth > 0
        depth = max(0, depth + (mark in "([{" if mark else 0) - (mark in ")]}" if mark else 0))
        is_reason = bool(_REASON.fullmatch(mark)) or (is_reason and mark in ("", ":"))
        start = end


def _read(clause: str, *, is_first: bool) -> DecisionStatus | None:
    hits = [
        (found.start(), -found.end(), status, found)
        for status, pattern in _VOCABULARY
        if (found := pattern.search(clause))
    ]
    revised = _REVISED.search(clause)
    if not hits:
        if is_first and (denied := _DENIED.match(clause)):
            return DecisionStatus.PROPOSED if denied["yet"] else DecisionStatus.REJECTED
        return DecisionStatus.REVISITED if revised else None
    _start, _end, status, found = min(hits, key=lambda one: one[:2])
    before = clause[: found.start()]
    words = re.findall(r"[^\W_][\w'.:/-]*", before)
    if len(words) > _READ_WORDS or not (is_first or all(map(_FILLING.match, words))):
        return None
    if status is DecisionStatus.SUPERSEDED and _IN_PART.search(clause):
        return DecisionStatus.REVISITED
    rest = clause[found.end() :]
    if (joined := _JOINED.match(rest)) and joined.end() < len(rest):
        later = next((s for s, p in _VOCABULARY if p.match(rest, joined.end())), None)
        if later not in (None, DecisionStatus.ACTIVE):  # "accepted as draft", "final draft"
            return _read(rest, is_first=False)
    return _negated(status, before, rest)


def _negated(status: DecisionStatus, before: str, after: str) -> DecisionStatus | None:
    how = next((name for name, pattern in _NEGATED if pattern.search(before)), None)
    if how == "not" and _NO_MORE_AFTER.search(after):
        how = "no more"
    if how is None or (how == "not yet" and status is DecisionStatus.PROPOSED):
        return status
    if how == "before" or (how == "not yet" and status is not DecisionStatus.ACTIVE):
        return None
    if status is not DecisionStatus.ACTIVE:
        return DecisionStatus.UNKNOWN
    return {
        "not yet": DecisionStatus.PROPOSED,
        "no more": DecisionStatus.SUPERSEDED,
        "not": DecisionStatus.REJECTED,
    }[how]


def _may_follow(known: DecisionStatus | None, found: DecisionStatus, *, is_aside: bool) -> bool:
    """Tell whether a later word changes what was said: no aside and no amendment puts in force."""
    if known is None:
        return True
    if found is DecisionStatus.REVISITED:
        return known is DecisionStatus.ACTIVE
    return not (is_aside and found is DecisionStatus.ACTIVE)


def _last(said: Sequence[_Said]) -> DecisionStatus:
    """Choose the newest entry of a history: the last, unless by its dates the first is newest."""
    lines = {one.line: one for one in said}  # of each line the last word
    dates = [one.at for one in lines.values()]
    if len(lines) > 1 and all(dates) and dates[0] == max(one for one in dates if one):
        newest = next(iter(lines.values()))
        return newest.status if dates[0] != dates[-1] else said[-1].status
    return said[-1].status


def _date(line: str) -> tuple[int, int, int] | None:
    found = _DATED.search(line)
    if found is None:
        return None
    month = found["m"] or found["m2"]
    if found["mon"]:
        month = str(_MONTHS.index(found["mon"].lower()) + 1)
    year = found["y"] or found["y2"] or found["y3"]
    return int(year), int(month or 0), int(found["d"] or found["d2"] or 0)
