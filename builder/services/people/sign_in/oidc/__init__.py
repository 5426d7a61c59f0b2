"""A firm's own sign-in by OpenID Connect: what it says is checked, and opens one workspace."""
