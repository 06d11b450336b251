"""Pages of the analyses."""
