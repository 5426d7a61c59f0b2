"""The Django project: settings, addresses, middleware, and what serves requests."""
