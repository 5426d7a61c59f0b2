"""How services and programs are told something: what is posted to each, and what its answer means."""
