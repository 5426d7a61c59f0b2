"""What ends a node or a run otherwise than by its result: control flow, and its size."""
