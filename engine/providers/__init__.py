"""One file per model API. No file here imports another; none loads an SDK when imported."""
