"""Whatever data names as an address: the doors through which it is called, and what none may reach."""
