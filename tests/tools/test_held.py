from tools.platform.process_resources import LRUCache


def test_what_was_made_before_is_given_again() -> None:
    held: LRUCache[list[str]] = LRUCache(2)

    first = held.get("a", lambda: ["a"])

    assert held.get("a", lambda: ["never made"]) is first


def test_what_was_asked_for_longest_ago_is_made_again() -> None:
    held: LRUCache[str] = LRUCache(2)
    held.get("a", lambda: "a")
    held.get("b", lambda: "b")
    held.get("a", lambda: "never made")

    held.get("c", lambda: "c")

    assert held.get("a", lambda: "never made") == "a"
    assert held.get("b", lambda: "made again") == "made again"
