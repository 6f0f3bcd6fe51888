"""Plain words that are no topic and no name, whatever they stand beside."""

FUNCTION_WORDS = frozenset(
    {
        "a", "an", "the", "of", "in", "on", "at", "for", "from", "to", "by", "with",
        "without", "about", "into", "onto", "over", "under", "between", "among", "during",
        "within", "through", "and", "or", "but", "nor", "so", "as", "than", "that", "which",
        "who", "whom", "whose", "this", "these", "those", "it", "its", "they", "them",
        "their", "there", "here", "he", "she", "his", "her", "we", "us", "our", "i", "me",
        "my", "you", "your", "is", "are", "was", "were", "be", "been", "being", "am", "do",
        "does", "did", "has", "have", "had", "having", "can", "could", "may", "might",
        "would", "shall", "should", "must", "not", "no", "any", "some", "all", "each",
        "every", "either", "both", "such", "only", "just", "also", "too", "very", "much",
        "many", "more", "most", "what", "when", "where", "how", "why", "if", "then", "please",
        "thanks", "thank", "hi", "hello", "hey", "ok", "okay", "yes", "ones", "using", "via",
        "vs", "versus", "regarding", "concerning", "related", "i'm", "i'd", "i've", "let's",
        "what's", "that's", "it's", "there's", "don't", "doesn't", "didn't", "isn't",
        "aren't", "say", "said", "after", "before", "since", "until", "below", "above",
        "like", "anything", "something", "whether", "ideally", "preferably",
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
        "not", "but", "it", "its", "my", "our", "your", "their", "his", "her", "someone",
        "somebody", "anyone", "anybody", "everyone", "nobody", "other", "others", "than", "except",
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

FRAME_WORDS = frozenset(
    {
        "a", "an", "the", "some", "any", "all", "more", "other", "few", "of", "good", "great",
        "best", "nice", "relevant", "interesting", "useful", "such", "these", "those", "my",
        "our", "your", "to", "for", "me", "us", "you", "we", "i", "they", "it", "be", "is",
        "are", "was", "were", "am", "there", "here", "that", "which", "who", "what",
        "whatever", "how", "please", "pls", "plz", "kindly", "maybe", "perhaps", "just",
        "only", "also", "so", "then", "now", "and", "or", "but", "ok", "okay", "well", "hi",
        "hello", "hey", "dear", "yes", "can", "could", "would", "will", "should", "might",
        "may", "do", "does", "did", "have", "has", "had", "been", "being", "got", "let",
        "let's", "lets", "go", "i'd", "i'm", "i've", "we'd", "we're", "we've", "you're",
        "what's", "there's", "who's", "that's", "don't", "doesn't", "isn't", "aren't", "can't",
        "couldn't", "won't", "wouldn't", "haven't", "hasn't", "want", "need",
        "like", "love", "wish", "hope", "try", "trying", "able", "mind", "help", "interested",
        "curious", "after", "hunting", "find", "finding", "found", "search", "searching",
        "searched", "look", "looking", "show", "showing", "give", "giving", "get", "getting",
        "gimme", "lemme", "grab", "fetch", "list", "listing", "pull", "bring", "dig", "gather",
        "collect", "retrieve", "locate", "recommend", "suggest", "display", "send", "provide",
        "see", "read", "reading", "tell", "know", "knows", "up", "out", "through", "into", "in",
        "down",
        "sth", "u", "around", "over", "at", "with", "from", "on", "about", "as", "new",
        "recent", "latest", "newest", "old", "kind", "thank", "thanks", "quick", "quickly",
        "query", "database", "academic", "scholarly", "scientific", "scholar", "online",
        "anything", "something", "everything",
    }
)  # fmt: skip
"""Words of which a request is made up to the papers it is for."""
