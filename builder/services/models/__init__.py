"""What is done to model providers: added, changed, priced, tried, removed."""
