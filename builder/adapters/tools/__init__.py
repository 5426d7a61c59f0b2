"""Tools as a workspace may use them: their sources and what it agreed to."""
