"""A companion for a game or a day at the desktop: it watches, and keeps notes and places."""
