"""Language models as a workspace reaches them."""
