"""What shapes words: knowledge of a domain, styles, and the personality's own filter."""
