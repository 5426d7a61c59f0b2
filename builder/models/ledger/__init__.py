"""What runs wait for and spend. Written by the engine's store only, as `builder.models.runs`."""
