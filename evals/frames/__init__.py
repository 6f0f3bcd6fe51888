"""Commands of a catalogue put into the sentences people ask in, and whether they are named."""
