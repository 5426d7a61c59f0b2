"""The frame of the HTTP API: views, wire types, errors, pages and the schema."""
