"""Commands of a catalogue said so that they ask for nothing, and what the router makes of them."""
