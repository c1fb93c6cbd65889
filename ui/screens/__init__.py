"""One screen, two files, one name."""
