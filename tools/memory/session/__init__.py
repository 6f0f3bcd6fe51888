"""Pure updates of the session: requests, reactions and working memory."""
