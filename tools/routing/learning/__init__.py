"""What is learnt from the examples of a catalogue, and what it is worth."""
