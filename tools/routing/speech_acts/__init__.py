"""Is it asked for? What each clause does, and what is quoted, told, denied or taken back."""
