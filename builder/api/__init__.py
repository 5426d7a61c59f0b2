"""The REST surface under `/api/`: one file a resource, its wire forms beside its views."""
