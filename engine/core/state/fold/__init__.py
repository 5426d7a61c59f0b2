"""The fold: one event after the other becomes the state of a run."""
