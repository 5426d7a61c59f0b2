"""Schedules with several owners: workers over one database that freeze, die, go deaf and are robbed."""
