"""Ways to sign in beyond a password: codes, passkeys, a firm's own provider, and what a workspace asks."""
