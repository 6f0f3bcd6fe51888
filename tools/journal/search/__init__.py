"""Search of the journal: query parsing, lexical and vector retrieval, rank fusion."""
