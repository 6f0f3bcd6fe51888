"""The actions of all loaded packs, and the MCP tools that are withheld from use for now."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from state.action import DECLARED, Action
from state.classification import WhyNot
from state.errors import NotFound, PackFault, PackFaults
from state.tuning import Context
from tools.catalog.argument_schema import argument_schema
from tools.catalog.arguments import missing_slots, read_arguments, render_summary
from tools.catalog.entity_values import by_canonical_name
from tools.catalog.pack import Pack
from tools.catalog.pack_schema import EntityType, OutputsFile, PersonalityFile, PolicyFile
from tools.catalog.yaml_with_lines import read_yaml
from tools.platform.texts import t


class ToolKey(NamedTuple):
    """Which tool of which server of which pack."""

    pack: str
    server: str
    tool: str

    @property
    def id(self) -> str:
        """Write it as people name it."""
        return "/".join(self)

    @classmethod
    def of(cls, tool_id: str) -> Self:
        """Read what people name; a tool's own name may hold a slash.

        Raises:
            NotFound: it names no tool of a server of a pack.
        """
        parts = tool_id.split("/", maxsplit=2)
        if len(parts) < len(cls._fields):
            raise NotFound("tool", tool_id)
        return cls(*parts)


class WithheldTools:
    """The tools whose description changed since a person last accepted it, each with the reason.

    One object is shared by the catalogue and by the connections: a change that a running session
    brings counts from that moment on.
    """

    def __init__(self) -> None:
        self._reasons: dict[ToolKey, str] = {}

    def withhold(self, key: ToolKey, reason: str) -> None:
        """Let nobody ask for a tool from now on."""
        self._reasons = {**self._reasons, key: reason}

    def release(self, key: ToolKey) -> None:
        """Let it be asked for again."""
        self._reasons = {one: why for one, why in self._reasons.items() if one != key}

    def __contains__(self, key: ToolKey) -> bool:
        return key in self._reasons

    def why(self, action: Action) -> str | None:
        """Say why an action may not be used; None: it may."""
        if action.permit is not None and action.permit.withheld:
            return t("gate.declared_changed", name=action.name)
        if action.mcp is None:
            return None
        return self._reasons.get(ToolKey(action.pack, action.mcp.server, action.mcp.tool))

    @property
    def told(self) -> tuple[str, ...]:
        """Say a sentence for each tool that is withheld."""
        return tuple(self._reasons.values())


class DeclaredTools:
    """What is declared at this moment.

    One object is shared by every catalogue of a process: a declaration counts from then on.
    """

    def __init__(self) -> None:
        self._packs: dict[str, Pack] = {}

    def of(self, tenant_id: str) -> Pack | None:
        """Return the tools of a tenant; None: it has none."""
        return self._packs.get(tenant_id)

    @property
    def every(self) -> Iterator[Action]:
        """List the tools of all tenants: for what is measured over them, and shown to nobody."""
        return (action for pack in self._packs.values() for action in pack.actions.values())

    def put(self, tenant_id: str, actions: Mapping[str, Action]) -> None:
        """Let these be the tools of a tenant from now on."""
        if actions:
            self._packs[tenant_id] = _declared_pack(actions)
        else:
            self._packs.pop(tenant_id, None)


def _declared_pack(actions: Mapping[str, Action]) -> Pack:
    shapes = [action.model_dump(mode="json") for action in actions.values()]
    return Pack(
        name=DECLARED,
        folder=Path(__file__).parent,
        digest=hashlib.sha256(json.dumps(shapes, sort_keys=True).encode()).hexdigest(),
        actions=dict(actions),
        entities={},
        heuristics=(),
        policy=PolicyFile(),
        personality=PersonalityFile(),
        outputs=OutputsFile(),
    )


_SHAPES_ROUTING_ONLY: Mapping[str, Any] = {  # as pydantic leaves fields out
    "words": True,
    "examples": True,
    "grantable": True,  # asked of the action itself, whatever a yes was bound to
    "slots": {"__all__": {"behind"}},
}


@dataclass(frozen=True)
class Catalogue:
    """The actions of the loaded packs. No entry, no action."""

    packs: tuple[Pack, ...]
    actions: Mapping[str, Action]
    entities: Mapping[str, Mapping[str, EntityType]]
    """Pack name → entity types."""
    version: str
    """sha256 hex over the packs' content: another version is another catalogue."""
    withheld: WithheldTools = field(default_factory=WithheldTools, compare=False)
    """Tools that changed since they were accepted; nobody may ask for them."""
    declared: DeclaredTools = field(default_factory=DeclaredTools, compare=False)
    """What agents declare; only `of_tenant` lets any of it be seen."""
    _joined: dict[str, tuple[Pack, "Catalogue"]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    @classmethod
    def of(cls, packs: Sequence[Pack], withheld: WithheldTools | None = None) -> Self:
        """Join packs.

        Args:
            withheld: the tools that may not be used for now, and which others change later.

        Raises:
            PackFaults: two packs have the same name, or both hold an action of one name.
        """
        faults = _collisions(packs)
        if faults:
            raise PackFaults(" and ".join(pack.name for pack in packs), faults)
        digest = hashlib.sha256("\n".join(f"{p.name} {p.digest}" for p in packs).encode())
        actions = {name: action for pack in packs for name, action in pack.actions.items()}
        return cls(
            packs=tuple(packs),
            actions=MappingProxyType(actions),
            entities=MappingProxyType({pack.name: pack.entities for pack in packs}),
            version=digest.hexdigest(),
            withheld=withheld or WithheldTools(),
        )

    def with_own(self, own: Pack) -> Self:
        """Join the service's own pack to these: a catalogue for the gate, and for nothing else.

        What is read in texts, shown to models or counted as a right goes by the packs alone.

        Raises:
            PackFaults: a pack, or an action of one, has a name of ours.
        """
        taken = [
            pack
            for pack in self.packs
            if pack.name == own.name or own.actions.keys() & pack.actions.keys()
        ]
        if taken:
            names = ", ".join((own.name, *own.actions))
            told = f"uses a name that the service keeps for itself ({names}); rename it"
            raise PackFaults(taken[0].name, [PackFault(taken[0].folder, None, "", told)])
        digest = hashlib.sha256(f"{self.version} {own.digest}".encode()).hexdigest()
        return replace(
            self,
            packs=(*self.packs, own),
            actions=MappingProxyType({**self.actions, **own.actions}),
            entities=MappingProxyType({**self.entities, own.name: own.entities}),
            version=digest,
            withheld=self.withheld,
        )

    def of_tenant(self, tenant_id: str) -> "Catalogue":
        """Return the catalogue that one tenant's calls are judged by: with what its agents declare.

        Everybody else's is not in it, and where nobody asked for a tenant nothing declared is.
        """
        own = self.declared.of(tenant_id)
        if own is None:
            return self
        known = self._joined.get(tenant_id)
        if known is None or known[0] is not own:
            whole = replace(
                self,
                packs=(*self.packs, own),
                actions=MappingProxyType({**own.actions, **self.actions}),
                declared=DeclaredTools(),
            )
            known = self._joined[tenant_id] = (own, whole)
        return known[1]

    @property
    def context(self) -> Context:
        """Tell where we are, as the first pack says."""
        return self.packs[0].policy.context

    def action(self, name: str) -> Action:
        """Find an action.

        Raises:
            NotFound: no pack has it.
        """
        try:
            return self.actions[name]
        except KeyError:
            raise NotFound("action", name) from None

    def pack(self, name: str) -> Pack:
        """Find a pack.

        Raises:
            NotFound: it is not loaded.
        """
        for pack in self.packs:
            if pack.name == name:
                return pack
        raise NotFound("pack", name)

    def internal_domains(self, pack: str) -> tuple[str, ...]:
        """List the e-mail domains of a pack's own people.

        Raises:
            NotFound: it is not loaded.
        """
        return self.pack(pack).policy.internal_domains

    def schema_hash(self, name: str) -> str:
        """Hash all of an action that decides what runs and who may; examples are not part of it.

        Raises:
            NotFound: no pack has it.
        """
        action = self.action(name)
        # What a field that most actions lack would change is every digest there is.
        permit = True if action.permit is None else {"withheld"}
        shape = action.model_dump(mode="json", exclude={**_SHAPES_ROUTING_ONLY, "permit": permit})
        return hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()

    def argument_schema(self, name: str) -> dict[str, Any]:  # JSON Schema
        """Write the arguments of an action as JSON Schema, draft 2020-12.

        Raises:
            NotFound: no pack has it.
        """
        action = self.action(name)
        return argument_schema(action, self.entities.get(action.pack, {}))

    def arguments(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
        """Read arguments strictly: plain JSON values in slot order, things by their own names.

        Raises:
            NotFound: no pack has the action.
            InvalidArguments: they do not fit its slots, or name a thing that is none.
        """
        action = self.action(name)
        kinds = self.entities.get(action.pack, {})
        return by_canonical_name(action, read_arguments(action, given), kinds)

    def missing(self, name: str, given: Mapping[str, Any]) -> tuple[str, ...]:  # by slot type
        """Name the required slots that have no value.

        Raises:
            NotFound: no pack has the action.
        """
        return missing_slots(self.action(name), given)

    def summary(self, name: str, arguments: Mapping[str, Any]) -> str:  # by slot type
        """Render an action for a person's eyes.

        Raises:
            NotFound: no pack has the action.
        """
        return render_summary(self.action(name), arguments)

    def may_ask(self, name: str, roles: Sequence[str]) -> bool:
        """Tell whether these roles may ask for an action; for an unknown one nobody may."""
        return name in self.actions and self.why_not(name, roles) is None

    def at_home(self, roles: Sequence[str]) -> frozenset[str]:
        """Name the packs that know one of these roles; all of them where none does."""
        known = {name for name, own in self._roles if not own.isdisjoint(roles)}
        return frozenset(known or (pack.name for pack in self.packs))

    @property
    def roles(self) -> frozenset[str]:
        """Every role that some pack knows."""
        return frozenset(role for _pack, own in self._roles for role in own)

    @cached_property
    def _roles(self) -> tuple[tuple[str, set[str]], ...]:
        return tuple((pack.name, roles_of(pack)) for pack in self.packs)

    def why_not(self, name: str, roles: Sequence[str]) -> WhyNot | None:
        """Say what keeps these roles from asking for an action; None: nothing does.

        The one permission filter: whoever decides, offers, asks a model, freezes or starts an
        action comes here.

        Raises:
            NotFound: no pack has it.
        """
        action = self.action(name)
        read_only = self.pack(action.pack).policy.read_only_roles
        if read_only and action.floor != "A" and not set(roles) - set(read_only):
            return "read_only"
        if action.roles and not set(action.roles) & set(roles):
            return "role"
        return None if self.withheld.why(action) is None else "tool_changed"

    def why_withheld(self, name: str) -> str | None:
        """Say why an action that is there may not be used for now; None: it may.

        Raises:
            NotFound: no pack has it.
        """
        return self.withheld.why(self.action(name))


def roles_of(pack: Pack) -> set[str]:
    """Name every role that a pack knows: who asks, who approves, who only reads."""
    named = {role for action in pack.actions.values() for role in action.roles}
    approving = {role for action in pack.actions.values() for role in action.approvers.roles}
    return named | approving | set(pack.policy.read_only_roles)


def _collisions(packs: Sequence[Pack]) -> list[PackFault]:
    faults = []
    homes: dict[str, Pack] = {}
    names: dict[str, Pack] = {}
    for pack in packs:
        if pack.name == DECLARED:
            problem = "is the name of what agents declare; rename the folder"
            faults.append(PackFault(pack.folder, None, "", problem))
        if pack.name in names:
            problem = f"is called {pack.name} like {names[pack.name].folder}; rename one folder"
            faults.append(PackFault(pack.folder, None, "", problem))
        names[pack.name] = pack
        for action in pack.actions:
            if action in homes:
                problem = f"is an action of the pack {homes[action].name} too; rename one"
                written = read_yaml(pack.folder / "actions.yaml")
                faults.append(written.fault(("actions", action), problem))
            homes[action] = pack
    return faults
