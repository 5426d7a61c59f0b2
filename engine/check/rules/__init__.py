"""One kind of problem a module: what a graph must not do."""
