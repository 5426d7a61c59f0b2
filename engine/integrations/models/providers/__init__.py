"""One file per model API. No file here imports another; none loads an SDK when imported.

A hosted API is found by being here: its file has `PROVIDER`, `LABEL`, `BASE_URL`, `KEY_NAMES`
(environment variables that may hold its key) and `connect(name, secret) -> Connection`.
"""
