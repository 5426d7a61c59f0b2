"""What a run is and what happens next, as pure code: no clock, no network, no event loop."""
