"""What a monitoring system reads at `/metrics`: figures of this process and of the installation."""
