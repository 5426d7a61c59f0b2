"""Groups of a workspace's members: what each is used for, and how they are made, changed and ended."""
