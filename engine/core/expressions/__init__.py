"""The three small languages of a document: expressions, templates and JSONPath."""
