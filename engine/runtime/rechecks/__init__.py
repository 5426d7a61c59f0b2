"""Second looks at what runs wait for."""
