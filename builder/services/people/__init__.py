"""People: accounts, invitations, sign-ins and what may be tried how often."""
