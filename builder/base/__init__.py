"""What every part may use: errors, clock, money, secrets, bells and the engine's door."""
