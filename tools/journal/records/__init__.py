"""Decision records in files: Markdown read and written, imports held to what they may claim."""
