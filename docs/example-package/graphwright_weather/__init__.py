"""Weather for Graphwright: one of each thing that a package can offer."""
