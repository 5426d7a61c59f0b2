"""One conversation with a model: prompts, tools on offer, skills, and its answer."""
