"""Models, tools and functions whose answers are written down beforehand."""
