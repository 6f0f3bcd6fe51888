"""The slots of an action, filled from words: names, numbers, days, text."""
