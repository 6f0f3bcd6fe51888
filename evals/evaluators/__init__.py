"""One measure a file: the file, the function and the key have the same name."""
