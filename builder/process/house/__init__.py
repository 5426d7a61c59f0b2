"""The threads that keep house: each does one kind of work for all, in one process at a time."""
