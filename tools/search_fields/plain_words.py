"""Plain words that are no topic and no name, whatever they stand beside."""

FUNCTION_WORDS = frozenset(
    {
        "a", "an", "the", "of", "in", "on", "at", "for", "from", "to", "by", "with",
        "without", "about", "into", "onto", "over", "under", "between", "among", "during",
        "within", "through", "and", "or", "but", "nor", "so", "as", "than", "that", "which",
        "who", "whom", "whose", "this", "these", "those", "it", "its", "they", "them",
        "their", "there", "here", "he", "she", "his", "her", "we", "us", "our", "i", "me",
        "my", "you", "your", "is", "are", "was", "were", "be", "been", "being", "am", "do",
        "does", "did", "has", "have", "had", "having", "can", "could", "may", "might", "will",
        "would", "shall", "should", "must", "not", "no", "any", "some", "all", "each",
        "every", "either", "both", "such", "only", "just", "also", "too", "very", "much",
        "many", "more", "most", "what", "when", "where", "how", "why", "if", "then", "please",
        "thanks", "thank", "hi", "hello", "hey", "ok", "okay", "yes", "ones", "using", "via",
        "vs", "versus", "regarding", "concerning", "related", "i'm", "i'd", "i've", "let's",
        "what's", "that's", "it's", "there's", "don't", "doesn't", "didn't", "isn't",
        "aren't", "say", "said", "after", "before", "since", "until", "below", "above",
        "like",
    }
)  # fmt: skip
"""Words that no search is about."""

NEVER_IN_NAMES = frozenset(
    {
        "a", "an", "the", "on", "about", "in", "at", "of", "for", "from", "since", "before",
        "after", "until", "with", "without", "using", "and", "or", "to", "that", "which",
        "who", "is", "are", "was", "were", "between", "during", "published", "please", "only",
        "open", "oa", "top", "most", "sorted", "over", "last", "past", "this", "these",
        "those", "recent", "new", "if", "when", "where", "by", "as", "via", "any", "all",
        "not", "but", "it", "its", "my", "our", "your", "their", "his", "her",
    }
)  # fmt: skip
"""Words at which the name of a person ends."""

NEVER_NAMES = frozenset(
    {
        "date", "year", "years", "country", "countries", "region", "relevance", "topic",
        "topics", "citation", "citations", "gender", "age", "author", "authors", "women",
        "men", "people", "researchers", "scientists", "default", "impact", "importance",
        "venue", "journal", "field", "subject", "method", "title", "type", "number", "month",
        "now", "email", "hand", "chance", "means", "way", "design", "state", "sector",
        "species", "city", "language", "one", "two", "using",
    }
)  # fmt: skip
"""What papers are sorted, grouped or done by, and nobody is called."""
