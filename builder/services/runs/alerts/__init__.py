"""What people are told of while they do not look: rules, what they count, and when they are met."""
