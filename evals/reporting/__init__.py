"""What came of a run: a file for programs, a page for people, a table for the terminal."""
