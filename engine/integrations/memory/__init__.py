"""Facts that outlive a run, as the engine asks for them."""
