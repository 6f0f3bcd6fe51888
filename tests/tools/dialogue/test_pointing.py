"""What a text points at goes before names that its pointing words happen to be."""

from state.memory import Listed, PackMemory
from state.policy import EntityMention, Routing
from tools.dialogue.reference_resolution import resolve_references


def test_of_a_list_only_what_was_misread_is_left_out() -> None:
    text = "tag the second one and WO-1 as acoustics"
    misread = EntityMention(type="crew", value="Second", confidence=0.9, span=(4, 14))
    named = EntityMention(type="order", value="WO-1", confidence=0.9, span=(23, 27))
    routing = Routing(
        text=text,
        normalized=text,
        tokens=tuple(text.split()),
        action="tag",
        confidence=0.9,
        mood="command",
        sign="imperative",
        entities=(misread, named),
        slots={"who": ["Second", "WO-1"], "whom": ["Second"], "one": "Second", "other": "WO-1"},
    )
    listed = Listed(values=("P-1", "P-2"), at=5.0)
    memory = {"library": PackMemory(listed={"paper": listed})}

    read = resolve_references(text, routing, memory, since=0.0)

    assert read.things == {"library": {"paper": ("P-2",)}}
    assert read.routing.slots == {"who": ["WO-1"], "other": "WO-1"}
    assert misread not in read.routing.entities
