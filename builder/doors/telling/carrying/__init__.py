"""Notices under way: judged, written, sent, settled, and sent again by hand."""
