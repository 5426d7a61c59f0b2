"""Model servers at an address: what is known of one, the protocols they speak, presets for both."""
