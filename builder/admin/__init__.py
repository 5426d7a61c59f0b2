"""Django admin: tables to look at; what is changed goes through services."""

from builder.admin import budgets, people, tables

__all__ = ["budgets", "people", "tables"]
