"""Who calls, with which credentials, and which sessions they may send to and read."""
