"""A research project: papers, a library, notes and the questions of its channels."""
