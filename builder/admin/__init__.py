"""Django admin: tables to look at; what is changed goes through services."""

from builder.admin import audit, budgets, money, people, runs, tables

__all__ = ["audit", "budgets", "money", "people", "runs", "tables"]
