"""Whatever people write into documents, texts, schemas and paths: an answer, known and soon."""
