"""What else narrows a search: authors, venue, field of study, access, how many, in what order."""
