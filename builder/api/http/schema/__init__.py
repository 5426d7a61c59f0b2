"""The served OpenAPI schema: what every route takes and answers, refusals too."""
