"""How an action is done: a function of the pack, a call to a service, a tool of a server."""
