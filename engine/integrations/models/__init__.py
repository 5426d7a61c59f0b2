"""Language models: requests and answers, prices, providers and what they offer."""
