"""Lists of the inbox: which items, in which order; views that are kept, and fields to narrow them by."""
