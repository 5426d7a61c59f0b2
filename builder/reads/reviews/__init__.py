"""How people decide: what became of approvals, and who decides in which way."""
