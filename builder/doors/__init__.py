"""What comes in from outside and starts workflows: triggers, their deliveries, signatures, times."""
