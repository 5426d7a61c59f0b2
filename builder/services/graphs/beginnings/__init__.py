"""What a workspace's first workflows are made from: demos and templates."""
