"""The outside world and the engines, a folder a capability."""
