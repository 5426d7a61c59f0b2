"""The processes: the engine's thread, the threads beside it, locks and health."""
