"""Ways to sign in: second factors and passkeys by allauth's views behind one guard, firms' providers."""
