"""What a decision would lead to, told before it is made: on a copy of the run, without any effect."""
