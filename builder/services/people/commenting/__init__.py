"""Comments on cards: threads beside a draft, which no document, hash or undo knows of."""
