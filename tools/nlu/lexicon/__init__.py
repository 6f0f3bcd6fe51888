"""English word lists, phrase matching and the verb lexicon, and what a catalogue adds to them."""
