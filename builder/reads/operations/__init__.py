"""How the engine is doing: figures of a stretch of time, what is stuck, and the processes that do it all."""
