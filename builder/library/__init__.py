"""Documents that come with the product: demos and templates."""
