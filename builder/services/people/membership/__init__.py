"""What somebody is in a workspace: their groups, their own settings; and the accounts of no person."""
