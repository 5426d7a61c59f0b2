"""Facts in the project's database: kept, found and ranked."""
