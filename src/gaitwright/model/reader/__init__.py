"""Readers that convert a validated document to a mechanism."""
