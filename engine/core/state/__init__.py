"""The state of a run, the events that make it, and the program that it runs."""
