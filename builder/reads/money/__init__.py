"""What was spent, and where budgets stand."""
