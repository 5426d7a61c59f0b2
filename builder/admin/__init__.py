"""Django admin: tables to look at; what is changed goes through services."""

from builder.admin import budgets, money, people, tables

__all__ = ["budgets", "money", "people", "tables"]
